"""World items, their supports and transitions, by index.

Reading here never decides whether a reader may see a row: that is `domain.visibility`. Erasing here
takes a closed cascade and leaves no row that names an erased item.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from mnemod.domain.world import (
    FormedBy,
    Item,
    ItemKind,
    ItemState,
    Layer,
    Precision,
    StatementKind,
)
from mnemod.ids import EpochMs, ItemId, WorldRevision
from mnemod.store.database import Tx

_COLUMNS = """
seq, item_id, kind, layer, text, key, statement_kind, formed_by, subject_entity_id,
holder_entity_id, source_entity_id, target_entity_id, relation_type, importance, confidence, trust,
occurred_at, precision, time_expression, valid_from_ms, valid_to_ms, recorded_at_ms, state,
archived_at_ms IS NOT NULL, muted_at_ms IS NOT NULL, pinned_at_ms IS NOT NULL, protected, occurrence
"""


class NewItem(Struct, frozen=True):
    """An item about to be stored; current, with nothing hidden."""

    item_id: ItemId
    kind: ItemKind
    layer: Layer
    text: str
    key: str
    statement_kind: StatementKind | None
    formed_by: FormedBy
    importance: int
    confidence: int
    trust: float
    recorded_at_ms: EpochMs
    created_revision: WorldRevision
    subject_entity_id: ItemId | None = None
    holder_entity_id: ItemId | None = None
    source_entity_id: ItemId | None = None
    target_entity_id: ItemId | None = None
    relation_type: str | None = None
    occurred_at: str | None = None
    precision: Precision | None = None
    time_expression: str | None = None
    valid_from_ms: EpochMs | None = None
    occurrence: int = 1


_Q_INSERT = """
INSERT INTO item (item_id, kind, layer, text, key, statement_kind, formed_by, importance,
    confidence, trust, recorded_at_ms, created_revision, subject_entity_id, holder_entity_id,
    source_entity_id, target_entity_id, relation_type, occurred_at, precision, time_expression,
    valid_from_ms, occurrence, state)
VALUES (:item_id, :kind, :layer, :text, :key, :statement_kind, :formed_by, :importance,
    :confidence, :trust, :recorded_at_ms, :created_revision, :subject_entity_id, :holder_entity_id,
    :source_entity_id, :target_entity_id, :relation_type, :occurred_at, :precision,
    :time_expression, :valid_from_ms, :occurrence, 'current')
"""


def insert(tx: Tx, new: NewItem) -> int:
    """Store an item and return its `seq`."""
    cursor = tx.execute(_Q_INSERT, {name: getattr(new, name) for name in new.__struct_fields__})
    return int(cursor.lastrowid or 0)


_Q_BY_ID = f"SELECT {_COLUMNS} FROM item WHERE item_id = ?"  # noqa: S608


def by_id(tx: Tx, item_id: str) -> Item | None:
    """One item in any state."""
    row = tx.execute(_Q_BY_ID, (item_id,)).fetchone()
    return None if row is None else _item(row)


def by_ids(tx: Tx, item_ids: Iterable[ItemId]) -> dict[ItemId, Item]:
    """The items of these ids that exist."""
    found = (by_id(tx, item_id) for item_id in item_ids)
    return {item.item_id: item for item in found if item is not None}


_Q_SAME = f"""
SELECT {_COLUMNS}
  FROM item
 WHERE key = :key AND kind = :kind AND layer = 'fact'
   AND subject_entity_id IS :subject AND holder_entity_id IS :holder
 ORDER BY seq
"""  # noqa: S608


def same_claim(
    tx: Tx, key: str, kind: ItemKind, subject: ItemId | None, holder: ItemId | None
) -> list[Item]:
    """Facts of this comparison key, kind, subject and holder, in any state, oldest first."""
    rows = tx.execute(
        _Q_SAME, {"key": key, "kind": kind.value, "subject": subject, "holder": holder}
    )
    return [_item(row) for row in rows]


_Q_PAGE = f"""
SELECT {_COLUMNS}
  FROM item
 WHERE seq > :after AND (:kind IS NULL OR kind = :kind) AND (:state IS NULL OR state = :state)
 ORDER BY seq
 LIMIT :limit
"""  # noqa: S608


def page(
    tx: Tx,
    *,
    after: int,
    limit: int,
    kind: ItemKind | None = None,
    state: ItemState | None = None,
) -> list[Item]:
    """Up to `limit` items with `seq` above `after`, in order."""
    rows = tx.execute(
        _Q_PAGE,
        {
            "after": after,
            "limit": limit,
            "kind": kind and kind.value,
            "state": state and state.value,
        },
    )
    return [_item(row) for row in rows]


_Q_REFERRING = """
SELECT item_id FROM item WHERE subject_entity_id = :id
UNION ALL SELECT item_id FROM item WHERE holder_entity_id = :id
UNION ALL SELECT item_id FROM item WHERE source_entity_id = :id
UNION ALL SELECT item_id FROM item WHERE target_entity_id = :id
"""


def referring_to(tx: Tx, entity_id: ItemId) -> Iterator[ItemId]:
    """The items that name this entity as subject, holder or endpoint, some of them twice.

    Read as they are asked for: whoever wants to know of one more need not pay for all.
    """
    for (item_id,) in tx.execute(_Q_REFERRING, {"id": entity_id}):
        yield ItemId(item_id)


_Q_END = """
UPDATE item
   SET state = :state, invalidated_at_ms = :now, valid_to_ms = coalesce(valid_to_ms, :valid_to)
 WHERE item_id = :item_id AND state = 'current'
"""


def end(
    tx: Tx, item_id: ItemId, state: ItemState, now: EpochMs, valid_to: EpochMs | None = None
) -> bool:
    """Make a current item superseded or retracted; False if it was not current."""
    changed = tx.execute(
        _Q_END, {"item_id": item_id, "state": state.value, "now": now, "valid_to": valid_to}
    )
    return bool(changed.rowcount)


_Q_SET_CONFIDENCE = "UPDATE item SET confidence = :confidence WHERE item_id = :item_id"


def set_confidence(tx: Tx, item_id: ItemId, confidence: int) -> None:
    """Say anew how sure an item is, 0 to 1000."""
    tx.execute(_Q_SET_CONFIDENCE, {"item_id": item_id, "confidence": confidence})


_Q_SET_TRUST = "UPDATE item SET trust = :trust WHERE item_id = :item_id"


def set_trust(tx: Tx, item_id: ItemId, trust: float) -> None:
    """Say anew how far an item is trusted, 0 to 1."""
    tx.execute(_Q_SET_TRUST, {"item_id": item_id, "trust": trust})


_Q_RETEXT = "UPDATE item SET text = :text, key = :key WHERE item_id = :item_id"


def retext(tx: Tx, item_id: ItemId, text: str, key: str) -> None:
    """Let an entity go by another of its names."""
    tx.execute(_Q_RETEXT, {"item_id": item_id, "text": text, "key": key})


_Q_REWORD = """
UPDATE item
   SET text = :text, key = :key, valid_from_ms = :valid_from,
       occurred_at = NULL, precision = NULL, time_expression = NULL
 WHERE item_id = :item_id
"""


def reword(tx: Tx, item_id: ItemId, text: str, key: str, valid_from: EpochMs | None) -> None:
    """Give an item the words of other spans. A date read from the old ones is no longer known."""
    tx.execute(_Q_REWORD, {"item_id": item_id, "text": text, "key": key, "valid_from": valid_from})


_Q_ERASE = (
    "DELETE FROM support WHERE item_id = :id",
    "DELETE FROM derivation WHERE derived_item_id = :id OR source_item_id = :id",
    "DELETE FROM assistant_source WHERE item_id = :id",
    "DELETE FROM transition WHERE prior_item_id = :id OR successor_item_id = :id",
    "DELETE FROM entity_name WHERE entity_id = :id",
    "DELETE FROM job_item WHERE item_id = :id",
)

_Q_ERASE_ITEM = "DELETE FROM item WHERE item_id = ? RETURNING seq"


def erase_ties(tx: Tx, item_id: ItemId) -> None:
    """Delete every row that names an item; the item itself goes with `erase_row`."""
    for query in _Q_ERASE:
        tx.execute(query, {"id": item_id})


def erase_row(tx: Tx, item_id: ItemId) -> int:
    """Delete an item whose ties are gone; returns the `seq` it had."""
    return int(tx.execute(_Q_ERASE_ITEM, (item_id,)).fetchall()[0][0])


_Q_COUNT = "SELECT count(*) FROM item WHERE state = 'current'"


def count(tx: Tx) -> int:
    """How many items are current."""
    return int(tx.execute(_Q_COUNT).fetchone()[0])


def _item(row: Sequence[Any]) -> Item:
    from_ms, to_ms = row[19], row[20]
    return Item(
        seq=row[0],
        item_id=ItemId(row[1]),
        kind=ItemKind(row[2]),
        layer=Layer(row[3]),
        text=row[4],
        key=row[5],
        statement_kind=None if row[6] is None else StatementKind(row[6]),
        formed_by=FormedBy(row[7]),
        subject_entity_id=row[8],
        holder_entity_id=row[9],
        source_entity_id=row[10],
        target_entity_id=row[11],
        relation_type=row[12],
        importance=row[13],
        confidence=row[14],
        trust=row[15],
        occurred_at=row[16],
        precision=None if row[17] is None else Precision(row[17]),
        time_expression=row[18],
        valid_from_ms=None if from_ms is None else EpochMs(from_ms),
        valid_to_ms=None if to_ms is None else EpochMs(to_ms),
        recorded_at_ms=EpochMs(row[21]),
        state=ItemState(row[22]),
        archived=bool(row[23]),
        muted=bool(row[24]),
        pinned=bool(row[25]),
        protected=bool(row[26]),
        occurrence=row[27],
    )
