"""The `receipt` table: the durable answers to commands, the same byte for byte when asked again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from mnemod.domain.receipts import Receipt, ResultState
from mnemod.ids import CommandId, EpochMs, TransitionId, WorldRevision
from mnemod.store.database import Tx

_AFTER_ALL: Final = 2**63 - 1

_COLUMNS = """
command_id, operation, result_state, rejection, before_revision, after_revision, affected_ids,
transition_ids, completed_at_ms, receipt_hash
"""

_Q_FIND = f"SELECT request_hash, {_COLUMNS} FROM receipt WHERE command_id = ?"  # noqa: S608


def find(tx: Tx, command_id: CommandId) -> tuple[str, Receipt] | None:
    """The request hash and the receipt of an earlier command of this id."""
    row = tx.execute(_Q_FIND, (command_id,)).fetchone()
    return None if row is None else (row[0], _receipt(row[1:]))


_Q_RECORD = f"""
INSERT INTO receipt (request_hash, {_COLUMNS})
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""  # noqa: S608


def record(tx: Tx, request_hash: str, receipt: Receipt) -> Receipt:
    """Keep a receipt for good and return it."""
    tx.execute(
        _Q_RECORD,
        (
            request_hash,
            receipt.command_id,
            receipt.operation,
            receipt.result_state.value,
            receipt.rejection,
            receipt.before_revision,
            receipt.after_revision,
            json.dumps(receipt.affected_ids),
            json.dumps(receipt.transition_ids),
            receipt.completed_at_ms,
            receipt.receipt_hash,
        ),
    )
    return receipt


_Q_PAGE = f"""
SELECT seq, {_COLUMNS}
  FROM receipt
 WHERE seq < :before
 ORDER BY seq DESC
 LIMIT :limit
"""  # noqa: S608


def page(tx: Tx, *, before: int, limit: int) -> list[tuple[int, Receipt]]:
    """Up to `limit` receipts older than `before` (0 for none), newest first, with their places."""
    rows = tx.execute(_Q_PAGE, {"before": before or _AFTER_ALL, "limit": limit})
    return [(int(row[0]), _receipt(row[1:])) for row in rows]


def _receipt(row: Sequence[Any]) -> Receipt:
    return Receipt(
        command_id=CommandId(row[0]),
        operation=row[1],
        result_state=ResultState(row[2]),
        rejection=row[3],
        before_revision=WorldRevision(row[4]),
        after_revision=WorldRevision(row[5]),
        affected_ids=tuple(json.loads(row[6])),
        transition_ids=tuple(TransitionId(id_) for id_ in json.loads(row[7])),
        completed_at_ms=EpochMs(row[8]),
        receipt_hash=row[9],
    )
