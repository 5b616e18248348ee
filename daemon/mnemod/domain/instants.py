"""RFC 3339 on the wire, milliseconds and an offset inside.

A moment keeps the offset its speaker gave, so "this morning" stays their morning. What has no
offset has no moment: it is refused, never read in the daemon's own zone.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from mnemod.domain.evidence import Instant
from mnemod.errors import InvalidParams
from mnemod.ids import EpochMs

_RFC_3339: Final = re.compile(
    r"(?P<second>[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt](?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2})"
    r"(?:\.(?P<fraction>[0-9]+))?"
    r"(?:[Zz]|(?P<sign>[+-])(?P<hours>[01][0-9]|2[0-3]):(?P<minutes>[0-5][0-9]))"
)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH_OF_CLOCK: Final = _EPOCH.replace(tzinfo=None)
_MS: Final = timedelta(milliseconds=1)
_FIRST_MS: Final = (datetime(1, 1, 1, tzinfo=UTC) - _EPOCH) // _MS
_LAST_MS: Final = (datetime(9999, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC) - _EPOCH) // _MS


def parse_instant(text: str, path: str = "$") -> Instant:
    """The moment that `text` names, and its offset in minutes east of UTC (`-00:00` is 0).

    Takes `2031-02-03T04:05:06.789+05:45`: date, time and an explicit offset or Z; digits past the
    millisecond are cut off. Raises InvalidParams at `path` for anything else: no offset, no time,
    a date that is not in the calendar, a leap second (epoch time has no number for it), or a
    moment outside the years 1 to 9999 of UTC.
    """
    parts = _RFC_3339.fullmatch(text)
    if parts is None:
        raise InvalidParams(path)
    try:
        second = datetime.fromisoformat(parts["second"].upper()).replace(tzinfo=UTC)
    except ValueError:
        raise InvalidParams(path) from None
    offset_min = _offset_min(parts["sign"], parts["hours"], parts["minutes"])
    milliseconds = int((parts["fraction"] or "")[:3].ljust(3, "0"))
    at_ms = (second - _EPOCH) // _MS + milliseconds - offset_min * 60_000
    if not _FIRST_MS <= at_ms <= _LAST_MS:
        raise InvalidParams(path)
    return Instant(EpochMs(at_ms), offset_min)


def format_instant(at_ms: EpochMs, offset_min: int = 0) -> str:
    """`at_ms` as RFC 3339 with three digits of milliseconds; offset 0 is written Z.

    What `parse_instant` gave comes back as the same moment and offset.
    """
    local = _EPOCH_OF_CLOCK + timedelta(milliseconds=at_ms, minutes=offset_min)
    return local.isoformat(timespec="milliseconds") + _offset(offset_min)


def _offset_min(sign: str | None, hours: str, minutes: str) -> int:
    if sign is None:
        return 0
    east = int(hours) * 60 + int(minutes)
    return -east if sign == "-" else east


def _offset(offset_min: int) -> str:
    if offset_min == 0:
        return "Z"
    hours, minutes = divmod(abs(offset_min), 60)
    return f"{'-' if offset_min < 0 else '+'}{hours:02}:{minutes:02}"
