"""Which rows are worth scoring: those that hold the rarest terms of a question, best first.

The rare terms say which rows matter; the common ones only order them. So the rows of the rarest
terms are taken whole, up to ROWS_BUDGET together, and a commoner term is asked for among those
alone (FTS5 walks both lists without a row leaving it). Every row of the rarest term is reached,
however many there are: no filter that comes after can run out of rows that were cut off before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mnemod.store import lexical
from mnemod.store.database import Tx
from mnemod.store.lexical import Shelf

ROWS_BUDGET: Final = 2_000
"""Rows of rare terms to take: at 100,000 rows p50 0.8 ms against 1.7 at 6,000 and 5.4 at 20,000."""

COMMON_TERMS: Final = 6
"""How many commoner terms may order the rows: the rarest of them."""


def candidates(
    tx: Tx, shelf: Shelf, weights: Mapping[str, float], frequencies: Mapping[str, int]
) -> list[int]:
    """The `seq` of rows that may bear on a question, most telling first, then newest first.

    `frequencies` says how many rows hold each term, `weights` what each is worth.
    """
    known = sorted(
        (term for term in weights if frequencies.get(term)),
        key=lambda term: (frequencies[term], -weights[term], term),
    )
    if not known:
        return []
    rare = _rare(known, frequencies)
    common = known[len(rare) : len(rare) + COMMON_TERMS]
    base = {term: lexical.holders(tx, shelf, term) for term in rare}
    scores: dict[int, float] = {}
    for term in common:
        _add(scores, lexical.holders(tx, shelf, term, among=rare), weights[term])
    if len(rare) == 1:
        # One term, held by any number of rows: those that hold nothing else follow as they are.
        only = base[rare[0]]
        return [*_best_first(scores), *(seq for seq in reversed(only) if seq not in scores)]
    for term in rare:
        _add(scores, base[term], weights[term])
    return _best_first(scores)


def _rare(known: list[str], frequencies: Mapping[str, int]) -> list[str]:
    """The rarest terms that fit the budget together; at least one."""
    total = 0
    for place, term in enumerate(known):
        total += frequencies[term]
        if place and total > ROWS_BUDGET:
            return known[:place]
    return known


def _add(scores: dict[int, float], seqs: list[int], weight: float) -> None:
    for seq in seqs:
        scores[seq] = scores.get(seq, 0.0) + weight


def _best_first(scores: Mapping[int, float]) -> list[int]:
    ranked = sorted(((score, seq) for seq, score in scores.items()), reverse=True)
    return [seq for _, seq in ranked]
