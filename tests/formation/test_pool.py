"""The workers of an account: woken, waiting, recovering, leaving."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from mnemod.accounts import Account, Accounts
from mnemod.config import JOB_CUTOFFS_MAX, Config, Interpreter
from mnemod.domain.interpretation import FormationInput
from mnemod.errors import StorageFull
from mnemod.formation import pool
from mnemod.formation.interpret import Again, Outage, Outcome
from mnemod.formation.interpreters.rules import RulesInterpreter
from mnemod.formation.pool import is_due, recover, run_pool, serve_account
from mnemod.formation.worker import Formation
from mnemod.ids import AccountId, OwnerId
from mnemod.store.jobs import JobState, Recovery
from mnemod.worker_sign import WorkerState
from tests.support.builders import say
from tests.support.formation import (
    HangingInterpreter,
    ScriptedInterpreter,
    TrioClock,
    all_jobs,
    claimed,
    formation,
    job,
    states,
    texts,
)
from tests.support.inline_runner import in_place

GONE = OwnerId("e" * 32)


def rules(account: Account) -> Formation:
    return Formation(account, RulesInterpreter(run=in_place), (5.0, 30.0, 300.0), lambda: 0.5)


async def test_a_ring_wakes_a_worker_at_once(account: Account, autojump_clock: MockClock) -> None:
    # B002
    async with trio.open_nursery() as nursery:
        await nursery.start(run_pool, rules(account), 1)
        await trio.sleep(90)
        before = account.now()
        await say(account, "I like cedar tea.")
        await trio.sleep(0.01)

        assert await states(account) == [JobState.DONE]
        assert account.now() - before < 100
        nursery.cancel_scope.cancel()


async def test_what_was_waiting_before_the_daemon_came_is_worked_on(
    account: Account, autojump_clock: MockClock
) -> None:
    # B093: nothing depends on a live session.
    await say(account, "I like cedar tea.")
    async with trio.open_nursery() as nursery:
        await nursery.start(run_pool, rules(account), 1)
        await trio.sleep(0.01)
        nursery.cancel_scope.cancel()

    assert await texts(account) == ["I like cedar tea."]


async def test_after_an_outage_an_idle_account_forms_its_backlog_by_itself(
    account: Account, autojump_clock: MockClock
) -> None:
    # B007
    class Recovering(ScriptedInterpreter):
        async def interpret(self, request: FormationInput, again: Again | None) -> Outcome:
            await trio.lowlevel.checkpoint()
            if trio.current_time() < until:
                return Outage("http_429")
            return await RulesInterpreter(run=in_place).interpret(request, again)

    until = trio.current_time() + 1_200
    for number in range(6):
        await say(account, f"I own {number} boats.", event=f"e{number}")
    async with trio.open_nursery() as nursery:
        await nursery.start(run_pool, formation(account, Recovering()), 1)
        await trio.sleep(3_600)
        nursery.cancel_scope.cancel()

    assert await states(account) == [JobState.DONE] * 6
    assert [shown.job.attempts for shown in await all_jobs(account)] == [1] * 6


async def test_a_job_that_waits_holds_no_worker(
    account: Account, autojump_clock: MockClock
) -> None:
    # B075
    class FirstAway(ScriptedInterpreter):
        async def interpret(self, request: FormationInput, again: Again | None) -> Outcome:
            self.asked.append((request, again))
            await trio.lowlevel.checkpoint()
            if len(self.asked) == 1:
                return Outage("timeout", 60.0)
            return await RulesInterpreter(run=in_place).interpret(request, again)

    await say(account, "I like cedar tea.", event="e1")
    await trio.sleep(0.01)
    await say(account, "I like birch tea.", event="e2")
    async with trio.open_nursery() as nursery:
        await nursery.start(run_pool, formation(account, FirstAway()), 1)
        await trio.sleep(1)
        assert await states(account) == [JobState.RETRY, JobState.DONE]
        await trio.sleep(60)
        assert await states(account) == [JobState.DONE, JobState.DONE]
        nursery.cancel_scope.cancel()


async def test_a_poison_source_costs_a_bounded_number_of_calls(
    account: Account, autojump_clock: MockClock
) -> None:
    # B078: 24 virtual hours
    await say(account, "I like cedar tea.")
    model = ScriptedInterpreter("{}")
    async with trio.open_nursery() as nursery:
        await nursery.start(run_pool, formation(account, model), 1)
        await trio.sleep(24 * 3_600)
        nursery.cancel_scope.cancel()

    assert model.calls == 2
    assert await states(account) == [JobState.DEAD]


async def test_leaving_hands_every_claim_back(account: Account, autojump_clock: MockClock) -> None:
    await say(account, "I like cedar tea.", event="e1")
    await say(account, "I like birch tea.", event="e2")
    async with trio.open_nursery() as nursery:
        await nursery.start(run_pool, formation(account, HangingInterpreter()), 2)
        await trio.sleep(1)
        assert await states(account) == [JobState.PROCESSING] * 2
        assert account.worker.state is WorkerState.RUNNING
        nursery.cancel_scope.cancel()

    assert await states(account) == [JobState.RETRY] * 2
    assert [shown.job.attempts for shown in await all_jobs(account)] == [0, 0]
    assert account.worker.state is WorkerState.STOPPED


async def test_a_daemon_that_died_gives_its_claims_back_at_the_next_start(
    tmp_path: Path,
) -> None:
    # C031, C044: its lock file is gone or free, whatever its lease says.
    first = await opened(tmp_path)
    account = first.opened[0]
    await say(account, "I like cedar tea.")
    claim = await claimed(account, GONE)
    (account.owners_folder / f"{GONE}.lock").write_text("1")

    returned = await recover(account)

    assert returned == [claim.job_id]
    back = await job(account, claim.job_id)
    assert (back.job.state, back.job.attempts) == (JobState.RETRY, 0)
    assert back.job.recovery is Recovery.RESTART
    await first.aclose()


async def test_the_claims_of_the_living_and_of_strangers_are_left_alone(
    account: Account,
) -> None:
    # C033: an external worker has no lock; its lease alone ends its claim.
    await say(account, "I like cedar tea.", event="e1")
    await say(account, "I like birch tea.", event="e2")
    await claimed(account)
    await claimed(account, OwnerId("weft-plugin-7"))

    assert await recover(account) == []
    assert await states(account) == [JobState.PROCESSING] * 2


async def test_a_job_that_kills_its_daemon_each_time_is_parked(account: Account) -> None:
    await say(account, "I like cedar tea.")
    for _ in range(JOB_CUTOFFS_MAX):
        await claimed(account, GONE)
        await recover(account)

    (shown,) = await all_jobs(account)
    assert (shown.job.state, shown.job.reason) == (JobState.DEAD, "crash_loop")


async def test_changes_of_a_job_are_told(account: Account, autojump_clock: MockClock) -> None:
    listening = account.job_changes.subscribe()
    async with trio.open_nursery() as nursery:
        await nursery.start(run_pool, rules(account), 1)
        accepted = await say(account, "I like cedar tea.")
        await trio.sleep(0.01)
        nursery.cancel_scope.cancel()

    _, change = await listening.take()
    assert change.value == accepted.job_id
    # Enqueued, claimed, ended: the last of them is what is left to take.
    assert change.seq == 3


async def test_a_full_disk_stops_no_worker_for_good(
    account: Account, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, full = pool._claim, True

    async def claim(given: Formation) -> object:
        if full:
            raise StorageFull()
        return await real(given)

    monkeypatch.setattr(pool, "_claim", claim)
    await say(account, "I like cedar tea.")
    async with trio.open_nursery() as nursery:
        await nursery.start(run_pool, rules(account), 1)
        await trio.sleep(10)
        assert account.worker.reason == "storage_full"
        full = False
        await trio.sleep(2)
        assert await states(account) == [JobState.DONE]
        assert account.worker.reason is None
        nursery.cancel_scope.cancel()


async def test_without_an_interpreter_jobs_stay_pending_and_the_sign_says_why(
    account: Account, tmp_path: Path
) -> None:
    await say(account, "I like cedar tea.")

    await serve_account(account, Config(tmp_path, interpreter=Interpreter.NONE))

    assert await states(account) == [JobState.PENDING]
    assert (account.worker.state, account.worker.reason) == (
        WorkerState.STOPPED,
        "interpreter_none",
    )
    assert not await is_due(account)


async def test_a_chat_interpreter_without_an_endpoint_says_so(
    account: Account, tmp_path: Path
) -> None:
    await serve_account(account, Config(tmp_path, interpreter=Interpreter.CHAT))

    assert account.worker.reason == "chat_not_configured"


async def test_due_is_a_job_that_could_run_now(account: Account, autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        await nursery.start(run_pool, formation(account, HangingInterpreter()), 1)
        await trio.sleep(1)
        assert not await is_due(account)
        await say(account, "I like cedar tea.")
        assert await is_due(account)
        await trio.sleep(1)
        assert await is_due(account)
        nursery.cancel_scope.cancel()


async def opened(data_dir: Path) -> Accounts:
    accounts = Accounts(data_dir, now=TrioClock())
    await accounts.open(AccountId("a1"))
    return accounts
