"""Lengths of time in English: `two and a half hours`, `an hour and a half`, `2h30m`, `90-minute`.

Not found: points (`2 hours ago`), ages (`3 years old`), rates and recurrences (`every two weeks`,
`$5 an hour`), `one day` for some day, a bare `m` or `s`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from typing import Final

from mnemod.domain.normalise import numerals
from mnemod.domain.normalise.lengths import NUMBER_MAX, Length, unit_length
from mnemod.domain.normalise.quantity_text import (
    beside,
    is_part,
    pattern,
    places,
    precedes,
    spelled_before,
    table,
    vocabulary,
)
from mnemod.domain.normalise.sheet import HALF, Run, Sheet, holds
from mnemod.domain.vocabulary import any_of

Place = tuple[int, int, Length]

_HALF: Final = Decimal("0.5")
_HALVED: Final = re.compile(r"(?<![0-9.,])([0-9]{1,4}) and a half$")
_HALF_AN: Final = re.compile(r"(?<![0-9a-z_-])half$")
_CHAIN_MAX: Final = 5


def find(sheet: Sheet) -> Iterator[Place]:
    """The lengths of a text with their places in its folded form."""
    if not sheet.latin:
        return
    text, locale = sheet.text, sheet.locale
    stems = vocabulary("en").data["stems"]
    spelled = holds(text, stems["durations"])
    if not spelled and not (sheet.runs and holds(text, stems["short_durations"])):
        return
    yield from _beside_figures(sheet)
    if spelled:
        yield from _spelled(text, locale)


def _beside_figures(sheet: Sheet) -> Iterator[Place]:
    text, locale, done = sheet.text, sheet.locale, 0
    for run in beside(sheet, _beginnings()):
        if run.start < done or text[run.start] == HALF:
            continue
        place = _letters(text, run.start, locale) or _of_units(text, run, locale)
        if place is None:
            continue
        done = place[1]
        if not _is_no_length(text, place[0], place[1]):
            yield place


@cache
def _beginnings() -> frozenset[str]:
    names = ("months", "days", "seconds", "letters")
    return frozenset(word[0] for name in names for word in table(name) if word.isascii())


def _letters(text: str, start: int, locale: str) -> Place | None:
    found = _letter_units().match(text, start)
    if not found:
        return None
    total, unit = Length(), ""
    for number, unit in _LETTER_PAIR.findall(found[0]):
        value = numerals.value(number, locale)
        if value is None:
            return None
        total += unit_length(unit).times(value)
    return _chained(text, (start, found.end(), total), unit, locale)


_LETTER_PAIR: Final = re.compile(r"([0-9.]+) ?([a-z])")


def _of_units(text: str, run: Run, locale: str) -> Place | None:
    unit = _unit().match(text, run.end)
    number = numerals.value(text[run.start : run.end], locale) if unit else None
    if not unit or number is None or number > NUMBER_MAX:
        return None
    return _chained(
        text, (run.start, unit.end(), unit_length(unit[1]).times(number)), unit[1], locale
    )


def _spelled(text: str, locale: str) -> Iterator[Place]:
    done = 0
    for at, _ in sorted(places(text, vocabulary("en").data["stems"]["durations"])):
        unit = _unit().match(text, at - 1) if at else None
        if not unit:
            continue
        place = _with_words(text, unit, locale)
        if place is None or place[0] < done:
            continue
        place = _chained(text, place, unit[1], locale)
        if not _is_no_length(text, place[0], place[1]):
            done = place[1]
            yield place


def _with_words(text: str, unit: re.Match[str], locale: str) -> Place | None:
    end, length = unit.start(), unit_length(unit[1])
    is_of = text.endswith((" a", " an"), 0, end)
    if is_of and (part := _part_of().search(text, max(0, end - 24), end)):
        share = _HALF if part["half"] else _HALF / 2 * (3 if part["three"] else 1)
        return part.start(), unit.end(), length.times(share)
    if unit[0] == "-hour" and (half := _HALF_AN.search(text, max(0, end - 8), end)):
        return half.start(), unit.end(), length.times(_HALF)
    if halved := text.endswith(" half", 0, end) and _HALVED.search(text, max(0, end - 20), end):
        return halved.start(), unit.end(), length.times(Decimal(halved[1]) + _HALF)
    if text.endswith("couple of", 0, end) or text.endswith("few", 0, end):
        return None
    found = spelled_before(text, end, locale)
    if found is None:
        return None
    start, number = found
    words = text[start:end]
    if words in ("a", "an") and not _is_one(text, start, unit):
        return None
    if (
        words == "one"
        and unit[1] in ("day", "second", "minute")
        and text[end] == " "
        and not _is_one(text, start, unit)
    ):
        return None
    return start, unit.end(), length.times(number)


@cache
def _part_of() -> re.Pattern[str]:
    return re.compile(
        r"(?<![0-9a-z_-])(?:(?P<half>half) an?"
        r"|(?:(?P<three>three)[ -]quarters|(?:an? )?(?P<quarter>quarter)) of an?)$"
    )


def _is_one(text: str, start: int, unit: re.Match[str]) -> bool:
    """Whether the article means one: a half follows, or a word before says how long it is."""
    if text.startswith(" and ", unit.end()) and (
        text.startswith("a half", unit.end() + 5) or _next().match(text, unit.end())
    ):
        return True
    if unit[1] in ("second", "minute"):
        return False
    return precedes(pattern("en", "lasting_before"), text, start)


def _chained(text: str, place: Place, unit: str, locale: str) -> Place:
    """The length with the smaller units after it, and with `and a half`."""
    start, end, total = place
    order = unit_length(unit).order
    for _ in range(_CHAIN_MAX):
        if text.startswith(" and a half", end) and not text.startswith(
            (" and a half-", " and a half "), end
        ):
            return start, end + 11, total + unit_length(unit).times(_HALF)
        if text.startswith(" and a half ", end):
            following = _unit().match(text, end + 11)
            if not following:
                return start, end + 11, total + unit_length(unit).times(_HALF)
        found = _next().match(text, end)
        number = numerals.value(found["number"], locale) if found else None
        if not found or number is None or unit_length(found["unit"]).order >= order:
            break
        unit = found["unit"]
        total, end, order = (
            total + unit_length(unit).times(number),
            found.end(),
            unit_length(unit).order,
        )
    return start, end, total


def _is_no_length(text: str, start: int, end: int) -> bool:
    return (
        is_part(text, start, end)
        or pattern("en", "one_by_one").match(text, start) is not None
        or any(pattern("en", name).match(text, end) for name in ("moment_after", "old_after"))
        or precedes(pattern("en", "rate_before"), text, start)
        or (
            text[end - 1] in "sy"
            and pattern("en", "days_a_week_after").match(text, end) is not None
            and pattern("en", "days_end").search(text, start, end) is not None
        )
        or precedes(pattern("en", "age_before"), text, start)
        or (
            pattern("en", "event_after").match(text, end) is not None
            and not precedes(pattern("en", "lasting_before"), text, start)
        )
    )


@cache
def _unit() -> re.Pattern[str]:
    return re.compile(rf"[ -]?({_units()})(?![0-9a-z_])")


@cache
def _next() -> re.Pattern[str]:
    number = rf"(?:[0-9]++(?:\.[0-9]++)?+|{numerals.number_words()}(?:-{numerals.number_words()})?)"
    dot = r"(?:(?<=[0-9 ]hrs\.)|(?<=[0-9 ]hr\.))"
    return re.compile(
        rf"(?:\.{dot}|,)?(?: and)? ?(?P<number>{number})[ -]?(?P<unit>{_units()})(?![0-9a-z_])"
    )


@cache
def _units() -> str:
    return any_of(
        word for name in ("months", "days", "seconds") for word in table(name) if word.isascii()
    )


@cache
def _letter_units() -> re.Pattern[str]:
    number = r"[0-9]{1,5}(?:\.[0-9]{1,3})?"
    return re.compile(
        rf"(?:(?:{number} ?d ?)?{number} ?h(?: ?{number} ?m(?: ?{number} ?s)?)?"
        rf"|{number} ?m ?{number} ?s)(?![0-9a-z_])"
    )
