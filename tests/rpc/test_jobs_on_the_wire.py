"""`query_jobs` and `retry_formation` on the wire: every reply is one the contract allows."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import orjson
import pytest

from mnemod.accounts import Account
from mnemod.config import Tier
from mnemod.errors import InvalidParams
from mnemod.ids import HostId, JobId
from mnemod.rpc import generated as wire
from mnemod.rpc.calls import Call, Progress, SessionInfo
from mnemod.rpc.methods.jobs import query_jobs, retry_formation
from mnemod.store import claims
from mnemod.store.claims import Claim
from mnemod.store.jobs import JobState
from tests.support.builders import Clock, open_account, say
from tests.support.formation import claimed
from tests.support.replies import check_result


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def account(tmp_path: Path, clock: Clock) -> AsyncIterator[Account]:
    async with open_account(tmp_path, clock=clock) as opened:
        yield opened


def call(account: Account) -> Call[Account]:
    session = SessionInfo(HostId("host-1"), Tier.LOCAL, "en", "test")
    return Call(account, session, Progress(None, lambda _: None))


async def jobs(account: Account, **params: Any) -> dict[str, Any]:
    """The reply as it goes out, checked against the contract."""
    asked = msgspec.convert(params, wire.QueryJobsParams)
    reply: dict[str, Any] = orjson.loads(orjson.dumps(await query_jobs(call(account), asked)))
    check_result("query_jobs", reply)
    return reply


async def retry(account: Account, job_id: JobId) -> dict[str, Any]:
    asked = msgspec.convert({"job_id": job_id, "request_id": "r1"}, wire.RetryFormationParams)
    reply = orjson.loads(orjson.dumps(await retry_formation(call(account), asked)))
    check_result("retry_formation", reply)
    return dict(reply)


async def dead(account: Account) -> Claim:
    await say(account, "I like tea.")
    claim = await claimed(account)
    now = account.now()
    await account.db.write(
        lambda tx: claims.settle(tx, claim, JobState.DEAD, "invalid_model_result", now)
    )
    return claim


async def test_a_waiting_job_says_when_it_is_due_and_a_held_one_for_how_long(
    account: Account, clock: Clock
) -> None:
    await say(account, "I like tea.")
    (waiting,) = (await jobs(account, operation="list"))["jobs"]
    claim = await claimed(account)
    clock.forward(250)
    held = (await jobs(account, operation="get", job_id=claim.job_id))["job"]

    assert waiting["next_attempt_at"] == waiting["created_at"]
    assert "claimed_for_ms" not in waiting
    assert (held["state"], held["claimed_for_ms"]) == ("processing", 250)
    assert "next_attempt_at" not in held


async def test_an_ended_job_says_why_and_when(account: Account) -> None:
    claim = await dead(account)

    ended = (await jobs(account, operation="get", job_id=claim.job_id))["job"]

    assert (ended["state"], ended["reason"]) == ("dead", "invalid_model_result")
    assert ended["completed_at"] == ended["created_at"]


async def test_a_recovered_job_says_so(account: Account) -> None:
    await say(account, "I like tea.")
    claim = await claimed(account)
    now = account.now()
    await account.db.write(lambda tx: claims.hand_back(tx, claim, now))

    (back,) = (await jobs(account, operation="list", state="retry"))["jobs"]

    assert (back["recovery"], back["attempts"]) == ("shutdown_recovered", 0)


async def test_the_summary_counts_and_names_no_job(account: Account) -> None:
    await dead(account)

    summary = await jobs(account, operation="summary")

    assert summary["counts"]["dead"] == 1
    assert summary["worker"] == {"state": "stopped", "reason": "starting"}
    assert "jobs" not in summary


async def test_a_list_goes_on_from_its_cursor(account: Account) -> None:
    await say(account, "I like tea.", event="e1")
    await say(account, "I like cake.", event="e2")

    first = await jobs(account, operation="list", limit=1)
    rest = await jobs(account, operation="list", limit=1, cursor=first["next_cursor"])

    assert first["jobs"][0]["job_id"] != rest["jobs"][0]["job_id"]
    assert "next_cursor" not in rest


async def test_a_get_names_its_job(account: Account) -> None:
    with pytest.raises(InvalidParams):
        await jobs(account, operation="get")


async def test_a_retry_shows_the_new_job_and_the_old(account: Account) -> None:
    claim = await dead(account)

    made = await retry(account, claim.job_id)
    again = await retry(account, claim.job_id)

    assert (made["prior_job_id"], made["job"]["state"]) == (claim.job_id, "pending")
    assert (made["replayed"], again["replayed"]) == (False, True)
    assert again["job"] == made["job"]
