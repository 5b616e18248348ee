"""Claims on a real file: what the statements promise, and what the table refuses."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from mnemod.accounts import Account
from mnemod.config import JOB_CUTOFFS_MAX, LEASE_MS
from mnemod.errors import LeaseLost
from mnemod.ids import EpochMs, EvidenceId, JobId, OwnerId
from mnemod.store import checkpoints, claims, evidence, jobs
from mnemod.store._sqlite import Error
from mnemod.store.checkpoints import Step
from mnemod.store.claims import Claim
from mnemod.store.database import Tx
from mnemod.store.jobs import Job, JobState, NewJob, Recovery
from tests.support.builders import NOON, Clock, open_account, say
from tests.support.formation import claim_next, claimant, claimed

OTHER = OwnerId("f" * 32)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def account(tmp_path: Path, clock: Clock) -> AsyncIterator[Account]:
    async with open_account(tmp_path, clock=clock) as opened:
        yield opened


async def row(account: Account, job_id: JobId) -> Job:
    found = await account.db.read(lambda tx: jobs.by_id(tx, job_id))
    assert found is not None
    return found


async def one_job(account: Account, text: str = "I grow leeks.", event: str = "e1") -> JobId:
    accepted = await say(account, text, event=event)
    assert accepted.job_id is not None
    return accepted.job_id


async def settle(account: Account, claim: Claim, state: JobState = JobState.DONE) -> None:
    now = account.now()
    await account.db.write(lambda tx: claims.settle(tx, claim, state, None, now))


async def fail(account: Account, claim: Claim, wait_ms: int | None) -> None:
    now = account.now()
    await account.db.write(lambda tx: claims.fail(tx, claim, "internal", wait_ms, now))


async def revoke(account: Account, owner: OwnerId) -> list[JobId]:
    now = account.now()
    return await account.db.write(lambda tx: claims.revoke_owner(tx, owner, Recovery.RESTART, now))


async def test_the_oldest_due_job_is_claimed_first(account: Account, clock: Clock) -> None:
    first = await one_job(account, event="e1")
    clock.forward(1)
    second = await one_job(account, event="e2")

    claim = await claimed(account)
    other = await claimed(account)

    assert (claim.job_id, other.job_id) == (first, second)
    assert (claim.attempts, claim.generation) == (1, 1)
    assert await claim_next(account) is None


async def test_a_claimed_job_is_nobody_elses(account: Account) -> None:
    await one_job(account)
    await claimed(account)

    assert await claim_next(account, OTHER) is None


async def test_a_job_that_waits_is_not_claimed_before_its_time(
    account: Account, clock: Clock
) -> None:
    await one_job(account)
    await fail(account, await claimed(account), wait_ms=5_000)

    clock.forward(4_999)
    assert await claim_next(account) is None
    clock.forward(1)
    assert (await claimed(account)).attempts == 2


async def test_a_new_job_of_a_clock_that_was_ahead_is_due_all_the_same(
    account: Account, clock: Clock
) -> None:
    clock.forward(1_000)
    job_id = await one_job(account)

    clock.forward(-1_000)
    assert (await claimed(account)).job_id == job_id


async def test_a_job_waits_no_longer_than_the_longest_wait_when_the_clock_is_set_back(
    account: Account, clock: Clock
) -> None:
    longest_ms = claimant(account).wait_max_ms
    await one_job(account)
    await fail(account, await claimed(account), wait_ms=longest_ms)

    assert await claim_next(account) is None
    clock.forward(-1)
    assert (await claimed(account)).attempts == 2


async def test_a_worker_that_slept_through_its_lease_cannot_settle(
    account: Account, clock: Clock
) -> None:
    job_id = await one_job(account)
    slow = await claimed(account)
    clock.forward(LEASE_MS)
    quick = await claimed(account, OTHER)

    assert (quick.job_id, quick.generation) == (slow.job_id, slow.generation + 1)
    with pytest.raises(LeaseLost):
        await settle(account, slow)
    assert (await row(account, job_id)).state is JobState.PROCESSING


async def test_a_lease_that_ran_out_lets_nothing_be_written_even_if_nobody_took_it(
    account: Account, clock: Clock
) -> None:
    await one_job(account)
    claim = await claimed(account)
    clock.forward(LEASE_MS)

    with pytest.raises(LeaseLost):
        await settle(account, claim)
    with pytest.raises(LeaseLost):
        await account.db.write(lambda tx: claims.renew(tx, claim, account.now(), LEASE_MS))


@pytest.mark.parametrize("forged", [{"token": "tk_x"}, {"generation": 7}, {"job_id": "jb_x"}])
async def test_a_claim_holds_only_with_its_own_token_generation_and_job(
    account: Account, forged: dict[str, Any]
) -> None:
    await one_job(account)
    claim = await claimed(account)

    with pytest.raises(LeaseLost):
        await settle(account, replace(claim, **forged))
    await settle(account, claim)


async def test_a_renewed_lease_holds_past_its_first_end(account: Account, clock: Clock) -> None:
    # C032: the holder renews, so the other recovers nothing.
    job_id = await one_job(account)
    claim = await claimed(account)
    clock.forward(LEASE_MS - 1)
    await account.db.write(lambda tx: claims.renew(tx, claim, account.now(), LEASE_MS))
    clock.forward(LEASE_MS - 1)

    assert await claim_next(account, OTHER) is None
    await settle(account, claim)
    assert (await row(account, job_id)).state is JobState.DONE


async def test_an_expired_lease_costs_its_attempt_and_says_so(
    account: Account, clock: Clock
) -> None:
    job_id = await one_job(account)
    await claimed(account)
    clock.forward(LEASE_MS)

    again = await claimed(account)

    assert again.attempts == 2
    assert (await row(account, job_id)).last_error == claims.LEASE_EXPIRED


async def test_a_job_without_an_attempt_left_is_dead_with_its_last_error(
    account: Account, clock: Clock
) -> None:
    job_id = await one_job(account)
    await claimed(account)
    clock.forward(LEASE_MS)
    await claimed(account)
    clock.forward(LEASE_MS)
    await claimed(account)
    clock.forward(LEASE_MS)
    await claimed(account)
    clock.forward(LEASE_MS)

    asked = await account.db.write(lambda tx: claims.claim(tx, claimant(account), account.now()))

    assert asked.claim is None
    assert asked.changed == (job_id,)
    ended = await row(account, job_id)
    assert (ended.state, ended.reason) == (JobState.DEAD, claims.LEASE_EXPIRED)
    assert ended.completed_at_ms == account.now()


async def test_a_failure_without_a_wait_ends_the_job(account: Account) -> None:
    job_id = await one_job(account)
    await fail(account, await claimed(account), wait_ms=None)

    ended = await row(account, job_id)
    assert (ended.state, ended.reason) == (JobState.DEAD, "internal")


async def test_an_outage_gives_the_attempt_back_and_is_counted(account: Account) -> None:
    job_id = await one_job(account)
    claim = await claimed(account)
    await account.db.write(lambda tx: claims.postpone(tx, claim, "http_429", 0, account.now()))

    waiting = await row(account, job_id)
    assert (waiting.state, waiting.attempts, waiting.last_error) == (
        JobState.RETRY,
        0,
        "http_429",
    )
    assert (await claimed(account)).outages == 1


async def test_progress_counts_outages_and_cut_offs_anew(account: Account) -> None:
    await one_job(account)
    claim = await claimed(account)
    await account.db.write(lambda tx: claims.postpone(tx, claim, "x", 0, account.now()))
    second = await claimed(account)
    await account.db.write(lambda tx: claims.progress(tx, second, account.now()))
    await account.db.write(lambda tx: claims.hand_back(tx, second, account.now()))

    assert (await claimed(account)).outages == 0


async def test_a_dead_owners_claim_comes_back_at_once_with_its_attempt(
    account: Account,
) -> None:
    # C031
    job_id = await one_job(account)
    await claimed(account, OTHER)

    assert await revoke(account, OTHER) == [job_id]

    back = await row(account, job_id)
    assert (back.state, back.attempts, back.recovery) == (JobState.RETRY, 0, Recovery.RESTART)
    assert (await claimed(account)).attempts == 1


async def test_another_owners_claim_is_left_alone(account: Account) -> None:
    await one_job(account)
    await claimed(account)

    assert await revoke(account, OTHER) == []
    assert await account.db.read(claims.owners) == [account.owner_id]


async def test_a_recovered_claims_old_worker_writes_nothing(account: Account) -> None:
    # C037
    await one_job(account)
    old = await claimed(account, OTHER)
    await revoke(account, OTHER)
    new = await claimed(account)

    for statement in (
        lambda tx: claims.settle(tx, old, JobState.DONE, None, account.now()),
        lambda tx: claims.renew(tx, old, account.now(), LEASE_MS),
        lambda tx: claims.hand_back(tx, old, account.now()),
        lambda tx: checkpoints.reserve(tx, old, Step.FIRST, "h", account.now()),
    ):
        with pytest.raises(LeaseLost):
            await account.db.write(statement)
    await settle(account, new)


async def test_a_job_that_is_always_cut_off_is_dead_and_says_crash_loop(
    account: Account,
) -> None:
    job_id = await one_job(account)
    for _ in range(JOB_CUTOFFS_MAX):
        await claimed(account, OTHER)
        await revoke(account, OTHER)

    ended = await row(account, job_id)
    assert (ended.state, ended.reason) == (JobState.DEAD, claims.CRASH_LOOP)
    assert await claim_next(account) is None


async def test_a_daemon_that_leaves_in_order_holds_nothing_against_its_job(
    account: Account,
) -> None:
    job_id = await one_job(account)
    for _ in range(JOB_CUTOFFS_MAX):
        claim = await claimed(account)
        await account.db.write(lambda tx, held=claim: claims.hand_back(tx, held, account.now()))

    back = await row(account, job_id)
    assert (back.state, back.attempts) == (JobState.RETRY, 0)
    assert await claim_next(account) is not None


async def test_progress_between_cut_offs_is_no_crash_loop(account: Account) -> None:
    job_id = await one_job(account)
    for _ in range(JOB_CUTOFFS_MAX):
        claim = await claimed(account, OTHER)
        await account.db.write(lambda tx, held=claim: claims.progress(tx, held, account.now()))
        await revoke(account, OTHER)

    assert (await row(account, job_id)).state is JobState.RETRY


async def test_recovery_stays_visible_until_the_job_has_ended(account: Account) -> None:
    job_id = await one_job(account)
    claim = await claimed(account)
    await account.db.write(lambda tx: claims.hand_back(tx, claim, account.now()))
    again = await claimed(account)

    assert (await row(account, job_id)).recovery is Recovery.SHUTDOWN
    await settle(account, again)
    assert (await row(account, job_id)).recovery is Recovery.SHUTDOWN


async def test_a_kind_this_version_does_not_know_is_left_alone(
    account: Account, clock: Clock
) -> None:
    accepted = await say(account, "I grow leeks.")
    mine = await claimed(account)
    await settle(account, mine)
    strange = NewJob(
        JobId("jb_x"), "dream", None, (accepted.evidence[0].evidence_id,), account.now()
    )
    await account.db.write(lambda tx: jobs.enqueue(tx, strange))
    clock.forward(10 * LEASE_MS)

    assert await claim_next(account) is None
    assert (await row(account, strange.job_id)).state is JobState.PENDING
    assert await account.db.read(lambda tx: claims.next_due(tx, (jobs.FORMATION,))) is None


async def test_next_due_is_the_earliest_wait_or_lease_end(account: Account) -> None:
    await one_job(account)
    claim = await claimed(account)
    kinds = (jobs.FORMATION,)
    assert await account.db.read(lambda tx: claims.next_due(tx, kinds)) == NOON + LEASE_MS

    await fail(account, claim, wait_ms=5_000)
    assert await account.db.read(lambda tx: claims.next_due(tx, kinds)) == NOON + 5_000


async def test_jobs_are_paged_oldest_first_and_filtered(account: Account) -> None:
    first = await one_job(account, event="e1")
    second = await one_job(account, event="e2")
    await settle(account, await claimed(account), JobState.NO_CHANGE)

    def ids(tx: Tx, **wanted: object) -> list[JobId]:
        return [job.job_id for job in jobs.page(tx, **{"after": 0, "limit": 9, **wanted})]  # type: ignore[arg-type]

    assert await account.db.read(ids) == [first, second]
    assert await account.db.read(lambda tx: ids(tx, limit=1)) == [first]
    assert await account.db.read(lambda tx: ids(tx, after=1)) == [second]
    assert await account.db.read(lambda tx: ids(tx, state=JobState.NO_CHANGE)) == [first]
    assert await account.db.read(lambda tx: ids(tx, kind="dream")) == []


async def test_counts_name_every_state(account: Account) -> None:
    await one_job(account)

    counts = await account.db.read(jobs.counts)

    assert set(counts) == set(JobState)
    assert counts[JobState.PENDING] == 1
    assert sum(counts.values()) == 1


@pytest.mark.parametrize(
    "change",
    [
        "state = 'processing'",
        "state = 'processing', claim_owner = 'x'",
        "claim_token = 'x'",
        "state = 'done'",
        "completed_at_ms = 1",
        "state = 'half'",
        "attempts = -1",
        "recovery = 'luck'",
    ],
)
async def test_the_table_refuses_a_row_no_statement_would_write(
    account: Account, change: str
) -> None:
    # B090
    await one_job(account)

    with pytest.raises(Error):
        await account.db.write(lambda tx: tx.execute(f"UPDATE job SET {change}"))


async def fence(account: Account, *evidence_ids: EvidenceId) -> list[JobId]:
    now = account.now()

    def run(tx: Tx) -> list[JobId]:
        touched = claims.fence_sources(tx, evidence_ids, now)
        for evidence_id in evidence_ids:
            evidence.erase(tx, evidence_id, EpochMs(now))
        return touched

    return await account.db.write(run)


async def test_erasing_its_only_evidence_ends_a_job_and_shuts_its_worker_out(
    account: Account,
) -> None:
    accepted = await say(account, "I grow leeks.")
    claim = await claimed(account)
    await account.db.write(
        lambda tx: checkpoints.reserve(tx, claim, Step.FIRST, "h", account.now())
    )

    assert await fence(account, accepted.evidence[0].evidence_id) == [claim.job_id]

    ended = await row(account, claim.job_id)
    assert (ended.state, ended.reason) == (JobState.DEAD, claims.ERASED)
    with pytest.raises(LeaseLost):
        await settle(account, claim)
    kept = await account.db.read(lambda tx: checkpoints.find(tx, claim.job_id, Step.FIRST))
    assert kept is None


async def test_erasing_some_evidence_of_a_running_job_makes_it_begin_again(
    account: Account,
) -> None:
    accepted = await say(account, "I grow leeks.", "I keep bees.")
    claim = await claimed(account)

    await fence(account, accepted.evidence[0].evidence_id)

    waiting = await row(account, claim.job_id)
    assert (waiting.state, waiting.attempts) == (JobState.RETRY, 0)
    with pytest.raises(LeaseLost):
        await settle(account, claim)
    assert (await claimed(account)).job_id == claim.job_id


async def test_an_ended_job_stays_as_it_ended_when_its_evidence_goes(account: Account) -> None:
    accepted = await say(account, "I grow leeks.")
    claim = await claimed(account)
    await settle(account, claim, JobState.NO_CHANGE)
    before = await row(account, claim.job_id)

    await fence(account, accepted.evidence[0].evidence_id)

    assert await row(account, claim.job_id) == before


async def test_a_reply_is_kept_word_for_word_and_its_error_beside_it(account: Account) -> None:
    # C048
    await one_job(account)
    claim = await claimed(account)
    now = account.now()

    def write(tx: Tx) -> None:
        checkpoints.reserve(tx, claim, Step.FIRST, "h", now)
        checkpoints.complete(tx, claim, Step.FIRST, "not {json", "{}", now)
        checkpoints.note_error(tx, claim, Step.FIRST, "invalid_model_result", now)

    await account.db.write(write)

    kept = await account.db.read(lambda tx: checkpoints.find(tx, claim.job_id, Step.FIRST))
    assert kept is not None
    assert (kept.state.value, kept.reply, kept.error) == (
        "completed",
        "not {json",
        "invalid_model_result",
    )
