"""Dates in English that name a month: `March 12`, `12 March 2026`, `March 10-12`, `end of March`.

A month that is also a word needs its capital in the source, or a sign that a date is meant.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from mnemod.domain.annotation import Annotation
from mnemod.domain.normalise.calendar import Period, last_day, period, through
from mnemod.domain.normalise.english_day import on_day
from mnemod.domain.normalise.english_text import (
    is_after,
    month_number,
    number_of,
)
from mnemod.domain.normalise.lexicon import english
from mnemod.domain.normalise.page import ASSUMED, Page, of_interval, of_period
from mnemod.domain.world import Precision

_WEEKDAY_BACK: Final = 16
_DAY_BACK: Final = 32
_PAIR_BACK: Final = 40
_AND: Final = ("and", "the")


def at_month(page: Page, start: int, end: int) -> Annotation | None:
    """A month's name with a day, a year, or both."""
    text, patterns = page.text, english()
    if is_after(page, "vague_before", start):
        return None
    if (reading := _after_day(page, start)) is not None:
        return reading
    if found := patterns.pattern("month_day").match(text, start):
        is_sure = found["year"] or not (found["day"].isdigit() or found["day"].isalpha())
        is_worded = found["day"].isalpha() and not found["year"]
        if not is_month(page, start, end, found.end(), sure=bool(is_sure), worded=is_worded):
            return None
        return _day_of_month(page, _weekday_start(page, start), found)
    pair = patterns.pattern("month_pair").match(text, start)
    if pair and (not pair["and"] or is_after(page, "between_before", start)):
        opened, closed = (
            Period(date(int(pair["year"]), month_number(pair[name]), 1), Precision.MONTH)
            for name in ("month", "last")
        )
        return _through(start, pair.end(), opened, closed)
    found = patterns.pattern("month_alone").match(text, start)
    if found is None or not is_month(page, start, end, found.end()):
        return None
    if is_after(page, "month_joint_before", start):
        return None
    first = Period(date(int(found["year"]), month_number(found["month"]), 1), Precision.MONTH)
    if not found["last_month"]:
        return of_period(start, found.end(), first)
    last_first = date(int(found["last_year"]), month_number(found["last_month"]), 1)
    return _through(start, found.end(), first, Period(last_first, Precision.MONTH))


def _after_day(page: Page, start: int) -> Annotation | None:
    """`12 March 2026`, `10-12 March`: the day's figures stand before the month at `start`."""
    patterns, back = english(), max(0, start - _DAY_BACK)
    if page.text[start - 1 : start] not in (" ", "-"):
        return None
    day = patterns.pattern("day_before").search(page.text, back, start)
    found = day and patterns.pattern("day_month").match(page.text, day.start())
    if not found or found.start("month") != start or is_after(page, "vague_before", found.start()):
        return None
    if not is_month(page, start, found.end("month"), found.end(), sure=bool(found["year"])):
        return None
    return _day_of_month(page, _weekday_start(page, found.start()), found)


def at_end(page: Page, start: int, _: int) -> Annotation | None:
    """`end of next month`, `end of March 2026`: its last day."""
    found = english().pattern("ends").match(page.text, start)
    if found is None or (page.today is None and not found["year"]):
        return None
    if found["direction"] and page.today:
        offset = english().data["directions"][found["direction"]]
        month = period(page.today, Precision.MONTH, offset)
        return on_day(page, start, found.end(), last_day(month))
    name = found.start("month")
    if not is_month(page, name, found.end("month"), found.end(), sure=bool(found["year"])):
        return None
    year = int(found["year"] or (page.today.year if page.today else 0))
    month = Period(date(year, month_number(found["month"]), 1), Precision.MONTH)
    confidence = 1.0 if found["year"] else ASSUMED
    return on_day(page, start, found.end(), last_day(month), confidence)


def _day_of_month(page: Page, start: int, found: re.Match[str]) -> Annotation | None:
    start, written = _written_year(page, start, found)
    if written is None and page.today is None:
        return None
    year = page.today.year if written is None and page.today else int(written or 0)
    confidence = ASSUMED if written is None else 1.0
    end = found.end()
    if written is None and page.today is not None:
        directed = english().pattern("directed_year").match(page.text, end)
        if directed is not None:
            year += english().data["directions"][directed["direction"]]
            end, confidence = directed.end(), 1.0
    first = date(year, month_number(found["month"]), number_of(found["day"]))
    groups = found.groupdict()
    if (before := _day_and_before(page, found)) is not None:
        pair = (date(year, first.month, number_of(before["day"])), first)
        first_day, final = (Period(day, Precision.DAY) for day in pair)
        return _through(before.start("day"), end, first_day, final, confidence)
    until = _until_full(page, start, found.end())
    if until is not None and not groups["through"]:
        last_month = month_number(until["month"])
        last_year = int(until["year"] or year + (last_month < first.month))
        last = date(last_year, last_month, number_of(until["day"]))
        first_day, final = (Period(day, Precision.DAY) for day in (first, last))
        return _through(start, until.end(), first_day, final, confidence)
    if not groups["through"] and not groups["last"]:
        return on_day(page, start, end, first, confidence)
    month = month_number(groups["last_month"] or found["month"])
    last = date(year, month, number_of(groups.get("last_day") or groups["last"]))
    if last < first and last.month < first.month:  # 24 December to 2 January
        if written is None:
            last = last.replace(year=year + 1)
        else:
            first = first.replace(year=year - 1)
    return _through(
        start,
        end,
        Period(first, Precision.DAY),
        Period(last, Precision.DAY),
        confidence,
    )


def _until_full(page: Page, start: int, end: int) -> re.Match[str] | None:
    """The other end of a range, a day with a month of its own, after a date that ends at `end`."""
    names = ["full_through", "full_day_through"]
    if is_after(page, "between_before", start):
        names += ["full_and", "full_day_and"]
    tried = (english().pattern(name).match(page.text, end) for name in names)
    return next(filter(None, tried), None)


def _day_and_before(page: Page, found: re.Match[str]) -> re.Match[str] | None:
    """`between the 3rd and the` before `9th of August`."""
    at = found.start("day")
    if at > found.start("month") or page.text[max(0, at - 4) : at].strip() not in _AND:
        return None
    pattern = english().pattern("day_and_before")
    return pattern.search(page.text, max(0, at - _PAIR_BACK), at)


def _written_year(page: Page, start: int, found: re.Match[str]) -> tuple[int, str | None]:
    """The year after the day, or before the month (1989 November 9); and where the date starts."""
    if found["year"] is None and found.start() == start:
        back = max(0, start - _WEEKDAY_BACK)
        before = english().pattern("year_prefix").search(page.text, back, start)
        if before is not None and not found["day"].isalpha():
            return before.start(), before["year"]
    return start, found["year"]


def is_month(
    page: Page, start: int, end: int, after: int, *, sure: bool = False, worded: bool = False
) -> bool:
    """Whether the name in that place is a month's: some are words too.

    `after` is where the date ends. In small letters it needs a preposition before the date, or
    nothing that goes on after it; no word at all if its day is `worded` (you may second that).
    """
    if sure or page.text[start:end].rstrip(".") not in english().words["also_words"]:
        return True
    if page.written(start, start + 1).isupper():
        return True
    if is_after(page, "dating_before", start):
        return True
    goes_on = english().pattern("word_after" if worded else "goes_on")
    return goes_on.match(page.text, after) is None


def _weekday_start(page: Page, start: int) -> int:
    found = (
        english().pattern("weekday_before").search(page.text, max(0, start - _WEEKDAY_BACK), start)
    )
    return start if found is None else found.start()


def _through(
    start: int, end: int, first: Period, last: Period, confidence: float = 1.0
) -> Annotation | None:
    found = through(first, last)
    return None if found is None else of_interval(start, end, found, first.unit, confidence)
