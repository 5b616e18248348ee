"""What is asked of the store, made ready once for all channels of a recall."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import tzinfo
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from mnemod.config import Tier
from mnemod.domain.question import (
    TERMS_MAX,
    Question,
    ask,
    ask_for_any,
    content_of,
    wanted_terms,
)
from mnemod.domain.recall_categories import members_asked_for
from mnemod.domain.time_phrases import AskedSpan
from mnemod.domain.time_window import Window
from mnemod.ids import EpochMs
from mnemod.store import lexical, recalled_items, recalled_turns
from mnemod.store.database import Tx
from mnemod.store.lexical import Shelf

Row = TypeVar("Row")

BATCH_GROWTH = 4

NAMED_ITEMS_MAX = 32
"""A term that more items hold is looked at as a word, whoever is called so: it bounds the work."""


class Asked(Struct, frozen=True):
    """A question against one snapshot. No terms: only the window is asked for.

    `channel` is `lexical` (its own words), `kind` (members of the kind it names) or `time`.
    """

    channel: str
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
    tx: Tx,
    query: str,
    spans: tuple[AskedSpan, ...],
    window: Window | None,
    tier: Tier,
    past: bool,
    zone: tzinfo,
    now: EpochMs,
) -> Asked:
    """Cut the question into terms and look up how rare each is."""
    wanted = wanted_terms(query)
    turn_frequencies = lexical.frequencies(tx, Shelf.EVIDENCE, wanted)
    item_frequencies = lexical.frequencies(tx, Shelf.ITEM, wanted)
    question = ask(query, wanted, turn_frequencies, recalled_turns.count_ever(tx), spans)
    return Asked(
        channel="lexical" if wanted else "time",
        wanted=wanted,
        question=question.naming_owner(_owner_names(tx, item_frequencies, tier)),
        turn_frequencies=turn_frequencies,
        item_frequencies=item_frequencies,
        window=window,
        tier=tier,
        past=past,
        zone=zone,
        now=now,
    )


def _owner_names(tx: Tx, frequencies: Mapping[str, int], tier: Tier) -> set[str]:
    """The terms that stand in an item that says what the owner is called."""
    rare = (term for term, held in frequencies.items() if 0 < held <= NAMED_ITEMS_MAX)
    holders = {term: set(lexical.holders(tx, Shelf.ITEM, term)) for term in rare}
    if not holders:
        return set()
    namings = recalled_items.owner_namings(tx, set().union(*holders.values()), tier)
    return {term for term, seqs in holders.items() if not seqs.isdisjoint(namings)}


def by_kind(tx: Tx, query: str, asked: Asked) -> Asked | None:
    """The question for what is of the kind it names, if that is all it asks about."""
    members = members_asked_for(query, content_of(asked.wanted))[:TERMS_MAX]
    if not members:
        return None
    frequencies = lexical.frequencies(tx, Shelf.EVIDENCE, members)
    rows = recalled_turns.count_ever(tx)
    return replace(
        asked,
        channel="kind",
        wanted=members,
        question=ask_for_any(asked.question, members, frequencies, rows),
        turn_frequencies=frequencies,
        item_frequencies=lexical.frequencies(tx, Shelf.ITEM, members),
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
