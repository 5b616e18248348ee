"""The turns of conversations in order, and what each assistant turn relied on.

A user's words stand in `evidence` and are only pointed at here. An assistant's words stand here:
they are context for reading the next message, and never a source of a fact of the owner.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import orjson

from mnemod.domain.observation import origin_hash
from mnemod.domain.turns import Capture, Dependency, DependencyKind, NewTurn, Role, Turn
from mnemod.ids import ConversationId, EpochMs, EvidenceId, HostId, InteractionId, ItemId, MessageId
from mnemod.store.database import Tx

_Q_INSERT_TURN = """
INSERT INTO interaction_turn (interaction_seq, conversation_id, role, host_id, message_id,
    evidence_id, content, said_at_ms, capture, held, redacted)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""

_Q_INSERT_DEPENDENCY = """
INSERT INTO interaction_dependency (turn_seq, kind, ref_id)
VALUES (?, ?, ?)
ON CONFLICT DO NOTHING
"""


def insert(tx: Tx, interaction_seq: int, turn: NewTurn) -> int:
    """Store one turn with what it relied on; returns its place."""
    cursor = tx.execute(
        _Q_INSERT_TURN,
        (
            interaction_seq,
            turn.conversation_id,
            turn.role.value,
            turn.host_id,
            turn.message_id,
            turn.evidence_id,
            turn.content,
            turn.said_at_ms,
            turn.capture and turn.capture.value,
            turn.held,
            turn.redacted,
        ),
    )
    for needed in turn.dependencies:
        tx.execute(_Q_INSERT_DEPENDENCY, (cursor.lastrowid, needed.kind.value, needed.ref_id))
    return int(cursor.lastrowid or 0)


_Q_ASSISTANT = """
SELECT content, redacted
  FROM interaction_turn
 WHERE role = 'assistant' AND host_id = ? AND message_id = ? AND erased_at_ms IS NULL
"""


def assistant_text(tx: Tx, host_id: HostId, message_id: MessageId) -> tuple[str, bool] | None:
    """The words of an assistant message that is stored already, and whether some are covered."""
    row = tx.execute(_Q_ASSISTANT, (host_id, message_id)).fetchone()
    return None if row is None else (str(row[0]), bool(row[1]))


_COLUMNS = """
t.turn_seq, x.interaction_id, t.conversation_id, t.role, t.message_id, t.evidence_id,
CASE t.role WHEN 'user' THEN nullif(e.content, '') ELSE t.content END,
t.said_at_ms, t.capture, t.held, t.redacted,
CASE t.role WHEN 'user' THEN e.erased_at_ms ELSE t.erased_at_ms END
"""

_FROM = """
  FROM interaction_turn t
  JOIN interaction x ON x.seq = t.interaction_seq
  LEFT JOIN evidence e ON e.evidence_id = t.evidence_id
"""

_Q_PAGE = f"""
SELECT {_COLUMNS} {_FROM}
 WHERE t.turn_seq > :after
 ORDER BY t.turn_seq
 LIMIT :limit
"""

_Q_PAGE_CONVERSATION = f"""
SELECT {_COLUMNS} {_FROM}
 WHERE t.conversation_id = :conversation_id AND t.turn_seq > :after
 ORDER BY t.turn_seq
 LIMIT :limit
"""


def page(
    tx: Tx, *, after: int, limit: int, conversation_id: ConversationId | None = None
) -> list[Turn]:
    """Up to `limit` turns above `after`, in order, of one conversation or of all."""
    query = _Q_PAGE if conversation_id is None else _Q_PAGE_CONVERSATION
    rows = tx.execute(query, {"after": after, "limit": limit, "conversation_id": conversation_id})
    return [_turn(row) for row in rows]


_Q_PRECEDING = f"""
SELECT {_COLUMNS} {_FROM}
 WHERE t.conversation_id = :conversation_id
   AND t.turn_seq < (SELECT min(turn_seq) FROM interaction_turn WHERE evidence_id = :evidence_id)
   AND CASE t.role WHEN 'user' THEN e.erased_at_ms ELSE t.erased_at_ms END IS NULL
 ORDER BY t.turn_seq DESC
 LIMIT :limit
"""  # noqa: S608


def preceding(
    tx: Tx, conversation_id: ConversationId, evidence_id: EvidenceId, limit: int
) -> list[Turn]:
    """The last `limit` unerased turns before this message in its conversation, oldest first."""
    rows = tx.execute(
        _Q_PRECEDING,
        {"conversation_id": conversation_id, "evidence_id": evidence_id, "limit": limit},
    )
    return [_turn(row) for row in rows][::-1]


_Q_LAST = f"""
SELECT {_COLUMNS} {_FROM}
 WHERE t.conversation_id = :conversation_id
 ORDER BY t.turn_seq DESC
 LIMIT 1
"""


def last(tx: Tx, conversation_id: ConversationId) -> Turn | None:
    """The last turn of a conversation so far, erased or not."""
    row = tx.execute(_Q_LAST, {"conversation_id": conversation_id}).fetchone()
    return None if row is None else _turn(row)


_Q_DEPENDENCIES = "SELECT kind, ref_id FROM interaction_dependency WHERE turn_seq = ?"


def dependencies(tx: Tx, turn_seq: int) -> list[Dependency]:
    """What a turn relied on."""
    rows = tx.execute(_Q_DEPENDENCIES, (turn_seq,))
    return [Dependency(DependencyKind(kind), ref_id) for kind, ref_id in rows]


_Q_RELYING = f"""
SELECT {_COLUMNS} {_FROM}
  JOIN interaction_dependency d ON d.turn_seq = t.turn_seq
 WHERE d.ref_id = ? AND t.erased_at_ms IS NULL AND t.role = 'assistant'
"""


def relying_on(tx: Tx, ref_id: str) -> list[Turn]:
    """The unerased assistant turns that said they relied on this id."""
    return [_turn(row) for row in tx.execute(_Q_RELYING, (ref_id,))]


_Q_ANSWERS = f"""
SELECT {_COLUMNS} {_FROM}
 WHERE t.turn_seq > :said
   AND t.turn_seq < coalesce((
       SELECT min(n.turn_seq)
         FROM interaction_turn n
        WHERE n.conversation_id = :conversation_id
          AND n.turn_seq > :said
          AND n.role = 'user'), 9223372036854775807)
   AND t.conversation_id = :conversation_id
   AND t.role = 'assistant'
   AND t.erased_at_ms IS NULL
"""  # noqa: S608

_Q_SAID = """
SELECT t.turn_seq, t.conversation_id, x.interaction_id
  FROM interaction_turn t
  JOIN interaction x ON x.seq = t.interaction_seq
 WHERE t.evidence_id = ?
"""


def answers_to(tx: Tx, evidence_id: EvidenceId) -> list[Turn]:
    """The unerased assistant turns between this message and the user's next in its conversation."""
    return [
        _turn(row)
        for said, conversation_id, _ in tx.execute(_Q_SAID, (evidence_id,)).fetchall()
        for row in tx.execute(_Q_ANSWERS, {"said": said, "conversation_id": conversation_id})
    ]


def episodes_of(tx: Tx, evidence_id: EvidenceId) -> list[InteractionId]:
    """The episodes in which this message was said."""
    return [InteractionId(row[2]) for row in tx.execute(_Q_SAID, (evidence_id,))]


_Q_BY_SEQS = f"""
SELECT {_COLUMNS} {_FROM}
 WHERE t.turn_seq IN (SELECT value FROM json_each(?))
 ORDER BY t.turn_seq
"""  # noqa: S608


def by_seqs(tx: Tx, turn_seqs: Iterable[int]) -> list[Turn]:
    """The turns of these places, in order."""
    wanted = list(turn_seqs)
    if not wanted:
        return []
    places = orjson.dumps(wanted).decode()
    return [_turn(row) for row in tx.execute(_Q_BY_SEQS, (places,))]


_Q_PROPOSING = f"""
SELECT {_COLUMNS} {_FROM}
  JOIN assistant_source a ON a.turn_seq = t.turn_seq
 WHERE a.item_id = ? AND t.erased_at_ms IS NULL
"""


def proposing(tx: Tx, item_id: ItemId) -> list[Turn]:
    """The assistant turns whose proposal this item says yes to."""
    return [_turn(row) for row in tx.execute(_Q_PROPOSING, (item_id,))]


_Q_CONFIRMED = "SELECT DISTINCT item_id FROM assistant_source WHERE turn_seq = ?"


def confirmed_from(tx: Tx, turn_seq: int) -> list[ItemId]:
    """The items that say yes to a proposal of this turn."""
    return [ItemId(row[0]) for row in tx.execute(_Q_CONFIRMED, (turn_seq,))]


_Q_ORIGIN = "SELECT host_id, message_id FROM interaction_turn WHERE turn_seq = ?"


def origin_of(tx: Tx, turn_seq: int) -> str:
    """The hash that names the message of this turn."""
    host_id, message_id = tx.execute(_Q_ORIGIN, (turn_seq,)).fetchone()
    return origin_hash(HostId(host_id), MessageId(message_id))


_Q_ERASE_TURN = """
UPDATE interaction_turn
   SET content = NULL, erased_at_ms = :now, said_at_ms = NULL, message_id = '', held = 0,
       redacted = 0
 WHERE turn_seq = :turn_seq AND role = 'assistant'
"""

_Q_DROP_DEPENDENCIES = "DELETE FROM interaction_dependency WHERE turn_seq = ?"

_Q_BLANK_USER_TURNS = """
UPDATE interaction_turn
   SET said_at_ms = NULL, message_id = ''
 WHERE evidence_id = ?
"""


def erase(tx: Tx, turn_seq: int, now: EpochMs) -> None:
    """Blank an assistant turn for ever; its place in the conversation stays."""
    tx.execute(_Q_ERASE_TURN, {"turn_seq": turn_seq, "now": now})
    tx.execute(_Q_DROP_DEPENDENCIES, (turn_seq,))


def blank_for(tx: Tx, evidence_id: EvidenceId) -> None:
    """Take the host's name for an erased message out of its turns."""
    tx.execute(_Q_BLANK_USER_TURNS, (evidence_id,))


def _turn(row: Sequence[Any]) -> Turn:
    return Turn(
        turn_seq=row[0],
        interaction_id=InteractionId(row[1]),
        conversation_id=ConversationId(row[2]),
        role=Role(row[3]),
        message_id=MessageId(row[4]),
        evidence_id=None if row[5] is None else EvidenceId(row[5]),
        content=row[6],
        said_at_ms=None if row[7] is None else EpochMs(row[7]),
        capture=None if row[8] is None else Capture(row[8]),
        held=bool(row[9]),
        redacted=row[10],
        erased_at_ms=None if row[11] is None else EpochMs(row[11]),
    )
