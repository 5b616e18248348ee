"""Numerals in Han characters, with figures among them or without: their exact values.

Sections below ten thousand are read from left to right, each with its large unit; each unit must be
smaller than the one before. The last figure may leave its unit out: it counts the next smaller one.
"""

from __future__ import annotations

from decimal import Decimal
from functools import cache

from msgspec import Struct

from mnemod.domain.normalise.numeral_words import Words, words


def value(text: str, locale: str) -> Decimal | None:
    """The value of the Han numeral `text`, folded; None if it is none, or a guess at one."""
    return _one(text) if len(text) == 1 else _value(text, locale)


@cache
def _one(char: str) -> Decimal | None:
    """The value of a single character, which is the same in every locale."""
    return _value(char, "")


def _value(text: str, locale: str) -> Decimal | None:
    listed = words()
    whole, fraction, larger = listed.at_point(text)
    if not fraction:
        return _Sum(listed, locale).of(text)
    before = _Sum(listed, locale).of(whole)
    if before is None or before != before.to_integral_value():
        return None
    digits = "".join(str(listed.digits.get(char, char)) for char in fraction)
    exact = before + Decimal(f"0.{digits}")
    for unit in larger:
        exact *= listed.large[unit]
    return exact


class _Sum(Struct):
    """A Han numeral read from left to right: sections below 10,000, each with its large unit."""

    words: Words
    locale: str
    total: Decimal = Decimal(0)
    section: Decimal = Decimal(0)
    pending: Decimal | None = None
    unit: Decimal = Decimal(0)
    small: Decimal = Decimal(10_000)
    large: Decimal = Decimal(0)
    led_by_zero: bool = False

    def of(self, text: str) -> Decimal | None:
        parts = self.words.parts.findall(text)
        if "".join(parts) != text:
            return None
        for part in parts:
            if part in self.words.large:
                taken = self._take_large(self.words.large[part], alone=len(parts) == 1)
            elif part in self.words.small:
                taken = self._take_small(self.words.small[part], Decimal(1))
            elif part in self.words.tens:
                taken = self.pending is None and self._take_small(
                    Decimal(10), Decimal(self.words.tens[part]) / 10
                )
            else:
                taken = self._take_figures(part)
            if not taken:
                return None
        return self._closed()

    def _take_figures(self, part: str) -> bool:
        if self.pending is not None:
            return False
        self.pending = self.words.positional(part, self.locale)
        self.led_by_zero = self.words.digits.get(part[0]) == 0
        if self.unit and self.led_by_zero and self.pending == 0:
            self.pending = None  # the zero of "one thousand and ten" holds a place
            return True
        return self.pending is not None

    def _take_small(self, unit: Decimal, times: Decimal) -> bool:
        if unit >= self.small or self.pending == 0:
            return False
        self.section += (times if self.pending is None else self.pending) * unit
        self.pending, self.small, self.unit = None, unit, unit
        return True

    def _take_large(self, unit: Decimal, *, alone: bool) -> bool:
        section = self.section + (self.pending or 0)
        if section and self.large and unit >= self.large:
            return False
        if section:
            self.total += section * unit
        elif self.total:
            if unit <= self.large:
                return False
            self.total *= unit
        else:
            if alone or self.pending is not None:
                return False
            self.total = unit
        self.section, self.pending, self.small = Decimal(0), None, Decimal(10_000)
        self.large = self.unit = unit
        return True

    def _closed(self) -> Decimal | None:
        if self.pending is None:
            return self.total + self.section
        if self.unit >= 100 and self.pending < 10 and not self.led_by_zero:
            if self.total == self.unit and self.pending == 1 and not self.section:
                return None
            return self.total + self.section + self.pending * self.unit / 10
        if self.unit and self.pending >= self.unit:
            return None
        return self.total + self.section + self.pending
