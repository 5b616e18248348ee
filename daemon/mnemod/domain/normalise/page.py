"""What the readers of dates share: the text they read, its anchor, and how a finding is written."""

from __future__ import annotations

from datetime import date, datetime

from msgspec import Struct

from mnemod.domain.annotation import Ambiguous, Annotation, AnnotationKind, Interval
from mnemod.domain.normalise.calendar import Period
from mnemod.domain.normalise.sheet import Sheet
from mnemod.domain.world import Precision

ASSUMED = 0.9
"""How sure a date is whose year the words leave out."""


class Page(Struct, frozen=True):
    """A text to read. `anchor` is when it was said, in the account's zone, None if not known."""

    sheet: Sheet
    source: str
    anchor: datetime | None

    @property
    def text(self) -> str:
        """The folded text."""
        return self.sheet.text

    @property
    def locale(self) -> str:
        """The account's locale."""
        return self.sheet.locale

    @property
    def is_cantonese(self) -> bool:
        """Whether the account writes where Cantonese is written."""
        return self.sheet.is_cantonese

    @property
    def today(self) -> date | None:
        """The day of the anchor."""
        return None if self.anchor is None else self.anchor.date()

    def written(self, start: int, end: int) -> str:
        """What stands in the source there: rules that mind capitals ask for it."""
        first, last = self.sheet.folded.span(start, end)
        return self.source[first:last]


def to_the_minute(moment: datetime) -> str:
    """A moment as its own zone writes it: `2026-03-12T19:00`."""
    return moment.replace(tzinfo=None).isoformat(timespec="minutes")


def of_period(start: int, end: int, found: Period, confidence: float = 1.0) -> Annotation:
    """A day is a date, a longer period an interval."""
    kind = AnnotationKind.DATE if found.unit is Precision.DAY else AnnotationKind.INTERVAL
    return Annotation(start, end, kind, found.value, found.unit, confidence)


def of_interval(
    start: int, end: int, found: Interval, unit: Precision, confidence: float = 1.0
) -> Annotation:
    """An interval that words give by its ends."""
    return Annotation(start, end, AnnotationKind.INTERVAL, found, unit, confidence)


def of_dates(start: int, end: int, found: list[str], unit: Precision) -> Annotation | None:
    """One date is decided, more are shown; None if there is none."""
    candidates = tuple(sorted(set(found)))
    if not candidates:
        return None
    value = candidates[0] if len(candidates) == 1 else Ambiguous(candidates)
    return Annotation(start, end, AnnotationKind.DATE, value, unit, 1 / len(candidates))
