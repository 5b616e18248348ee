"""Times as people ask for them: "last week", \u5148\u9031, \u4e0a\u4e2a\u6708, seen from now.

A phrase that may mean several times names none: a search never guesses which was meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import cache
from typing import Final

from msgspec import Struct

from mnemod.domain.annotation import DATED, Interval
from mnemod.domain.asked_dates import TOLD_WITHIN_DAYS
from mnemod.domain.normalise import annotate
from mnemod.domain.recall_vocabulary import WITHIN, any_of
from mnemod.domain.time_window import Window, days_window

PHRASE_CHARS_MAX: Final = 64


class AskedSpan(Struct, frozen=True):
    """Days that a question names by a phrase, from `first` to `last`, both included."""

    first: date
    last: date

    def told_on(self, told: date) -> bool:
        """Whether words of that day may tell of these days."""
        return self.first <= told <= self.last + timedelta(days=TOLD_WITHIN_DAYS)


def phrase_window(text: str, now: datetime, locale: str) -> Window | None:
    """The window that `text` names and nothing else; None if it names none, several or an open one.

    `now` is aware: its zone is the asker's. A time of day stands for its day.
    """
    if len(text) > PHRASE_CHARS_MAX:
        return None
    found = list(_spans(text, now, locale))
    if len(found) != 1:
        return None
    start, end, span = found[0]
    beside = _beside().sub("", text[:start].casefold() + " " + text[end:].casefold())
    return None if beside or now.tzinfo is None else days_window(span.first, span.last, now.tzinfo)


def asked_spans(query: str, now: datetime, locale: str) -> tuple[AskedSpan, ...]:
    """The days that phrases in `query` name, seen from `now`."""
    return tuple(span for _, _, span in _spans(query, now, locale))


def _spans(text: str, now: datetime, locale: str) -> Iterator[tuple[int, int, AskedSpan]]:
    for each in annotate(text, now, locale):
        if each.kind not in DATED:
            continue
        if isinstance(each.value, Interval):
            last = date.fromisoformat(each.value.end) - timedelta(days=1)
            yield each.start, each.end, AskedSpan(date.fromisoformat(each.value.start), last)
        elif isinstance(each.value, str):
            day = date.fromisoformat(each.value[:10])
            yield each.start, each.end, AskedSpan(day, day)


@cache
def _beside() -> re.Pattern[str]:
    return re.compile(rf"{any_of(WITHIN).pattern}|[^\w]|_")
