"""The `support` table: which exact spans of which Evidence an item is made of.

Spans of one group were chosen together and carry the item only together; each group alone suffices.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from mnemod.domain.world import Relation, Span, Support
from mnemod.ids import EvidenceId, ItemId
from mnemod.store.database import Tx

_Q_SUPPORT_INSERT = """
INSERT INTO support (item_id, evidence_id, relation, start, "end", span_hash, grp, position)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO NOTHING
"""


def add(tx: Tx, support: Support, span_hash: str) -> bool:
    """Tie a span to an item; False if that tie was there."""
    span = support.span
    row = (support.item_id, span.evidence_id, support.relation.value, span.start, span.end)
    changed = tx.execute(_Q_SUPPORT_INSERT, (*row, span_hash, support.group, support.position))
    return bool(changed.rowcount)


_SUPPORT_COLUMNS = 'item_id, evidence_id, relation, start, "end", grp, position'

_Q_SUPPORTS_OF = f"""
SELECT {_SUPPORT_COLUMNS} FROM support WHERE item_id = ? ORDER BY grp, position
"""  # noqa: S608


def of(tx: Tx, item_id: ItemId) -> list[Support]:
    """All spans under an item, by group and position."""
    return [_support(row) for row in tx.execute(_Q_SUPPORTS_OF, (item_id,))]


_Q_SUPPORTED_BY = f"SELECT {_SUPPORT_COLUMNS} FROM support WHERE evidence_id = ?"  # noqa: S608


def by_evidence(tx: Tx, evidence_id: EvidenceId) -> list[Support]:
    """All ties of this Evidence to items."""
    return [_support(row) for row in tx.execute(_Q_SUPPORTED_BY, (evidence_id,))]


_Q_DROP_EVIDENCE = "DELETE FROM support WHERE evidence_id = ?"


def drop_evidence(tx: Tx, evidence_id: EvidenceId) -> None:
    """Untie an Evidence from all items."""
    tx.execute(_Q_DROP_EVIDENCE, (evidence_id,))


_Q_DROP_SPAN = """
DELETE FROM support
 WHERE item_id = ? AND evidence_id = ? AND relation = ? AND start = ? AND "end" = ?
"""


def keep_only(tx: Tx, item_id: ItemId, remaining: Collection[Support]) -> None:
    """Untie every span of an item that is not in `remaining`."""
    for support in of(tx, item_id):
        if support not in remaining:
            span = support.span
            row = (item_id, span.evidence_id, support.relation.value, span.start, span.end)
            tx.execute(_Q_DROP_SPAN, row)


def _support(row: Sequence[Any]) -> Support:
    return Support(
        item_id=ItemId(row[0]),
        span=Span(EvidenceId(row[1]), row[3], row[4]),
        relation=Relation(row[2]),
        group=row[5],
        position=row[6],
    )
