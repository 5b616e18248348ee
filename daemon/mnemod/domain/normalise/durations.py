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
from itertools import islice
from typing import Final

from mnemod.domain import han
from mnemod.domain.annotation import Annotation, AnnotationKind
from mnemod.domain.folded import Folded
from mnemod.domain.normalise import durations_english, numerals
from mnemod.domain.normalise.durations_refused import is_no_length
from mnemod.domain.normalise.lengths import NUMBER_MAX, Length, unit_length
from mnemod.domain.normalise.quantity_text import (
    FOUND_MAX,
    NUMBERS_MAX,
    annotation,
    has_kana,
    is_part,
    table,
    vocabulary,
)
from mnemod.domain.vocabulary import any_of

Place = tuple[int, int, Length]

_HALF: Final = Decimal("0.5")
_CHAIN_MAX: Final = 6
_STARTS: Final = "天日周年月小时钟星礼分秒刻"
_DAY_UNITS: Final = frozenset("日天")
_JOINT: Final = re.compile(r" ?[零又和加と]? ?")


def find(folded: Folded, locale: str) -> Iterator[Annotation]:
    """The durations of a text, by form, not by place. `locale` is the account's, as `zh-TW`."""
    text = folded.text
    for start, end, length in _all(text, locale):
        if iso := length.iso():
            yield annotation(folded, (start, end), AnnotationKind.DURATION, iso)


def _all(text: str, locale: str) -> Iterator[Place]:
    if not text.isascii() and any(unit in text for unit in _STARTS):
        yield from islice(_han(text, locale), FOUND_MAX)
    yield from durations_english.find(text, locale)


def _han(text: str, locale: str) -> Iterator[Place]:
    kana, done = has_kana(text, locale), 0
    for found in islice(_component().finditer(text), NUMBERS_MAX):
        if found.lastindex is None or found.start() < done or not _unit(found):
            continue
        place = _chain(text, found, locale)
        if place is None:
            continue
        start, done, _ = place
        number = found["number"] or ""
        if not is_part(text, start, start + len(number)) and not is_no_length(
            text, (start, done), number, _unit(found), kana=kana
        ):
            yield place


def _chain(text: str, first: re.Match[str], locale: str) -> Place | None:
    """One length of several units, the larger first: `2時間30分`."""
    total = _one(first, locale)
    if total is None:
        return None
    end, unit = first.end(), unit_length(_unit(first)).order
    for _ in range(_CHAIN_MAX):
        joint = _JOINT.match(text, end)
        found = _component().match(text, joint.end()) if joint else None
        if not joint or not found or not found["number"] or not _unit(found):
            break
        order, more = unit_length(_unit(found)).order, _one(found, locale)
        if more is None or order >= unit or _is_daily(first, joint[0]):
            break
        total, end, unit = total + more, found.end(), order
    return first.start(), end, total


def _is_daily(first: re.Match[str], joint: str) -> bool:
    """`1日8時間` is eight hours a day, not a day and eight hours."""
    return not joint and first["number"] in ("1", "一") and _unit(first) in _DAY_UNITS


def _one(found: re.Match[str], locale: str) -> Length | None:
    number = numerals.value(found["number"], locale) if found["number"] else Decimal(0)
    if number is None or number > NUMBER_MAX:
        return None
    half = found["halved"] or found["bare"] or found["and_half"]
    return unit_length(_unit(found)).times(number + _HALF if half else number)


def _unit(found: re.Match[str]) -> str:
    return found["whole"] or found["halved"] or found["bare"] or ""


@cache
def _component() -> re.Pattern[str]:
    """A numeral, and the unit beside it where there is one."""
    names = ("months", "days", "seconds")
    units = [word for name in names for word in table(name) if not word.isascii()]
    words = vocabulary("zh").words
    return re.compile(
        f"(?P<number>{numerals.runs().pattern})"
        f"(?: ?(?:个半(?P<halved>{any_of(words['after_and_a_half'])})"
        f"|(?P<whole>{any_of(units)})(?:(?P<and_half>半)(?!{any_of(words['after_half'])}|[载点夜路途]))?))?"
        f"|半个?(?P<bare>{any_of(words['after_half'])})"
    )
