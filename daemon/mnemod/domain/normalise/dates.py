"""Finds dates and intervals in a folded text: where a reading may begin, and which reader goes on.

A text is searched once for words that begin a date and once for numerals; only there do readers
look around. A place inside a longer reading is passed over.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from operator import itemgetter
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
from mnemod.domain.normalise.sheet import PLACES_MAX, Run, Sheet, holds
from mnemod.domain.normalise.words import trie

_FIRST_WORD: Final = 40
_YEAR_FIGURES: Final = 4
Reading = Annotation | None
Reader = Callable[[Page, int, int], Reading]
Place = tuple[int, int, Reader]


def find(page: Page) -> Iterator[Annotation]:
    """Every reading of the page, in folded offsets; readings of different kinds may overlap."""
    sheet, found = page.sheet, []
    if sheet.runs:
        found.append(_numbers(sheet))
    if sheet.latin:
        found.append(_english(sheet.text))
    if not sheet.text.isascii() and holds(sheet.text, _han_beginnings()):
        found.append(_han(sheet.text))
    if not found:
        return
    places = heapq.merge(*found, key=itemgetter(0)) if len(found) > 1 else found[0]
    for start, end, read in islice(places, PLACES_MAX):
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
    words = _english_words()
    if first := words.match(" " + text[:_FIRST_WORD]):
        yield first.start(1) - 1, first.end(1) - 1, dates_english.at_word
    for found in words.finditer(text):
        yield found.start(1), found.end(1), dates_english.at_word


@cache
def _english_words() -> re.Pattern[str]:
    listed = dates_english.heads()
    counted = english().expand("@before_figures(?= [0-9])")
    directed = f"(?:{trie(listed.directions)}) (?:{trie(listed.directed)})"
    within = f"(?:{trie(listed.within)}) (?:{trie(listed.counts)})"
    words = f"{trie(listed.alone)}|{directed}|{within}"
    # Two letters settle most places at little cost, before the words are tried.
    openings = trie(word[:2] for word in (*listed.alone, *listed.directions, *listed.within))
    return re.compile(f"[^a-z0-9_](?={openings})((?:{words})(?![a-z0-9])|{counted})")


def _han(text: str) -> Iterator[Place]:
    for found in _han_words().finditer(text):
        yield found.start(), found.end(), _at_han


@cache
def _han_beginnings() -> frozenset[str]:
    return frozenset(word[0] for word in _han_listed())


@cache
def _han_words() -> re.Pattern[str]:
    return re.compile(trie(_han_listed()))


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
    text = sheet.text
    for run in sheet.runs:
        if run.unit in _units()["day"] and run.before in _units()["listed"]:
            yield run.start, run.end, _by_start(dates_han.at_listed_day)
        for name, read in _readers(run, text):
            start = run.start - 1 if name == "era" else run.start
            if _head(name).match(text, start) is not None:
                yield start, run.end, read


def _readers(run: Run, text: str) -> Iterator[tuple[str, Reader]]:
    length, units = run.end - run.start, _units()
    if run.unit in units["month"]:
        yield "month", _by_start(dates_han.at_month)
    if run.unit in units["distance"]:
        yield "ago", _by_start(distance.at_han)
    if run.unit in units["year"] or length == _YEAR_FIGURES:
        yield "year_han", _by_start(dates_han.at_year)
    if not text[run.start].isascii():
        return
    if run.after in units["separator"] or length > _YEAR_FIGURES:
        yield "figures", _by_start(figures.at_figures)
    if run.before in units["era"] and (
        run.after == "/" or run.unit in units["year"] or length > _YEAR_FIGURES
    ):
        yield "era", _by_start(dates_han.at_short_era)
    if length == _YEAR_FIGURES:
        yield "year_quarter", _by_start(english_years.at_year_quarter)
        yield "year", _by_start(english_years.at_year)


@cache
def _units() -> dict[str, frozenset[str]]:
    listed = grammar()
    units = (*listed.words["unit"], *listed.words["clock_unit"])
    return {
        "month": frozenset(listed.words["month_sign"]),
        "year": frozenset(listed.words["year_sign"]),
        "distance": frozenset(word[0] for word in units),
        "day": frozenset(listed.words["day_sign"]),
        "listed": frozenset(word[-1] for word in listed.words["listed"]),
        "separator": frozenset(listed.words["separator"]),
        "era": frozenset(listed.words["era_letter"]),
    }


@cache
def _head(name: str) -> re.Pattern[str]:
    match name:
        case "month" | "ago":
            return grammar().pattern(f"{name}_head")
        case "year_han":
            return grammar().pattern("year_head")
        case _:
            return re.compile(english().expand(f"@{name}_head"))


def _by_start(read: Callable[[Page, int], Reading]) -> Reader:
    return lambda page, start, _: read(page, start)
