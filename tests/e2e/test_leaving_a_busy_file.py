"""C038: a daemon that leaves while another program holds its file leaves in time all the same.

Real threads, a real lock, real time: it is the deadline that is tested.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import trio

from mnemod.accounts import Account, Accounts
from mnemod.formation.pool import recover
from mnemod.formation.worker import work
from mnemod.ids import AccountId
from mnemod.store import _sqlite
from mnemod.store.files import account_file
from mnemod.store.jobs import JobState, Recovery
from mnemod.store.lifetime_lock import owner_is_dead
from tests.support.builders import say
from tests.support.formation import HangingInterpreter, claimed, formation, job

NAME = AccountId("a1")
LEAVES_WITHIN_S = 0.7


@pytest.fixture
async def accounts(tmp_path: Path) -> AsyncIterator[Accounts]:
    opened = Accounts(tmp_path)
    yield opened
    await opened.aclose()


async def test_the_claim_is_left_for_the_next_start(accounts: Accounts, tmp_path: Path) -> None:
    account: Account = (await accounts.open(NAME)).account
    await say(account, "I like tea.")
    claim = await claimed(account)
    other = _sqlite.connect(account_file(tmp_path, NAME))
    other.execute("PRAGMA busy_timeout = 5000")  # until the worker's last write has ended

    async with trio.open_nursery() as nursery:
        nursery.start_soon(work, formation(account, HangingInterpreter()), claim)
        await trio.testing.wait_all_tasks_blocked()
        other.execute("BEGIN IMMEDIATE")
        started = time.monotonic()
        nursery.cancel_scope.cancel()
    assert not owner_is_dead(account.owners_folder, account.owner_id)
    await accounts.aclose()
    took_s = time.monotonic() - started
    other.close()

    assert took_s < LEAVES_WITHIN_S
    next_one = Accounts(tmp_path)
    again = (await next_one.open(NAME)).account
    assert await recover(again) == [claim.job_id]
    back = await job(again, claim.job_id)
    assert (back.job.state, back.job.recovery) == (JobState.RETRY, Recovery.RESTART)
    await next_one.aclose()
