"""Okapi BM25 of one row for one question, and whether the row is a match at all.

The constants were chosen together with those of `ranking`, which says how.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from mnemod.domain.question import Question

K1: Final = 0.7  # with B .3; .768 at .4, .766 at (1.2, B .75)
B: Final = 0.3  # .774 at .5
SHARE_MIN: Final = 0.05
"""The floor: what of the question's weight a row and its neighbours must hold. .776 at 0, .770 at
.1, .759 at .15; without it a long statement finds whatever shares one word with it."""


class Words(Struct, frozen=True):
    """How many terms a row has, and how often it holds those of the question that it holds."""

    length: float
    counts: Mapping[str, float]


NO_WORDS: Final = Words(0.0, {})


def bm25(question: Question, words: Words, usual_length: float) -> float:
    """The score of `words`, with the question's weights as inverse document frequencies."""
    norm = K1 * (1 - B + B * words.length / usual_length)
    return sum(
        question.weights[term] * count * (K1 + 1) / (count + norm)
        for term, count in words.counts.items()
    )


def is_match(question: Question, words: Words) -> bool:
    """Whether words hold enough of the question to be an answer; carrier words alone never do."""
    if question.telling.isdisjoint(words.counts):
        return False
    return share(question, words) >= SHARE_MIN


def share(question: Question, words: Words) -> float:
    """What of the question's weight the words hold, 0 to 1."""
    held = sum(question.weights[term] for term in words.counts)
    return held / question.total if question.total else 0.0
