"""Dates inside a question ("what did I buy on 7 May?"): whole or in part, never guessed at."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Final

from msgspec import Struct

from mnemod.domain.recall_vocabulary import MONTHS

# What was done on a day is told on it or within these days after.
TOLD_WITHIN_DAYS: Final = 3

_NAME: Final = rf"(?P<name>{'|'.join(MONTHS)})"
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_WRITTEN: Final = (
    re.compile(r"(?<!\d)(?P<year>\d{4})[-/](?P<month>\d{1,2})(?:[-/](?P<day>\d{1,2}))?(?!\d)"),
    re.compile(r"(?:(?P<year>\d{4})\u5e74)?(?P<month>\d{1,2})\u6708(?:(?P<day>\d{1,2})\u65e5)?"),
    re.compile(rf"\b{_DAY}(?: of)? {_NAME}\b(?:,? (?P<year>\d{{4}}))?"),
    re.compile(rf"\b{_NAME} {_DAY}\b(?!\d)(?:,? (?P<year>\d{{4}}))?"),
    re.compile(rf"\b{_NAME},? (?P<year>\d{{4}})\b"),
    # A month's name alone: "may" is one only after a preposition.
    re.compile(rf"\b(?:in|of|during|since|early|late|last|this) {_NAME}\b"),
    re.compile(r"(?<![\d-])(?P<year>(?:19|20)\d{2})(?:\u5e74)?(?![\d-])"),
)


class AskedDate(Struct, frozen=True):
    """What of a date was said; None is what was not."""

    year: int | None
    month: int | None
    day: int | None

    def told_on(self, told: date) -> bool:
        """Whether words of that day may tell of this date."""
        if self.month is None or self.day is None:
            return self.year in (None, told.year) and self.month in (None, told.month)
        try:
            asked = date(self.year or told.year, self.month, self.day)
        except ValueError:
            return False
        return asked <= told <= asked + timedelta(days=TOLD_WITHIN_DAYS)


def asked_dates(query: str) -> tuple[AskedDate, ...]:
    """The dates in `query`; a part of one that was found is not found again."""
    rest, found = query.lower(), []
    for pattern in _WRITTEN:
        found += [_date(match) for match in pattern.finditer(rest)]
        rest = pattern.sub(" ", rest)
    return tuple(found)


def _date(match: re.Match[str]) -> AskedDate:
    parts = match.groupdict()
    name = parts.get("name")
    month = MONTHS[name] if name else _number(parts.get("month"))
    return AskedDate(_number(parts.get("year")), month, _number(parts.get("day")))


def _number(text: str | None) -> int | None:
    return int(text) if text else None
