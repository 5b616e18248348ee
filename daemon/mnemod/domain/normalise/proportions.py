"""Proportions in folded text: shares as numbers, 0.7 for seven tenths.

- with a mark or a word: `70%`, `8.5 per cent`, `３割`, `七割五分`, `三成五`, `百分之八点五`;
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
from mnemod.domain.folded import Folded
from mnemod.domain.normalise import numerals
from mnemod.domain.normalise.proportions_english import spelled, strokes
from mnemod.domain.normalise.quantity_text import (
    annotation,
    beside,
    has_kana,
    has_latin,
    is_part,
    pattern,
    places,
    precedes,
    rounded,
    written,
)

Place = tuple[int, int, Decimal]

_PERCENT: Final = re.compile(r" ?(?:%(?![0-9a-z_])|‰(?!\w)|(?:percent|per cent|pct)\b|パーセント)")
_PARTS_OF: Final = re.compile("分(?:之|の) ?")
_HUNDRED: Final = Decimal(100)
_HALF: Final = Decimal("0.5")
_DIGIT_TAIL: Final = "一二三四五六七八九1-9"


def find(folded: Folded, locale: str) -> Iterator[Annotation]:
    """The proportions of a text, by form, not by place. `locale` is the account's, as `zh-TW`."""
    text = folded.text
    for start, end, share in _all(text, locale):
        yield annotation(folded, (start, end), AnnotationKind.PROPORTION, rounded(share))


def _all(text: str, locale: str) -> Iterator[Place]:
    latin = has_latin(text)
    percent = latin and any(word in text for word in ("percent", "per cent", "pct"))
    if percent or any(
        mark in text for mark in ("%", "‰", "成", "割", "分之", "分の", "パーセント")
    ):
        yield from _beside_numerals(text, locale)
    if "半" in text:
        yield from _halves(text, locale)
    yield from strokes(text)
    if latin:
        yield from spelled(text, locale)


def _beside_numerals(text: str, locale: str) -> Iterator[Place]:
    kana = has_kana(text, locale)
    for run in written(text, _numbers()):
        after = text[run.end() : run.end() + 2]
        if after[0] in "%‰パp " and (mark := _PERCENT.match(text, run.end())):
            found = _percent(text, run, mark, locale)
        elif after[0] == "成" and not kana:
            found = _tenths_chinese(text, run)
        elif after[0] == "割":
            found = _tenths_japanese(text, run)
        elif after in ("分之", "分の"):
            found = _written_fraction(text, run, locale)
        else:
            continue
        if found and not is_part(text, found[0], found[1]):
            yield found


@cache
def _numbers() -> re.Pattern[str]:
    return beside(r" ?(?:[%‰成割パ]|分[之の]|pct|percent|per cent)")


def _percent(text: str, run: re.Match[str], mark: re.Match[str], locale: str) -> Place | None:
    number = numerals.value(run[0], locale)
    if number is None and "," in run[0]:
        number = numerals.value(run[0], "de")  # no one groups a per cent: the comma is a point
    if number is None or pattern("ja", "percent_after").match(text, mark.end()):
        return None
    return run.start(), mark.end(), number / (1000 if mark[0].endswith("‰") else _HUNDRED)


def _tenths_chinese(text: str, run: re.Match[str]) -> Place | None:
    number, end = numerals.value(run[0]), run.end() + 1
    if (
        number is None
        or not 0 < number <= 10
        or precedes(pattern("zh", "cheng_before"), text, run.start())
    ):
        return None
    if tail := _tail().match(text, end):
        half = tail[0] == "半"
        more = _HALF if half else numerals.value(tail[0]) or Decimal(0)
        share = number / 10 + (more / 10 if half else more / 100)
        return run.start(), tail.end(), share
    if pattern("zh", "not_cheng").match(text, end) or text[end : end + 1] in _APPROXIMATE:
        return None
    if number == 8 and pattern("zh", "bacheng_after").match(text, end):
        return None
    return run.start(), end, number / 10


def _tenths_japanese(text: str, run: re.Match[str]) -> Place | None:
    number, end = numerals.value(run[0]), run.end() + 1
    if number is None or not 0 < number <= 10 or pattern("ja", "not_wari").match(text, end):
        return None
    share = number / 10
    more = _after_wari().match(text, end)
    if more:
        if more["half"]:
            return run.start(), more.end(), share + Decimal("0.05")
        for name, part in (("bu", 100), ("rin", 1000)):
            if more[name]:
                share += (numerals.value(more[name]) or Decimal(0)) / part
        end = more.end()
    return run.start(), end, share


def _written_fraction(text: str, run: re.Match[str], locale: str) -> Place | None:
    joint = _PARTS_OF.match(text, run.end())
    above = numerals.runs().match(text, joint.end()) if joint else None
    if not above:
        return None
    below, number = _denominator(run[0]), numerals.value(above[0], locale)
    if (
        not below
        or number is None
        or number > below
        or pattern("zh", "fraction_noun_after").match(text, above.end())
    ):
        return None
    if pattern("ja", "fraction_noun_after").match(text, above.end()):
        return None
    if (
        text[run.start() - 1 : run.start()] in ("又", "と")
        or text[above.end() : above.end() + 1] == "几"
    ):
        return None
    return run.start(), above.end(), number / below


def _denominator(text: str) -> Decimal | None:
    below = numerals.value(text)
    if below is None:
        below = Decimal(10_000) if text == "万" else None
    whole = below is not None and below >= 2 and below == below.to_integral_value()
    return below if whole else None


def _halves(text: str, locale: str) -> Iterator[Place]:
    kana = has_kana(text, locale)
    for at, word in places(text, ("半分", "半数") if kana else ("一半", "半数")):
        before, after = (
            ("half_before", "half_after") if kana else ("half_share_before", "half_share_after")
        )
        place = "ja" if kana else "zh"
        end = at + len(word)
        if not precedes(pattern(place, before), text, at) and not pattern(place, after).match(
            text, end
        ):
            yield at, end, _HALF


@cache
def _tail() -> re.Pattern[str]:
    numeral = numerals.numeral_set()
    return re.compile(rf"[半{_DIGIT_TAIL}](?![{numeral}])")


@cache
def _after_wari() -> re.Pattern[str]:
    digit = f"[{_DIGIT_TAIL}]"
    return re.compile(
        rf"(?P<half>半)|(?P<bu>{digit})分(?:(?P<rin>{digit})(?:厘|毛))?(?!の|之)|(?P<bu_>(?!))"
    )


_APPROXIMATE: Final = frozenset("多余来几")
