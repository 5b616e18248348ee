"""A number of units before or after now, in days or on the clock, and the last few of them.

The anchor's day is moved by the calendar and keeps the unit as its precision; hours and minutes
move the clock. Halves are exact only of a year (six months) and of an hour.
"""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from msgspec.structs import replace

from mnemod.domain.annotation import Annotation, Interval
from mnemod.domain.normalise import numerals
from mnemod.domain.normalise.calendar import MONTHS, moved
from mnemod.domain.normalise.lexicon import grammar
from mnemod.domain.normalise.page import Page, of_dates, of_interval, to_the_minute
from mnemod.domain.world import Precision

_HALF = Decimal("0.5")
_MONTHS_A_YEAR = 12
_LOOK_BACK = 6
_YEARS = range(1000, 3000)


def at_han(page: Page, start: int) -> Annotation | None:
    """`N` units ago or from now, in Chinese or Japanese, from its number on."""
    text, patterns = page.text, grammar()
    if page.today is None or _is_guess(text, start) or _is_from_event(page, start):
        return None
    if found := patterns.pattern("ago").match(text, start):
        count = _count(found["count"], page.locale)
        unit = Precision(patterns.data["unit"][found["unit"]])
        if _is_deadline(page, found["unit"], found["ago"]) or _is_year(count, unit):
            return None
        read = by_calendar(
            page, start, found.end(), _with_half(count, found["half"]), unit, bool(found["ago"])
        )
        same = patterns.pattern("same_day").match(text, found.end())
        if read is not None and same is not None and unit in MONTHS:
            # Ten years ago today: the day itself is named.
            return replace(read, end=same.end(), precision=Precision.DAY)
        return read
    if found := patterns.pattern("clock_ago").match(text, start):
        halved = found["half"] or found["after"]
        count = _with_half(_count(found["hours"], page.locale), halved)
        if count is None:
            return None
        minutes = count * patterns.data["clock_unit"][found["unit"]]
        minutes += numerals.value(found["minutes"] or "") or 0
        return by_clock(page, start, found.end(), minutes, bool(found["ago"]))
    return None


def recent_han(page: Page, start: int, end: int) -> Annotation | None:
    """The last N units, today among them (最近三天); their word stands in that place."""
    found = grammar().pattern("recent").match(page.text, end)
    near = page.text[start - 1 : start] in grammar().words["near"] if start else False
    if page.today is None or found is None or near:
        return None
    count = _count(found["count"], page.locale)
    unit = Precision(grammar().data["unit"][found["unit"]])
    return last_units(page, start, found.end(), count, unit)


def yet_han(page: Page, start: int, end: int) -> Annotation | None:
    """N units from now, said by a word before them (再过三天) that stands in that place."""
    text, patterns = page.text, grammar()
    if found := patterns.pattern("yet").match(text, end):
        count = _with_half(_count(found["count"], page.locale), found["half"])
        unit = Precision(patterns.data["unit"][found["unit"]])
        return by_calendar(page, start, found.end(), count, unit, is_past=False)
    if found := patterns.pattern("yet_clock").match(text, end):
        hours = _with_half(_count(found["count"], page.locale), found["half"] or found["after"])
        if hours is not None:
            minutes = hours * patterns.data["clock_unit"][found["unit"]]
            return by_clock(page, start, found.end(), minutes, is_past=False)
    return None


def by_calendar(
    page: Page, start: int, end: int, count: Decimal | None, unit: Precision, is_past: bool
) -> Annotation | None:
    """The anchor's day moved by `count` units. Half a year is six months, to the month."""
    if page.today is None or count is None:
        return None
    if unit is Precision.YEAR and count % 1 == _HALF:
        count, unit = count * _MONTHS_A_YEAR, Precision.MONTH
    if count % 1 or (unit is Precision.YEAR and count >= _YEARS.start):
        return None
    day = moved(page.today, -int(count) if is_past else int(count), unit)
    return of_dates(start, end, [day.isoformat()], unit)


def by_clock(
    page: Page, start: int, end: int, minutes: Decimal, is_past: bool
) -> Annotation | None:
    """The anchor moved by minutes."""
    if page.anchor is None or minutes % 1:
        return None
    distance = timedelta(minutes=int(minutes))
    moment = page.anchor - distance if is_past else page.anchor + distance
    return of_dates(start, end, [to_the_minute(moment)], Precision.MINUTE)


def last_units(
    page: Page, start: int, end: int, count: Decimal | None, unit: Precision
) -> Annotation | None:
    """The interval of the last `count` units that ends with the anchor's day."""
    if page.today is None or count is None or count % 1 or not count:
        return None
    tomorrow = moved(page.today, 1, Precision.DAY)
    first: date = moved(tomorrow, -int(count), unit)
    return of_interval(start, end, Interval(first.isoformat(), tomorrow.isoformat()), unit)


def _is_guess(text: str, start: int) -> bool:
    before = text[max(0, start - _LOOK_BACK) : start]
    return any(
        grammar().pattern(name).search(before) is not None
        for name in ("ago_vague_before", "chain_before")
    )


def _is_from_event(page: Page, start: int) -> bool:
    """Whether the noun before says from when the distance counts."""
    before = page.text[max(0, start - _LOOK_BACK) : start]
    is_japanese = page.locale.startswith("ja")
    return is_japanese and grammar().pattern("event_before").search(before) is not None


def _is_deadline(page: Page, unit: str, ago: str | None) -> bool:
    """In Chinese 3日前 is also "before the third"; who speaks Cantonese counts days in 日."""
    days = grammar().data["words"]["day_sign"]
    is_chinese = page.locale.startswith("zh") and not page.is_cantonese
    return ago is not None and unit in days and is_chinese


def _is_year(count: Decimal | None, unit: Precision) -> bool:
    """2019年前 is "before 2019"; nobody counts that many years."""
    return unit is Precision.YEAR and count is not None and count in _YEARS


def _count(numeral: str, locale: str) -> Decimal | None:
    if numeral[0] in grammar().words["lone"]:
        return None
    if numeral in grammar().data["words"]["half"]:
        return _HALF
    return numerals.value(numeral, locale)


def _with_half(count: Decimal | None, half: str | None) -> Decimal | None:
    return count + _HALF if count is not None and half else count
