"""Times of day that stand beside a day: the hours and minutes they may mean.

A part of the day decides between morning and evening. Without one, hours from 1 to 6 are open: both
are candidates. What no rule decides (twelve at night, two in the night) is no time.
"""

from __future__ import annotations

import re

from msgspec import Struct

from mnemod.domain.normalise import numerals
from mnemod.domain.normalise.lexicon import english, grammar
from mnemod.domain.normalise.page import Page

NOON = 12
_MIDNIGHT = "midnight"
EVENING_STARTS = 5
OPEN_UNTIL = 6
"""Hours up to this, said without a part of the day, may be in the afternoon."""


class Clock(Struct, frozen=True):
    """A time that ends at `end` in the text: the hours it may mean, and its minute."""

    end: int
    hours: tuple[int, ...]
    minute: int

    def on(self, day: str) -> list[str]:
        """The moments of that day, as ISO 8601 to the minute."""
        return [f"{day}T{hour:02}:{self.minute:02}" for hour in self.hours]


def after_han(page: Page, at: int, part: str = "") -> Clock | None:
    """The time that follows a day in Chinese or Japanese at `at`; `part` is what the day said."""
    found = grammar().pattern("clock").match(page.text, at)
    if found is None:
        return None
    if found["noon"]:
        return Clock(found.end(), (NOON,), 0)
    hour = numerals.value(found["hour"])
    minute = _minute(found)
    if hour is None or hour > 23 or minute > 59:
        return None
    hours = _hours(int(hour), _part_of(found) or part, exact=found["hour"].startswith("0"))
    return Clock(found.end(), hours, minute) if hours else None


def english_clock(found: re.Match[str], part: str = "") -> tuple[tuple[int, ...], int] | None:
    """Hours and minute of a match of an English clock pattern, None if there is no such time.

    `part` is the part of the day that the day's own word says.
    """
    if found["noon"]:
        return ((0,) if found["noon"] == _MIDNIGHT else (NOON,)), 0
    said = english().data["hour_words"].get(found["hour"])
    hour, minute = int(said or found["hour"]), int(found["minute"] or 0)
    minute += english().data["minute_words"].get(found["minute_word"], 0)
    if found["past"]:
        past = english().data["past"][found["past"]]
        hour, minute = (hour - 1, 60 + past) if past < 0 else (hour, past)
    if hour > 23 or minute > 59:
        return None
    half = found["half"]
    part = english_part(found) or part
    if half and (not 1 <= hour <= NOON or (part == "pm" and half.startswith("a"))):
        return None  # last night at 1 am was this morning
    if half:
        return ((hour % NOON + (NOON if half.startswith("p") else 0)),), minute
    hours = _hours(hour, part, exact=found["hour"].startswith("0"))
    return (hours, minute) if hours else None


def english_part(found: re.Match[str]) -> str:
    """The part of the day that stands with an English time."""
    said = found["part"] or found["part_after"]
    return english().data["parts_of_day"][said] if said else ""


def _part_of(found: re.Match[str]) -> str:
    for group, part in (
        ("morning", "am"),
        ("midday", "noon"),
        ("afternoon", "afternoon"),
        ("night", "pm"),
    ):
        if found[group]:
            return part
    return ""


def _minute(found: re.Match[str]) -> int:
    if found["half"]:
        return 30
    if found["quarter"]:
        return 15 if numerals.value(found["quarter"]) == 1 else 45
    said = found["minute"] or found["minutes"]
    value = numerals.value(said.lstrip("0") or "0") if said else 0
    return 60 if value is None else int(value)


def _hours(hour: int, part: str, *, exact: bool) -> tuple[int, ...]:
    if hour > NOON or part == "am":
        return () if part == "am" and hour >= NOON else (hour,)
    match part:
        case "noon":
            return (hour,) if hour > 10 else (hour + NOON,) if hour < 4 else ()
        case "afternoon":
            return (NOON,) if hour == NOON else (hour + NOON,) if hour else ()
        case "pm":
            return (hour + NOON,) if EVENING_STARTS <= hour < NOON else ()
        case _:
            is_open = 0 < hour <= OPEN_UNTIL and not exact
            return (hour, hour + NOON) if is_open else (hour,)
