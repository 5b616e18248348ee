"""Finds dates and intervals in a folded text: where a reading may begin, and which reader goes on.

A text is searched once for words that begin a date and once for numerals; only there do readers
look around. A place inside a longer reading is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import islice
from operator import itemgetter
from typing import Final, NamedTuple

from msgspec import Struct

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
from mnemod.domain.normalise.sheet import PLACES_MAX, Run, Sheet, holds
from mnemod.domain.vocabulary import any_of

_WORD_CHARS: Final = 10
"""A text with one space in so many characters is one of words."""
_YEAR_FIGURES: Final = 4
Reading = Annotation | None
Reader = Callable[[Page, int, int], Reading]
Place = tuple[int, int, Reader]


def find(page: Page) -> Iterator[Annotation]:
    """Every reading of the page, in folded offsets; readings of different kinds may overlap."""
    sheet = page.sheet
    places = list(islice(_numbers(sheet), PLACES_MAX))
    if sheet.latin:
        places += islice(_english(sheet.text), PLACES_MAX)
    if not sheet.text.isascii() and holds(sheet.text, _han_beginnings()):
        places += islice(_han(sheet.text), PLACES_MAX)
    places.sort(key=itemgetter(0))
    for start, end, read in places[:PLACES_MAX]:
        yield from _safely(read, page, start, end)


def _safely(read: Reader, page: Page, start: int, end: int) -> tuple[Annotation, ...]:
    """The reading, if there is one. A day that is in no calendar (31 April) is no date."""
    try:
        reading = read(page, start, end)
    except (ValueError, OverflowError):
        return ()
    return () if reading is None else (reading,)


def _english(text: str) -> Iterator[Place]:
    """Words that begin a date, or end one; they begin after any character that is no letter."""
    among, alone = _english_words()
    done = 0
    if first := alone.match(text):
        done = first.end(1)
        yield 0, done, dates_english.at_word
    is_spaced = text.count(" ") * _WORD_CHARS > len(text)
    for found in (among if is_spaced else alone).finditer(text):
        start, end = found.span(1)
        if start >= done:
            done = end
            yield start, end, dates_english.at_word


@cache
def _english_words() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The words as they are found in a text of words, and in one of other characters: the one
    looks at every character between words, the other at every letter that a word begins with."""
    listed = dates_english.heads()
    counted = english().expand("@before_figures(?= [0-9])")
    directed = f"{any_of(listed.directions)} {any_of(listed.directed)}"
    within = f"{any_of(listed.within)} {any_of(listed.counts)}"
    words = f"(?:{any_of(listed.alone)}|{directed}|{within})(?![a-z0-9])|{counted}"
    # Three letters settle most places at little cost, before the words are tried.
    heads = (*listed.alone, *(f"{word} " for word in (*listed.directions, *listed.within)))
    word = f"(?={any_of(head[:3] for head in heads)})({words})"
    first = "".join(sorted({head[0] for head in heads}))
    return (
        re.compile(f"[^a-z0-9_]{word}"),
        re.compile(f"[{first}](?<![a-z0-9_].)(?<=(?={word}).)"),
    )


def _han(text: str) -> Iterator[Place]:
    for found in _han_words().finditer(text):
        yield found.start(), found.end(), _at_han


@cache
def _han_beginnings() -> frozenset[str]:
    return frozenset(word[0] for word in _han_listed())


@cache
def _han_words() -> re.Pattern[str]:
    return re.compile(any_of(_han_listed()))


def _han_listed() -> tuple[str, ...]:
    listed = grammar().words
    return (*lexicon().heads, *listed["era"], *listed["recent"], *listed["yet"])


def _at_han(page: Page, start: int, end: int) -> Reading:
    word = page.text[start:end]
    if word in lexicon().heads:
        return dates_han.at_word(page, start, end)
    if word in grammar().words["recent"]:
        return distance.recent_han(page, start, end)
    if word in grammar().words["yet"]:
        return distance.yet_han(page, start, end)
    return dates_han.at_era(page, start)


def _numbers(sheet: Sheet) -> Iterator[Place]:
    """The numerals that may begin a date, by what stands beside them."""
    text, beside = sheet.text, _beside()
    for run in sheet.runs:
        if run.before in beside.listed and run.unit in beside.days:
            yield run.start, run.end, _by_start(dates_han.at_listed_day)
        heads = beside.units.get(run.unit, ())
        if run.end - run.start >= _YEAR_FIGURES or run.after in beside.separators:
            heads = (*heads, *_figures(run, text))
        for head in heads:
            if head.pattern.match(text, run.start) is not None:
                yield run.start, run.end, head.read
        if run.before in beside.eras and beside.era.pattern.match(text, run.start - 1) is not None:
            yield run.start - 1, run.end, beside.era.read


class _Head(NamedTuple):
    """What a numeral of a date looks like with what follows it, and who reads it."""

    pattern: re.Pattern[str]
    read: Reader


def _figures(run: Run, text: str) -> Iterator[_Head]:
    """What figures may be by their length alone, or by a stroke after them."""
    length, beside = run.end - run.start, _beside()
    if length == _YEAR_FIGURES and run.unit not in beside.years:
        yield beside.year
    if not text[run.start].isascii():
        return
    if run.after in beside.separators or length > _YEAR_FIGURES:
        yield beside.figures
    if length == _YEAR_FIGURES:
        yield from beside.year_alone


class _Beside(Struct, frozen=True):
    """The characters that stand beside a numeral of a date, and what they make of it."""

    units: Mapping[str, tuple[_Head, ...]]
    years: frozenset[str]
    days: frozenset[str]
    listed: frozenset[str]
    separators: frozenset[str]
    eras: frozenset[str]
    year: _Head
    figures: _Head
    era: _Head
    year_alone: tuple[_Head, ...]


@cache
def _beside() -> _Beside:
    words = grammar().words
    month, ago, year = (
        _Head(grammar().pattern(f"{name}_head"), _by_start(read))
        for name, read in (
            ("month", dates_han.at_month),
            ("ago", distance.at_han),
            ("year", dates_han.at_year),
        )
    )
    figure, era, quarter, alone = (
        _Head(re.compile(english().expand(f"@{name}_head")), _by_start(read))
        for name, read in (
            ("figures", figures.at_figures),
            ("era", dates_han.at_short_era),
            ("year_quarter", english_years.at_year_quarter),
            ("year", english_years.at_year),
        )
    )
    units: dict[str, tuple[_Head, ...]] = {}
    for head, firsts in (
        (month, words["month_sign"]),
        (ago, (*words["unit"], *words["clock_unit"])),
        (year, words["year_sign"]),
    ):
        for first in dict.fromkeys(word[0] for word in firsts):
            units[first] = (*units.get(first, ()), head)
    return _Beside(
        units=units,
        years=frozenset(words["year_sign"]),
        days=frozenset(words["day_sign"]),
        listed=frozenset(word[-1] for word in words["listed"]),
        separators=frozenset(words["separator"]),
        eras=frozenset(words["era_letter"]),
        year=year,
        figures=figure,
        era=era,
        year_alone=(quarter, alone),
    )


def _by_start(read: Callable[[Page, int], Reading]) -> Reader:
    return lambda page, start, _: read(page, start)
