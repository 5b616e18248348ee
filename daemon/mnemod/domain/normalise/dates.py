"""Finds dates and intervals in a folded text: where a reading may begin, and which reader goes on.

A text is searched a few times for the places where a date can begin; only there do readers look
around. A place inside a longer reading is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Final

from mnemod.domain.annotation import Annotation
from mnemod.domain.normalise import (
    dates_english,
    dates_han,
    distance,
    english_years,
    figures,
)
from mnemod.domain.normalise.lexicon import english, grammar, lexicon
from mnemod.domain.normalise.page import Page
from mnemod.domain.normalise.words import trie

TRIED_MAX: Final = 256
"""Places of one text at which one scan tries to read; what comes after them is not read."""

_FIRST_WORD: Final = 40
_FIGURES: Final = frozenset("0123456789")
_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz")
_SEPARATORS: Final = frozenset("-/.")
Reading = Annotation | None
Reader = Callable[[Page, int, int], Reading]


@dataclass(frozen=True, slots=True)
class Scan:
    """A way to find where dates begin: group 1 of the pattern is the place.

    A text that lacks all of one of `needs` has no such place. `is_word`: group 1 begins a word of
    Latin letters, after any other character.
    """

    pattern: re.Pattern[str]
    read: Reader
    needs: tuple[frozenset[str], ...]
    is_word: bool = False


def find(page: Page) -> Iterator[Annotation]:
    """Every reading of the page, in folded offsets; readings of different kinds may overlap."""
    chars = frozenset(page.text)
    for scan in _scans():
        if any(chars.isdisjoint(needed) for needed in scan.needs):
            continue
        for start, end in islice(_places(page.text, scan), TRIED_MAX):
            yield from _safely(scan.read, page, start, end)


def _places(text: str, scan: Scan) -> Iterator[tuple[int, int]]:
    if scan.is_word and (first := scan.pattern.match(" " + text[:_FIRST_WORD])):
        start, end = first.span(1)
        yield start - 1, end - 1
    for found in scan.pattern.finditer(text):
        yield found.span(1)


def _safely(read: Reader, page: Page, start: int, end: int) -> tuple[Annotation, ...]:
    """The reading, if there is one. A day that is in no calendar (31 April) is no date."""
    try:
        reading = read(page, start, end)
    except (ValueError, OverflowError):
        return ()
    return () if reading is None else (reading,)


@cache
def _scans() -> tuple[Scan, ...]:
    return (*_english_words(), *_in_figures(), _han_words(), *_han_numbers())


def _english_words() -> list[Scan]:
    """Words that begin a date, or end one, and words before figures."""
    words, read = trie(dates_english.heads()), dates_english.at_word
    before_figures = english().expand("[^a-z0-9_](@before_figures)(?= [0-9])")
    return [
        Scan(re.compile(f"[^a-z0-9_]({words})(?![a-z0-9])"), read, (_LETTERS,), is_word=True),
        Scan(re.compile(before_figures), read, (_LETTERS, _FIGURES), is_word=True),
    ]


def _in_figures() -> list[Scan]:
    patterns = english().expand
    return [
        Scan(
            re.compile(patterns("@figures_head")),
            _by_start(figures.at_figures),
            (_FIGURES, _SEPARATORS),
        ),
        Scan(
            re.compile(patterns("@year_quarter_head")),
            _by_start(english_years.at_year_quarter),
            (_FIGURES, frozenset("qh")),
        ),
        Scan(
            re.compile(patterns("@year_head")),
            _by_start(english_years.at_year),
            (_FIGURES, _LETTERS),
        ),
        Scan(
            re.compile(patterns("@era_head")),
            _by_start(dates_han.at_short_era),
            (_FIGURES, frozenset("rhs"), _SEPARATORS),
        ),
    ]


def _han_words() -> Scan:
    words = [
        *lexicon().heads,
        *grammar().words["era"],
        *grammar().words["recent"],
        *grammar().words["yet"],
    ]
    return Scan(
        re.compile(f"({trie(words)})"),
        _han,
        (frozenset(word[0] for word in words), frozenset(word[-1] for word in words)),
    )


def _han(page: Page, start: int, end: int) -> Reading:
    word = page.text[start:end]
    if word in lexicon().heads:
        return dates_han.at_word(page, start, end)
    if word in grammar().words["recent"]:
        return distance.recent_han(page, start, end)
    if word in grammar().words["yet"]:
        return distance.yet_han(page, start, end)
    return dates_han.at_era(page, start)


def _han_numbers() -> list[Scan]:
    patterns = grammar()
    numerals = frozenset(patterns.words["numeral"])
    return [
        Scan(
            patterns.pattern("year_head"),
            _by_start(dates_han.at_year),
            (numerals, frozenset(patterns.words["year_sign"])),
        ),
        Scan(
            patterns.pattern("month_head"),
            _by_start(dates_han.at_month),
            (numerals, frozenset(patterns.words["month_sign"])),
        ),
        Scan(
            patterns.pattern("ago_head"),
            _by_start(distance.at_han),
            (numerals, frozenset(word[0] for word in patterns.words["beside_ago"])),
        ),
    ]


def _by_start(read: Callable[[Page, int], Reading]) -> Reader:
    return lambda page, start, _: read(page, start)
