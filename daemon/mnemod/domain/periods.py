"""Dates as items keep them: as exact as they were said, in one form that sorts.

    minute   2031-05-04T19:00+09:00        quarter  2031-Q2
    day      2031-05-04                    half     2031-H1
    week     2031-W18                      year     2031
    month    2031-05                       days     2031-05-03/2031-05-05, the last one included

`time_window.covered` reads them back.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta, tzinfo

from mnemod.domain.annotation import Ambiguous, Interval, Value
from mnemod.domain.world import Precision


def period(value: Value, precision: Precision, zone: tzinfo) -> str:
    """The stored form of a date or an interval that is decided, in the zone of its words.

    "Three months ago" is a day of the calendar, meant to the month: it is stored as a month.
    """
    if isinstance(value, Interval):
        first = date.fromisoformat(value.start)
        return _days(value) if precision is Precision.DAY else _named(first, precision)
    if not isinstance(value, str) or isinstance(value, Ambiguous):
        raise TypeError("only a date or an interval is a period")
    if precision is Precision.MINUTE:
        return _minute(datetime.fromisoformat(value).replace(tzinfo=zone))
    return _named(date.fromisoformat(value), precision)


def _days(value: Interval) -> str:
    last = date.fromisoformat(value.end) - timedelta(days=1)
    return value.start if last.isoformat() == value.start else f"{value.start}/{last.isoformat()}"


def _minute(moment: datetime) -> str:
    return moment.isoformat(timespec="minutes")


def _named(day: date, precision: Precision) -> str:
    if precision is Precision.WEEK:
        year, week, _ = day.isocalendar()
        return f"{year:04}-W{week:02}"
    if precision is Precision.MONTH:
        return f"{day.year:04}-{day.month:02}"
    if precision is Precision.QUARTER:
        return f"{day.year:04}-Q{(day.month + 2) // 3}"
    if precision is Precision.HALF:
        return f"{day.year:04}-H{1 if day.month <= 6 else 2}"
    return f"{day.year:04}" if precision is Precision.YEAR else day.isoformat()
