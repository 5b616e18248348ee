"""What of the rows that match is shown: how many, how much of each, and no echo twice.

Pure choices over rows in order of rank. What does not fit is counted, never silently dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

T = TypeVar("T")

SAME_SHARE: Final = 0.8
"""Two texts that share this much of their terms (Jaccard) say the same thing."""


def diverse(rows: Iterable[T], terms_of: Callable[[T], frozenset[str]], limit: int) -> list[T]:
    """The first `limit` rows in order, those that say something new before those that repeat it."""
    fresh: list[tuple[int, T]] = []
    echoes: list[tuple[int, T]] = []
    told: list[frozenset[str]] = []
    for place, row in enumerate(rows):
        if len(fresh) == limit:
            break
        terms = terms_of(row)
        if any(_is_same(terms, other) for other in told):
            echoes.append((place, row))
        else:
            told.append(terms)
            fresh.append((place, row))
    chosen = fresh + echoes[: limit - len(fresh)]
    return [row for _, row in sorted(chosen, key=lambda pair: pair[0])]


def _is_same(terms: frozenset[str], other: frozenset[str]) -> bool:
    return len(terms & other) >= SAME_SHARE * max(len(terms | other), 1)


def fitting(rows: Sequence[T], length_of: Callable[[T], int], limit: int, chars: int) -> list[T]:
    """At most `limit` rows and `chars` characters in order, passing over rows that are too long."""
    chosen: list[T] = []
    left = chars
    for row in rows:
        if len(chosen) == limit:
            break
        if length_of(row) <= left:
            chosen.append(row)
            left -= length_of(row)
    return chosen


def scaled(chars: int, limit: int, usual_limit: int) -> int:
    """A budget of `chars` for `usual_limit` rows, for the `limit` rows that were asked for."""
    return chars * max(limit, usual_limit) // usual_limit
