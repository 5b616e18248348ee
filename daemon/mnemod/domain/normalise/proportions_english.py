"""Proportions in English words, and in figures with a stroke, which any language may write.

Not shares: ordinals (`a third time`), parts of a measure (`1/2 cup`, `a quarter of a mile`), scores
(`18 out of 20`), halves of a game, days (`3/12`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from itertools import islice
from typing import Final

from mnemod.domain.normalise import numerals
from mnemod.domain.normalise.quantity_text import (
    is_part,
    pattern,
    places,
    precedes,
    spelled_before,
    table,
    vocabulary,
)
from mnemod.domain.normalise.sheet import PLACES_MAX
from mnemod.domain.vocabulary import any_of

Place = tuple[int, int, Decimal]

_SPELLED_PERCENT: Final = re.compile(r"[ -](?:percent|per cent)(?![a-z])")
_HUNDRED: Final = Decimal(100)
_HALF: Final = Decimal("0.5")
_STROKE: Final = re.compile(
    r"(?<![0-9a-z./⁄-])([1-9][0-9]?)([/⁄])([1-9][0-9]{0,2})(?![0-9a-z/⁄-]|\.[0-9])"
)


def spelled(text: str, locale: str) -> Iterator[Place]:
    """The fractions that English words of `text` name, with their places in it."""
    for at, word in places(text, vocabulary("en").data["stems"]["fractions"]):
        half = word == "half"
        found = _spelled_half(text, at) if half else _spelled_fraction(text, at, locale)
        if found:
            yield found
    for joint in _joints():
        for place in islice(joint.finditer(text), PLACES_MAX):
            if found := _of_many(text, place.start(), locale):
                yield found


def strokes(text: str) -> Iterator[Place]:
    """The figures with a stroke between them that are said to be shares: `2/3 of the team`."""
    for at, _ in places(text, ("/", "⁄")):
        start = at - 2 if text[max(0, at - 2) : at].isdecimal() and at > 1 else at - 1
        found = _STROKE.match(text, start) if at else None
        if not found:
            continue
        above, below = Decimal(found[1]), Decimal(found[3])
        if above >= below or pattern("en", "measure_after").match(text, found.end()):
            continue
        if precedes(pattern("en", "numbered_before"), text, found.start()):
            continue
        if _says_share(text, found, below) and not is_part(text, *found.span()):
            yield found.start(), found.end(), above / below


def _says_share(text: str, found: re.Match[str], below: Decimal) -> bool:
    if pattern("grammar", "stroke_of").match(text, found.end()) and found[2] == "⁄":
        return True
    if pattern("en", "of_owned").match(text, found.end()):
        return True
    # "3/12" is a day as well: only a small fraction beside a share's word is one.
    return below <= 10 and (
        pattern("zh", "share_after").match(text, found.end()) is not None
        or precedes(pattern("zh", "share_before"), text, found.start())
        or precedes(pattern("ja", "share_before"), text, found.start())
    )


def spelled_percent(text: str, locale: str) -> Iterator[Place]:
    """The shares with `percent` after a number in words: `twenty percent`, `half a percent`."""
    for at, _ in places(text, ("percent", "per cent")):
        mark = _SPELLED_PERCENT.match(text, at - 1) if at else None
        if not mark:
            continue
        found = spelled_before(text, at - 1, locale)
        if pattern("en", "points_after").match(text, mark.end()):
            continue
        if text.endswith("half a", 0, at - 1):
            yield at - 7, mark.end(), _HALF / _HUNDRED
        elif found and not _is_cut(text, found[0], at):
            yield found[0], mark.end(), found[1] / _HUNDRED


def _is_cut(text: str, start: int, end: int) -> bool:
    """Whether the number that starts there is the rest of one (two point five), or part of more."""
    return is_part(text, start, end) or precedes(pattern("en", "point_before"), text, start)


def _spelled_fraction(text: str, at: int, locale: str) -> Place | None:
    part = _fraction_part().match(text, at)
    if not part or not at or text[at - 1] not in " -":
        return None
    number = spelled_before(text, at - 1, locale)
    if number is None or not 0 < number[1] < 10:
        return None
    start, end, below = number[0], part.end(), Decimal(table("fractions")[part[0]])
    if number[1] >= below or is_part(text, start, at):
        return None
    if any(
        pattern("en", name).match(text, end) for name in ("measure_after", "ordinal_noun_after")
    ):
        return None
    if text[start:at].strip(" -") in ("a", "an") and not text.startswith(" of ", end):
        return None
    return start, end, number[1] / below


def _spelled_half(text: str, at: int) -> Place | None:
    found = pattern("en", "half_of").match(text, at)
    if not found or precedes(pattern("en", "half_part_before"), text, at):
        return None
    if pattern("en", "half_idiom_after").match(text, found.end()):
        return None
    end = at + len("half")
    one = pattern("en", "one_before").search(text, max(0, at - 4), at)
    return (one.start() if one else at), end, _HALF


def _of_many(text: str, at: int, locale: str) -> Place | None:
    """`nine out of ten`, `one in five adults`: more of the second than of the first."""
    number = _count_before().search(text, max(0, at - 12), at)
    many = pattern("en", "of_many").match(text, at) if number else None
    if not number or not many:
        return None
    above, below = numerals.value(number[0], locale), numerals.value(many["below"], locale)
    if not above or not below or above >= below:
        return None
    if precedes(pattern("en", "score_before"), text, number.start()):
        return None
    if pattern("en", "score_after").match(text, many.end()):
        return None
    return number.start(), many.end(), above / below


@cache
def _fraction_part() -> re.Pattern[str]:
    return re.compile(rf"{any_of(table('fractions'))}(?![0-9a-z_-])")


@cache
def _joints() -> tuple[re.Pattern[str], ...]:
    """Most of what stands after "in" is no number, and costs little to tell. Each pattern begins
    with a word, which a long text is searched for quickly."""
    number = f"(?=[0-9]|{any_of(numerals.last_words())})"
    return re.compile(f" in {number}"), re.compile(f" out of (?:every )?{number}")


@cache
def _count_before() -> re.Pattern[str]:
    return re.compile(rf"(?<![0-9a-z_./$-])(?:{numerals.number_words()}|[0-9]{{1,3}})$")
