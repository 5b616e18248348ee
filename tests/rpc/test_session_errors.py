"""Every error a session method lists, met on a real account's file and told on the wire."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from mnemod.accounts import Accounts
from mnemod.config import SUBSCRIPTIONS_MAX
from mnemod.ids import AccountId
from mnemod.store import _sqlite
from mnemod.store.files import account_file
from tests.support.inline_runner import inline_runner
from tests.support.session_host import connected, request, services


async def initialized(data_dir: Path) -> Any:
    """What a host hears that asks for account a1 of `data_dir`."""
    async with aclosing(Accounts(data_dir, runner=inline_runner)) as accounts:
        async with connected(services(accounts=accounts), initialized=False) as host:
            return await host.initialize()


def error(reply: Any) -> tuple[str, bool]:
    """Its kind and whether the same call can succeed later."""
    return reply["error"]["data"]["kind"], reply["error"]["data"]["retryable"]


@pytest.fixture
async def account_path(tmp_path: Path) -> Path:
    """The file of account a1, made and closed again."""
    assert "result" in await initialized(tmp_path)
    return account_file(tmp_path, AccountId("a1"))


async def test_initialize_already_initialized() -> None:
    async with connected() as host:
        again = await host.initialize()

    assert error(again) == ("already_initialized", False)


async def test_initialize_unsupported_protocol(tmp_path: Path) -> None:
    async with aclosing(Accounts(tmp_path, runner=inline_runner)) as accounts:
        async with connected(services(accounts=accounts), initialized=False) as host:
            reply = await host.initialize(protocol_versions=[2, 3])

    assert error(reply) == ("unsupported_protocol", False)
    assert reply["error"]["data"]["details"] == {"supported": "1"}
    assert list(tmp_path.iterdir()) == []  # nothing was opened or made


async def test_initialize_account_busy(tmp_path: Path) -> None:
    async with aclosing(Accounts(tmp_path, runner=inline_runner)) as owner:
        await owner.open(AccountId("a1"))
        reply = await initialized(tmp_path)

    assert error(reply) == ("account_busy", True)
    assert reply["error"]["data"]["details"].keys() == {"owner_pid"}


async def test_initialize_account_newer_schema(tmp_path: Path, account_path: Path) -> None:
    _run(account_path, "PRAGMA user_version = 1000")

    reply = await initialized(tmp_path)

    assert error(reply) == ("account_newer_schema", False)


async def test_initialize_account_corrupt(tmp_path: Path, account_path: Path) -> None:
    account_path.write_text("notes of my own\n" * 1_000)

    reply = await initialized(tmp_path)

    assert error(reply) == ("account_corrupt", False)


async def test_initialize_account_foreign(tmp_path: Path, account_path: Path) -> None:
    account_path.unlink()
    _run(account_path, "CREATE TABLE theirs (x)")

    reply = await initialized(tmp_path)

    assert error(reply) == ("account_foreign", False)


async def test_initialize_storage_unsupported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text("1 0 0:1 / / rw - nfs4 server:/export rw\n")
    monkeypatch.setattr("mnemod.store.files._MOUNTS", mounts)

    reply = await initialized(tmp_path)

    assert error(reply) == ("storage_unsupported", False)
    assert reply["error"]["data"]["details"] == {"disk_kind": "nfs4"}


async def test_subscribe_limit_exceeded() -> None:
    async with connected() as host:
        await host.say(*(request("subscribe", n, topic="jobs") for n in range(SUBSCRIPTIONS_MAX)))
        taken = [await host.hear() for _ in range(SUBSCRIPTIONS_MAX)]
        refused = await host.call("subscribe", topic="jobs")
        freed = taken[0]["result"]["subscription_id"]
        await host.call("unsubscribe", subscription_id=freed)
        after = await host.call("subscribe", topic="jobs")

    assert error(refused) == ("limit_exceeded", False)
    assert refused["error"]["data"]["details"] == {"limit": "subscriptions", "max": 16}
    assert "result" in after


async def test_unsubscribe_not_found() -> None:
    async with connected() as host:
        reply = await host.call("unsubscribe", subscription_id="sb_unknown")

    assert error(reply) == ("not_found", False)
    assert reply["error"]["data"]["path"] == "$.subscription_id"


def _run(path: Path, statement: str) -> None:
    connection = _sqlite.connect(path, mode="rwc")
    connection.execute(statement)
    connection.close()
