"""Whether a passage is part of a name: of a person, a place or a firm, or the head of a saying.

A neighbour tells: how someone is called (ちゃん), what kind of place it is (峠, 酒店), or a family
name before it and a deed after it (周三元是).
"""

from __future__ import annotations

from functools import cache
from typing import Final

from mnemod.domain.annotation import AnnotationKind
from mnemod.domain.folded import fold
from mnemod.domain.normalise.titles import titles

_BESIDE: Final = 12
_HAN_FIRST: Final = "\u3400"
_DAY_WORD: Final = 2
_DATES: Final = (AnnotationKind.DATE, AnnotationKind.INTERVAL)


def is_name(source: str, start: int, end: int, kind: AnnotationKind) -> bool:
    """Whether `source[start:end]`, an annotation of that kind, is part of a name."""
    if source[end - 1] < _HAN_FIRST:
        return False
    patterns = titles()
    if kind in _DATES:
        return end - start == _DAY_WORD and _is_called_a_day(source, start, end)
    is_kana = source[end : end + 1] < _HAN_FIRST
    if is_kana and source[end : end + 1] not in patterns.words["honorific_first"]:
        return False
    after = fold(source[end : end + _BESIDE]).text
    said = fold(source[start:end]).text
    is_short = patterns.pattern("short").fullmatch(said) is not None
    if is_kana:
        return is_short and patterns.pattern("honorific_after").match(after) is not None
    before = fold(source[max(0, start - _BESIDE) : start]).text
    if is_short and _is_bearer(before, after):
        return True
    if patterns.pattern("length_before").search(before):
        return False
    if any(patterns.pattern(name).match(after) for name in _rules().get(said[-1], ())):
        return True
    return patterns.pattern("place_after").match(after) is not None


def _is_called_a_day(source: str, start: int, end: int) -> bool:
    """明日花さん, 李明日老师, 叫王明天: someone whose given name is a word for a day."""
    patterns = titles()
    after = fold(source[end : end + _BESIDE]).text
    if patterns.pattern("given_after").match(after):
        return True
    before = fold(source[max(0, start - _BESIDE) : start]).text
    if _is_between("place_named", before, after):
        return True
    if before[-1:] not in patterns.words["surname"]:
        return False
    return any(_is_between(name, before[:-1], after) for name in ("date_bearer", "date_called"))


def _is_between(name: str, before: str, after: str) -> bool:
    patterns = titles()
    return (
        patterns.pattern(f"{name}_after").match(after) is not None
        and patterns.pattern(f"{name}_before").search(before) is not None
    )


def _is_bearer(before: str, after: str) -> bool:
    patterns = titles()
    return (
        before[-1:] in patterns.words["surname"]
        and patterns.pattern("bearer_before").search(before[:-1]) is not None
        and patterns.pattern("bearer_after").match(after) is not None
    )


@cache
def _rules() -> dict[str, tuple[str, ...]]:
    listed: dict[str, str] = titles().data["named_after"]
    return {last: tuple(names.split()) for last, names in listed.items()}
