"""A moment as the clock on the wall of a zone shows it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MS: Final = timedelta(milliseconds=1)


def zone_named(name: str) -> tzinfo:
    """The zone of an IANA name; UTC where this machine does not know it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def local_time(at_ms: int, zone: tzinfo) -> datetime:
    """The moment `at_ms` (epoch milliseconds) in `zone`.

    Raises OverflowError or ValueError where that zone's clock shows no year from 1 to 9999.
    """
    return (_EPOCH + _MS * at_ms).astimezone(zone)


def local_time_if_any(at_ms: int, zone: tzinfo) -> datetime | None:
    """The same; None at the edges of the calendar."""
    try:
        return local_time(at_ms, zone)
    except (OverflowError, ValueError):
        return None
