"""Proportions in folded text: shares as numbers, 0.7 for seven tenths.

- with a mark or a word: `70%`, `8.5 per cent`, `３割`, `七割五分`, `三成五`, `百分之八点五`;
- what is left to pay of a price: `七折`, `八五折`, `79折`;
- fractions in words: `四分之三`, `3分の1`, `two thirds`, `a quarter of`, `nine out of ten`;
- figures with a stroke only where `of` or a share's word says so: `2/3 of the team`;
- halves of something: `half of my salary`, `一半`, `半分`.

Never: `一成不変`, `割り勘`, `另一半`, `八分目`, `1/2 cup`, scores, versions, dates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from typing import Final

from mnemod.domain.annotation import Annotation, AnnotationKind
from mnemod.domain.normalise import numerals
from mnemod.domain.normalise.joins import is_join
from mnemod.domain.normalise.proportions_english import spelled, spelled_percent, strokes
from mnemod.domain.normalise.quantity_text import (
    annotation,
    beside,
    either,
    holds_any,
    is_part,
    pattern,
    places,
    precedes,
    rounded,
    words,
)
from mnemod.domain.normalise.sheet import Run, Sheet

Place = tuple[int, int, Decimal]

SHARE_MAX: Final = Decimal(10**6)
"""A larger multiple of the whole is an identifier or noise."""

_HUNDRED: Final = Decimal(100)
_HALF: Final = Decimal("0.5")


def find(sheet: Sheet) -> Iterator[Annotation]:
    """The proportions of a text, by form, not by place."""
    for start, end, share in _all(sheet):
        if share > SHARE_MAX:
            continue
        yield annotation((start, end), AnnotationKind.PROPORTION, rounded(share))


def _all(sheet: Sheet) -> Iterator[Place]:
    text = sheet.text
    if holds_any(text, "share_marks"):
        yield from _beside_numerals(sheet)
        yield from spelled_percent(text, sheet.locale)
    if holds_any(text, "half"):
        yield from _halves(sheet)
    yield from strokes(text)
    if sheet.latin:
        yield from spelled(text, sheet.locale)


def _beside_numerals(sheet: Sheet) -> Iterator[Place]:
    text, locale, percent = sheet.text, sheet.locale, pattern("grammar", "percent")
    discounted = pattern("grammar", "discount")
    for run in beside(sheet, _beginnings()):
        after = text[run.end : run.end + 2]
        if after[0] in words("percents") and (mark := percent.match(text, run.end)):
            found = _percent(text, run, mark, locale)
        elif after[0] in words("tenths_zh") and not sheet.written_in_kana:
            found = _tenths_chinese(text, run)
        elif after[0] in words("tenths_ja") and (sheet.kana or text[run.start].isascii()):
            is_read = sheet.kana or not _is_cut(text, run.end + 1)
            found = _tenths_japanese(text, run) if is_read else None
        elif mark := discounted.match(text, run.end):
            found = None if sheet.written_in_kana else _discount(text, run, mark.end())
        elif after in words("fraction_joints"):
            found = _written_fraction(text, run, locale)
        else:
            continue
        if found and not is_part(text, *found[:2]) and not is_join(text, *found[:2]):
            yield found


@cache
def _beginnings() -> frozenset[str]:
    return frozenset(mark[0] for mark in words("share_marks"))


def _percent(text: str, run: Run, mark: re.Match[str], locale: str) -> Place | None:
    number = numerals.value(text[run.start : run.end], locale)
    if number is None and "," in text[run.start : run.end]:
        number = numerals.value(
            text[run.start : run.end], "de"
        )  # no one groups a per cent: the comma is a point
    if number is None or either(("ja", "percent_after"), ("en", "points_after")).match(
        text, mark.end()
    ):
        return None
    return run.start, mark.end(), number / (1000 if mark[0].endswith("‰") else _HUNDRED)


def _discount(text: str, run: Run, end: int) -> Place | None:
    """What is left to pay: eight tenths, or 85 and 8.5 of them."""
    number = numerals.value(text[run.start : run.end])
    if (
        number is None
        or not 1 <= number < _HUNDRED
        or precedes(pattern("zh", "not_discount_before"), text, run.start)
        or pattern("zh", "not_discount_after").match(text, end)
    ):
        return None
    return run.start, end, number / (10 if number < 10 else _HUNDRED)


def _tenths_chinese(text: str, run: Run) -> Place | None:
    number, end = numerals.value(text[run.start : run.end]), run.end + 1
    if (
        number is None
        or not 0 < number <= 10
        or precedes(pattern("zh", "cheng_before"), text, run.start)
    ):
        return None
    if tail := pattern("grammar", "tenths_tail").match(text, end):
        half = tail[0] in words("half")
        more = _HALF if half else numerals.value(tail[0]) or Decimal(0)
        share = number / 10 + (more / 10 if half else more / 100)
        return run.start, tail.end(), share
    if pattern("zh", "not_cheng").match(text, end) or text[end : end + 1] in words("approximate"):
        return None
    if number == 8 and pattern("zh", "bacheng_after").match(text, end):
        return None
    return run.start, end, number / 10


def _tenths_japanese(text: str, run: Run) -> Place | None:
    number, end = numerals.value(text[run.start : run.end]), run.end + 1
    if number is None or not 0 < number <= 10 or pattern("ja", "not_wari").match(text, end):
        return None
    share = number / 10
    more = pattern("grammar", "after_tenths").match(text, end)
    if more:
        if more["half"]:
            return run.start, more.end(), share + Decimal("0.05")
        for name, part in (("bu", 100), ("rin", 1000)):
            if more[name]:
                share += (numerals.value(more[name]) or Decimal(0)) / part
        end = more.end()
    return run.start, end, share


def _is_cut(text: str, end: int) -> bool:
    return pattern("zh", "cut_after").match(text, end) is not None


def _written_fraction(text: str, run: Run, locale: str) -> Place | None:
    joint = pattern("grammar", "parts_of").match(text, run.end)
    above = numerals.runs().match(text, joint.end()) if joint else None
    if not above:
        return None
    below, number = _denominator(text[run.start : run.end]), numerals.value(above[0], locale)
    if (
        not below
        or number is None
        or number > below
        or pattern("zh", "fraction_noun_after").match(text, above.end())
    ):
        return None
    if pattern("ja", "fraction_noun_after").match(text, above.end()) or precedes(
        pattern("ja", "fraction_measure_before"), text, run.start
    ):
        return None
    if text[run.start - 1 : run.start] in words("mixed") or text[
        above.end() : above.end() + 1
    ] in words("some_after"):
        return None
    return run.start, above.end(), number / below


def _denominator(text: str) -> Decimal | None:
    below = numerals.value(text)
    if below is None:
        below = Decimal(10_000) if text in words("ten_thousand") else None
    whole = below is not None and below >= 2 and below == below.to_integral_value()
    return below if whole else None


def _halves(sheet: Sheet) -> Iterator[Place]:
    text, kana = sheet.text, sheet.kana
    for at, word in places(text, words("halves_ja" if kana else "halves_zh")):
        before, after = (
            ("half_before", "half_after") if kana else ("half_share_before", "half_share_after")
        )
        place = "ja" if kana else "zh"
        end = at + len(word)
        if not precedes(pattern(place, before), text, at) and not pattern(place, after).match(
            text, end
        ):
            yield at, end, _HALF
