"""One `interaction` an `observe`: its idempotency, its place, its first reply."""

from __future__ import annotations

from msgspec import Struct

from mnemod.ids import ConversationId, EpochMs, EventId, HostId, InteractionId, SessionId
from mnemod.store.database import Tx


class NewInteraction(Struct, frozen=True):
    """One `observe` call. `reply` is its content-free answer as JSON."""

    interaction_id: InteractionId
    host_id: HostId
    event_id: EventId
    request_hash: str
    conversation_id: ConversationId
    session_id: SessionId | None
    created_at_ms: EpochMs


_Q_EVENT = "SELECT request_hash, reply FROM interaction WHERE host_id = ? AND event_id = ?"


def find_event(tx: Tx, host_id: HostId, event_id: EventId) -> tuple[str, str] | None:
    """The request hash and the first reply of an earlier `observe` of this event."""
    row = tx.execute(_Q_EVENT, (host_id, event_id)).fetchone()
    return None if row is None else (row[0], row[1])


_Q_INSERT = """
INSERT INTO interaction (interaction_id, host_id, event_id, request_hash, conversation_id,
    session_id, reply, created_at_ms)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""


def insert(tx: Tx, new: NewInteraction, reply: str) -> int:
    """Store one call and return its `seq`."""
    cursor = tx.execute(
        _Q_INSERT,
        (
            new.interaction_id,
            new.host_id,
            new.event_id,
            new.request_hash,
            new.conversation_id,
            new.session_id,
            reply,
            new.created_at_ms,
        ),
    )
    return int(cursor.lastrowid or 0)


# No host can name an event so: NUL is refused in every string it sends.
_Q_BLANK = """
UPDATE interaction
   SET event_id = char(0) || interaction_id, session_id = NULL, request_hash = ''
 WHERE interaction_id = :interaction_id
   AND NOT EXISTS (
       SELECT 1
         FROM interaction_turn t
         LEFT JOIN evidence e ON e.evidence_id = t.evidence_id
        WHERE t.interaction_seq = interaction.seq
          AND CASE t.role WHEN 'user' THEN e.erased_at_ms ELSE t.erased_at_ms END IS NULL)
"""


def blank_if_empty(tx: Tx, interaction_id: InteractionId) -> None:
    """Take the host's name for a call out of it once nothing that came with it is left."""
    tx.execute(_Q_BLANK, {"interaction_id": interaction_id})
