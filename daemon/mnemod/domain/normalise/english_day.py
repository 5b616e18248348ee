"""A day and the time that stands beside it in English, after it or before it."""

from __future__ import annotations

from datetime import date
from typing import Final

from mnemod.domain.annotation import Annotation
from mnemod.domain.normalise import clock
from mnemod.domain.normalise.calendar import Period
from mnemod.domain.normalise.english_text import is_after
from mnemod.domain.normalise.lexicon import english
from mnemod.domain.normalise.page import Page, of_dates, of_period
from mnemod.domain.world import Precision

_CLOCK_BACK: Final = 26


def on_day(
    page: Page, start: int, end: int, day: date, confidence: float = 1.0, part: str = ""
) -> Annotation | None:
    """What stands beside a day: a time after it or before it."""
    time = time_after(page, end, part) or clock.after_han(page, end, part)
    if time is not None:
        return of_dates(start, time.end, time.on(day.isoformat()), Precision.MINUTE)
    if (before := _time_before(page, start, end, part)) is not None:
        first, time = before
        return of_dates(first, time.end, time.on(day.isoformat()), Precision.MINUTE)
    return of_period(start, end, Period(day, Precision.DAY), confidence)


def time_after(page: Page, end: int, part: str) -> clock.Clock | None:
    patterns = english()
    found = patterns.pattern("clock").match(page.text, end)
    if found is None or not patterns.pattern("clock_needs").search(found[0]):
        return None
    if patterns.pattern("clock_range").match(page.text, found.end()):
        return None
    is_bare = not (found["minute"] or found["minute_word"] or found["half"] or found["noon"])
    if is_bare and patterns.pattern("quantity_after").match(page.text, found.end()):
        return None
    read = clock.english_clock(found, part)
    return None if read is None else clock.Clock(found.end(), *read)


def _time_before(page: Page, start: int, end: int, part: str) -> tuple[int, clock.Clock] | None:
    """Where a time before the day begins, and the time: `8 tomorrow evening` is after noon."""
    patterns = english()
    window = page.text[max(0, start - _CLOCK_BACK) : start]
    if not window.endswith((" ", "\n")) or patterns.pattern("clock_sign").search(window) is None:
        return None
    found = patterns.pattern("clock_before").search(page.text, max(0, start - _CLOCK_BACK), start)
    if found is None:
        return None
    signs = ("minute", "half", "noon", "past", "sharp", "part_after")
    is_bare = not any(found[sign] for sign in signs)
    if is_bare and not is_after(page, "at_before", found.start()):
        return None
    if is_after(page, "clock_range_before", found.start()):
        return None
    is_sure = part or any(found[sign] for sign in ("half", "noon", "part_after"))
    said = None if is_sure else patterns.pattern("part_beside").match(page.text, end)
    if said is not None:
        part, end = patterns.data["parts_of_day"][said["part"]], said.end()
    read = clock.english_clock(found, part)
    return None if read is None else (found.start(), clock.Clock(end, *read))
