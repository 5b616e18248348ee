"""Numerals in folded text: how they are written, and their exact values.

- figures: `3000`, `3,000.50`, `1'234`, `1,00,000`; `1.234,56` where the locale writes so;
- Han numerals: `三千二百`, `二〇二六`, `廿三`, `壹佰`, `八点五`, `3千`, `1万5千`, `1.5亿`;
  the last figure may leave its unit out: `两千五` is 2500, `万二` 12000;
- English words: `twenty-five`, `a hundred and six`, `half a million`, `2.5 million`.

A guess is no number: `三四`, `七八百`, `三三两两`. Everything here is exact; nothing is rounded.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, Final

from mnemod.domain import han
from mnemod.domain.vocabulary import any_of

LENGTH_MAX: Final = 96
"""A longer numeral is an identifier or noise: it has no value."""

_HALF: Final = Decimal("0.5")
_FIGURES: Final = re.compile(
    r"[0-9]+(?:\.[0-9]+)?"
    r"|[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?"
    r"|[0-9]{1,3}(?:'[0-9]{3})+(?:\.[0-9]+)?"
    r"|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}(?:\.[0-9]+)?"
)
_COMMA_FIGURES: Final = re.compile(r"(?:[0-9]+|[0-9]{1,3}(?:\.[0-9]{3})+)(?:,[0-9]+)?")


def value(text: str, locale: str = "") -> Decimal | None:
    """The value of the numeral `text`, folded; None if it is none, or only a guess at one."""
    if not text or len(text) > LENGTH_MAX:
        return None
    if text[-1].isascii() and text[-1].isalpha():
        return _english(text, locale)
    return figures(text, locale) if text.isascii() else _han(text, locale)


def figures(text: str, locale: str = "") -> Decimal | None:
    """The value of ASCII figures with their separators as `locale` writes them."""
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
    known = _words().locales
    return locale.partition("-")[0] in known["decimal_comma"] and (
        locale not in known["decimal_point"]
    )


@cache
def written() -> str:
    """The source of a pattern for figures and Han numerals, whole: it starts at none's middle.

    What it finds need not have a value.
    """
    numeral = "0-9" + _words().numeral
    return f"(?<![{numeral}])(?<![0-9][.,'])" + _run()


@cache
def runs() -> re.Pattern[str]:
    """A pattern whose matches, taken one after another, are what `written` finds, and more:
    the rest of figures with too many points."""
    return re.compile(_run())


@cache
def spelled() -> str:
    """The source of a pattern for numbers in English words, `an` and `2.5 million` among them.

    What it finds need not have a value.
    """
    words = _words()
    word, scale = any_of(words.english), any_of(words.scales)
    times = any_of((*words.scales, words.hundred, words.dozen))
    head = rf"(?:[0-9]++(?:[.,][0-9]++)*+ ?{scale}|{word}|half an?(?= {times})|an?)"
    more = rf"(?: and |[ -])(?:{word}|an? half(?![0-9a-z_-]))"
    return rf"(?<![0-9a-z_.,'-]){head}(?:{more}){{0,8}}+(?![0-9a-z_])"


@cache
def numeral_set() -> str:
    """All characters of figures and Han numerals, for a set in a pattern."""
    return "0-9" + _words().numeral


@cache
def unit_characters() -> frozenset[str]:
    """The Han characters for ten, a hundred and so on."""
    words = _words()
    return frozenset((*words.small, *words.large))


@cache
def number_words() -> str:
    """The source of a pattern for one English word of a number, the articles left out."""
    return any_of(_words().english)


@cache
def last_words() -> frozenset[str]:
    """The English words a number may end with."""
    words = _words()
    return frozenset((*words.english, *words.ones, words.half))


@cache
def any_source() -> str:
    """The source of a pattern for every numeral: `spelled` first, then `written`."""
    return f"(?:{spelled()}|{written()})"


def _run() -> str:
    words = _words()
    numeral = "0-9" + words.numeral
    return (
        rf"[{numeral}]++(?:[.,'](?=[0-9])[{numeral}]++)*+"
        rf"(?:[{words.point}](?=[{words.digit}])[{numeral}]++)?+"
    )


def _english(text: str, locale: str) -> Decimal | None:
    words = _words()
    more = f"+{words.half}"
    tokens = text.replace("-", " ").replace(f" {words.and_} a {words.half}", f" {more}").split()
    total, section, scale = Decimal(0), _opening(tokens, locale), Decimal(0)
    last = ""
    for token in tokens:
        if token in words.scales:
            if not section or (scale and words.scales[token] >= scale):
                return None
            scale = words.scales[token]
            total, section = total + section * scale, Decimal(0)
        elif token == more:
            section += (scale if last in words.scales else 1) * _HALF
        elif token == words.and_:
            if last not in words.scales and last != words.hundred:
                return None
        else:
            added = words.joined(section, token)
            if added is None:
                return None
            section = added
        last = token
    return None if last == words.and_ else total + section


def _opening(tokens: list[str], locale: str) -> Decimal:
    """What `a`, `half a` or figures begin a number with: they are taken off `tokens`."""
    words = _words()
    if tokens[0] in words.ones:
        return Decimal(len([tokens.pop(0)]))
    if tokens[0] == words.half and len(tokens) == 3 and tokens[1] in words.ones:
        del tokens[:2]
        return _HALF
    if tokens[0][0].isdigit():
        return figures(tokens.pop(0), locale) or Decimal(0)
    return Decimal(0)


def _han(text: str, locale: str) -> Decimal | None:
    words = _words()
    whole, fraction, larger = words.at_point(text)
    if not fraction:
        return _Sum(words, locale).of(text)
    before = _Sum(words, locale).of(whole)
    if before is None or before != before.to_integral_value():
        return None
    digits = "".join(str(words.digits.get(char, char)) for char in fraction)
    exact = before + Decimal(f"0.{digits}")
    for unit in larger:
        exact *= words.large[unit]
    return exact


@dataclass(slots=True)
class _Sum:
    """A Han numeral read from left to right: sections below 10,000, each with its large unit."""

    words: _Words
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


@dataclass(frozen=True, slots=True)
class _Words:
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
def _words() -> _Words:
    path = Path(__file__).parent / "quantities" / "numerals.toml"
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    hans, english = data["han"], data["english"]
    digits = _keyed(hans["digits"])
    small, large, tens = (_keyed(hans[name]) for name in ("small", "large", "tens"))
    digit, point = "".join(digits), "".join(map(han.simplified, hans["marks"]["point"]))
    unit = "".join((*small, *large, *tens))
    return _Words(
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
