"""The date words of every locale, made ready for reading: what counts from when, and guards.

Chinese and Japanese are read together: a mixed text changes between them. Nothing is read from
disk, and nothing compiled, before the first text that needs it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from mnemod.domain import han
from mnemod.domain.normalise import numerals
from mnemod.domain.vocabulary import Vocabulary, load
from mnemod.domain.world import Precision

_FOLDER: Final = Path(__file__).parent / "vocabulary"
_LOCALES: Final = ("zh", "ja")
_TABLES: Final = ("before_always", "before_kana", "before_torn", "before_free", "after_torn")
_PARTS: Final = ("_am", "_pm")


class Head(Struct, frozen=True):
    """A word that counts from the anchor. `part` is "am", "pm", or empty for the whole day.

    `kana` says that it is written in kana alone; `half` that it names a half of a year; `cantonese`
    that it has this sense only where Cantonese is written.
    """

    unit: Precision
    offset: int
    part: str = ""
    kana: bool = False
    half: bool = False
    cantonese: bool = False


class Lexicon(Struct, frozen=True, dict=True):
    """The words by what they mean. The tables are those of the vocabulary files."""

    heads: Mapping[str, Head]
    before_always: Mapping[str, str]
    before_kana: Mapping[str, str]
    before_torn: Mapping[str, str]
    before_free: Mapping[str, str]
    after_torn: Mapping[str, str]
    after_never: Mapping[str, tuple[str, ...]]
    weekday_not: tuple[str, ...]

    @cached_property
    def no_weekday(self) -> re.Pattern[str]:
        """What after a weekday's figure says that it is none."""
        return re.compile("|".join(self.weekday_not))

    @cached_property
    def _never(self) -> dict[str, re.Pattern[str] | None]:
        return {}

    def never_before(self, head: str) -> re.Pattern[str] | None:
        """What after `head` settles that it is no date: that of its longest ending in the table."""
        if head not in self._never:
            endings = (head[at:] for at in range(len(head)))
            alternatives = next((e for e in endings if e in self.after_never), "")
            listed = self.after_never.get(alternatives, ())
            self._never[head] = re.compile("|".join(listed)) if listed else None
        return self._never[head]


@cache
def lexicon() -> Lexicon:
    """The words of all locales that write with Han characters or kana."""
    tables = [load(_FOLDER, locale).data for locale in _LOCALES]
    heads: dict[str, Head] = {}
    never: dict[str, tuple[str, ...]] = {}
    for table in tables:
        heads |= _heads(table)
        for word, listed in table["after_never"].items():
            known = never.get(han.simplified(word), ())
            never[han.simplified(word)] = (*known, *map(han.simplified, listed))
    chinese = tables[0]
    always, kana, torn, free, after = (_simplified(chinese[name]) for name in _TABLES)
    counted = tuple(map(han.simplified, chinese["weekday_not"]["words"]))
    return Lexicon(heads, always, kana, torn, free, after, never, counted)


@cache
def grammar() -> Vocabulary:
    """The patterns of dates in Chinese and Japanese, with the words of both locales in them."""
    data = load(_FOLDER, "han").data
    locales = [load(_FOLDER, locale).words for locale in _LOCALES]
    words = dict(data["words"])
    for name in ("recent", "ago", "ahead"):
        words[name] = [word for listed in locales for word in listed[name]]
    for name in ("unit", "clock_unit"):
        words[name] = list(data[name])
    words["era"] = [name for name in data["era_start"] if not name.isascii()]
    return Vocabulary({**data, "words": words})


@cache
def english() -> Vocabulary:
    """The patterns and words of dates in English."""
    data = load(_FOLDER, "en").data
    alone = rf"(?<![0-9a-z_/⁄])(?<![0-9a-z_][.,-]){numerals.NO_GROUP}"
    figures = rf"{alone}[0-9][0-9,]{{0,8}}(?:\.[0-9])?"
    numbers = {"number": f"(?:{numerals.spelled()}|{figures})", "no_group": numerals.NO_GROUP}
    return Vocabulary({**data, "parts": {**numbers, **data["parts"]}})


def _simplified(table: Mapping[str, str]) -> dict[str, str]:
    return {han.simplified(word): han.simplified(chars) for word, chars in table.items()}


def _heads(table: Mapping[str, Any]) -> dict[str, Head]:
    heads = {}
    for name, words in table.items():
        unit, _, marked = name.partition("_")
        if unit not in set(Precision):
            continue
        for word, offset in words.items():
            heads[han.simplified(word)] = Head(
                Precision(unit),
                offset,
                part=marked if f"_{marked}" in _PARTS else "",
                kana=marked == "kana" or not any("\u4e00" <= char <= "\u9fff" for char in word),
                half=marked == "named",
                cantonese=marked == "cantonese",
            )
    return heads
