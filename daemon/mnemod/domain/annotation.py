"""Annotations: what a passage of a text means in one form, beside the text and never in its place.

A value is canonical, so equal meanings are equal values: ISO 8601 dates and durations, decimal
amounts, shares of one. Where a text leaves open what it means, the value is `Ambiguous` and
nothing is decided.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from mnemod.domain.world import Precision


class AnnotationKind(StrEnum):
    """What a passage is. `repair` is a readable copy of broken text."""

    DATE = "date"
    INTERVAL = "interval"
    AMOUNT = "amount"
    PROPORTION = "proportion"
    DURATION = "duration"
    REPAIR = "repair"


DATED: Final = frozenset({AnnotationKind.DATE, AnnotationKind.INTERVAL})
"""The kinds that name a time in the calendar."""


class Interval(Struct, frozen=True):
    """ISO dates, from the first day up to and without the last."""

    start: str
    end: str


class Amount(Struct, frozen=True):
    """Money. `number` is exact, as decimal figures; `currency` an ISO 4217 code, None if unsaid."""

    number: str
    currency: str | None


class Ambiguous(Struct, frozen=True):
    """All that the words may mean, ascending: at least two values of the annotation's kind."""

    candidates: tuple[str | Interval | Amount | float, ...]


Value = str | float | Interval | Amount | Ambiguous
"""A date or a duration is its ISO 8601 text, a proportion a share of one: 0.7, and 1.2 of 120%."""


class Annotation(Struct, frozen=True):
    """A passage of a text, in code points from `start` up to `end`, and what it means.

    `confidence` is 0 to 1: 1 where the words say it in full, less where a rule filled something in
    (the year of "March 12"), and one by the number of candidates where they are open.
    """

    start: int
    end: int
    kind: AnnotationKind
    value: Value
    precision: Precision | None
    confidence: float
