"""Long runs in a projection of a text: a byte a character, `a` in a run and `.` outside of one."""

from __future__ import annotations

from collections.abc import Iterator


def long_runs(kinds: bytes, least: bytes) -> Iterator[tuple[int, int]]:
    """Where runs of as many `a` as `least` has, or more, begin and end."""
    at = kinds.find(least)
    while at >= 0:
        end = end if (end := kinds.find(b".", at)) >= 0 else len(kinds)
        yield at, end
        at = kinds.find(least, end)
