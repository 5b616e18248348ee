"""Spans of time as people write them: a year, a month, a day, a minute, or from one to another.

A window is half open, in epoch milliseconds. What is coarse covers all it names: "2031" is the
whole year, "2031-05" the whole month, in the zone of whoever asks. What cannot be understood is
None, and what lies outside the calendar is clamped to it; nothing here raises.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Final

from msgspec import Struct

from mnemod.domain.instants import format_instant
from mnemod.domain.unicode_forms import normal
from mnemod.ids import EpochMs

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MS: Final = timedelta(milliseconds=1)
# A day inside the calendar, so that any offset can still be written.
_FIRST_MS: Final = (datetime(1, 1, 2, tzinfo=UTC) - _EPOCH) // _MS
_LAST_MS: Final = (datetime(9999, 12, 30, tzinfo=UTC) - _EPOCH) // _MS

_YEAR, _MONTH, _DAY = r"(?P<year>\d{4})", r"(?P<month>\d{1,2})", r"(?P<day>\d{1,2})"
_CLOCK: Final = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::\d{2}(?:\.\d+)?)?"
_OFFSET: Final = r"(?P<offset>[Zz]|[+-]\d{2}:\d{2})?"
_MOMENT: Final = re.compile(
    rf"{_YEAR}(?:-{_MONTH}(?:-{_DAY}(?:[T ]{_CLOCK}{_OFFSET})?)?)?", re.IGNORECASE
)
_PARTIAL: Final = re.compile(rf"{_YEAR}-?(?P<unit>[WQH])(?P<number>\d{{1,2}})", re.IGNORECASE)
_PARTS: Final = ("year", "month", "day", "hour", "minute")
# Written-out separators, as dashes: 2031/5/4, 2031.5.4 and the Chinese and Japanese signs.
_SIGNED: Final = re.compile(r"(\d{4})\u5e74(?:(\d{1,2})\u6708(?:(\d{1,2})\u65e5)?)?")
_SLASHED: Final = re.compile(r"(\d{4})([/.])(\d{1,2})\2(\d{1,2})")
_BETWEEN: Final = re.compile(r"\s*(?:/|\.\.+|\u2026)\s*")


class Window(Struct, frozen=True):
    """From `from_ms` up to and without `to_ms`."""

    from_ms: EpochMs
    to_ms: EpochMs

    def holds(self, at_ms: int) -> bool:
        """Whether a moment lies inside."""
        return self.from_ms <= at_ms < self.to_ms

    def overlaps(self, other: Window) -> bool:
        """Whether the two share a moment."""
        return self.from_ms < other.to_ms and other.from_ms < self.to_ms

    def distance_ms(self, at_ms: int) -> int:
        """How far a moment is from the window; 0 inside and at its end."""
        return max(self.from_ms - at_ms, at_ms - self.to_ms, 0)


def parse_window(text: str, zone: tzinfo) -> Window | None:
    """The window that `text` names for someone in `zone`, or None if it cannot be understood.

    Takes a date, month, year or date with a time (which stands for its day), or two of these with
    `/` or `..` between, in either order: the window then covers both.
    """
    plain = _with_dashes(normal("NFKC", text).strip())
    parts = _BETWEEN.split(plain)
    if len(parts) > 2 or len(plain) > 64:
        return None
    windows = [_span(part, zone, whole_day=len(parts) == 1) for part in parts]
    known = [window for window in windows if window is not None]
    if len(known) != len(parts):
        return None
    return Window(min(w.from_ms for w in known), max(w.to_ms for w in known))


def covered(occurred_at: str, zone: tzinfo) -> Window | None:
    """All the time a stored date may mean (see `periods`): "2031" the whole year, "2031-W19" it."""
    first, between, last = occurred_at.partition("/")
    if between:
        ends = covered(first, zone), covered(last, zone)
        return (
            None if ends[0] is None or ends[1] is None else Window(ends[0].from_ms, ends[1].to_ms)
        )
    partial = _PARTIAL.fullmatch(occurred_at)
    if partial is None:
        return _span(occurred_at, zone, whole_day=False)
    year, number = int(partial["year"]), int(partial["number"])
    return _safely(lambda: _unit(year, partial["unit"].upper(), number, zone))


def days_window(first: date, last: date, zone: tzinfo) -> Window:
    """The days from `first` to `last`, both included, in `zone`."""
    start, end = datetime(*first.timetuple()[:3]), datetime(*last.timetuple()[:3])
    return _window(start, end + timedelta(days=1) if last < date.max else datetime.max, zone)


def in_zone(at_ms: EpochMs, zone: tzinfo) -> str:
    """A moment of a window as RFC 3339 in `zone`."""
    return format_instant(at_ms, offset_min(at_ms, zone))


def offset_min(at_ms: EpochMs, zone: tzinfo) -> int:
    """Minutes east of UTC in `zone` at that moment."""
    inside = min(max(at_ms, _FIRST_MS), _LAST_MS)
    offset = (_EPOCH + _MS * inside).astimezone(zone).utcoffset()
    return 0 if offset is None else int(offset.total_seconds()) // 60


def _with_dashes(text: str) -> str:
    signed = _SIGNED.sub(lambda found: "-".join(part for part in found.groups() if part), text)
    return _SLASHED.sub(r"\1-\3-\4", signed)


def _span(text: str, zone: tzinfo, *, whole_day: bool) -> Window | None:
    found = _MOMENT.fullmatch(text)
    if found is None:
        return None
    parts = {name: int(found[name]) for name in _PARTS if found[name]}
    return _safely(lambda: _whole(parts, _zone_of(found["offset"], zone), whole_day=whole_day))


def _safely(make: Callable[[], Window]) -> Window | None:
    """A date that is in no calendar ("Feb 30", year 0) is not understood."""
    try:
        return make()
    except (ValueError, OverflowError):
        return None


def _zone_of(offset: str | None, zone: tzinfo) -> tzinfo:
    if offset is None:
        return zone
    parsed = datetime.fromisoformat(f"2000-01-01T00:00{offset.upper()}").tzinfo
    return zone if parsed is None else parsed


def _whole(parts: dict[str, int], zone: tzinfo, *, whole_day: bool) -> Window:
    year, month, day = parts["year"], parts.get("month"), parts.get("day")
    if month is None:
        return _between((year, 1, 1), (year + 1, 1, 1), zone)
    if day is None:
        return _between((year, month, 1), _month_after(year, month), zone)
    minute = datetime(year, month, day, parts.get("hour", 0), parts.get("minute", 0))
    if "hour" in parts and not whole_day:
        return _window(minute, minute + timedelta(minutes=1), zone)
    start = datetime(year, month, day)
    return _window(start, start + timedelta(days=1), zone)


def _unit(year: int, unit: str, number: int, zone: tzinfo) -> Window:
    if unit == "W":
        monday = datetime.fromisocalendar(year, number, 1)
        return _window(monday, monday + timedelta(days=7), zone)
    months = 3 if unit == "Q" else 6
    first = (number - 1) * months + 1
    return _between((year, first, 1), _month_after(year, first + months - 1), zone)


def _month_after(year: int, month: int) -> tuple[int, int, int]:
    return (year, month + 1, 1) if month < 12 else (year + 1, 1, 1)


def _between(start: tuple[int, int, int], end: tuple[int, int, int], zone: tzinfo) -> Window:
    last = datetime(*end) if end[0] <= 9999 else datetime.max
    return _window(datetime(*start), last, zone)


def _window(start: datetime, end: datetime, zone: tzinfo) -> Window:
    return Window(_ms(start, zone), _ms(end, zone))


def _ms(local: datetime, zone: tzinfo) -> EpochMs:
    ms = (local.replace(tzinfo=zone) - _EPOCH) // _MS
    return EpochMs(min(max(ms, _FIRST_MS), _LAST_MS))
