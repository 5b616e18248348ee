"""`query_jobs` and `retry_formation`: where background work stands, and trying again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from mnemod.accounts import Account
from mnemod.ids import JobId
from mnemod.rpc import generated as wire
from mnemod.rpc.calls import Call
from mnemod.rpc.methods import shapes
from mnemod.services import jobs as service
from mnemod.services.jobs import ShownJob, Summary
from mnemod.store.jobs import JobState

_WAITING: Final = (JobState.PENDING, JobState.RETRY)


async def query_jobs(call: Call[Account], params: wire.QueryJobsParams) -> wire.QueryJobsResult:
    """All jobs in order, one, or the counts alone; always with the worker's state."""
    if params.operation == "summary":
        return _result(await service.summary(call.account))
    if params.operation == "get":
        job_id = JobId(shapes.required(params.job_id, "$.job_id"))
        shown, summary = await service.get_job(call.account, job_id)
        return _result(summary, job=job_row(shown))
    state = None if params.state is None else JobState(params.state)
    wanted = service.Wanted(
        shapes.after(params.cursor), shapes.limit(params.limit), state, params.kind
    )
    found, next_after, summary = await service.list_jobs(call.account, wanted)
    jobs = [job_row(shown) for shown in found]
    return _result(summary, jobs=jobs, next_cursor=shapes.cursor(next_after))


async def retry_formation(
    call: Call[Account], params: wire.RetryFormationParams
) -> wire.RetryFormationResult:
    """A new job over the same Evidence."""
    made = await service.retry_formation(call.account, params.job_id, params.request_id)
    return {
        "job": job_row(made.shown),
        "prior_job_id": made.prior_job_id,
        "replayed": made.replayed,
        "world_revision": made.world_revision,
    }


def job_row(shown: ShownJob) -> wire.JobRow:
    """A job; `next_attempt_at` stands while it waits, `claimed_for_ms` while it is worked on."""
    job = shown.job
    row = {
        "job_id": job.job_id,
        "kind": job.kind,
        "state": job.state.value,
        "reason": job.reason,
        "attempts": job.attempts,
        "next_attempt_at": shapes.instant(job.due_at_ms) if job.state in _WAITING else None,
        "last_error": job.last_error,
        "recovery": None if job.recovery is None else job.recovery.value,
        "claimed_for_ms": shown.claimed_for_ms,
        "evidence_ids": list(shown.evidence_ids),
        "item_ids": list(shown.item_ids),
        "created_at": shapes.instant(job.created_at_ms),
        "completed_at": shapes.instant(job.completed_at_ms),
    }
    return cast("wire.JobRow", shapes.present(row))


def worker_row(summary: Summary) -> wire.Worker:
    """Whether jobs are worked on."""
    row = {"state": summary.worker.state.value, "reason": summary.worker.reason}
    return cast("wire.Worker", shapes.present(row))


def _result(summary: Summary, **members: Any) -> wire.QueryJobsResult:
    counts: Mapping[str, int] = {state.value: n for state, n in summary.counts.items()}
    shared = {
        "worker": worker_row(summary),
        "counts": counts,
        "world_revision": summary.world_revision,
    }
    return cast("wire.QueryJobsResult", shapes.present({**members, **shared}))


HANDLERS: Final = {"query_jobs": query_jobs, "retry_formation": retry_formation}
