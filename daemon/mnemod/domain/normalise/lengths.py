"""Lengths of time as sums of months, days and seconds, and their ISO 8601 form.

The form is canonical: weeks are days, seconds carry into minutes and hours, months into years.
Hours never carry into days, nor days into months, because a calendar decides how long those are. A
part of a month counts 30 days to it.
"""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from typing import Final

from msgspec import Struct

from mnemod.domain.normalise.quantity_text import table

NUMBER_MAX: Final = Decimal(10**9)
"""More than so many units of time are no length anyone lives through."""

_TABLES: Final = (
    ("months", ("months", "halved_months")),
    ("days", ("days",)),
    ("seconds", ("seconds", "halved_seconds")),
)


class Length(Struct, frozen=True):
    """So many months, days and seconds: what cannot be added up without a calendar stays apart."""

    months: Decimal = Decimal(0)
    days: Decimal = Decimal(0)
    seconds: Decimal = Decimal(0)

    def __add__(self, other: Length) -> Length:
        return Length(
            self.months + other.months, self.days + other.days, self.seconds + other.seconds
        )

    def times(self, number: Decimal) -> Length:
        """So many of it; what is left of a month is days of 30, of a day is seconds."""
        months, days = self.months * number, self.days * number
        days += months % 1 * 30
        seconds = self.seconds * number + days % 1 * 86_400
        return Length(months // 1, days // 1, seconds)

    @property
    def order(self) -> Decimal:
        """Seconds, a month taken as 30 days: for telling the larger unit."""
        return (self.months * 30 + self.days) * 86_400 + self.seconds

    def iso(self) -> str:
        """As an ISO 8601 duration; empty for no time at all."""
        years, months = divmod(int(self.months), 12)
        whole_minutes, seconds = divmod(self.seconds, 60)
        hours, minutes = divmod(int(whole_minutes), 60)
        date = "".join(
            f"{number}{unit}"
            for number, unit in ((years, "Y"), (months, "M"), (int(self.days), "D"))
            if number
        )
        time = "".join(
            f"{number}{unit}"
            for number, unit in ((hours, "H"), (minutes, "M"), (_plain(seconds), "S"))
            if number and number != "0"
        )
        return f"P{date}T{time}" if time else f"P{date}" if date else ""


@cache
def unit_length(word: str) -> Length:
    """How long the unit `word` is. Raises KeyError for a word that is none."""
    for name, tables in _TABLES:
        for listed in map(table, tables):
            if word in listed:
                return Length(**{name: Decimal(listed[word])})
    return Length(seconds=Decimal(table("letters")[word]))


def _plain(number: Decimal) -> str:
    return format(number.normalize(), "f") if number else ""
