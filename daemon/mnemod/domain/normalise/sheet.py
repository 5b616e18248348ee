"""A text laid out for all readers at once: which scripts it holds, and where its numerals stand.

One pass finds the numerals; amounts, shares, lengths and dates look only at those with a unit of
theirs beside them. The work on one text is bounded: after NUMBERS_MAX numerals, or after PLACES_MAX
places that one kind of reader tried, the rest of the text has no annotation of that kind; and what
stands after both so many numerals and READ_MIN characters is not read at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from string import ascii_lowercase, digits
from typing import Final, NamedTuple

from msgspec import Struct

from mnemod.domain.folded import Folded
from mnemod.domain.normalise import numerals

NUMBERS_MAX: Final = 2048
PLACES_MAX: Final = 96
READ_MIN: Final = 48 * 1024
HALF: Final = "\u534a"
"""Stands where a numeral does: half an hour, half a year."""

_STROKE: Final = "\u2044"
_GROUPED: Final = re.compile(f"(?<![0-9.,:/'-])[1-9][0-9]{{0,2}}(?:{numerals.GROUP_AFTER_SPACE})++")
"""`12 000` is one number as often as two: none of its parts is read."""

_KANA: Final = re.compile("[\u3041-\u30ff]")


class Run(NamedTuple):
    """A numeral, and what stands beside it: the character after, and those next to it without a
    space or a dash between."""

    start: int
    end: int
    after: str
    unit: str
    before: str


class Sheet(Struct):
    """A folded text, and the account's locale, as `zh-TW`. `runs` are its numerals, whole; `HALF`
    alone among them."""

    folded: Folded
    locale: str
    runs: list[Run]
    _latin: bool | None = None
    _kana: bool | None = None
    _written_in_kana: bool | None = None

    @property
    def text(self) -> str:
        """The folded text."""
        return self.folded.text

    @property
    def latin(self) -> bool:
        """Whether there is a Latin letter, and so a word of English may be."""
        if self._latin is None:
            self._latin = holds(self.text, ascii_lowercase)
        return self._latin

    @property
    def kana(self) -> bool:
        """Whether a text of Han characters is Japanese, by its script or its writer."""
        if self._kana is None:
            self._kana = self.locale.startswith("ja") or self.written_in_kana
        return self._kana

    @property
    def written_in_kana(self) -> bool:
        """Whether the text itself holds kana, whoever wrote it."""
        if self._written_in_kana is None:
            self._written_in_kana = not self.text.isascii() and _KANA.search(self.text) is not None
        return self._written_in_kana

    @property
    def is_cantonese(self) -> bool:
        """Whether the account writes where Cantonese is written."""
        return numerals.is_cantonese(self.locale)


def holds(text: str, words: Iterable[str]) -> bool:
    """Whether `text` holds one of them: a look for each costs less than a pass over the text."""
    return any(map(text.__contains__, words))


def laid_out(folded: Folded, locale: str) -> Sheet:
    """The sheet of a folded text, as far as it is read."""
    text = folded.text
    runs: list[Run] = []
    most = len(text)
    if not text.isascii() or holds(text, digits):
        numerals_found = _numeral().finditer(text)
        runs = list(_runs(text, islice(numerals_found, NUMBERS_MAX)))
        if beyond := next(numerals_found, None):
            most = max(beyond.start(), READ_MIN)
    return Sheet(folded if len(text) <= most else _until(folded, most), locale, runs)


def _until(folded: Folded, end: int) -> Folded:
    return Folded(folded.text[:end], folded.layers)


def _runs(text: str, numerals_found: Iterable[re.Match[str]]) -> Iterator[Run]:
    length, grouped = len(text), 0
    for found in numerals_found:
        start, end = found.span()
        if start < grouped:
            continue
        after = unit = text[end] if end < length else ""
        if unit in (" ", "-") and end + 1 < length:
            unit = text[end + 1]
            if after == " " and unit in digits and (group := _GROUPED.match(text, start)):
                grouped = group.end()
                continue
        before = text[start - 1] if start else ""
        if after == _STROKE or before == _STROKE:
            continue  # ½ is folded to two numbers, and none of them is meant
        if before == " " and start > 1:
            before = text[start - 2]
        yield Run(start, end, after, unit, before)


@cache
def _numeral() -> re.Pattern[str]:
    # The set is in front so that the search leaps from one numeral to the next.
    first = f"[{numerals.numeral_set()}{HALF}]"
    return re.compile(f"{first}(?:(?<!{HALF}){numerals.rest()})?+")
