"""What was erased: hashes and ids, never words. They keep old messages and late workers out."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from mnemod.ids import CommandId, EpochMs, WorldRevision
from mnemod.store.database import Tx


class Mark(StrEnum):
    """What a tombstone stands for.

    `origin` is the hash of a message's name; `context` that of an assistant's message, or the id
    of an episode of which something went; the others are ids.
    """

    ORIGIN = "origin"
    ITEM = "item"
    EVIDENCE = "evidence"
    CONTEXT = "context"


class Erasure(Struct, frozen=True):
    """The command that erases, when, and the revision it makes."""

    command_id: CommandId
    at_ms: EpochMs
    revision: WorldRevision


_Q_PLACE = """
INSERT INTO tombstone (kind, mark, command_id, erased_at_ms, revision)
VALUES (:kind, :mark, :command_id, :at_ms, :revision)
ON CONFLICT (kind, mark) DO NOTHING
"""


def place(tx: Tx, kind: Mark, mark: str, erasure: Erasure) -> None:
    """Remember that this was erased; the first erasure stays the one that is named."""
    tx.execute(
        _Q_PLACE,
        {
            "kind": kind.value,
            "mark": mark,
            "command_id": erasure.command_id,
            "at_ms": erasure.at_ms,
            "revision": erasure.revision,
        },
    )


_Q_FIND = "SELECT command_id FROM tombstone WHERE kind = ? AND mark = ?"


def erased_by(tx: Tx, kind: Mark, mark: str) -> CommandId | None:
    """The command that erased this, or None if nothing did."""
    row = tx.execute(_Q_FIND, (kind.value, mark)).fetchone()
    return None if row is None else CommandId(row[0])
