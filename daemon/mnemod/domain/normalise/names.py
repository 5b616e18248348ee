"""Whether a passage is part of a name: of a person, a place or a firm, or the head of a saying,
or of a work without marks around it.

A neighbour tells: how someone is called (ちゃん), what kind of place it is (峠, 酒店), or a family
name before it and a deed after it (周三元是).
"""

from __future__ import annotations

from functools import cache
from typing import Final

from mnemod.domain.annotation import AnnotationKind
from mnemod.domain.normalise.sheet import holds
from mnemod.domain.normalise.titles import titles

_BESIDE: Final = 12
_CALLED_BESIDE: Final = 24
_CALLING: Final = 8
_HAN_FIRST: Final = "\u3400"
_DAY_WORD: Final = 2
_DATES: Final = (AnnotationKind.DATE, AnnotationKind.INTERVAL)


def is_name(text: str, start: int, end: int, kind: AnnotationKind) -> bool:
    """Whether `text[start:end]`, folded, an annotation of that kind, is part of a name."""
    if text.isascii():
        return False
    if _is_called_so(text, start, end):
        return True
    if text[end - 1] < _HAN_FIRST:
        return False
    if kind in _DATES:
        return end - start == _DAY_WORD and _is_called_a_day(text, start, end)
    patterns, after = titles(), text[end : end + _BESIDE]
    is_kana = after[:1] < _HAN_FIRST
    if is_kana and after[:1] not in patterns.words["honorific_first"]:
        return False
    said = text[start:end]
    is_short = patterns.pattern("short").fullmatch(said) is not None
    if is_kana:
        return is_short and patterns.pattern("honorific_after").match(after) is not None
    before = text[max(0, start - _BESIDE) : start]
    if is_short and _is_bearer(before, after):
        return True
    if patterns.pattern("length_before").search(before):
        return False
    if any(patterns.pattern(name).match(after) for name in _rules().get(said[-1], ())):
        return True
    return patterns.pattern("place_after").match(after) is not None


def _is_called_so(text: str, start: int, end: int) -> bool:
    """Whether a work without marks has its name there: 节目叫今天…, 一週間という歌."""
    patterns = titles()
    if patterns.pattern("called_after").match(text, end):
        return True
    before = text[max(0, start - _CALLED_BESIDE) : start]
    if not holds(before[-_CALLING:], patterns.words["calling"]):
        return False
    if patterns.pattern("called_before").search(before):
        return True
    after = text[end : end + _CALLED_BESIDE]
    return (
        patterns.pattern("name_before").search(before) is not None
        and patterns.pattern("name_after").match(after) is not None
    )


def _is_called_a_day(text: str, start: int, end: int) -> bool:
    """明日花さん, 李明日老师, 叫王明天: someone whose given name is a word for a day."""
    patterns = titles()
    after = text[end : end + _BESIDE]
    if patterns.pattern("given_after").match(after):
        return True
    before = text[max(0, start - _BESIDE) : start]
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
