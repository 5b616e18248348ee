"""Currencies beside a number: marks, codes, words on either side, and what they mean where."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Final

from msgspec import Struct

from mnemod.domain.normalise.quantity_text import one_before, table, vocabulary
from mnemod.domain.normalise.sheet import Sheet
from mnemod.domain.vocabulary import any_of

_PREFIX_MAX: Final = 12
_LETTERS: Final = re.compile(r"(?<![a-z])([a-z]+\.?) ?\Z")
_HUNDRED: Final = Decimal(100)
_DESIGN_YEARS: Final = range(2000, 2040)


class Money(Struct, frozen=True):
    """What decides the meaning of marks: the account's locale and region, the text's script."""

    sheet: Sheet

    @property
    def locale(self) -> str:
        return self.sheet.locale

    @property
    def region(self) -> str:
        return self.locale.rpartition("-")[2] if "-" in self.locale else ""

    @property
    def kana(self) -> bool:
        return self.sheet.kana

    def code(self, meaning: str) -> str:
        """The ISO 4217 code of a table's entry; empty where nothing is said."""
        if not meaning.startswith("="):
            return meaning
        if meaning == "=yen" and self.kana:
            return "JPY"
        local = vocabulary("currencies").data["local"][meaning[1:]]
        return str(local.get(self.region, local["other"]))

    def refuses(self, code: str, said: str, value: Decimal) -> bool:
        """Whether `said` before a small number is a version or a test, not money."""
        word = said.strip()
        if word not in vocabulary("currencies").data["codes"]["needs_hundreds"]:
            return False
        return bool(code) and (value < _HUNDRED or value in _DESIGN_YEARS)


class After(Struct, frozen=True):
    """What follows a number. `unit` is a code, empty if it names none; None if there is no unit."""

    end: int
    scale: Decimal
    unit: str | None
    word: str
    named: str


@cache
def unit_beginnings() -> frozenset[str]:
    """The characters with which a scale or a unit of money after a number may begin."""
    words = (*_meanings(), *table("amount_scales"))
    return frozenset(word.lstrip()[0] for word in words)


@cache
def prefix_endings() -> frozenset[str]:
    """The characters with which a mark, code or word of money before a number may end."""
    return frozenset((*_last_characters(), ":"))


def before(text: str, start: int, done: int, money: Money) -> tuple[int, str | None]:
    """Where a mark, code or word before a number begins, and its code; `start` and None without.

    What stands before `done` belongs to the number before.
    """
    if start <= done or one_before(text, start) not in _last_characters():
        return start, None
    found = _LETTERS.search(text, max(done, start - _PREFIX_MAX), start)
    if found and found[1] not in _letter_prefixes():
        return start, None
    found = _prefix().search(text, max(done, start - _PREFIX_MAX), start)
    if not found:
        return start, None
    meaning, place = _meanings()[found[1]], found.start()
    if meaning.startswith("=") and (named := _code().search(text, done, place)):
        return named.start(), _codes()[named[1]]
    return place, money.code(meaning)


def narrowed(mark: str | None, unit: str | None) -> str:
    """The code of an amount between `mark` and `unit`: $50 CAD says whose dollars they are."""
    dollars = vocabulary("currencies").data["local"]["dollar_word"].values()
    return unit if unit and mark in dollars and unit in dollars else mark or unit or ""


def after(text: str, end: int, money: Money) -> After:
    """The scale and the unit after a number."""
    found = _suffix().match(text, end)
    if not found or not found[0]:
        return nothing_after(end)
    scale = Decimal(table("amount_scales")[found["scale"]]) if found["scale"] else Decimal(1)
    word = found["unit"] or found["word"] or found["mark"]
    if not word:
        return After(found.end(), scale, None, "", "")
    named = money.code(_meanings()[found["named"]]) if found["named"] else ""
    if word in _cents():
        scale /= 100
    if word in table("tenths"):
        scale /= 10
    return After(found.end(), scale, money.code(_meaning(word)), word, named)


def nothing_after(end: int) -> After:
    """What follows a number that ends there without a scale or a unit."""
    return After(end, Decimal(1), None, "", "")


def spelled_unit(text: str, at: int, money: Money) -> tuple[int, int, str, bool] | None:
    """The unit of money around the stem at `at`: its place with the space before, code, cents."""
    found = _spelled_units().match(text, at)
    start = at
    if not found:
        return None
    if longer := _adjectives().search(text, max(0, at - 24), at):
        start, word = longer.start(), longer[0].strip() + " " + found[1]
        if word in table("currencies"):
            return start, found.end(), money.code(table("currencies")[word]), False
        start = at
    if start == 0 or text[start - 1] not in " -":
        return None
    cents = found[1] in table("cents")
    meaning = table("cents" if cents else "currencies").get(found[1])
    return None if meaning is None else (start - 1, found.end(), money.code(meaning), cents)


@cache
def _marks() -> Mapping[str, str]:
    return dict(vocabulary("currencies").data["marks"])


@cache
def _codes() -> Mapping[str, str]:
    codes = vocabulary("currencies").data["codes"]
    return {**{code: code.upper() for code in codes["iso"]}, **codes["other"]}


@cache
def _meanings() -> Mapping[str, str]:
    return {**table("currencies"), **table("cents"), **table("tenths"), **_codes(), **_marks()}


def _meaning(word: str) -> str:
    meanings = _meanings()
    return meanings[word] if word in meanings else meanings[word.rstrip("s")]


@cache
def _cents() -> frozenset[str]:
    cents = table("cents")
    return frozenset((*cents, *(f"{cent}s" for cent in cents)))


@cache
def _named() -> tuple[str, ...]:
    """Words of Han characters and kana that name a currency, and so may stand before a number."""
    vague = frozenset(vocabulary("zh").words["never_before"])
    return tuple(word for word in table("currencies") if not word.isascii() and word not in vague)


@cache
def _last_characters() -> frozenset[str]:
    return frozenset(word[-1] for word in (*_named(), *_marks(), *_codes()))


@cache
def _letter_prefixes() -> frozenset[str]:
    return frozenset((*_codes(), *(mark for mark in _marks() if mark.isascii())))


@cache
def _prefix() -> re.Pattern[str]:
    marks = [mark for mark in _marks() if not mark.strip(".").isalpha() or not mark.isascii()]
    letters = [*_codes(), *(mark for mark in _marks() if mark not in marks)]
    return re.compile(
        rf"((?<![0-9a-z$€£¥{{'\"\\=]){any_of(marks)}"
        rf"|(?<![0-9a-z_]){any_of(letters)}|{any_of(_named())}):? ?\Z"
    )


@cache
def _code() -> re.Pattern[str]:
    """A code before a mark: AUD $50."""
    return re.compile(rf"(?<![0-9a-z_])({any_of(_codes())}) ?\Z")


@cache
def _suffix() -> re.Pattern[str]:
    scales = any_of(table("amount_scales"))
    cjk = any_of(word for word in (*table("currencies"), *table("tenths")) if not word.isascii())
    words = [word for word in (*table("currencies"), *table("cents")) if word.isascii()]
    english = any_of((*words, *_codes()))
    marks = any_of(mark for mark in _marks() if not mark.isascii() or "$" in mark)
    return re.compile(
        rf"(?: ?(?P<scale>{scales})(?![0-9a-z]))?+"
        rf"(?: ?(?P<unit>{cjk})(?: ?(?P<named>{any_of(_named())}|(?:rmb|cny)(?![a-z])))?"
        rf"|[ -]?(?P<word>{english})s?(?![0-9a-z_$])| ?(?P<mark>{marks})(?![0-9a-z]))?"
    )


@cache
def _spelled_units() -> re.Pattern[str]:
    words = [
        word
        for word in (*table("currencies"), *table("cents"))
        if word.isascii() and " " not in word
    ]
    return re.compile(rf"({any_of(words)})s?(?![0-9a-z_])(?: sterling\b)?")


@cache
def _adjectives() -> re.Pattern[str]:
    words = {
        word.rpartition(" ")[0] for word in table("currencies") if word.isascii() and " " in word
    }
    return re.compile(rf"[ -]{any_of(words)} $")
