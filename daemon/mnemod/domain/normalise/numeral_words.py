"""The words and characters of numbers, read once, and the figures that stand between them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from mnemod.domain import han, ready

_FIGURES: Final = re.compile(
    r"[0-9]+(?:\.[0-9]+)?"
    r"|[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?"
    r"|[0-9]{1,3}(?:'[0-9]{3})+(?:\.[0-9]+)?"
    r"|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}(?:\.[0-9]+)?"
)
_COMMA_FIGURES: Final = re.compile(r"(?:[0-9]+|[0-9]{1,3}(?:\.[0-9]{3})+)(?:,[0-9]+)?")


def figures(text: str, locale: str = "") -> Decimal | None:
    """The value of ASCII figures with their separators as `locale` writes them."""
    if text.isdecimal():
        return Decimal(text)
    if writes_decimal_comma(locale):
        if _COMMA_FIGURES.fullmatch(text):
            return Decimal(text.replace(".", "").replace(",", "."))
        return None
    if not _FIGURES.fullmatch(text):
        return None
    return Decimal(text.replace(",", "").replace("'", ""))


@cache
def writes_decimal_comma(locale: str) -> bool:
    """Whether `locale` (a language, with a region or without) writes 1.234,56."""
    known = words().locales
    return locale.partition("-")[0] in known["decimal_comma"] and (
        locale not in known["decimal_point"]
    )


class Words(Struct, frozen=True):
    """The words of numbers, by what they do."""

    digits: Mapping[str, int]
    small: Mapping[str, Decimal]
    large: Mapping[str, Decimal]
    tens: Mapping[str, int]
    point: str
    guesses: frozenset[str]
    alone: frozenset[str]
    units: Mapping[str, int]
    teens: Mapping[str, int]
    scales: Mapping[str, Decimal]
    ones: tuple[str, ...]
    hundred: str
    dozen: str
    and_: str
    half: str
    locales: Mapping[str, list[str]]
    parts: re.Pattern[str]
    pointed: re.Pattern[str]

    @property
    def digit(self) -> str:
        """All digits, for a set in a pattern."""
        return "".join(self.digits)

    @property
    def numeral(self) -> str:
        """All characters of numerals, for a set in a pattern."""
        return "".join((*self.digits, *self.small, *self.large, *self.tens))

    @property
    def english(self) -> tuple[str, ...]:
        """Every English word of a number but the articles."""
        return (*self.units, *self.teens, *self.scales, self.hundred, self.dozen)

    def at_point(self, text: str) -> tuple[str, str, str]:
        """A numeral's whole part, its figures after the point, and the large units after them."""
        found = self.pointed.fullmatch(text)
        return (found[1], found[2], found[3]) if found else (text, "", "")

    def positional(self, run: str, locale: str) -> Decimal | None:
        """The value of figures in a row; None for a guess."""
        if run.isascii():
            return figures(run, locale)
        if len(run) > 1 and (run in self.guesses or not self.alone.isdisjoint(run)):
            return None
        digits = [self.digits[char] for char in run]
        if len(digits) == 2 and digits[0] and digits[1] == digits[0] + 1:
            return None
        return Decimal("".join(map(str, digits)))

    def joined(self, section: Decimal, token: str) -> Decimal | None:
        """`section` with the English word `token` added, None where it cannot follow."""
        if token == self.hundred:
            return section * 100 if 1 <= section < 100 else None
        if token == self.dozen:
            return section * 12 if 0 < section < 100 else None
        if token in self.teens:
            return None if section % 100 else section + self.teens[token]
        room = section % 10 == 0 and section % 100 != 10
        return section + self.units[token] if room and token in self.units else None


@cache
def words() -> Words:
    """The words of all languages; the file is read when they are first asked for."""
    path = Path(__file__).parent / "quantities" / "numerals.toml"
    data = ready.tables(path)
    hans, english = data["han"], data["english"]
    digits = _keyed(hans["digits"])
    small, large, tens = (_keyed(hans[name]) for name in ("small", "large", "tens"))
    digit, point = "".join(digits), "".join(map(han.simplified, hans["marks"]["point"]))
    unit = "".join((*small, *large, *tens))
    return Words(
        digits=digits,
        small={word: Decimal(number) for word, number in small.items()},
        large={word: Decimal(number) for word, number in large.items()},
        tens=tens,
        point=point,
        guesses=frozenset(map(han.simplified, hans["marks"]["guesses"])),
        alone=frozenset(map(han.simplified, hans["marks"]["alone"])),
        units=english["units"],
        teens={**english["teens"], **english["tens"]},
        scales={word: Decimal(number) for word, number in english["scales"].items()},
        ones=tuple(english["words"]["one"]),
        hundred=english["words"]["hundred"],
        dozen=english["words"]["dozen"],
        and_=english["words"]["and"],
        half=english["words"]["half"],
        locales=data["locales"],
        parts=re.compile(rf"[0-9][0-9.,']*|[{digit}]+|[{unit}]"),
        pointed=re.compile(rf"([^{point}]+)[{point}]([0-9{digit}]+)([{''.join(large)}]*)"),
    )


def _keyed(table: Mapping[str, Any]) -> dict[str, int]:
    return {han.simplified(word): int(number) for word, number in table.items()}
