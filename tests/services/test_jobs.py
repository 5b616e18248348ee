"""Showing jobs and forming again: what a host sees, and what stays as it was."""

from __future__ import annotations

import pytest
import trio

from mnemod.accounts import Account
from mnemod.errors import CommandIdConflict, HardDeletedSource, JobNotRetryable, NotFound
from mnemod.ids import EpochMs, JobId
from mnemod.services import jobs as service
from mnemod.services.jobs import Wanted, retry_formation
from mnemod.store import claims, evidence
from mnemod.store.jobs import JobState
from mnemod.worker_sign import WorkerState
from tests.support.builders import Clock, say
from tests.support.formation import all_jobs, claimed, job


async def ended(account: Account, state: JobState, event: str = "e1") -> JobId:
    """A job that has ended in this state."""
    await say(account, f"I like tea {event}.", event=event)
    claim = await claimed(account)
    now = account.now()
    await account.db.write(lambda tx: claims.settle(tx, claim, state, "because", now))
    return claim.job_id


async def raw(account: Account, job_id: JobId) -> object:
    query = "SELECT * FROM job WHERE job_id = ?"
    return await account.db.read(lambda tx: tx.execute(query, (job_id,)).fetchone())


async def test_a_job_shows_its_sources_and_its_age_and_no_text(
    account: Account, clock: Clock
) -> None:
    # B149
    accepted = await say(account, "My code word is heron.")
    claim = await claimed(account)
    clock.forward(1_500)

    shown = await job(account, claim.job_id)

    assert shown.evidence_ids == (accepted.evidence[0].evidence_id,)
    assert (shown.job.state, shown.claimed_for_ms) == (JobState.PROCESSING, 1_500)
    assert "heron" not in repr(shown)


async def test_a_renewed_claim_is_as_old_as_its_beginning(account: Account, clock: Clock) -> None:
    await say(account, "I like tea.")
    claim = await claimed(account)
    clock.forward(60_000)
    await account.db.write(lambda tx: claims.renew(tx, claim, account.now(), 300_000))
    clock.forward(60_000)

    assert (await job(account, claim.job_id)).claimed_for_ms == 120_000


async def test_jobs_are_listed_in_pages(account: Account) -> None:
    first = await ended(account, JobState.DEAD, "e1")
    second = await ended(account, JobState.DONE, "e2")
    third = await ended(account, JobState.DEAD, "e3")

    page, cursor, summary = await service.list_jobs(account, Wanted(0, 2))
    rest, end, _ = await service.list_jobs(account, Wanted(cursor or 0, 2))
    dead, _, _ = await service.list_jobs(account, Wanted(0, 9, state=JobState.DEAD))
    other, _, _ = await service.list_jobs(account, Wanted(0, 9, kind="dream"))

    assert [shown.job.job_id for shown in (*page, *rest)] == [first, second, third]
    assert end is None
    assert [shown.job.job_id for shown in dead] == [first, third]
    assert other == ()
    assert summary.counts[JobState.DEAD] == 2


async def test_the_summary_says_whether_anybody_works(account: Account) -> None:
    account.worker.stopped("interpreter_none")

    summary = await service.summary(account)

    assert (summary.worker.state, summary.worker.reason) == (
        WorkerState.STOPPED,
        "interpreter_none",
    )


async def test_query_jobs_not_found(account: Account) -> None:
    with pytest.raises(NotFound):
        await service.get_job(account, JobId("jb_x"))


@pytest.mark.parametrize("state", [JobState.DEAD, JobState.NO_CHANGE])
async def test_a_job_without_effect_is_formed_again_by_a_new_one(
    account: Account, state: JobState
) -> None:
    # B149
    old = await ended(account, state)
    before = await raw(account, old)

    made = await retry_formation(account, old, "r1")

    assert (made.shown.job.state, made.prior_job_id, made.replayed) == (
        JobState.PENDING,
        old,
        False,
    )
    assert made.shown.evidence_ids == (await job(account, old)).evidence_ids
    assert await raw(account, old) == before
    assert (await claimed(account)).job_id == made.shown.job.job_id


async def test_the_same_request_makes_one_job(account: Account) -> None:
    old = await ended(account, JobState.DEAD)
    first = await retry_formation(account, old, "r1")

    again = await retry_formation(account, old, "r1")

    assert (again.shown, again.replayed) == (first.shown, True)
    assert len(await all_jobs(account)) == 2


async def test_a_retry_wakes_the_workers_and_is_told(account: Account) -> None:
    old = await ended(account, JobState.DEAD)
    await account.bell.wait()
    listening = account.job_changes.subscribe()

    made = await retry_formation(account, old, "r1")

    with trio.fail_after(1):
        await account.bell.wait()
    _, change = await listening.take()
    assert change.value == made.shown.job.job_id


@pytest.mark.parametrize("state", [JobState.DONE, JobState.CLARIFICATION, JobState.OUT_OF_SCOPE])
async def test_retry_formation_job_not_retryable(account: Account, state: JobState) -> None:
    with pytest.raises(JobNotRetryable):
        await retry_formation(account, await ended(account, state), "r1")


async def test_a_job_under_way_is_not_retryable(account: Account) -> None:
    await say(account, "I like tea.")
    claim = await claimed(account)
    with pytest.raises(JobNotRetryable):
        await retry_formation(account, claim.job_id, "r1")


async def test_retry_formation_not_found(account: Account) -> None:
    with pytest.raises(NotFound):
        await retry_formation(account, JobId("jb_x"), "r1")


async def test_retry_formation_hard_deleted_source(account: Account) -> None:
    old = await ended(account, JobState.DEAD)
    (evidence_id,) = (await job(account, old)).evidence_ids
    await account.db.write(lambda tx: evidence.erase(tx, evidence_id, EpochMs(1)))

    with pytest.raises(HardDeletedSource):
        await retry_formation(account, old, "r1")
    assert len(await all_jobs(account)) == 1


async def test_retry_formation_command_id_conflict(account: Account) -> None:
    one = await ended(account, JobState.DEAD, "e1")
    other = await ended(account, JobState.DEAD, "e2")
    await retry_formation(account, one, "r1")

    with pytest.raises(CommandIdConflict):
        await retry_formation(account, other, "r1")
