"""The items that recall reads, each query by index, with the hard filters in the query itself.

An item is seen only if it is not hidden, every Evidence under it, and under what it was derived
from, may be shown (`recalled_turns.SEEN`), and so may a name of whomever it speaks of: without its
subject it would be told of the owner. What is filtered here was never a candidate: nothing
that comes after can show it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import orjson
from msgspec import Struct

from mnemod.config import Tier
from mnemod.domain.world import ItemKind, ItemState
from mnemod.ids import EpochMs, ItemId
from mnemod.store.database import Tx
from mnemod.store.recalled_turns import SEEN, as_json


class FactRow(Struct, frozen=True):
    """An item that may be shown. `sources` are `seq` and moment of each Evidence that says it."""

    seq: int
    item_id: ItemId
    kind: ItemKind
    state: ItemState
    valid_to_ms: EpochMs | None
    occurred_at: str | None
    trust: float
    importance: int
    sources: tuple[tuple[int, EpochMs], ...]


# The Evidence under an item and under what it was derived from; of an entity, where its names
# stand.
_LINEAGE: Final = """
WITH RECURSIVE lineage (item_id) AS (
    SELECT i.item_id
    UNION
    SELECT d.source_item_id FROM derivation d JOIN lineage l ON d.derived_item_id = l.item_id)
SELECT 1
  FROM lineage l
"""
_SPANS: Final = f"""{_LINEAGE}
  JOIN support s ON s.item_id = l.item_id
  LEFT JOIN evidence e ON e.evidence_id = s.evidence_id
"""
_NAMES: Final = f"""{_LINEAGE}
  JOIN entity_name n ON n.entity_id = l.item_id
  LEFT JOIN evidence e ON e.evidence_id = n.evidence_id
"""
_SOURCES: Final = """
SELECT s.evidence_id FROM support s WHERE s.item_id = i.item_id AND s.relation = 'support'
UNION
SELECT n.evidence_id FROM entity_name n WHERE n.entity_id = i.item_id
"""

_SPOKEN_OF: Final = """
SELECT value AS entity_id
  FROM json_each(json_array(
       i.subject_entity_id, i.holder_entity_id, i.source_entity_id, i.target_entity_id))
 WHERE value IS NOT NULL
"""
_NAMED: Final = """
SELECT 1
  FROM entity_name n
  JOIN evidence e ON e.evidence_id = n.evidence_id
 WHERE n.entity_id = o.entity_id
"""

_SHOWABLE: Final = {
    tier: f"""
i.state <> 'retracted' AND i.archived_at_ms IS NULL AND i.muted_at_ms IS NULL
   AND (EXISTS ({_SPANS}) OR EXISTS ({_NAMES}))
   AND NOT EXISTS ({_SPANS} WHERE e.seq IS NULL OR NOT ({seen}))
   AND NOT EXISTS ({_NAMES} WHERE e.seq IS NULL OR NOT ({seen}))
   AND NOT EXISTS (SELECT 1 FROM ({_SPOKEN_OF}) o WHERE NOT EXISTS ({_NAMED} AND {seen}))
"""  # noqa: S608
    for tier, seen in SEEN.items()
}

_Q_FACTS: Final = {
    tier: f"""
SELECT i.seq, i.item_id, i.kind, i.state, i.valid_to_ms, i.occurred_at, i.trust, i.importance,
       (SELECT json_group_array(json_array(e.seq, coalesce(e.said_at_ms, e.recorded_at_ms)))
          FROM evidence e WHERE e.evidence_id IN ({_SOURCES}))
  FROM item i
 WHERE i.seq IN (SELECT value FROM json_each(:seqs)) AND {showable}
"""  # noqa: S608
    for tier, showable in _SHOWABLE.items()
}


def facts(tx: Tx, seqs: Iterable[int], tier: Tier) -> dict[int, FactRow]:
    """The items of these `seq` that may be shown there: not hidden, and every source readable."""
    return {row[0]: _fact(row) for row in tx.execute(_Q_FACTS[tier], {"seqs": as_json(seqs)})}


_Q_OWNER_NAMINGS: Final = {
    tier: f"""
SELECT i.seq
  FROM item i
 WHERE i.seq IN (SELECT value FROM json_each(:seqs))
   AND i.statement_kind = 'naming' AND i.subject_entity_id IS NULL AND i.state = 'current'
   AND {showable}
"""  # noqa: S608
    for tier, showable in _SHOWABLE.items()
}


def owner_namings(tx: Tx, seqs: Iterable[int], tier: Tier) -> set[int]:
    """Those of these items that say what the owner is called, as far as they may be shown."""
    return {row[0] for row in tx.execute(_Q_OWNER_NAMINGS[tier], {"seqs": as_json(seqs)})}


_Q_FORMED_FROM: Final = """
SELECT DISTINCT e.seq, i.seq, i.state
  FROM evidence e
  JOIN support s ON s.evidence_id = e.evidence_id
  JOIN item i ON i.item_id = s.item_id
 WHERE e.seq IN (SELECT value FROM json_each(:seqs)) AND s.relation = 'support'
 ORDER BY e.seq, i.seq
"""


class Formed(Struct, frozen=True):
    """An item whose words a turn said."""

    said_seq: int
    item_seq: int
    state: ItemState


def formed_from(tx: Tx, seqs: Iterable[int]) -> list[Formed]:
    """The items made of these turns' words, in any state, hidden or not."""
    rows = tx.execute(_Q_FORMED_FROM, {"seqs": as_json(seqs)})
    return [Formed(row[0], row[1], ItemState(row[2])) for row in rows]


_Q_HIDDEN: Final = """
SELECT CASE WHEN i.state = 'retracted' THEN 'retracted'
            WHEN i.archived_at_ms IS NOT NULL THEN 'archived'
            WHEN i.muted_at_ms IS NOT NULL THEN 'muted'
            WHEN NOT EXISTS (SELECT 1 FROM support s WHERE s.item_id = i.item_id)
             AND NOT EXISTS (SELECT 1 FROM entity_name n WHERE n.entity_id = i.item_id)
             AND NOT EXISTS (SELECT 1 FROM derivation d WHERE d.derived_item_id = i.item_id)
            THEN 'unsupported'
            WHEN EXISTS (SELECT 1 FROM support s JOIN evidence e ON e.evidence_id = s.evidence_id
                          WHERE s.item_id = i.item_id AND e.outcome IN ('noise', 'held'))
            THEN 'held'
            ELSE 'permission' END AS reason,
       count(*)
  FROM item i
 WHERE i.seq IN (SELECT value FROM json_each(:seqs))
 GROUP BY reason
"""


def why_hidden(tx: Tx, seqs: Iterable[int]) -> dict[str, int]:
    """For items that `facts` left out: how many for which reason."""
    return {reason: int(n) for reason, n in tx.execute(_Q_HIDDEN, {"seqs": as_json(seqs)})}


_Q_SUCCESSIONS: Final = """
SELECT p.seq, n.seq
  FROM item p
  JOIN transition t ON t.prior_item_id = p.item_id
  JOIN item n ON n.item_id = t.successor_item_id
 WHERE p.seq IN (SELECT value FROM json_each(:seqs)) AND t.kind <> 'alias'
UNION
SELECT p.seq, n.seq
  FROM item n
  JOIN transition t ON t.successor_item_id = n.item_id
  JOIN item p ON p.item_id = t.prior_item_id
 WHERE n.seq IN (SELECT value FROM json_each(:seqs)) AND t.kind <> 'alias'
 ORDER BY 1, 2
"""


def successions(tx: Tx, seqs: Iterable[int]) -> list[tuple[int, int]]:
    """Pairs of items (earlier, later) that gave way to each other, with either end among `seqs`."""
    return [(row[0], row[1]) for row in tx.execute(_Q_SUCCESSIONS, {"seqs": as_json(seqs)})]


_Q_OCCURRED: Final = """
SELECT seq
  FROM item
 WHERE occurred_at >= :from AND occurred_at < :to
 ORDER BY occurred_at, seq
 LIMIT 500
"""


def occurred_between(tx: Tx, first: str, last: str) -> list[int]:
    """Items dated from `first` to before `last`, both written as stored dates are."""
    return [row[0] for row in tx.execute(_Q_OCCURRED, {"from": first, "to": last})]


def _fact(row: Sequence[Any]) -> FactRow:
    return FactRow(
        seq=row[0],
        item_id=ItemId(row[1]),
        kind=ItemKind(row[2]),
        state=ItemState(row[3]),
        valid_to_ms=None if row[4] is None else EpochMs(row[4]),
        occurred_at=row[5],
        trust=row[6],
        importance=row[7],
        sources=tuple((seq, EpochMs(at_ms)) for seq, at_ms in orjson.loads(row[8])),
    )
