"""Finding work that an earlier daemon left, in files that nobody has open."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from trio.testing import MockClock

from mnemod.accounts import Accounts, Handle
from mnemod.errors import Busy
from mnemod.ids import AccountId
from mnemod.store.files import account_file
from mnemod.store.unfinished import account_with_work
from tests.support.builders import Clock, counting_mint, open_account, say
from tests.support.inline_runner import inline_runner
from tests.support.work import settle_all


async def test_an_account_with_a_job_that_has_not_ended_is_found(tmp_path: Path) -> None:
    async with open_account(tmp_path, "Ada@home") as account:
        await say(account, "I keep bees")

    assert account_with_work(account_file(tmp_path, AccountId("Ada@home"))) == "Ada@home"


async def test_an_account_whose_jobs_have_ended_is_left_alone(tmp_path: Path) -> None:
    async with open_account(tmp_path) as account:
        await say(account, "I keep bees")
        await settle_all(account)

    assert account_with_work(account_file(tmp_path, AccountId("a1"))) is None


async def test_looking_changes_no_byte_and_leaves_no_file(tmp_path: Path) -> None:
    async with open_account(tmp_path) as account:
        await say(account, "I keep bees")
    path = account_file(tmp_path, AccountId("a1"))
    before = sha256(path.read_bytes()).digest(), sorted(path.parent.iterdir())

    account_with_work(path)

    assert (sha256(path.read_bytes()).digest(), sorted(path.parent.iterdir())) == before


def test_a_file_that_cannot_be_read_has_no_work(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    path.write_bytes(b"no database" * 100)

    assert account_with_work(path) is None


async def test_accounts_with_work_are_opened_and_no_others(tmp_path: Path) -> None:
    async with open_account(tmp_path, "busy") as account:
        await say(account, "I keep bees")
    async with open_account(tmp_path, "idle") as account:
        await say(account, "I keep bees")
        await settle_all(account)
    (tmp_path / "accounts" / "broken").mkdir()
    (tmp_path / "accounts" / "broken" / "memory.db").write_bytes(b"no database")
    accounts = Accounts(tmp_path, now=Clock(), mint=counting_mint(), runner=inline_runner)

    await accounts.open_unfinished()

    assert [account.account_id for account in accounts.opened] == ["busy"]
    await accounts.aclose()


async def test_an_account_whose_file_is_busy_is_tried_again(
    tmp_path: Path, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_account(tmp_path) as account:
        await say(account, "I keep bees")
    accounts = Accounts(tmp_path, now=Clock(), mint=counting_mint(), runner=inline_runner)
    asked: list[AccountId] = []
    really_open = accounts.open

    async def busy_at_first(account_id: AccountId) -> Handle:
        asked.append(account_id)
        if len(asked) < 3:
            raise Busy()
        return await really_open(account_id)

    monkeypatch.setattr(accounts, "open", busy_at_first)

    await accounts.open_unfinished()

    assert asked == ["a1", "a1", "a1"]
    assert [account.account_id for account in accounts.opened] == ["a1"]
    await accounts.aclose()
