"""Dates in figures: 2026-03-12, 25/3/2026, 3/12, with a time beside them.

A year of four figures first decides the order, otherwise the locale does. Where it does not, both
readings are shown if both can be.
Without a year a date needs words beside it that make it one: 3/12 is also a fraction or a score.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Final

from mnemod.domain.annotation import Annotation
from mnemod.domain.normalise import dates_han, english_day
from mnemod.domain.normalise.calendar import Period, through
from mnemod.domain.normalise.english_text import weekday_number
from mnemod.domain.normalise.lexicon import english, grammar
from mnemod.domain.normalise.page import ASSUMED, Page, of_dates, of_interval, to_the_minute
from mnemod.domain.world import Precision

_CENTURY: Final = 2000
_MONTHS: Final = 12
_WEEKDAY_BACK: Final = 16
_CLAUSE: Final = 40
_CODE_BACK: Final = 32
_PLAUSIBLE: Final = range(1500, 2200)
"""Years a day in figures may lie in: others are parts of a number that opens or names a thing."""


def at_figures(page: Page, start: int) -> Annotation | None:
    """The date in figures that begins there."""
    patterns = grammar()
    if _is_code(page, start):
        return None
    if found := patterns.pattern("iso").match(page.text, start):
        return _iso(page, start, found)
    if found := patterns.pattern("day_month_year").match(page.text, start):
        return _with_year(page, start, found)
    if found := patterns.pattern("month_day").match(page.text, start):
        return _without_year(page, start, found)
    return None


def _is_code(page: Page, start: int) -> bool:
    """Whether a word before says that the figures open, fetch or number something: room 6-2-17,
    build 2024.1.7."""
    if grammar().pattern("hyphened").match(page.text, start):
        return _follows(page, start, "code_before")
    dotted = grammar().pattern("dotted").match(page.text, start) is not None
    return dotted and _follows(page, start, "version_before")


def _follows(page: Page, start: int, name: str) -> bool:
    """Whether the grammar's pattern `name` fits what stands before."""
    back = max(0, start - _CODE_BACK)
    return any(
        words.pattern(name).search(page.text, back, start) for words in (english(), grammar())
    )


def _iso(page: Page, start: int, found: re.Match[str]) -> Annotation | None:
    day = date(int(found["year"]), int(found["month"]), int(found["day"]))
    if stamp := grammar().pattern("stamp").match(page.text, found.end()):
        return _moment(page, start, stamp, day)
    if until := grammar().pattern("iso_through").match(page.text, found.end()):
        last = date(int(until["year"]), int(until["month"]), int(until["day"]))
        if (reading := _between(start, until.end(), day, last)) is not None:
            return reading
    start, _ = _with_weekday(page, start, [day])
    return _on_day(page, start, found.end(), day)


def _moment(page: Page, start: int, stamp: re.Match[str], day: date) -> Annotation | None:
    moment = datetime(day.year, day.month, day.day, int(stamp["hour"]), int(stamp["minute"]))
    if stamp["offset"]:
        if page.anchor is None:
            return None
        there = moment.replace(tzinfo=_zone(stamp["offset"]))
        moment = there.astimezone(page.anchor.tzinfo)
    return of_dates(start, stamp.end(), [to_the_minute(moment)], Precision.MINUTE)


def _zone(offset: str) -> timezone:
    if offset == "z":
        return UTC
    hours, minutes = int(offset[1:3]), int(offset[-2:])
    distance = timedelta(hours=hours, minutes=minutes)
    return timezone(-distance if offset[0] == "-" else distance)


def _with_year(page: Page, start: int, found: re.Match[str]) -> Annotation | None:
    year = int(found["year"])
    if year < 100:
        year += _CENTURY
    if year not in _PLAUSIBLE:
        return None
    day_first = found["sep"] == "." or _is_written(page, "day_first")
    readings = _readings(page, year, found, day_first=day_first)
    if until := grammar().pattern("day_month_year_through").match(page.text, found.end()):
        last = _readings(page, int(until["year"]), until, day_first=day_first)
        if len(readings) == len(last) == 1:
            reading = _between(start, until.end(), readings[0], last[0])
            if reading is not None:
                return reading
    start, days = _with_weekday(page, start, readings)
    return _of(page, start, found.end(), days, 1.0)


def _with_weekday(page: Page, start: int, days: list[date]) -> tuple[int, list[date]]:
    """Where the weekday before a date begins, and the readings that fall on it: Sat 7/4."""
    back = max(0, start - _WEEKDAY_BACK)
    if found := english().pattern("weekday_before").search(page.text, back, start):
        said = weekday_number(found["weekday"])
    elif found := grammar().pattern("weekday_before").search(page.text, back, start):
        known = grammar().data["weekday"]
        word = found[0].rstrip(" ,\u3001")
        said = known.get(word[0], known[word[-1]])
    else:
        return start, days
    agreeing = [day for day in days if day.weekday() == said]
    return (found.start(), agreeing) if agreeing else (start, days)


def _without_year(page: Page, start: int, found: re.Match[str]) -> Annotation | None:
    if page.today is None:
        return None
    # Short figures are open even where the day is written first: many write the month first.
    readings = _readings(page, page.today.year, found, day_first=False)
    first, days = _with_weekday(page, start, readings)
    if first == start and not _is_dated(page, start, found.end(), found["sep"]):
        return None
    start = first
    if _is_written(page, "month_first") and int(found["first"]) > _MONTHS:
        return None
    if len(days) == 1 and (reading := _through(page, start, found.end(), days[0])) is not None:
        return reading
    return _of(page, start, found.end(), days, ASSUMED)


def _through(page: Page, start: int, end: int, first: date) -> Annotation | None:
    """A range of days without years, which may run into the next one: 12/30-1/2."""
    until = grammar().pattern("month_day_through").match(page.text, end)
    if until is None:
        return None
    last = _readings(page, first.year, until, day_first=False)
    if last and all(day.month < first.month for day in last):
        last = _readings(page, first.year + 1, until, day_first=False)
    if len(last) != 1:
        return None
    return _between(start, until.end(), first, last[0], ASSUMED)


def _between(
    start: int, end: int, first: date, last: date, confidence: float = 1.0
) -> Annotation | None:
    pair = through(Period(first, Precision.DAY), Period(last, Precision.DAY))
    return None if pair is None else of_interval(start, end, pair, Precision.DAY, confidence)


def _readings(page: Page, year: int, found: re.Match[str], *, day_first: bool) -> list[date]:
    first, second = int(found["first"]), int(found["second"])
    month_first = _is_written(page, "month_first") and found["sep"] != "."
    orders = [(first, second), (second, first)]
    if day_first and second <= _MONTHS:
        orders = orders[1:]
    days = [date(year, month, day) for month, day in orders if _is_date(year, month, day)]
    return days[:1] if month_first else sorted(set(days))


def _is_written(page: Page, order: str) -> bool:
    """Whether the locale writes its dates in that order."""
    return page.locale.lower().startswith(tuple(english().data["locales"][order]))


def _is_date(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _of(page: Page, start: int, end: int, days: list[date], confidence: float) -> Annotation | None:
    if len(days) == 1:
        return _on_day(page, start, end, days[0], confidence)
    return of_dates(start, end, [day.isoformat() for day in days], Precision.DAY)


def _on_day(
    page: Page, start: int, end: int, day: date, confidence: float = 1.0
) -> Annotation | None:
    """The date with what stands beside it in either kind of writing: the longer reading."""
    readers = (dates_han.on_day, english_day.on_day)
    found = [read(page, start, end, day, confidence) for read in readers]
    return max(filter(None, found), key=lambda each: each.end - each.start, default=None)


def _is_dated(page: Page, start: int, end: int, sep: str) -> bool:
    """Whether words beside two numbers say that they are a day of the year."""
    text = page.text
    before, after = text[max(0, start - 16) : start], text[end : end + 8]
    clause = text[max(0, start - _CLAUSE) : start]
    if english().pattern("quantity_after").match(text, end) or english().pattern(
        "fraction_after"
    ).match(text, end):
        return False
    if any(
        english().pattern(name).search(clause) for name in ("numeric_before", "occasion_before")
    ):
        return True
    if english().pattern("numeric_after").match(text, end):
        return True
    patterns = grammar()
    if sep == "-":
        return patterns.pattern("dated_alone").search(before) is not None and not after.strip()
    if patterns.pattern("fraction_after").match(text, end):
        return False
    if patterns.pattern("dated_after").match(text, end):
        return patterns.pattern("fraction_before").search(before) is None
    if patterns.pattern("dated_before").search(before):
        return True
    alone = patterns.pattern("dated_alone").search(before) is not None
    return alone and patterns.pattern("alone_after").match(text, end) is not None
