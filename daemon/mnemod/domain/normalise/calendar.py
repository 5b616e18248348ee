"""Calendar arithmetic for dates in words: a month is a month, and weeks start on Monday.

A period is its first day and its unit. Days moved by months keep their number, or take the last
day of a month that is shorter. The standard library does all of it; nothing here guesses.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from msgspec import Struct

from mnemod.domain.annotation import Interval
from mnemod.domain.world import Precision

MONTHS: Final = {Precision.MONTH: 1, Precision.QUARTER: 3, Precision.HALF: 6, Precision.YEAR: 12}
DAYS: Final = {Precision.DAY: 1, Precision.WEEK: 7}


class Period(Struct, frozen=True):
    """One unit of the calendar by its first day."""

    first: date
    unit: Precision

    @property
    def value(self) -> str | Interval:
        """A day as its date, anything longer as its interval."""
        if self.unit is Precision.DAY:
            return self.first.isoformat()
        return Interval(self.first.isoformat(), moved(self.first, 1, self.unit).isoformat())


def moved(day: date, count: int, unit: Precision) -> date:
    """`day` moved by that many units. Raises ValueError or OverflowError outside the calendar."""
    if unit in DAYS:
        return day + timedelta(days=count * DAYS[unit])
    months = day.year * 12 + day.month - 1 + count * MONTHS[unit]
    year, month = divmod(months, 12)
    return date(year, month + 1, min(day.day, days_in(year, month + 1)))


def days_in(year: int, month: int) -> int:
    """The number of days of a month."""
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def period(day: date, unit: Precision, offset: int = 0) -> Period:
    """The unit that holds `day`, moved by `offset` of it."""
    return Period(moved(_first(day, unit), offset, unit), unit)


def last_day(month: Period) -> date:
    """The last day of a period."""
    return moved(month.first, 1, month.unit) - timedelta(days=1)


def through(first: Period, last: Period) -> Interval | None:
    """From one period to the end of another; None if it would not run forward."""
    if last.first <= first.first:
        return None
    return Interval(first.first.isoformat(), moved(last.first, 1, last.unit).isoformat())


def _first(day: date, unit: Precision) -> date:
    if unit is Precision.DAY:
        return day
    if unit is Precision.WEEK:
        return day - timedelta(days=day.weekday())
    span = MONTHS[unit]
    return date(day.year, (day.month - 1) // span * span + 1, 1)
