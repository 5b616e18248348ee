"""Claims: leases on jobs. What a worker may write, it may write only while its claim holds.

Every statement of a claim repeats its token, its generation and that its lease has not run out;
if one of them is no longer true, nothing changes and LeaseLost is raised. A claim ends by being
settled, sent back for another try, handed back, or revoked:

- `settle`, `fail`, `postpone`: its own worker says how it went;
- `hand_back`: its daemon is leaving, as it was asked to. The attempt is given back, and nothing is
  held against the job;
- `revoke_owner`: it was cut off by a crash. The attempt is given back too, and a job cut off
  `JOB_CUTOFFS_MAX` times in a row without progress is dead (`crash_loop`);
- a lease that ran out costs its attempt: its worker may have hung;
- `fence`: its Evidence is being erased.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import orjson
from msgspec import Struct

from mnemod.config import JOB_CUTOFFS_MAX
from mnemod.errors import LeaseLost
from mnemod.ids import ClaimToken, EpochMs, EvidenceId, JobId, OwnerId
from mnemod.store import job_contexts
from mnemod.store.database import Tx
from mnemod.store.jobs import JobState, Recovery

LEASE_EXPIRED: Final = "lease_expired"
EXHAUSTED: Final = "max_attempts_exhausted"
CRASH_LOOP: Final = "crash_loop"
ERASED: Final = "evidence_erased"


class Claim(Struct, frozen=True):
    """A lease on one job. `attempts` counts this one; `outages` are those in a row before it."""

    job_id: JobId
    kind: str
    token: ClaimToken
    generation: int
    attempts: int
    outages: int


class Claimant(Struct, frozen=True):
    """Who asks for work: its owner id, a fresh token, the kinds it knows, and its lease.

    `wait_max_ms` is the longest that a job is ever sent back to wait.
    """

    owner: OwnerId
    token: ClaimToken
    kinds: Collection[str]
    lease_ms: int
    attempts_max: int
    wait_max_ms: int


# A job is due at once when it is new, and never later than the longest wait. One that says
# otherwise was written by a clock that was ahead, and would sleep until that time comes.
_Q_CALL_BACK = """
UPDATE job
   SET next_attempt_at_ms = :now
 WHERE state IN ('pending', 'retry')
   AND next_attempt_at_ms > :now
   AND (state = 'pending' OR next_attempt_at_ms > :now + :wait_max_ms)
   AND kind IN (SELECT value FROM json_each(:kinds))
"""

_Q_EXPIRE = """
UPDATE job
   SET state = 'retry', last_error = :expired, next_attempt_at_ms = :now,
       claim_owner = NULL, claim_token = NULL, lease_expires_at_ms = NULL
 WHERE state = 'processing'
   AND lease_expires_at_ms <= :now
   AND kind IN (SELECT value FROM json_each(:kinds))
RETURNING job_id
"""

_Q_EXHAUST = """
UPDATE job
   SET state = 'dead', reason = coalesce(last_error, :exhausted), completed_at_ms = :now
 WHERE state IN ('pending', 'retry')
   AND attempts >= :attempts_max
   AND kind IN (SELECT value FROM json_each(:kinds))
RETURNING job_id
"""

_Q_CLAIM = """
UPDATE job
   SET state = 'processing', attempts = attempts + 1, generation = generation + 1,
       next_attempt_at_ms = :now, claim_owner = :owner, claim_token = :token,
       lease_expires_at_ms = :now + :lease_ms
 WHERE job_id = (
       SELECT job_id
         FROM job
        WHERE state IN ('pending', 'retry')
          AND next_attempt_at_ms <= :now
          AND kind IN (SELECT value FROM json_each(:kinds))
        ORDER BY next_attempt_at_ms, seq
        LIMIT 1)
RETURNING job_id, kind, generation, attempts, outages
"""


class Claimed(Struct, frozen=True):
    """What asking gave: a claim or None, and the jobs whose state asking changed besides."""

    claim: Claim | None
    changed: tuple[JobId, ...]


def claim(tx: Tx, claimant: Claimant, now: EpochMs) -> Claimed:
    """Take the oldest due job.

    First every lease that ran out is ended, and every job that has no attempt left; and a job that
    waits for a time no wait can reach, since the clock was set back, is due now.
    """
    given = {
        "now": now,
        "owner": claimant.owner,
        "token": claimant.token,
        "lease_ms": claimant.lease_ms,
        "attempts_max": claimant.attempts_max,
        "wait_max_ms": claimant.wait_max_ms,
        "kinds": orjson.dumps(list(claimant.kinds)).decode(),
        "expired": LEASE_EXPIRED,
        "exhausted": EXHAUSTED,
    }
    tx.execute(_Q_CALL_BACK, given)
    expired = tx.execute(_Q_EXPIRE, given).fetchall()
    exhausted = tx.execute(_Q_EXHAUST, given).fetchall()
    taken = tx.execute(_Q_CLAIM, given).fetchall()
    changed = tuple(dict.fromkeys(JobId(job_id) for (job_id,) in (*expired, *exhausted)))
    for job_id, kind, generation, attempts, outages in taken:
        held = Claim(JobId(job_id), kind, claimant.token, generation, attempts, outages)
        return Claimed(held, changed)
    return Claimed(None, changed)


_HELD: Final = """
       state = 'processing' AND job_id = :job_id AND claim_token = :token
   AND generation = :generation AND lease_expires_at_ms > :now
"""

_FREE: Final = "claim_owner = NULL, claim_token = NULL, lease_expires_at_ms = NULL"

_Q_HELD = f"SELECT 1 FROM job WHERE {_HELD}"  # noqa: S608


def require_held(tx: Tx, claim: Claim, now: EpochMs) -> None:
    """Raise LeaseLost unless the claim still holds."""
    if tx.execute(_Q_HELD, _fence(claim, now)).fetchone() is None:
        raise LeaseLost


_Q_RENEW = f"""
UPDATE job
   SET lease_expires_at_ms = :now + :lease_ms
 WHERE {_HELD}
"""  # noqa: S608


def renew(tx: Tx, claim: Claim, now: EpochMs, lease_ms: int) -> None:
    """Let the lease run for `lease_ms` from now. Raises LeaseLost if it ran out before."""
    _require_one(tx, _Q_RENEW, {**_fence(claim, now), "lease_ms": lease_ms})


_Q_PROGRESS = f"""
UPDATE job
   SET cutoffs = 0, outages = 0
 WHERE {_HELD}
"""  # noqa: S608


def progress(tx: Tx, claim: Claim, now: EpochMs) -> None:
    """Something was gained that no crash takes away: outages and cut-offs are counted anew."""
    _require_one(tx, _Q_PROGRESS, _fence(claim, now))


_Q_SETTLE = f"""
UPDATE job
   SET state = :state, reason = :reason, completed_at_ms = :now, {_FREE}
 WHERE {_HELD}
"""  # noqa: S608


def settle(tx: Tx, claim: Claim, state: JobState, reason: str | None, now: EpochMs) -> None:
    """End the job. Raises LeaseLost, changing nothing, if the claim no longer holds."""
    ended = {**_fence(claim, now), "state": state.value, "reason": reason}
    _require_one(tx, _Q_SETTLE, ended)


_Q_FAIL = f"""
UPDATE job
   SET state = 'retry', last_error = :error, next_attempt_at_ms = :now + :wait_ms, {_FREE}
 WHERE {_HELD}
"""  # noqa: S608


def fail(tx: Tx, claim: Claim, error: str, wait_ms: int | None, now: EpochMs) -> None:
    """The attempt failed: try again after `wait_ms`, or, if it is None, never."""
    if wait_ms is None:
        settle(tx, claim, JobState.DEAD, error, now)
    else:
        _require_one(tx, _Q_FAIL, {**_fence(claim, now), "error": error, "wait_ms": wait_ms})


_Q_POSTPONE = f"""
UPDATE job
   SET state = 'retry', last_error = :error, next_attempt_at_ms = :now + :wait_ms,
       attempts = attempts - 1, outages = outages + 1, {_FREE}
 WHERE {_HELD}
"""  # noqa: S608


def postpone(tx: Tx, claim: Claim, error: str, wait_ms: int, now: EpochMs) -> None:
    """The provider is away: try again after `wait_ms`; the attempt does not count."""
    _require_one(tx, _Q_POSTPONE, {**_fence(claim, now), "error": error, "wait_ms": wait_ms})


_GIVEN_BACK: Final = f"""
       attempts = max(attempts - 1, 0), recovery = :recovery, next_attempt_at_ms = :now, {_FREE}
"""

_Q_HAND_BACK = f"""
UPDATE job
   SET state = 'retry', {_GIVEN_BACK}
 WHERE {_HELD}
"""  # noqa: S608


def hand_back(tx: Tx, claim: Claim, now: EpochMs) -> None:
    """Give the job up because the daemon is leaving: due at once, the attempt not counted."""
    _require_one(tx, _Q_HAND_BACK, {**_fence(claim, now), "recovery": Recovery.SHUTDOWN.value})


_Q_OWNERS = "SELECT DISTINCT claim_owner FROM job WHERE state = 'processing'"


def owners(tx: Tx) -> list[OwnerId]:
    """Who holds claims."""
    return [OwnerId(row[0]) for row in tx.execute(_Q_OWNERS)]


_Q_REVOKE = f"""
UPDATE job
   SET state = iif(cutoffs + 1 >= :cutoffs_max, 'dead', 'retry'),
       reason = iif(cutoffs + 1 >= :cutoffs_max, :crash_loop, NULL),
       completed_at_ms = iif(cutoffs + 1 >= :cutoffs_max, :now, NULL),
       cutoffs = cutoffs + 1, {_GIVEN_BACK}
 WHERE state = 'processing' AND claim_owner = :owner
RETURNING job_id
"""  # noqa: S608


def revoke_owner(tx: Tx, owner: OwnerId, recovery: Recovery, now: EpochMs) -> list[JobId]:
    """Take back every claim of an owner that is gone, whatever its leases say. Returns the jobs."""
    given = {
        "owner": owner,
        "now": now,
        "recovery": recovery.value,
        "cutoffs_max": JOB_CUTOFFS_MAX,
        "crash_loop": CRASH_LOOP,
    }
    return [JobId(row[0]) for row in tx.execute(_Q_REVOKE, given).fetchall()]


_Q_NEXT_DUE = """
SELECT min(due)
  FROM (SELECT next_attempt_at_ms AS due
          FROM job
         WHERE state IN ('pending', 'retry')
           AND kind IN (SELECT value FROM json_each(:kinds))
        UNION ALL
        SELECT lease_expires_at_ms
          FROM job
         WHERE state = 'processing'
           AND kind IN (SELECT value FROM json_each(:kinds)))
"""


def next_due(tx: Tx, kinds: Collection[str]) -> EpochMs | None:
    """When there will next be something to claim, as far as the rows say; None if never."""
    given = {"kinds": orjson.dumps(list(kinds)).decode()}
    due = tx.execute(_Q_NEXT_DUE, given).fetchone()[0]
    return None if due is None else EpochMs(due)


_Q_FENCE = f"""
UPDATE job
   SET state = iif(:left, iif(state = 'processing', 'retry', state), 'dead'),
       reason = iif(:left, NULL, :erased),
       completed_at_ms = iif(:left, NULL, :now),
       attempts = max(attempts - (state = 'processing'), 0),
       next_attempt_at_ms = iif(state = 'processing', :now, next_attempt_at_ms), {_FREE}
 WHERE job_id = :job_id AND state IN ('pending', 'retry', 'processing')
"""  # noqa: S608

_Q_HAS_OTHER_EVIDENCE = """
SELECT 1
  FROM job_evidence j
  JOIN evidence e ON e.evidence_id = j.evidence_id
 WHERE j.job_id = :job_id
   AND e.erased_at_ms IS NULL
   AND e.evidence_id NOT IN (SELECT value FROM json_each(:going))
 LIMIT 1
"""

_Q_JOBS_OVER = """
SELECT DISTINCT job_id FROM job_evidence WHERE evidence_id IN (SELECT value FROM json_each(:going))
"""


def fence_sources(tx: Tx, evidence_ids: Collection[EvidenceId], now: EpochMs) -> list[JobId]:
    """Shut out every job about Evidence that is going, and drop what models said about it.

    A job with no other Evidence is dead (`evidence_erased`); one with some is due again, without
    its present worker. Call it before the Evidence is erased. Returns the jobs touched.
    """
    going = orjson.dumps(list(evidence_ids)).decode()
    touched = [JobId(row[0]) for row in tx.execute(_Q_JOBS_OVER, {"going": going}).fetchall()]
    for job_id in touched:
        here = {"job_id": job_id, "going": going, "erased": ERASED, "now": now}
        left = tx.execute(_Q_HAS_OTHER_EVIDENCE, here).fetchone() is not None
        tx.execute(_Q_FENCE, {**here, "left": left})
        job_contexts.drop_answers(tx, job_id)
    return touched


def _fence(claim: Claim, now: EpochMs) -> dict[str, Any]:
    return {
        "job_id": claim.job_id,
        "token": claim.token,
        "generation": claim.generation,
        "now": now,
    }


def _require_one(tx: Tx, query: str, given: dict[str, Any]) -> None:
    if tx.execute(query, given).rowcount != 1:
        raise LeaseLost
