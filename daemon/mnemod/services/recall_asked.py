"""What is asked of the store, made ready once for all channels of a recall."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import TypeVar

from mnemod.config import Tier
from mnemod.domain.question import Question, ask, wanted_terms
from mnemod.domain.time_window import Window
from mnemod.ids import EpochMs
from mnemod.store import lexical, recalled_turns
from mnemod.store.database import Tx
from mnemod.store.lexical import Shelf

Row = TypeVar("Row")

BATCH_GROWTH = 4


@dataclass(frozen=True, slots=True)
class Asked:
    """A question against one snapshot. No terms: only the window is asked for."""

    wanted: tuple[str, ...]
    question: Question
    turn_frequencies: Mapping[str, int]
    item_frequencies: Mapping[str, int]
    window: Window | None
    tier: Tier
    past: bool
    zone: tzinfo
    now: EpochMs


def prepare(
    tx: Tx, query: str, window: Window | None, tier: Tier, past: bool, zone: tzinfo, now: EpochMs
) -> Asked:
    """Cut the question into terms and look up how rare each is."""
    wanted = wanted_terms(query)
    turns = recalled_turns.count_ever(tx)
    turn_frequencies = lexical.frequencies(tx, Shelf.EVIDENCE, wanted)
    return Asked(
        wanted=wanted,
        question=ask(query, wanted, turn_frequencies, turns),
        turn_frequencies=turn_frequencies,
        item_frequencies=lexical.frequencies(tx, Shelf.ITEM, wanted),
        window=window,
        tier=tier,
        past=past,
        zone=zone,
        now=now,
    )


def passing(
    order: Sequence[int], read: Callable[[Sequence[int]], Mapping[int, Row]], limit: int
) -> tuple[dict[int, Row], list[int]]:
    """The first `limit` rows in order that `read` gives, and those it was asked for and kept back.

    Filters come before limits: it goes on, in growing batches, until the limit is met or no
    candidate is left.
    """
    found: dict[int, Row] = {}
    kept_back: list[int] = []
    start, size = 0, limit
    while start < len(order) and len(found) < limit:
        batch = order[start : start + size]
        rows = read(batch)
        for seq in batch:
            if seq not in rows:
                kept_back.append(seq)
            elif len(found) < limit:
                found[seq] = rows[seq]
        start, size = start + size, size * BATCH_GROWTH
    return found, kept_back
