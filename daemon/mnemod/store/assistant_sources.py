"""The `assistant_source` table: which words of an assistant's turn a confirmed item says yes to."""

from __future__ import annotations

from msgspec import Struct

from mnemod.ids import ItemId
from mnemod.store.database import Tx


class AssistantSource(Struct, frozen=True):
    """A half-open range of code points of one assistant turn."""

    item_id: ItemId
    turn_seq: int
    start: int
    end: int


_Q_ADD = """
INSERT INTO assistant_source (item_id, turn_seq, start, "end")
VALUES (:item_id, :turn_seq, :start, :end)
ON CONFLICT DO NOTHING
"""


def add(tx: Tx, source: AssistantSource) -> None:
    """Tie a confirmed item to what was proposed."""
    row = {
        "item_id": source.item_id,
        "turn_seq": source.turn_seq,
        "start": source.start,
        "end": source.end,
    }
    tx.execute(_Q_ADD, row)


_Q_OF = 'SELECT item_id, turn_seq, start, "end" FROM assistant_source WHERE item_id = :item_id'


def of(tx: Tx, item_id: ItemId) -> list[AssistantSource]:
    """What a confirmed item says yes to."""
    return [AssistantSource(*row) for row in tx.execute(_Q_OF, {"item_id": item_id})]
