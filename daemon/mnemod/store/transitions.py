"""How items followed one another, and what inference was made of what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mnemod.domain.world import Transition, TransitionKind
from mnemod.ids import EpochMs, EvidenceId, ItemId, TransitionId, WorldRevision
from mnemod.store.database import Tx

_Q_TRANSITION_INSERT = """
INSERT INTO transition (transition_id, prior_item_id, successor_item_id, kind, evidence_id,
    revision, at_ms)
VALUES (?, ?, ?, ?, ?, ?, ?)
"""


def add(tx: Tx, transition: Transition) -> None:
    """Record that one item gave way to another, or to nothing."""
    tx.execute(
        _Q_TRANSITION_INSERT,
        (
            transition.transition_id,
            transition.prior_item_id,
            transition.successor_item_id,
            transition.kind.value,
            transition.evidence_id,
            transition.revision,
            transition.at_ms,
        ),
    )


_TRANSITION_COLUMNS = (
    "transition_id, prior_item_id, successor_item_id, kind, evidence_id, revision, at_ms"
)

_Q_TRANSITIONS = f"""
SELECT {_TRANSITION_COLUMNS} FROM transition WHERE prior_item_id = :id
UNION
SELECT {_TRANSITION_COLUMNS} FROM transition WHERE successor_item_id = :id
 ORDER BY 6, 1
"""  # noqa: S608


def of(tx: Tx, item_id: ItemId) -> list[Transition]:
    """The transitions into and out of an item, by revision."""
    rows = tx.execute(_Q_TRANSITIONS, {"id": item_id})
    return [_transition(row) for row in rows]


_Q_TRANSITIONS_FROM = f"""
SELECT {_TRANSITION_COLUMNS} FROM transition WHERE evidence_id = ?
"""  # noqa: S608


def by_evidence(tx: Tx, evidence_id: EvidenceId) -> list[Transition]:
    """The transitions that this Evidence brought about."""
    return [_transition(row) for row in tx.execute(_Q_TRANSITIONS_FROM, (evidence_id,))]


_Q_FORGET_EVIDENCE = "UPDATE transition SET evidence_id = NULL WHERE evidence_id = ?"


def forget_evidence(tx: Tx, evidence_id: EvidenceId) -> None:
    """A transition that stays no longer says which erased Evidence brought it about."""
    tx.execute(_Q_FORGET_EVIDENCE, (evidence_id,))


_Q_DERIVED = "SELECT derived_item_id FROM derivation WHERE source_item_id = ?"

_Q_SOURCES = "SELECT source_item_id FROM derivation WHERE derived_item_id = ? ORDER BY 1"


def derived_from(tx: Tx, item_id: ItemId) -> list[ItemId]:
    """The items made of this one."""
    return [ItemId(row[0]) for row in tx.execute(_Q_DERIVED, (item_id,))]


def sources_of(tx: Tx, item_id: ItemId) -> list[ItemId]:
    """The items this one was made of."""
    return [ItemId(row[0]) for row in tx.execute(_Q_SOURCES, (item_id,))]


def _transition(row: Sequence[Any]) -> Transition:
    return Transition(
        transition_id=TransitionId(row[0]),
        prior_item_id=ItemId(row[1]),
        successor_item_id=None if row[2] is None else ItemId(row[2]),
        kind=TransitionKind(row[3]),
        evidence_id=None if row[4] is None else EvidenceId(row[4]),
        revision=WorldRevision(row[5]),
        at_ms=EpochMs(row[6]),
    )
