"""Showing background work, and trying again what ended without effect.

Nothing here shows a word that was said. A retry is a new job over the same Evidence; the ended row
stays byte for byte as it is.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from mnemod.accounts import Account
from mnemod.errors import (
    CommandIdConflict,
    HardDeletedSource,
    JobNotRetryable,
    NotFound,
)
from mnemod.ids import JOB, EpochMs, EvidenceId, ItemId, JobId, WorldRevision
from mnemod.services.pages import fill
from mnemod.store import evidence, jobs, meta
from mnemod.store.database import Tx
from mnemod.store.jobs import Job, JobState, NewJob
from mnemod.worker_sign import WorkerState

RETRYABLE = (JobState.DEAD, JobState.NO_CHANGE)


class ShownJob(Struct, frozen=True):
    """A job with what it is about and what came of it. `claimed_for_ms` while a claim holds it."""

    job: Job
    evidence_ids: tuple[EvidenceId, ...]
    item_ids: tuple[ItemId, ...]
    claimed_for_ms: int | None


class WorkerView(Struct, frozen=True):
    """Whether jobs are worked on, and if not, why: a stable code."""

    state: WorkerState
    reason: str | None


class Summary(Struct, frozen=True):
    """Where all jobs of the account stand."""

    worker: WorkerView
    counts: Mapping[JobState, int]
    world_revision: WorldRevision


class Retried(Struct, frozen=True):
    """The new job of a retry, the job it follows, and whether this request was answered before."""

    shown: ShownJob
    prior_job_id: JobId
    replayed: bool
    world_revision: WorldRevision


class Wanted(Struct, frozen=True):
    """Which jobs a list asks for. `after` is a `seq`, 0 for the first."""

    after: int
    limit: int
    state: JobState | None = None
    kind: str | None = None


async def summary(account: Account) -> Summary:
    """The worker and the counts by state."""
    return await account.db.read(lambda tx: _summary(tx, account))


async def list_jobs(
    account: Account, wanted: Wanted
) -> tuple[tuple[ShownJob, ...], int | None, Summary]:
    """Jobs oldest first, and where the next page begins, which is None at the end."""
    now = account.now()

    def read(tx: Tx) -> tuple[tuple[ShownJob, ...], int | None, Summary]:
        rows, next_after = fill(
            lambda after, limit: jobs.page(
                tx, after=after, limit=limit, state=wanted.state, kind=wanted.kind
            ),
            lambda job: job.seq,
            wanted.after,
            wanted.limit,
        )
        shown = tuple(_shown(tx, job, now) for job in rows)
        return shown, next_after, _summary(tx, account)

    return await account.db.read(read)


async def get_job(account: Account, job_id: JobId) -> tuple[ShownJob, Summary]:
    """One job in any state. Raises NotFound."""
    now = account.now()

    def read(tx: Tx) -> tuple[ShownJob, Summary]:
        return _shown(tx, _require(tx, job_id), now), _summary(tx, account)

    return await account.db.read(read)


async def retry_formation(account: Account, job_id: JobId, request_id: str) -> Retried:
    """Form the Evidence of an ended job again, once for each request.

    Raises NotFound, JobNotRetryable unless the job is dead or changed nothing, HardDeletedSource
    if all its Evidence was erased, CommandIdConflict if the request was for another job.
    """
    now = account.now()
    new_id = JobId(account.mint(JOB))

    def tell() -> None:
        account.bell.ring()
        account.job_changes.publish(new_id, new_id)

    return await account.db.write(
        lambda tx: _retry(tx, job_id, request_id, new_id, now), after_commit=tell
    )


def _retry(tx: Tx, job_id: JobId, request_id: str, new_id: JobId, now: EpochMs) -> Retried:
    earlier = jobs.retry_of(tx, request_id)
    if earlier is not None:
        return _replayed(tx, earlier, job_id, now)
    prior = _require(tx, job_id)
    if prior.kind != jobs.FORMATION or prior.state not in RETRYABLE:
        raise JobNotRetryable("$.job_id", state=prior.state.value)
    left = tuple(
        row.evidence_id
        for row in evidence.by_ids(tx, jobs.evidence_of(tx, job_id)).values()
        if row.erased_at_ms is None
    )
    if not left:
        raise HardDeletedSource("$.job_id")
    jobs.enqueue(tx, NewJob(new_id, prior.kind, prior.conversation_id, left, now))
    jobs.record_retry(tx, request_id, job_id, new_id)
    new = _shown(tx, _require(tx, new_id), now)
    return Retried(new, job_id, False, meta.world_revision(tx))


def _replayed(tx: Tx, earlier: tuple[JobId, JobId], job_id: JobId, now: EpochMs) -> Retried:
    prior_id, made_id = earlier
    if prior_id != job_id:
        raise CommandIdConflict("$.request_id")
    made = _shown(tx, _require(tx, made_id), now)
    return Retried(made, prior_id, True, meta.world_revision(tx))


def _require(tx: Tx, job_id: JobId) -> Job:
    job = jobs.by_id(tx, job_id)
    if job is None:
        raise NotFound("$.job_id")
    return job


def _shown(tx: Tx, job: Job, now: EpochMs) -> ShownJob:
    held = max(now - job.due_at_ms, 0) if job.state is JobState.PROCESSING else None
    return ShownJob(job, jobs.evidence_of(tx, job.job_id), jobs.items_of(tx, job.job_id), held)


def _summary(tx: Tx, account: Account) -> Summary:
    worker = WorkerView(account.worker.state, account.worker.reason)
    return Summary(worker, jobs.counts(tx), meta.world_revision(tx))
