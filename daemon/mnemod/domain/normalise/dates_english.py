"""Dates in English: months by name, words that count from the anchor, years after a preposition.

`next` and `last` before a weekday are open where this week's still lies ahead, or behind. `the next
week`, `my last year` name no week or year of the calendar. A name that is also a word needs its
capital.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import cache
from typing import Final

from msgspec import Struct

from mnemod.domain.annotation import Annotation
from mnemod.domain.normalise import clock
from mnemod.domain.normalise.calendar import Period, last_day, moved, period, through
from mnemod.domain.normalise.english_day import on_day, time_after
from mnemod.domain.normalise.english_distance import at_ago, at_from_now, at_in, at_recent
from mnemod.domain.normalise.english_months import at_end, at_month, is_month
from mnemod.domain.normalise.english_text import (
    is_after,
    is_bound,
    is_named,
    month_number,
    number_of,
    weekday_number,
)
from mnemod.domain.normalise.english_years import at_half, at_quarter
from mnemod.domain.normalise.lexicon import english, grammar
from mnemod.domain.normalise.page import Page, of_dates, of_interval, of_period
from mnemod.domain.world import Precision

_WEEKDAY_BACK: Final = 16
Reader = Callable[[Page, int, int], Annotation | None]


def at_word(page: Page, start: int, end: int) -> Annotation | None:
    """The reading that begins, or ends, with the word in that place."""
    word = page.text[start:end]
    read = _readers().get(word) or _readers()[word.partition(" ")[0]]
    return read(page, start, end)


class Heads(Struct, frozen=True):
    """The words that `at_word` reads on from: those alone, and the phrases of two words."""

    alone: list[str]
    directions: list[str]
    directed: list[str]
    within: list[str]
    counts: list[str]


def heads() -> Heads:
    """Every word, or beginning of a phrase, that `at_word` reads on from."""
    data, words = english().data, english().words
    counts = list(words["figure_word"])
    phrases = (*data["directions"], *words["in"])
    return Heads(
        alone=[word for word in _readers() if word not in phrases],
        directions=list(data["directions"]),
        directed=[*data["weekdays"], *data["months"], *words["period"], *counts],
        within=list(words["in"]),
        counts=counts,
    )


@cache
def _readers() -> dict[str, Reader]:
    data, words = english().data, english().words
    table: dict[str, Reader] = dict.fromkeys(data["directions"], at_direction)
    table |= dict.fromkeys(data["months"], at_month)
    table |= dict.fromkeys(data["days"], at_day)
    table |= dict.fromkeys(words["after_next"], at_after_next)
    table |= dict.fromkeys(words["half_head"], at_half)
    table |= dict.fromkeys(words["quarter_head"], at_quarter)
    table |= dict.fromkeys(words["end_of"], at_end)
    table |= dict.fromkeys(words["ago"], at_ago)
    table |= dict.fromkeys(words["from_now"], at_from_now)
    table |= dict.fromkeys(words["in"], at_in)
    return table


def at_day(page: Page, start: int, end: int) -> Annotation | None:
    """`tomorrow`, `last night` and their like."""
    if page.today is None or is_named(page, start, end) or _is_saying(page, start, end):
        return None
    word = page.text[start:end]
    day = moved(page.today, english().data["days"][word], Precision.DAY)
    return on_day(page, start, end, day, part=english().data["parts_of_day"].get(word, ""))


def _is_saying(page: Page, start: int, end: int) -> bool:
    """Whether the word counts from another day (ago, from), or is part of a saying."""
    if any(is_after(page, name, start) for name in ("ago_before", "saying_before")):
        return True
    return english().pattern("saying_after").match(page.text, end) is not None


def at_direction(page: Page, start: int, _: int) -> Annotation | None:
    """`next Friday`, `last week`, `this March`, `last three days`."""
    found = english().pattern("directed").match(page.text, start)
    if found is None:
        return at_recent(page, start)
    if page.today is None or is_after(page, "vague_before", start):
        return None
    if found["direction"] != "this" and is_bound(page, start):
        return None
    offset = english().data["directions"][found["direction"]]
    if found["weekday"]:
        return _directed_weekday(page, start, found)
    if english().pattern("of_after").match(page.text, found.end()):
        return None
    if found["month"]:
        return _directed_month(page, start, found, offset)
    if found["direction"] in english().words["rolling"]:
        return None
    said = period(page.today, Precision(found["unit"]), offset)
    if (numbered := _numbered_day(page, start, found["direction"])) is not None:
        return numbered
    if said.unit is Precision.MONTH and (edge := _edge_before(page, start)):
        day = said.first if edge["first"] else last_day(said)
        return on_day(page, edge.start(), found.end(), day)
    return _in_week(page, start, found.end(), said)


def at_after_next(page: Page, start: int, end: int) -> Annotation | None:
    """`week after next`, `month before last`."""
    if page.today is None:
        return None
    word = page.text[start:end]
    offset = 2 if word.endswith("next") else -2
    said = period(page.today, Precision(word.partition(" ")[0]), offset)
    return _in_week(page, start, end, said)


def _directed_weekday(page: Page, start: int, found: re.Match[str]) -> Annotation | None:
    if page.today is None or not _is_weekday(page, found):
        return None
    said = weekday_number(found["weekday"])
    now = page.today.weekday()
    monday = period(page.today, Precision.WEEK).first
    day = moved(monday, said, Precision.DAY)
    after = ("weekday_through", "or_after")
    if any(english().pattern(name).match(page.text, found.end()) for name in after):
        return None
    match found["direction"]:
        case "this":
            days = [day]
        case "this coming":
            days = [day if said > now else moved(day, 1, Precision.WEEK)]
        case "this past" | "past":
            days = [day if said < now else moved(day, -1, Precision.WEEK)]
        case "next":
            coming = day if said > now else moved(day, 1, Precision.WEEK)
            days = [coming, moved(coming, 1, Precision.WEEK)]
        case _:
            week_before = moved(day, -1, Precision.WEEK)
            days = [week_before, day] if said < now else [week_before]
    if len(days) == 1:
        return on_day(page, start, found.end(), days[0])
    time = time_after(page, found.end(), "") or clock.after_han(page, found.end())
    if time is None:
        return of_dates(start, found.end(), [d.isoformat() for d in days], Precision.DAY)
    moments = [moment for d in days for moment in time.on(d.isoformat())]
    return of_dates(start, time.end, moments, Precision.MINUTE)


def _directed_month(page: Page, start: int, found: re.Match[str], offset: int) -> Annotation | None:
    name = found.start("month")
    if page.today is None or not is_month(page, name, found.end("month"), found.end()):
        return None
    year, month = page.today.year, month_number(found["month"])
    if offset > 0:
        # Said before that month, "next March" may be this year's or the one after.
        if month > page.today.month:
            return None
        year += 1
    elif offset < 0:
        if month < page.today.month:
            return (
                None
                if page.today.month - month > 1
                else of_period(start, found.end(), Period(date(year, month, 1), Precision.MONTH))
            )
        year -= 1
    return of_period(start, found.end(), Period(date(year, month, 1), Precision.MONTH))


def _in_week(page: Page, start: int, end: int, said: Period) -> Annotation | None:
    """A week with its weekday before or after it is a day."""
    if said.unit is Precision.WEEK:
        before = (
            english()
            .pattern("weekday_of_before")
            .search(page.text, max(0, start - _WEEKDAY_BACK), start)
        )
        if before is not None:
            day = moved(said.first, weekday_number(before["weekday"]), Precision.DAY)
            joined = _weekday_joint(page, before.start())
            if joined is not None:
                first = moved(said.first, weekday_number(joined["weekday"]), Precision.DAY)
                return _days_through(joined.start(), end, first, day)
            return on_day(page, before.start(), end, day)
        if after := english().pattern("weekday_after").match(page.text, end):
            day = moved(said.first, weekday_number(after["weekday"]), Precision.DAY)
            if until := english().pattern("weekday_through").match(page.text, after.end()):
                last = moved(said.first, weekday_number(until["weekday"]), Precision.DAY)
                return _days_through(start, until.end(), day, last)
            return on_day(page, start, after.end(), day)
        if after := grammar().pattern("weekday_after").match(page.text, end):
            day = moved(said.first, grammar().data["weekday"][after["weekday"]], Precision.DAY)
            return on_day(page, start, after.end(), day)
    return of_period(start, end, said)


def _weekday_joint(page: Page, start: int) -> re.Match[str] | None:
    """`Monday to` before `Wednesday next week`."""
    pattern = english().pattern("weekday_joint_before")
    return pattern.search(page.text, max(0, start - _WEEKDAY_BACK), start)


def _days_through(start: int, end: int, first: date, last: date) -> Annotation | None:
    found = through(Period(first, Precision.DAY), Period(last, Precision.DAY))
    return None if found is None else of_interval(start, end, found, Precision.DAY)


def _numbered_day(page: Page, start: int, direction: str) -> Annotation | None:
    """`15th of next month`."""
    day = english().pattern("day_before").search(page.text, max(0, start - _WEEKDAY_BACK), start)
    found = day and english().pattern("day_of_month").match(page.text, day.start())
    if not found or page.today is None:
        return None
    month = period(page.today, Precision.MONTH, english().data["directions"][direction])
    return on_day(
        page, found.start(), found.end(), month.first.replace(day=number_of(found["day"]))
    )


def _edge_before(page: Page, start: int) -> re.Match[str] | None:
    """`first of` or `last day of` before a month."""
    pattern = english().pattern("edge_before")
    return pattern.search(page.text, max(0, start - _WEEKDAY_BACK), start)


def _is_weekday(page: Page, found: re.Match[str]) -> bool:
    if found["weekday"].rstrip(".") not in english().words["also_words"]:
        return True
    at = found.start("weekday")
    return page.written(at, at + 1).isupper()
