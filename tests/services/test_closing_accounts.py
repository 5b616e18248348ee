"""Leaving: every account is closed and every lock let go, whatever one of them does."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemod.accounts import Accounts
from mnemod.errors import ShuttingDown
from mnemod.ids import AccountId
from mnemod.store.database import Database
from tests.support.builders import Clock, counting_mint
from tests.support.inline_runner import inline_runner


def accounts(data_dir: Path) -> Accounts:
    return Accounts(data_dir, now=Clock(), mint=counting_mint(), runner=inline_runner)


async def test_one_file_that_cannot_be_closed_keeps_no_lock_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = accounts(tmp_path)
    await first.open(AccountId("a1"))
    await first.open(AccountId("a2"))
    close = Database.aclose

    async def fail_after(db: Database) -> None:
        await close(db)
        raise OSError

    monkeypatch.setattr(Database, "aclose", fail_after)
    with pytest.raises(OSError):
        await first.aclose()
    monkeypatch.undo()

    second = accounts(tmp_path)
    opened = [(await second.open(AccountId(name))).account.account_id for name in ("a1", "a2")]
    await second.aclose()
    assert opened == ["a1", "a2"]


async def test_after_leaving_nothing_is_opened_any_more(tmp_path: Path) -> None:
    left = accounts(tmp_path)
    await left.aclose()

    with pytest.raises(ShuttingDown):
        await left.open(AccountId("a1"))
