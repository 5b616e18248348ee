"""Accounts open once each, side by side, and close once and for all."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from mnemod.accounts import Account, Accounts
from mnemod.errors import Overloaded, ShuttingDown
from mnemod.ids import AccountId
from tests.support.builders import Clock, counting_mint
from tests.support.inline_runner import inline_runner

SLOW, QUICK = AccountId("slow"), AccountId("quick")


class Opening:
    """Holds up what is done on the opening of the slow account."""

    def __init__(self, data_dir: Path) -> None:
        self.gate = trio.Event()
        self.opened: list[str] = []
        self.accounts = Accounts(
            data_dir,
            on_open=self._on_open,
            now=Clock(),
            mint=counting_mint(),
            runner=inline_runner,
        )

    async def _on_open(self, account: Account) -> None:
        if account.account_id == SLOW:
            await self.gate.wait()
        self.opened.append(account.account_id)


async def test_a_slow_account_keeps_nobody_waiting_who_wants_another(tmp_path: Path) -> None:
    opening = Opening(tmp_path)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(opening.accounts.open, SLOW)
        await wait_all_tasks_blocked()

        await opening.accounts.open(QUICK)

        assert opening.opened == ["quick"]
        opening.gate.set()
    await opening.accounts.aclose()


async def test_two_that_want_one_account_share_it(tmp_path: Path) -> None:
    opening = Opening(tmp_path)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(opening.accounts.open, SLOW)
        nursery.start_soon(opening.accounts.open, SLOW)
        await wait_all_tasks_blocked()
        opening.gate.set()

    assert opening.opened == ["slow"]
    await opening.accounts.aclose()


async def test_closing_waits_for_what_is_being_opened_and_closes_it(tmp_path: Path) -> None:
    opening = Opening(tmp_path)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(opening.accounts.open, SLOW)
        await wait_all_tasks_blocked()
        nursery.start_soon(opening.accounts.aclose)
        await wait_all_tasks_blocked()
        opening.gate.set()

    assert opening.accounts.opened == ()
    with pytest.raises(ShuttingDown):
        await opening.accounts.open(QUICK)
    again = Opening(tmp_path)
    again.gate.set()
    await again.accounts.open(SLOW)  # its locks were let go
    await again.accounts.aclose()


async def test_an_account_for_which_no_file_can_be_opened_is_refused_for_now(
    tmp_path: Path,
) -> None:
    async def out_of_files(_: Account) -> None:
        raise OSError(errno.EMFILE, "too many open files")

    accounts = Accounts(tmp_path, on_open=out_of_files, runner=inline_runner)

    with pytest.raises(Overloaded) as refused:
        await accounts.open(QUICK)
    assert refused.value.details == {"accounts": 0}
    await accounts.aclose()
