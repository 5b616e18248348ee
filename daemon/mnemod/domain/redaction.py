"""Taking a fact's words out of a message whose other words stay.

A forgotten fact takes whole sentences with it: half a sentence still tells. What is taken is
covered by as many U+2588 FULL BLOCK, so every other span of the message keeps its offsets.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mnemod.domain.segments import sentences

COVER: Final = "\u2588"

Cut = tuple[int, int]
"""A half-open range of code points."""


def cuts(text: str, spans: Iterable[Cut], copies_of: Iterable[str] = ()) -> tuple[Cut, ...]:
    """The sentences of `text` that hold any of `spans`, or one of `copies_of` word for word.

    In order, none overlapping. A span outside every sentence is cut as it is.
    """
    wanted = list(spans)
    ranges = [(sentence.start, sentence.end) for sentence in sentences(text)]
    held = [
        cut
        for cut in ranges
        if any(_overlap(cut, span) for span in wanted)
        or any(copy and copy in text[cut[0] : cut[1]] for copy in copies_of)
    ]
    loose = [span for span in wanted if not any(_overlap(span, cut) for cut in ranges)]
    return merged([*held, *wanted, *loose])


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
    """`text` with every character of `ranges` covered; as long as before."""
    for start, end in ranges:
        text = text[:start] + COVER * (end - start) + text[end:]
    return text


def says_nothing(text: str) -> bool:
    """Whether no letter or digit is left to read."""
    return not any(char.isalnum() for char in text)


def _overlap(one: Cut, other: Cut) -> bool:
    return one[0] < other[1] and other[0] < one[1]
