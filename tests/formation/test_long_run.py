"""B094: many messages through failing models and restarting workers: none is left behind."""

from __future__ import annotations

import random
from collections import Counter

import trio
from trio.testing import MockClock

from mnemod.accounts import Account
from mnemod.domain.interpretation import FormationInput
from mnemod.formation.interpret import Again, Malformed, Outage, Outcome
from mnemod.formation.interpreters.rules import RulesInterpreter
from mnemod.formation.pool import POLL_S, is_due, run_pool
from mnemod.store.jobs import JobState
from mnemod.worker_sign import WorkerState
from tests.support.builders import say
from tests.support.formation import (
    ScriptedInterpreter,
    all_jobs,
    formation,
    texts,
)
from tests.support.inline_runner import in_place

MESSAGES = 100
RESTARTS = 25
"""Few enough for no job to be cut off eight times in a row, which would end it as a crash loop."""


class Unreliable(ScriptedInterpreter):
    """Now and then away, broken or slow; never wrong twice in a row about one message."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__("{}", tier=None, messages_a_call=1)
        self._chance = chance
        self._failed: set[str] = set()

    async def interpret(self, request: FormationInput, again: Again | None) -> Outcome:
        await trio.sleep(self._chance.uniform(0, 2))
        message = request.evidence[0].evidence_id
        fate = self._chance.random()
        if fate < 0.2:
            return Outage("http_503", self._chance.choice([None, 1.0]))
        if fate < 0.4 and message not in self._failed:
            self._failed.add(message)
            return Malformed("invalid_provider_response")
        return await RulesInterpreter(run=in_place).interpret(request, again)


async def test_every_message_is_formed_once_whatever_fails(
    account: Account, autojump_clock: MockClock
) -> None:
    chance = random.Random(94)
    model = Unreliable(chance)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_watch, account)
        for number in range(MESSAGES):
            await say(account, f"I own {number} boats.", event=f"e{number}")
            await trio.sleep(chance.uniform(0, 1))
            if number % (MESSAGES // RESTARTS) == 0:
                await _run(account, model, for_s=chance.uniform(3, 6))
        await _run(account, model, for_s=7_200)
        nursery.cancel_scope.cancel()

    ended = Counter((shown.job.state, shown.job.reason) for shown in await all_jobs(account))
    assert ended == {(JobState.DONE, None): MESSAGES}
    assert sorted(await texts(account)) == sorted(f"I own {n} boats." for n in range(MESSAGES))


async def _run(account: Account, model: ScriptedInterpreter, for_s: float) -> None:
    with trio.move_on_after(for_s):
        await run_pool(formation(account, model), 2)


async def _watch(account: Account) -> None:
    """Fail if a due job and a free worker are seen together for longer than the poll interval."""
    since = trio.current_time()
    while True:
        await trio.sleep(1)
        free = account.worker.state is WorkerState.IDLE and await is_due(account)
        since = since if free else trio.current_time()
        assert trio.current_time() - since <= POLL_S
