"""One anchor for tests of the normaliser, and readings in a form that is easy to compare."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from mnemod.domain.annotation import Ambiguous, Annotation, Interval
from mnemod.domain.normalise import annotate

THURSDAY = datetime.fromisoformat("2026-03-05T15:00:00+09:00")


def read(
    text: str, locale: str = "en", anchor: datetime | None = THURSDAY
) -> tuple[Annotation, ...]:
    return annotate(text, anchor, locale)


def dates(
    text: str, locale: str = "en", anchor: datetime | None = THURSDAY
) -> list[tuple[str, Any]]:
    """Every date or interval: the words it stands on, and its value in plain form."""
    return [
        (text[each.start : each.end], plain(each.value))
        for each in read(text, locale, anchor)
        if each.kind in ("date", "interval")
    ]


def plain(value: Any) -> Any:
    match value:
        case Interval(start=start, end=end):
            return (start, end)
        case Ambiguous(candidates=candidates):
            return [plain(each) for each in candidates]
        case _:
            return value
