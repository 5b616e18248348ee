"""How long to wait before trying again: longer each time, spread so that many do not meet."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Final

SPREAD: Final = 0.2
"""A wait is its base, give or take this share of it."""


def failure_wait_ms(attempts: int, waits_s: Sequence[float], jitter: float) -> int | None:
    """The wait after the `attempts`-th attempt failed, or None if no attempt is left.

    `waits_s` are seconds, one for each further attempt. `jitter` is from 0 up to, not including, 1.
    """
    if attempts > len(waits_s):
        return None
    return _spread_ms(waits_s[max(attempts, 1) - 1], jitter)


def outage_wait_ms(
    outages: int, waits_s: Sequence[float], longest_s: float, told_s: float | None, jitter: float
) -> int:
    """The wait after the `outages`-th outage in a row: as told, else scheduled, then `longest_s`.

    What the provider told (`Retry-After`, seconds) is kept to, not spread, and never below zero or
    above `longest_s`.
    """
    if told_s is not None:
        return round(1000 * min(max(told_s, 0.0), longest_s))
    base = waits_s[outages - 1] if 1 <= outages <= len(waits_s) else longest_s
    return _spread_ms(min(base, longest_s), jitter)


def longest_wait_ms(waits_s: Sequence[float], longest_s: float) -> int:
    """What no wait after a failure or an outage is above."""
    return ceil(1000 * max((*waits_s, longest_s)) * (1 + SPREAD))


def _spread_ms(base_s: float, jitter: float) -> int:
    return round(1000 * base_s * (1 - SPREAD + 2 * SPREAD * jitter))
