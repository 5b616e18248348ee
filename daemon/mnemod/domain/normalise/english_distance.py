"""Distances from now in English: `two weeks ago`, `in 3 days`, `the last three days`."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from mnemod.domain.annotation import Annotation
from mnemod.domain.normalise import numerals
from mnemod.domain.normalise.distance import by_calendar, by_clock, last_units
from mnemod.domain.normalise.english_text import is_after
from mnemod.domain.normalise.lexicon import english
from mnemod.domain.normalise.page import Page
from mnemod.domain.world import Precision

_LOOK_BACK: Final = 48
_CLAUSE: Final = 80
_HALF: Final = Decimal("0.5")
_FORTNIGHT: Final = 2


def at_ago(page: Page, start: int, end: int) -> Annotation | None:
    """`N units ago`, from its last word back."""
    return _from_words(page, start, end, is_past=True)


def at_from_now(page: Page, start: int, end: int) -> Annotation | None:
    """`N units from now`, from its last words back."""
    return _from_words(page, start, end, is_past=False)


def at_in(page: Page, start: int, _: int) -> Annotation | None:
    """`in N units`, unless it says how long something took."""
    patterns = english()
    found = patterns.pattern("in_units").match(page.text, start)
    if found is None or patterns.pattern("vague_after").match(page.text, found.end()):
        return None
    if is_after(page, "span_before", start) or _tells_how_long(page, start):
        return None
    return _moved(page, found, start, found.end(), is_past=False)


def at_recent(page: Page, start: int) -> Annotation | None:
    """`last three days`: they end with the anchor's day."""
    found = english().pattern("recent").match(page.text, start)
    if found is None:
        return None
    count = numerals.value(found["count"], page.locale)
    return last_units(page, start, found.end(), count, Precision(found["unit"]))


def _from_words(page: Page, start: int, end: int, *, is_past: bool) -> Annotation | None:
    patterns, back = english(), max(0, start - _LOOK_BACK)
    found = patterns.pattern("unit_ago").search(page.text, back, start)
    if found is None:
        found = patterns.pattern("compact_ago").search(page.text, back, start)
    before = ("guess_before", "chain_before")
    if found is None or any(is_after(page, name, found.start()) for name in before):
        return None
    if patterns.pattern("other_day_after").match(page.text, end):
        return None
    return _moved(page, found, found.start(), end, is_past=is_past)


def _moved(
    page: Page, found: re.Match[str], start: int, end: int, *, is_past: bool
) -> Annotation | None:
    groups = found.groupdict()
    half_of = found["count"].startswith("half")
    count = _HALF if half_of else numerals.value(found["count"].strip(), page.locale)
    if count is None:
        return None
    if groups["half"] or groups.get("halved"):
        count += _HALF
    if groups["clock"]:
        minutes = count * english().data["clock_units"][groups["clock"]]
        said = groups.get("minutes")
        minutes += (numerals.value(said, page.locale) or Decimal(0)) if said else 0
        return by_clock(page, start, end, minutes, is_past)
    unit = english().data["units"][groups["unit"]]
    if unit == "fortnight":
        count, unit = count * _FORTNIGHT, Precision.WEEK
    return by_calendar(page, start, end, count, Precision(unit), is_past)


def _tells_how_long(page: Page, start: int) -> bool:
    """Whether the clause tells what was done in that time, and nothing that is to come."""
    patterns, clause_start = english(), max(0, start - _CLAUSE)
    for end in patterns.pattern("clause_end").finditer(page.text, clause_start, start):
        clause_start = end.end()
    did = patterns.pattern("did").search(page.text, clause_start, start)
    if did is None and not is_after(page, "amount_before", start):
        return False
    return patterns.pattern("future").search(page.text, clause_start, start) is None
