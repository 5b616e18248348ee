"""A moment as the clock on the wall of a zone shows it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MS: Final = timedelta(milliseconds=1)
# A day inside the calendar, so that any offset can still be applied.
_FIRST_MS: Final = (datetime(1, 1, 2, tzinfo=UTC) - _EPOCH) // _MS
_LAST_MS: Final = (datetime(9999, 12, 30, tzinfo=UTC) - _EPOCH) // _MS


def zone_named(name: str) -> tzinfo:
    """The zone of an IANA name; UTC where this machine does not know it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def local_time(at_ms: int, zone: tzinfo) -> datetime:
    """The moment `at_ms` (epoch milliseconds) in `zone`; clamped to the calendar."""
    inside = min(max(at_ms, _FIRST_MS), _LAST_MS)
    return (_EPOCH + _MS * inside).astimezone(zone)
