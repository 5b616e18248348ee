"""What amounts, proportions and durations share: numerals in a text, and what stands beside them.

How much of a text is tried is said in `sheet`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cache
from itertools import islice
from pathlib import Path
from string import ascii_lowercase, digits
from typing import Final

from mnemod.domain import han
from mnemod.domain.annotation import Annotation, AnnotationKind, Value
from mnemod.domain.normalise import numerals
from mnemod.domain.normalise.sheet import PLACES_MAX, Run, Sheet, holds
from mnemod.domain.vocabulary import LOCALES, Vocabulary, load

BEFORE: Final = 24
"""How many characters before a number may tell what it is."""

_FOLDER: Final = Path(__file__).with_name("quantities")
_LAST_WORD: Final = re.compile(r"(?<![a-z])[a-z]+\Z")
_WORD_CHARS: Final = 10
_SPELLED_CHARS: Final = 64


@cache
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


@cache
def words(name: str) -> frozenset[str]:
    """What the grammar lists under `name`."""
    return frozenset(vocabulary("grammar").words[name])


@cache
def grammar(name: str) -> str:
    """The source of the grammar's pattern `name`."""
    listed = vocabulary("grammar")
    return listed.expand(listed.data["patterns"][name])


def holds_any(text: str, name: str) -> bool:
    """Whether `text` holds one of what the grammar lists under `name`."""
    return holds(text, words(name))


def beside(
    sheet: Sheet, units: frozenset[str], prefixes: frozenset[str] = frozenset()
) -> Iterator[Run]:
    """The numerals beside which a unit may stand: `units` are the characters units begin with,
    `prefixes` those they end with where they stand before a number."""
    near = (run for run in sheet.runs if run.unit in units or run.before in prefixes)
    return islice(near, PLACES_MAX)


@cache
def either(*names: tuple[str, str]) -> re.Pattern[str]:
    """Several patterns of the vocabularies, by locale and name, as one."""
    return re.compile("|".join(pattern(locale, name).pattern for locale, name in names))


def spelled_before(text: str, end: int, locale: str) -> tuple[int, Decimal] | None:
    """The number in English words that ends at `end`: where it starts, and its value."""
    last = _LAST_WORD.search(text, max(0, end - _WORD_CHARS), end)
    if not last or last[0] not in numerals.last_words():
        return None
    found = _spelled_end().search(text, _first_word(text, end), end)
    if not found:
        return None
    number, start = numerals.value(found[0], locale), found.start()
    if number is None and found[0].startswith(("a ", "an ")):  # "a three-day hike"
        start += found[0].index(" ") + 1
        number = numerals.value(text[start:end], locale)
    return None if number is None else (start, number)


def _first_word(text: str, end: int) -> int:
    """Where a number in words that ends at `end` begins at the earliest: one word may be figures,
    or have a mark before it."""
    first, start = max(0, end - _SPELLED_CHARS), end + 1
    for word in reversed(text[first:end].replace("-", " ").split(" ")):
        start -= len(word) + 1
        if word not in numerals.all_words():
            break
    return max(first, start)


def places(text: str, words: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Where `words` stand in `text`, word by word: at most PLACES_MAX places in all."""
    left = PLACES_MAX
    for word in [each for each in words if each in text]:
        at = text.find(word)
        while at >= 0:
            yield at, word
            left -= 1
            if not left:
                return
            at = text.find(word, at + 1)


def one_before(text: str, start: int) -> str:
    """The character before `start`, one space left out; empty at the start of the text."""
    before = text[start - 2 : start] if start > 1 else text[:start]
    return before[:1] if before[-1:] == " " else before[-1:]


def precedes(found: re.Pattern[str], text: str, start: int) -> bool:
    """Whether `found`, a pattern that ends in `$`, matches what stands before `start`."""
    return found.search(text, max(0, start - BEFORE), start) is not None


def is_part(text: str, start: int, end: int) -> bool:
    """Whether the number at `text[start:end]` is part of a range, a list, a code or a title."""
    last = text[max(0, start - 1) : start]
    if last in words("some") and text[start] in numerals.unit_characters():
        return not text.endswith(tuple(words("countdown")), 0, start)
    if last.isascii() and last.isalpha() and not text[start].isascii():
        return False  # a Latin word is no part of a Han numeral
    if last == " " and text[max(0, start - 2) : start - 1] not in _PART_ENDS_BEFORE_SPACE:
        return False
    return last in _part_ends() and (
        _part_before().search(text, max(0, start - BEFORE), start) is not None
        or _in_title(text, start, end)
    )


def annotation(
    place: tuple[int, int], kind: AnnotationKind, value: Value, confidence: float = 1.0
) -> Annotation:
    """An annotation of a passage of the folded text."""
    start, end = place
    return Annotation(start, end, kind, value, None, confidence)


def rounded(number: Decimal) -> float:
    """A share as a float, to six places."""
    return float(round(number, 6))


@cache
def _spelled_end() -> re.Pattern[str]:
    return re.compile(numerals.spelled() + r"\Z")


@cache
def _part_ends() -> frozenset[str]:
    numeral = numerals.numeral_set().removeprefix("0-9")
    return frozenset(f'-~:/._ "{digits}{ascii_lowercase}{numeral}') | words("last_before_part")


_PART_ENDS_BEFORE_SPACE: Final = frozenset("ordv.-~")
"""How what `_part_before` finds ends, if a space follows: to, or, and; v.; a dash."""


@cache
def _part_before() -> re.Pattern[str]:
    word = rf"(?:[0-9]|\b{numerals.number_words()})"
    return re.compile(
        rf"[a-z_][-.]?$|{word}(?: to | or |-to-|-or-)$|\bbetween .{{1,12}} and $|\bv\.? ?$"
        + grammar("part_before")
    )


def _in_title(text: str, start: int, end: int) -> bool:
    if text[start - 1] != '"':
        return False
    closed = text.find('"', end, end + 40)
    return closed >= 0 and text[closed - 1] not in ".,!?"
