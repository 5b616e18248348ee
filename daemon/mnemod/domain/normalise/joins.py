"""Whether a word of time or of a quantity only seems to stand where two other words meet.

Chinese and Japanese write without spaces: 明年 in 文明年表 is the end of one word and the beginning
of the next. Both ends must belong to their neighbours; one alone proves nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from mnemod.domain.vocabulary import load

_FOLDER: Final = Path(__file__).parent / "vocabulary"
_HAN_FIRST: Final = "\u4e00"


class _Joins(Struct, frozen=True):
    left: Mapping[str, tuple[str, ...]]
    right: Mapping[str, tuple[str, ...]]
    rest: Mapping[str, str]


def is_join(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]`, folded, begins in a word before it and ends in one after it."""
    if not start or text[start - 1] < _HAN_FIRST or text[end : end + 1] < _HAN_FIRST:
        return False
    known = _joins()
    before = known.left.get(text[start])
    if before is None or not text.endswith(before, 0, start):
        return False
    after = known.right.get(text[end - 1])
    if after is None or not text.startswith(after, end):
        return False
    following = text[end + 1 : end + 2]
    return not following or following not in known.rest.get(text[end], "")


@cache
def _joins() -> _Joins:
    data = load(_FOLDER, "joins").data
    left, right = (
        {char: tuple(listed.split()) for char, listed in data[side].items()}
        for side in ("left", "right")
    )
    return _Joins(left, right, {word[0]: word[1:] for word in data["rest"]["words"].split()})
