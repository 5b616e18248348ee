"""The `checkpoint` table: what a model was asked and said, on disk before it is used.

A step of a job is `reserved` before its request is sent, and `completed` with the reply before
anything reads it, so that a crash never buys the same answer twice. All writes need the job's
claim. A row goes with the Evidence it is about (`claims.fence_sources`), and with anything else
its interpreter was shown (`job_contexts`).
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from mnemod.ids import EpochMs, JobId
from mnemod.store import claims
from mnemod.store.claims import Claim
from mnemod.store.database import Tx


class Step(StrEnum):
    FIRST = "first"
    REWRITE = "rewrite"


def name_of(step: Step, part: int) -> str:
    """What a step is called in the table, of the job's first part or a later one."""
    return step.value if part == 0 else f"{step.value}.{part}"


class CheckpointState(StrEnum):
    RESERVED = "reserved"
    COMPLETED = "completed"
    FAILED = "failed"


class Checkpoint(Struct, frozen=True):
    """A step. `usage` is JSON about the reply (see `formation.interpret`); `error` is a code."""

    step: str
    request_hash: str
    state: CheckpointState
    reply: str | None
    usage: str | None
    error: str | None


_Q_FIND = """
SELECT step, request_hash, state, reply, usage, error
  FROM checkpoint
 WHERE job_id = :job_id AND step = :step
"""


def find(tx: Tx, job_id: JobId, step: str) -> Checkpoint | None:
    """What is kept of a step."""
    row = tx.execute(_Q_FIND, {"job_id": job_id, "step": step}).fetchone()
    if row is None:
        return None
    return Checkpoint(row[0], row[1], CheckpointState(row[2]), row[3], row[4], row[5])


_Q_RESERVE = """
INSERT INTO checkpoint (job_id, step, request_hash, state, at_ms)
VALUES (:job_id, :step, :request_hash, 'reserved', :now)
    ON CONFLICT (job_id, step) DO UPDATE
   SET request_hash = :request_hash, state = 'reserved', reply = NULL, usage = NULL, error = NULL,
       at_ms = :now
"""


def reserve(tx: Tx, claim: Claim, step: str, request_hash: str, now: EpochMs) -> None:
    """Say that a request is about to be sent. Raises LeaseLost."""
    claims.require_held(tx, claim, now)
    given = {"job_id": claim.job_id, "step": step, "request_hash": request_hash, "now": now}
    tx.execute(_Q_RESERVE, given)


_Q_COMPLETE = """
UPDATE checkpoint
   SET state = 'completed', reply = :reply, usage = :usage, at_ms = :now
 WHERE job_id = :job_id AND step = :step AND state = 'reserved'
"""


def complete(tx: Tx, claim: Claim, step: str, reply: str, usage: str, now: EpochMs) -> None:
    """Keep the reply to a reserved step. Raises LeaseLost; then the reply is nobody's."""
    claims.progress(tx, claim, now)
    given = {
        "job_id": claim.job_id,
        "step": step,
        "reply": reply,
        "usage": usage,
        "now": now,
    }
    tx.execute(_Q_COMPLETE, given)


_Q_NOTE = "UPDATE checkpoint SET error = :error WHERE job_id = :job_id AND step = :step"


def note_error(tx: Tx, claim: Claim, step: str, error: str, now: EpochMs) -> None:
    """Say why the reply of a step could not be used. Raises LeaseLost."""
    claims.require_held(tx, claim, now)
    tx.execute(_Q_NOTE, {"job_id": claim.job_id, "step": step, "error": error})


_Q_DROP = "DELETE FROM checkpoint WHERE job_id = :job_id AND step = :step"


def release(tx: Tx, claim: Claim, step: str, now: EpochMs) -> None:
    """Take a reservation back: no answer came, so it may be sent again. Raises LeaseLost."""
    claims.require_held(tx, claim, now)
    tx.execute(_Q_DROP, {"job_id": claim.job_id, "step": step})
