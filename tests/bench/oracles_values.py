"""Values that other libraries' answers and ours are compared as.

A date is its ISO text, an interval two dates, an amount number and currency, a share a number, a
duration seconds (a month has 30 days there, a year 365). Two values are the same where neither says
what the other denies: a day agrees with a time on it, an interval with a day in it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from mnemod.domain.annotation import Ambiguous, Amount, Annotation, Interval

Value = Any
"""`str` (date), `(str, str)` (interval), `(Decimal, str | None)` (amount), `float`."""

TIMED: Final = frozenset({"date", "interval"})
_SECONDS: Final = {"Y": 31_536_000, "M": 2_592_000, "W": 604_800, "D": 86_400}
_CLOCK_SECONDS: Final = {"H": 3_600, "M": 60, "S": 1}
_ISO_PART: Final = re.compile(r"([0-9.]+)([YMWDHS])")


@dataclass(frozen=True, slots=True)
class Said:
    """What one reader says of the code points from `start` up to `end`."""

    by: str
    start: int
    end: int
    kind: str
    value: Value


def ours(found: Annotation) -> list[Said]:
    """Our annotation: one a candidate."""
    is_open = isinstance(found.value, Ambiguous)
    values = found.value.candidates if isinstance(found.value, Ambiguous) else (found.value,)
    return [
        Said("ambiguous" if is_open else "", found.start, found.end, str(found.kind),
             comparable(str(found.kind), value))
        for value in values
    ]  # fmt: skip


def labelled(expected: dict[str, Any]) -> str:
    """A label as text, for people."""
    return f"{expected['kind']} {expected['value']}"


def comparable(kind: str, value: Any) -> Value:
    """A value of ours, in the form all are compared in."""
    if isinstance(value, Interval):
        return (value.start, value.end)
    if isinstance(value, Amount):
        return (Decimal(value.number), value.currency)
    return seconds(value) if kind == "duration" else value


def seconds(iso: str) -> float:
    """The length of an ISO 8601 duration."""
    days, _, clock = iso.removeprefix("P").partition("T")
    return sum(float(n) * _SECONDS[unit] for n, unit in _ISO_PART.findall(days)) + sum(
        float(n) * _CLOCK_SECONDS[unit] for n, unit in _ISO_PART.findall(clock)
    )


def decimal(text: str) -> Decimal | None:
    """The number in `text`, if it is one."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def agree(one: Said, other: Said) -> bool:
    """Whether the two say the same, as far as both say something."""
    if one.kind in TIMED and other.kind in TIMED:
        return _same_time(one.value, other.value)
    if one.kind != other.kind:
        return False
    if one.kind == "amount":
        (number, currency), (number2, currency2) = one.value, other.value
        return number == number2 and (currency == currency2 or None in (currency, currency2))
    return bool(abs(one.value - other.value) <= 0.001 * max(1.0, abs(one.value)))


def _same_time(one: Value, other: Value) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return bool(one == other)
    if isinstance(one, tuple):
        return bool(one[0] <= other[:10] < one[1])
    if isinstance(other, tuple):
        return _same_time(other, one)
    shortest = min(len(one), len(other))
    return bool(one[:shortest] == other[:shortest])
