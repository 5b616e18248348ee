"""Lengths of time in folded text, as ISO 8601 durations: `三年半` is P3Y6M, `2h30m` PT2H30M.

A length is not a point: `三天前` and `2 hours ago` are dates, `2026年` a year, `3日` a day of the
month unless `間` or another word makes it a length. Nothing is found for ages, ordinals,
recurrences and rates (`每三天`, `an hour`), idioms and guesses (`三四天`, `2-3 hours`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from typing import Final

from mnemod.domain.annotation import Annotation, AnnotationKind
from mnemod.domain.normalise import durations_english, numerals
from mnemod.domain.normalise.durations_refused import is_no_length
from mnemod.domain.normalise.lengths import NUMBER_MAX, Length, unit_length
from mnemod.domain.normalise.quantity_text import (
    annotation,
    beside,
    grammar,
    holds_any,
    is_part,
    pattern,
    precedes,
    table,
    vocabulary,
    words,
)
from mnemod.domain.normalise.sheet import Sheet
from mnemod.domain.vocabulary import any_of

Place = tuple[int, int, Length]

_HALF: Final = Decimal("0.5")
_CHAIN_MAX: Final = 6


def find(sheet: Sheet) -> Iterator[Annotation]:
    """The durations of a text, by form, not by place."""
    for start, end, length in _all(sheet):
        if iso := length.iso():
            yield annotation((start, end), AnnotationKind.DURATION, iso)


def _all(sheet: Sheet) -> Iterator[Place]:
    if not sheet.text.isascii() and sheet.runs and holds_any(sheet.text, "time_stems"):
        yield from _han(sheet)
    yield from durations_english.find(sheet)


def _han(sheet: Sheet) -> Iterator[Place]:
    text, locale, kana, done = sheet.text, sheet.locale, sheet.kana, 0
    for run in beside(sheet, _beginnings()):
        found = _component().match(text, run.start) if run.start >= done else None
        if not found or not _unit(found):
            continue
        parts = _chain(text, found)
        start, end, number = found.start(), parts[-1].end(), found["number"] or ""
        if is_no_length(text, (start, end), number, _unit(found), kana=kana) or is_part(
            text, start, start + len(number)
        ):
            continue
        lengths = [_length(part, locale) for part in parts]
        if all(length is not None for length in lengths):
            done = end
            total = sum(filter(None, lengths), Length())
            if found["bare"] and sheet.is_cantonese and precedes(_one_and_half(), text, start):
                start, total = start - 1, total + unit_length(found["bare"])
            yield start, end, total


@cache
def _one_and_half() -> re.Pattern[str]:
    return re.compile(grammar("one_and_half_before"))


def _chain(text: str, first: re.Match[str]) -> list[re.Match[str]]:
    """The parts of one length of several units, the larger first: `2時間30分`."""
    parts, order = [first], unit_length(_unit(first)).order
    for _ in range(_CHAIN_MAX):
        joint = pattern("grammar", "joint").match(text, parts[-1].end())
        found = _component().match(text, joint.end()) if joint else None
        if not joint or not found or not found["number"] or not _unit(found):
            break
        smaller = unit_length(_unit(found)).order
        if smaller >= order or _is_daily(first, joint[0]):
            break
        parts, order = [*parts, found], smaller
    return parts


def _is_daily(first: re.Match[str], joint: str) -> bool:
    """`1日8時間` is eight hours a day, not a day and eight hours."""
    return not joint and first["number"] in words("one") and _unit(first) in words("day")


def _length(found: re.Match[str], locale: str) -> Length | None:
    number = numerals.value(found["number"], locale) if found["number"] else Decimal(0)
    if number is None or number > NUMBER_MAX:
        return None
    half = found["halved"] or found["bare"] or found["and_half"]
    return unit_length(_unit(found)).times(number + _HALF if half else number)


def _unit(found: re.Match[str]) -> str:
    return found["whole"] or found["halved"] or found["bare"] or ""


@cache
def _beginnings() -> frozenset[str]:
    """The characters units begin with, and those that stand between a number and its unit."""
    names = ("months", "days", "seconds", "halved_months", "halved_seconds")
    firsts = {word[0] for name in names for word in table(name) if not word.isascii()}
    return frozenset((*firsts, *grammar("number_first")))


@cache
def _component() -> re.Pattern[str]:
    """A numeral, and the unit beside it where there is one."""
    names = ("months", "days", "seconds")
    units = [word for name in names for word in table(name) if not word.isascii()]
    listed = vocabulary("zh").words
    after_half, not_half = any_of(listed["after_half"]), grammar("half_otherwise")
    return re.compile(
        f"(?P<number>{numerals.runs().pattern})"
        f"(?: ?(?:{grammar('and_a_half')}(?P<halved>{any_of(listed['after_and_a_half'])})"
        f"|(?P<whole>{any_of(units)})"
        f"(?:(?P<and_half>{grammar('and_half')})(?!{after_half}|{not_half}))?))?"
        f"|{grammar('half_of')}(?P<bare>{after_half})"
    )
