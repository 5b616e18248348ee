"""Years, halves and quarters in English: `in 2019`, `H1 2025`, `third quarter of next year`."""

from __future__ import annotations

import re
from datetime import date

from mnemod.domain.annotation import Annotation
from mnemod.domain.normalise.calendar import Period, through
from mnemod.domain.normalise.english_text import is_after
from mnemod.domain.normalise.lexicon import english
from mnemod.domain.normalise.page import Page, of_interval, of_period
from mnemod.domain.world import Precision


def at_half(page: Page, start: int, _: int) -> Annotation | None:
    """`first half of 2025`, `H2 next year`."""
    found = english().pattern("half").match(page.text, start)
    year = None if found is None else _year_of(page, found)
    if found is None or year is None:
        return None
    first = date(year, 1 + 6 * english().data["halves"][found["half"]], 1)
    return of_period(start, found.end(), Period(first, Precision.HALF))


def at_quarter(page: Page, start: int, _: int) -> Annotation | None:
    """`Q3 2025`, `third quarter of next year`."""
    found = english().pattern("quarter").match(page.text, start)
    year = None if found is None else _year_of(page, found)
    if found is None or year is None or is_after(page, "quarter_joint_before", start):
        return None
    number = int(found["q"] or english().data["ordinals"][found["nth"]])
    first = date(year, 3 * number - 2, 1)
    return of_period(start, found.end(), Period(first, Precision.QUARTER))


def at_year_quarter(page: Page, start: int) -> Annotation | None:
    """`2025 Q3`, `2025H1`."""
    found = english().pattern("year_quarter").match(page.text, start)
    if found is None:
        return None
    if found["q"]:
        unit, month = Precision.QUARTER, 3 * int(found["q"]) - 2
    else:
        unit, month = Precision.HALF, 1 + 6 * english().data["halves"][found["half"]]
    return of_period(start, found.end(), Period(date(int(found["year"]), month, 1), unit))


def at_year(page: Page, start: int) -> Annotation | None:
    """A year alone: after a preposition that takes one, and not a count of what follows."""
    text, patterns = page.text, english()
    found = patterns.pattern("year_alone").match(text, start)
    if found is None or patterns.pattern("quantity_after").match(text, found.end()):
        return None
    if is_after(page, "grown_before", start):
        return None
    if (pair := patterns.pattern("year_and").match(text, start)) and is_after(
        page, "between_before", start
    ):
        last = Period(date(int(pair["last"]), 1, 1), Precision.YEAR)
        return _through(
            start, pair.end(), Period(date(int(pair["year"]), 1, 1), Precision.YEAR), last
        )
    opens = patterns.pattern("year_after").match(text, found.end()) and is_after(
        page, "sentence_start", start
    )
    if not opens and not is_after(page, "year_before", start):
        return None
    first = Period(date(int(found["year"]), 1, 1), Precision.YEAR)
    if not found["last"]:
        return of_period(start, found.end(), first)
    return _through(
        start, found.end(), first, Period(date(int(found["last"]), 1, 1), Precision.YEAR)
    )


def _year_of(page: Page, found: re.Match[str]) -> int | None:
    if found["year"]:
        return int(found["year"])
    if page.today is None:
        return None
    return page.today.year + int(english().data["directions"][found["direction"]])


def _through(
    start: int, end: int, first: Period, last: Period, confidence: float = 1.0
) -> Annotation | None:
    found = through(first, last)
    return None if found is None else of_interval(start, end, found, first.unit, confidence)
