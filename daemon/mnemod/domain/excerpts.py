"""What of a long message to quote: exact words around what was asked for.

A quote is one piece of the message, unchanged. Whole sentences where they fit.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from mnemod.domain.graphemes import boundary
from mnemod.domain.segments import sentences
from mnemod.domain.tokens import terms

_QUESTION: Final = re.compile(r"[?\uff1f]")
_ENDS: Final = re.compile(r"[.!?\u3002\uff01\uff1f]+\s*")


def excerpt(text: str, wanted: Collection[str], chars_max: int) -> str:
    """`text` if short enough, else the sentences around the one that holds most of `wanted`."""
    if len(text) <= chars_max:
        return text
    spans = [(sentence.start, sentence.end) for sentence in sentences(text)]
    if not spans:
        return text[: boundary(text, chars_max)]
    held = [len(set(terms(text[start:end])).intersection(wanted)) for start, end in spans]
    best = held.index(max(held))
    start, end = _grown(spans, best, chars_max)
    return text[start : start + boundary(text[start:end], chars_max)]


def _grown(spans: list[tuple[int, int]], best: int, chars_max: int) -> tuple[int, int]:
    """The sentence at `best` with as many after it, then before it, as fit."""
    first = last = best
    while last + 1 < len(spans) and spans[last + 1][1] - spans[first][0] <= chars_max:
        last += 1
    while first > 0 and spans[last][1] - spans[first - 1][0] <= chars_max:
        first -= 1
    return spans[first][0], spans[last][1]


def asking_share(text: str) -> float:
    """The share of sentences in `text` that are questions, 0 to 1. A bracketed aside is none."""
    if not _QUESTION.search(text):
        return 0.0
    said = text.partition(" [")[0].strip()
    ends = [mark.group() for mark in _ENDS.finditer(said)]
    asking = sum(1 for mark in ends if _QUESTION.search(mark))
    is_open = not _ENDS.search(said[-1:])
    return asking / (len(ends) + is_open) if ends else 0.0
