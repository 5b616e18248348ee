"""Taking a fact's words out of a message whose other words stay.

A forgotten fact takes whole sentences with it: half a sentence still tells. What is taken is
covered by as many U+2588 FULL BLOCK, so every other span of the message keeps its offsets.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import Final

from mnemod.domain.copies import Said
from mnemod.domain.segments import sentences

COVER: Final = "\u2588"

Cut = tuple[int, int]
"""A half-open range of code points."""


class Cover:
    """What is covered of one text. It only grows, and each step costs what it adds."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._sentences = [(found.start, found.end) for found in sentences(text)]
        self._starts = [start for start, _ in self._sentences]
        self._ends = [end for _, end in self._sentences]
        self._said: Said | None = None
        self._taken: set[int] = set()
        self._spans: set[Cut] = set()

    def take(self, span: Cut) -> None:
        """Cover a span with the sentences it stands in."""
        self._spans.add(span)
        self._taken.update(self._places(span))

    def take_copies(self, text: str) -> None:
        """Cover the sentences that say `text`, whoever says "I" in them."""
        if len(self._taken) == len(self._sentences):
            return
        if self._said is None:
            self._said = Said([self._text[start:end] for start, end in self._sentences])
        self._taken.update(self._said.repeating(text))

    def touches(self, span: Cut) -> bool:
        """Whether any word of `span` is covered."""
        return any(place in self._taken for place in self._places(span))

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """The covered ranges in order, none overlapping."""
        return merged([*(self._sentences[place] for place in self._taken), *self._spans])

    @property
    def text(self) -> str:
        """The text with what is covered covered, as long as before."""
        return covered(self._text, self.cuts)

    def _places(self, span: Cut) -> range:
        """The sentences that share a character with `span`."""
        return range(bisect_right(self._ends, span[0]), bisect_left(self._starts, span[1]))


def merged(ranges: Iterable[Cut]) -> tuple[Cut, ...]:
    """The same characters in as few ranges as can be, in order."""
    result: list[Cut] = []
    for start, end in sorted(ranges):
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
        else:
            result.append((start, end))
    return tuple(result)


def covered(text: str, ranges: Iterable[Cut]) -> str:
    """`text` with every character of `ranges` covered; `ranges` are in order and do not overlap."""
    pieces: list[str] = []
    done = 0
    for start, end in ranges:
        pieces += (text[done:start], COVER * (end - start))
        done = end
    return "".join((*pieces, text[done:]))


def says_nothing(text: str) -> bool:
    """Whether no letter or digit is left to read."""
    return not any(char.isalnum() for char in text)
