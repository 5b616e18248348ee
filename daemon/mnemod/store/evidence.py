"""The `evidence` table: what was said, kept word for word until its owner erases it.

An erased row keeps its id and when it was erased. Everything a person or a host wrote is blanked,
the host's own names for it too: the tombstone's hashes are all that can recognise it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from mnemod.domain.evidence import (
    Evidence,
    Gate,
    Instant,
    NewEvidence,
    Outcome,
    Permissions,
    SourceKind,
    Speaker,
)
from mnemod.domain.gates.verdict import Decision, Detector
from mnemod.ids import ConversationId, EpochMs, EvidenceId, HostId, MessageId, SessionId
from mnemod.store.database import Tx

_COLUMNS = """
seq, evidence_id, source_kind, host_id, conversation_id, session_id, message_id, speaker_id,
speaker_name, content, said_at_ms, said_offset_min, recorded_at_ms, local_read, cloud_read,
inference, outcome, trust, erased_at_ms, gate_decision, gate_reason, gate_detector, gate_start,
gate_end, redacted, rules_version, annotations_failed
"""


class Known(Struct, frozen=True):
    """A message that is stored already: its id and the keyed hash of its words as they stand.

    `is_covered` says whether secrets were covered in them before.
    """

    evidence_id: EvidenceId
    content_hash: str
    is_covered: bool


_Q_INSERT = """
INSERT INTO evidence (evidence_id, source_kind, host_id, conversation_id, session_id, message_id,
    origin_hash, speaker_id, speaker_name, content, content_hash, said_at_ms, said_offset_min,
    recorded_at_ms, local_read, cloud_read, inference, outcome, gate_decision, gate_reason,
    gate_detector, gate_start, gate_end, redacted, rules_version, annotations_failed, trust)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


def insert(tx: Tx, new: NewEvidence) -> int:
    """Store a row and return its `seq`. Its annotations are `noted.add`'s."""
    said, who, allowed, gate = new.said_at, new.speaker, new.permissions, new.gate
    cursor = tx.execute(
        _Q_INSERT,
        (
            new.evidence_id,
            new.source_kind.value,
            new.host_id,
            new.conversation_id,
            new.session_id,
            new.message_id,
            new.origin_hash,
            who and who.id,
            who and who.name,
            new.content,
            new.content_hash,
            said and said.at_ms,
            said.offset_min if said else None,
            new.recorded_at_ms,
            allowed.local_read,
            allowed.cloud_read,
            allowed.inference,
            new.outcome.value,
            *_gate_columns(gate),
            new.noted.failed,
            new.trust,
        ),
    )
    return int(cursor.lastrowid or 0)


_Q_BY_ORIGIN = "SELECT evidence_id, content_hash, redacted FROM evidence WHERE origin_hash = ?"


def known(tx: Tx, origin_hash: str) -> Known | None:
    """The stored row of this message, if it is stored and not erased."""
    row = tx.execute(_Q_BY_ORIGIN, (origin_hash,)).fetchone()
    return None if row is None else Known(EvidenceId(row[0]), row[1], bool(row[2]))


_Q_BY_ID = f"SELECT {_COLUMNS} FROM evidence WHERE evidence_id = ?"  # noqa: S608


def by_id(tx: Tx, evidence_id: str) -> Evidence | None:
    """One row, erased or not."""
    row = tx.execute(_Q_BY_ID, (evidence_id,)).fetchone()
    return None if row is None else _evidence(row)


def by_ids(tx: Tx, evidence_ids: Iterable[EvidenceId]) -> dict[EvidenceId, Evidence]:
    """The rows of these ids that exist, erased ones too."""
    found = (by_id(tx, evidence_id) for evidence_id in evidence_ids)
    return {row.evidence_id: row for row in found if row is not None}


_Q_CONTENT_HASH = "SELECT content_hash FROM evidence WHERE evidence_id = ?"


def content_hash(tx: Tx, evidence_id: EvidenceId) -> str | None:
    """The keyed hash the words had when they were stored; empty once erased."""
    row = tx.execute(_Q_CONTENT_HASH, (evidence_id,)).fetchone()
    return None if row is None else str(row[0])


_Q_PAGE = f"""
SELECT {_COLUMNS}
  FROM evidence
 WHERE seq > :after
   AND (:outcome IS NULL OR outcome = :outcome)
   AND erased_at_ms IS NULL
 ORDER BY seq
 LIMIT :limit
"""  # noqa: S608

_Q_PAGE_CONVERSATION = f"""
SELECT {_COLUMNS}
  FROM evidence
 WHERE conversation_id = :conversation_id
   AND seq > :after
   AND (:outcome IS NULL OR outcome = :outcome)
   AND erased_at_ms IS NULL
 ORDER BY seq
 LIMIT :limit
"""  # noqa: S608


# The partial index of what is not simply eligible is used only where the query says so too.
_Q_PAGE_OUTCOME = f"""
SELECT {_COLUMNS}
  FROM evidence
 WHERE outcome = :outcome AND outcome <> 'eligible'
   AND seq > :after
   AND erased_at_ms IS NULL
 ORDER BY seq
 LIMIT :limit
"""  # noqa: S608


def page(
    tx: Tx,
    *,
    after: int,
    limit: int,
    outcome: Outcome | None = None,
    conversation_id: ConversationId | None = None,
) -> list[Evidence]:
    """Up to `limit` unerased rows with `seq` above `after`, in order of arrival."""
    query = _Q_PAGE if outcome in (None, Outcome.ELIGIBLE) else _Q_PAGE_OUTCOME
    query = query if conversation_id is None else _Q_PAGE_CONVERSATION
    rows = tx.execute(
        query,
        {
            "after": after,
            "limit": limit,
            "outcome": outcome and outcome.value,
            "conversation_id": conversation_id,
        },
    )
    return [_evidence(row) for row in rows]


_Q_ERASE = """
UPDATE evidence
   SET content = '', content_hash = '', origin_hash = NULL, host_id = '', conversation_id = '',
       session_id = NULL, message_id = '', speaker_id = NULL, speaker_name = NULL,
       said_at_ms = NULL, said_offset_min = NULL, outcome = 'eligible', gate_decision = 'pass',
       gate_reason = NULL, gate_detector = NULL, gate_start = NULL, gate_end = NULL, redacted = 0,
       annotations_failed = 0, local_read = 0, cloud_read = 0, inference = 0, erased_at_ms = :now
 WHERE evidence_id = :evidence_id AND erased_at_ms IS NULL
RETURNING seq
"""

_Q_ORIGIN = "SELECT origin_hash FROM evidence WHERE evidence_id = ?"


def origin_of(tx: Tx, evidence_id: EvidenceId) -> str | None:
    """The hash that names the message of this row; None once erased."""
    row = tx.execute(_Q_ORIGIN, (evidence_id,)).fetchone()
    return None if row is None else row[0]


def erase(tx: Tx, evidence_id: EvidenceId, now: EpochMs) -> int:
    """Blank a row for ever; returns its `seq`."""
    rows = tx.execute(_Q_ERASE, {"evidence_id": evidence_id, "now": now}).fetchall()
    return int(rows[0][0])


_Q_REDACT = """
UPDATE evidence
   SET content = :content, content_hash = :content_hash
 WHERE evidence_id = :evidence_id AND erased_at_ms IS NULL
"""


def redact(tx: Tx, evidence_id: EvidenceId, content: str, content_hash: str) -> None:
    """Replace a row's words by the same with some covered, as long as before."""
    tx.execute(
        _Q_REDACT,
        {"evidence_id": evidence_id, "content": content, "content_hash": content_hash},
    )


_Q_JUDGE = """
UPDATE evidence
   SET outcome = ?, gate_decision = ?, gate_reason = ?, gate_detector = ?, gate_start = ?,
       gate_end = ?, redacted = ?, rules_version = ?, annotations_failed = ?, trust = ?
 WHERE evidence_id = ? AND erased_at_ms IS NULL
"""


def judge(
    tx: Tx,
    evidence_id: EvidenceId,
    outcome: Outcome,
    gate: Gate,
    *,
    annotations_failed: bool,
    trust: float,
) -> None:
    """Give a row another verdict. Who may find it now is the caller's to change with it."""
    tx.execute(
        _Q_JUDGE,
        (outcome.value, *_gate_columns(gate), annotations_failed, trust, evidence_id),
    )


_Q_TIGHTEN = """
UPDATE evidence
   SET local_read = local_read AND :local_read,
       cloud_read = cloud_read AND :cloud_read,
       inference = inference AND :inference
 WHERE evidence_id = :evidence_id
   AND (local_read > :local_read OR cloud_read > :cloud_read OR inference > :inference)
"""


def tighten(tx: Tx, evidence_id: EvidenceId, allowed: Permissions) -> None:
    """Allow no more than both what is allowed now and what `allowed` says."""
    tx.execute(
        _Q_TIGHTEN,
        {
            "evidence_id": evidence_id,
            "local_read": allowed.local_read,
            "cloud_read": allowed.cloud_read,
            "inference": allowed.inference,
        },
    )


_Q_COUNT = "SELECT count(*) FROM evidence WHERE erased_at_ms IS NULL"


def count(tx: Tx) -> int:
    """How many rows hold words."""
    return int(tx.execute(_Q_COUNT).fetchone()[0])


def _evidence(row: Sequence[Any]) -> Evidence:
    return Evidence(
        seq=row[0],
        evidence_id=EvidenceId(row[1]),
        source_kind=SourceKind(row[2]),
        host_id=HostId(row[3]),
        conversation_id=ConversationId(row[4]),
        session_id=None if row[5] is None else SessionId(row[5]),
        message_id=MessageId(row[6]),
        speaker=None if row[7] is None else Speaker(row[7], row[8]),
        content=row[9],
        said_at=None if row[10] is None else Instant(EpochMs(row[10]), row[11]),
        recorded_at_ms=EpochMs(row[12]),
        permissions=Permissions(bool(row[13]), bool(row[14]), bool(row[15])),
        outcome=Outcome(row[16]),
        trust=row[17],
        erased_at_ms=None if row[18] is None else EpochMs(row[18]),
        gate=Gate(
            decision=Decision(row[19]),
            reason=row[20],
            detector=None if row[21] is None else Detector(row[21]),
            start=row[22],
            end=row[23],
            redacted=row[24],
            rules_version=row[25],
        ),
        annotations_failed=bool(row[26]),
    )


def _gate_columns(gate: Gate) -> tuple[Any, ...]:
    return (
        gate.decision.value,
        gate.reason,
        gate.detector and gate.detector.value,
        gate.start,
        gate.end,
        gate.redacted,
        gate.rules_version,
    )
