"""A worker's world without a model: a scripted interpreter, time of its own, one job at a time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import trio

from mnemod.accounts import Account
from mnemod.config import JOB_ATTEMPTS, JOB_WAITS_S, LEASE_MS, OUTAGE_WAIT_MAX_S, Tier
from mnemod.domain.backoff import longest_wait_ms
from mnemod.domain.interpretation import FormationInput
from mnemod.formation.interpret import Again, Interpreter, Outcome, Reply
from mnemod.formation.worker import Formation, work
from mnemod.ids import ClaimToken, EpochMs, JobId, OwnerId
from mnemod.services import jobs as service
from mnemod.services.jobs import ShownJob, Wanted
from mnemod.store import claims, items, jobs
from mnemod.store.claims import Claim, Claimant
from mnemod.store.jobs import JobState
from tests.support.builders import NOON, Clock

NO_JITTER = 0.5
"""The jitter that leaves a wait as it is."""


class TrioClock(Clock):
    """Wall time that passes as trio's does, so that a mock clock moves both."""

    def __call__(self) -> EpochMs:
        return EpochMs(NOON + round(trio.current_time() * 1000))


class ScriptedInterpreter:
    """Answers in order, and remembers what it was asked. The last answer is given again."""

    def __init__(
        self,
        *outcomes: Outcome | str,
        tier: Tier | None = Tier.CLOUD,
        rewrites: bool = True,
        messages_a_call: int = 4,
    ) -> None:
        self.tier = tier
        self.rewrites = rewrites
        self.messages_a_call = messages_a_call
        self.asked: list[tuple[FormationInput, Again | None]] = []
        self._outcomes = [Reply(each) if isinstance(each, str) else each for each in outcomes]

    @property
    def calls(self) -> int:
        return len(self.asked)

    async def interpret(self, request: FormationInput, again: Again | None) -> Outcome:
        self.asked.append((request, again))
        await trio.lowlevel.checkpoint()
        return self._outcomes[min(len(self.asked), len(self._outcomes)) - 1]


class HangingInterpreter(ScriptedInterpreter):
    """Never answers."""

    async def interpret(self, request: FormationInput, again: Again | None) -> Outcome:
        self.asked.append((request, again))
        await trio.sleep_forever()
        raise AssertionError("slept forever")


def formation(account: Account, interpreter: Interpreter) -> Formation:
    return Formation(account, interpreter, JOB_WAITS_S, lambda: NO_JITTER)


def claimant(account: Account, owner: OwnerId | None = None) -> Claimant:
    return Claimant(
        owner=owner or account.owner_id,
        token=ClaimToken(account.mint("tk_")),
        kinds=(jobs.FORMATION,),
        lease_ms=LEASE_MS,
        attempts_max=JOB_ATTEMPTS,
        wait_max_ms=longest_wait_ms(JOB_WAITS_S, OUTAGE_WAIT_MAX_S),
    )


async def claim_next(account: Account, owner: OwnerId | None = None) -> Claim | None:
    who, now = claimant(account, owner), account.now()
    return (await account.db.write(lambda tx: claims.claim(tx, who, now))).claim


async def claimed(account: Account, owner: OwnerId | None = None) -> Claim:
    """A claim on the oldest due job, which must be there."""
    claim = await claim_next(account, owner)
    assert claim is not None
    return claim


async def work_once(account: Account, interpreter: ScriptedInterpreter) -> ShownJob:
    """One claim, one round of work; how the job stands then."""
    claim = await claimed(account)
    await work(formation(account, interpreter), claim)
    return await job(account, claim.job_id)


async def job(account: Account, job_id: JobId) -> ShownJob:
    return (await service.get_job(account, job_id))[0]


async def all_jobs(account: Account) -> tuple[ShownJob, ...]:
    return (await service.list_jobs(account, Wanted(0, 500)))[0]


async def states(account: Account) -> list[JobState]:
    return [shown.job.state for shown in await all_jobs(account)]


async def texts(account: Account, state: str = "current") -> list[str]:
    """The texts of all facts of a state, entities apart, in order."""
    rows = await account.db.read(lambda tx: items.page(tx, after=0, limit=500))
    return [row.text for row in rows if row.state.value == state and row.kind.value != "entity"]


def reply(*proposals: dict[str, Any]) -> str:
    return json.dumps({"result": "items", "items": list(proposals)})


def proposal(evidence_id: str, *, sentence: str = "t0", **members: Any) -> dict[str, Any]:
    """One attribute of the owner from one sentence, unless `members` say otherwise."""
    supports: Sequence[dict[str, Any]] = [{"evidence_id": evidence_id, "sentence_id": sentence}]
    return {
        "action": "form",
        "statement_kind": "attribute",
        "supports": supports,
        **members,
    }


NO_CHANGE = json.dumps({"result": "no_change"})
