"""What amounts, proportions and durations share: numerals in a text, and what stands beside them.

A text is looked at number by number, so the work is bounded: after NUMBERS_MAX numerals, or
FOUND_MAX that stand beside a unit, the rest of a text has no annotation of that kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final

from mnemod.domain import han
from mnemod.domain.annotation import Annotation, AnnotationKind, Value
from mnemod.domain.folded import Folded
from mnemod.domain.normalise import numerals
from mnemod.domain.vocabulary import LOCALES, Vocabulary, load

NUMBERS_MAX: Final = 8192
FOUND_MAX: Final = 512
BEFORE: Final = 24
"""How many characters before a number may tell what it is."""

_FOLDER: Final = Path(__file__).with_name("quantities")
_KANA: Final = re.compile("[ぁ-ヿ]")
_SPELLED_CHARS: Final = 80


def vocabulary(locale: str) -> Vocabulary:
    """The words of quantities of `en`, `zh`, `ja` or `currencies`."""
    return load(_FOLDER, locale)


@cache
def pattern(locale: str, name: str) -> re.Pattern[str]:
    """A pattern of the vocabulary of `locale`."""
    return vocabulary(locale).pattern(name)


@cache
def table(name: str) -> Mapping[str, str]:
    """The tables `name` of all locales in one, folded words to what they stand for."""
    return {
        han.simplified(word): str(meaning)
        for locale in LOCALES
        for word, meaning in vocabulary(locale).data.get(name, {}).items()
    }


def written(text: str) -> Iterator[re.Match[str]]:
    """The numerals of `text` in figures and Han characters, from left to right."""
    return islice(numerals.runs().finditer(text), NUMBERS_MAX)


def spelled_before(text: str, end: int, locale: str) -> tuple[int, Decimal] | None:
    """The number in English words that ends at `end`: where it starts, and its value."""
    found = _spelled_end().search(text, max(0, end - _SPELLED_CHARS), end)
    if not found:
        return None
    number, start = numerals.value(found[0], locale), found.start()
    if number is None and found[0].startswith(("a ", "an ")):  # "a three-day hike"
        start += found[0].index(" ") + 1
        number = numerals.value(text[start:end], locale)
    return None if number is None else (start, number)


def places(text: str, words: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Where each of `words` stands in `text`, at most FOUND_MAX times each."""
    for word in words:
        at, left = text.find(word), FOUND_MAX
        while at >= 0 and left:
            yield at, word
            at, left = text.find(word, at + 1), left - 1


def precedes(found: re.Pattern[str], text: str, start: int) -> bool:
    """Whether `found`, a pattern that ends in `$`, matches what stands before `start`."""
    return found.search(text, max(0, start - BEFORE), start) is not None


def is_part(text: str, start: int, end: int) -> bool:
    """Whether the number at `text[start:end]` is part of a range, a list, a code or a title."""
    return bool(start) and (
        _part_before().search(text, max(0, start - BEFORE), start) is not None
        or _in_title(text, start, end)
    )


def has_kana(text: str, locale: str) -> bool:
    """Whether a text of Han characters is Japanese, by its script or its writer."""
    return locale.startswith("ja") or _KANA.search(text) is not None


def annotation(
    folded: Folded,
    place: tuple[int, int],
    kind: AnnotationKind,
    value: Value,
    confidence: float = 1.0,
) -> Annotation:
    """An annotation of a passage of the folded text, with its place in the source."""
    start, end = folded.span(*place)
    return Annotation(start, end, kind, value, None, confidence)


def rounded(number: Decimal) -> float:
    """A share as a float, to six places."""
    return float(round(number, 6))


@cache
def _spelled_end() -> re.Pattern[str]:
    return re.compile(numerals.spelled() + r"\Z")


@cache
def _part_before() -> re.Pattern[str]:
    numeral, word = numerals.numeral_set(), rf"(?:[0-9]|\b{numerals.number_words()})"
    return re.compile(
        rf"[a-z_][-.]?$|[{numeral}](?: ?[-~] ?|[、:/])$|[{numeral}](?:到|至|から)$|[第几数何][{numeral}]?$"
        rf"|{word}(?: to | or |-to-|-or-)$|\bbetween .{{1,12}} and $|\bv\.? ?$"
    )


def _in_title(text: str, start: int, end: int) -> bool:
    opened = text.rfind("《", max(0, start - BEFORE), start)
    if opened >= 0:
        return text.find("》", opened, start) < 0
    if text[start - 1] != '"':
        return False
    closed = text.find('"', end, end + 40)
    return closed >= 0 and text[closed - 1] not in ".,!?"
