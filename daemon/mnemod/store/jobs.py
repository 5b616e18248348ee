"""Background work as rows: what there is to do, where each piece stands, what became of it.

    pending ──claim──> processing ──settle──> done | no_change | clarification | out_of_scope | dead
       retry ──claim──┘     │
         ^──────────────────┘  a failure that may pass, an outage, a claim cut off

A row is `processing` exactly while a claim holds it, and has `completed_at_ms` exactly when it has
ended; the table's CHECKs say the same. Claims are in `claims.py`. A kind this version does not
know is never claimed and never ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from mnemod.ids import ConversationId, EpochMs, EvidenceId, ItemId, JobId
from mnemod.store.database import Tx

FORMATION: Final = "formation"
"""The kind of job that reads Evidence and forms items."""


class JobState(StrEnum):
    PENDING = "pending"
    PROCESSING = "processing"
    RETRY = "retry"
    DONE = "done"
    NO_CHANGE = "no_change"
    CLARIFICATION = "clarification"
    OUT_OF_SCOPE = "out_of_scope"
    DEAD = "dead"


class Recovery(StrEnum):
    """How a job came back after its worker was cut off. Kept when the job ends."""

    RESTART = "restart_recovered"
    SHUTDOWN = "shutdown_recovered"


class NewJob(Struct, frozen=True):
    """A job about to be stored, due at once."""

    job_id: JobId
    kind: str
    conversation_id: ConversationId | None
    evidence_ids: tuple[EvidenceId, ...]
    created_at_ms: EpochMs


class Job(Struct, frozen=True):
    """A row. `reason` says why it ended, `last_error` why its last attempt failed; both are codes.

    `due_at_ms` is when the next attempt may begin; while `processing`, when the claim was taken.
    """

    seq: int
    job_id: JobId
    kind: str
    state: JobState
    reason: str | None
    attempts: int
    due_at_ms: EpochMs
    last_error: str | None
    recovery: Recovery | None
    conversation_id: ConversationId | None
    created_at_ms: EpochMs
    completed_at_ms: EpochMs | None


_Q_INSERT = """
INSERT INTO job (job_id, kind, state, conversation_id, next_attempt_at_ms, created_at_ms)
VALUES (?, ?, 'pending', ?, ?, ?)
"""

_Q_INSERT_EVIDENCE = "INSERT INTO job_evidence (job_id, evidence_id) VALUES (?, ?)"


def enqueue(tx: Tx, new: NewJob) -> None:
    """Store a job with its Evidence. Ring the account's bell once this has committed."""
    now = new.created_at_ms
    tx.execute(_Q_INSERT, (new.job_id, new.kind, new.conversation_id, now, now))
    for evidence_id in new.evidence_ids:
        tx.execute(_Q_INSERT_EVIDENCE, (new.job_id, evidence_id))


_COLUMNS: Final = """
seq, job_id, kind, state, reason, attempts, next_attempt_at_ms, last_error, recovery,
conversation_id, created_at_ms, completed_at_ms
"""

_Q_BY_ID = f"SELECT {_COLUMNS} FROM job WHERE job_id = :job_id"  # noqa: S608


def by_id(tx: Tx, job_id: str) -> Job | None:
    """One job in any state."""
    row = tx.execute(_Q_BY_ID, {"job_id": job_id}).fetchone()
    return None if row is None else _job(row)


_Q_PAGE = f"""
SELECT {_COLUMNS}
  FROM job
 WHERE seq > :after
   AND (:kind IS NULL OR kind = :kind)
 ORDER BY seq
 LIMIT :limit
"""  # noqa: S608

_Q_PAGE_STATE = f"""
SELECT {_COLUMNS}
  FROM job
 WHERE state = :state
   AND seq > :after
   AND (:kind IS NULL OR kind = :kind)
 ORDER BY seq
 LIMIT :limit
"""  # noqa: S608


def page(
    tx: Tx, *, after: int, limit: int, state: JobState | None = None, kind: str | None = None
) -> list[Job]:
    """Up to `limit` jobs with `seq` above `after`, oldest first."""
    rows = tx.execute(
        _Q_PAGE if state is None else _Q_PAGE_STATE,
        {"after": after, "limit": limit, "state": state and state.value, "kind": kind},
    )
    return [_job(row) for row in rows]


_Q_EVIDENCE_OF = """
SELECT e.evidence_id
  FROM job_evidence j
  JOIN evidence e ON e.evidence_id = j.evidence_id
 WHERE j.job_id = :job_id
 ORDER BY e.seq
"""


def evidence_of(tx: Tx, job_id: JobId) -> tuple[EvidenceId, ...]:
    """The Evidence a job is about, in order of arrival, erased rows too."""
    return tuple(EvidenceId(row[0]) for row in tx.execute(_Q_EVIDENCE_OF, {"job_id": job_id}))


_Q_ITEMS_OF = """
SELECT i.item_id
  FROM job_item j
  JOIN item i ON i.item_id = j.item_id
 WHERE j.job_id = :job_id
 ORDER BY i.seq
"""

_Q_INSERT_ITEM = """
INSERT INTO job_item (job_id, item_id)
VALUES (:job_id, :item_id)
ON CONFLICT DO NOTHING
"""


def items_of(tx: Tx, job_id: JobId) -> tuple[ItemId, ...]:
    """The items a job formed or added to that still exist, in order."""
    return tuple(ItemId(row[0]) for row in tx.execute(_Q_ITEMS_OF, {"job_id": job_id}))


def add_items(tx: Tx, job_id: JobId, item_ids: Sequence[ItemId]) -> None:
    """Record which items came of a job."""
    rows = [{"job_id": job_id, "item_id": item_id} for item_id in item_ids]
    tx.executemany(_Q_INSERT_ITEM, rows)


_Q_OVER = "SELECT job_id FROM job_evidence WHERE evidence_id = :evidence_id"


def over(tx: Tx, evidence_id: EvidenceId) -> list[JobId]:
    """The jobs about this Evidence, in any state."""
    return [JobId(row[0]) for row in tx.execute(_Q_OVER, {"evidence_id": evidence_id})]


_Q_COUNTS = "SELECT state, count(*) FROM job GROUP BY state"


def counts(tx: Tx) -> dict[JobState, int]:
    """How many jobs stand in each state, every state named."""
    found = dict.fromkeys(JobState, 0)
    found.update((JobState(state), count) for state, count in tx.execute(_Q_COUNTS))
    return found


_Q_RETRY_OF = "SELECT prior_job_id, job_id FROM job_retry WHERE request_id = :request_id"

_Q_INSERT_RETRY = """
INSERT INTO job_retry (request_id, prior_job_id, job_id)
VALUES (:request_id, :prior_job_id, :job_id)
"""


def retry_of(tx: Tx, request_id: str) -> tuple[JobId, JobId] | None:
    """The prior and the new job of an earlier `retry_formation` of this request."""
    row = tx.execute(_Q_RETRY_OF, {"request_id": request_id}).fetchone()
    return None if row is None else (JobId(row[0]), JobId(row[1]))


def record_retry(tx: Tx, request_id: str, prior: JobId, new: JobId) -> None:
    """Bind a request to the job it made."""
    row = {"request_id": request_id, "prior_job_id": prior, "job_id": new}
    tx.execute(_Q_INSERT_RETRY, row)


def _job(row: Sequence[Any]) -> Job:
    return Job(
        seq=row[0],
        job_id=JobId(row[1]),
        kind=row[2],
        state=JobState(row[3]),
        reason=row[4],
        attempts=row[5],
        due_at_ms=EpochMs(row[6]),
        last_error=row[7],
        recovery=None if row[8] is None else Recovery(row[8]),
        conversation_id=None if row[9] is None else ConversationId(row[9]),
        created_at_ms=EpochMs(row[10]),
        completed_at_ms=None if row[11] is None else EpochMs(row[11]),
    )
