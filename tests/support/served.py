"""A host over memory streams, a real session, a real account file; every reply is checked.

There are no workers: a test puts items in by hand, and says what it starts from.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from mnemod.accounts import Account
from mnemod.config import Config, Interpreter
from mnemod.engine import running
from mnemod.ids import AccountId, EvidenceId, ItemId
from mnemod.rpc.ports import SessionServices
from tests.support import worlds
from tests.support.replies import check_response
from tests.support.session_host import Host, connected

Json = dict[str, Any]


@dataclass
class Served:
    """The host's end, and the account behind it."""

    host: Host
    account: Account
    _ids: Any

    async def ask(self, method: str, /, **params: object) -> Json:
        """The whole response, which is one that the contract allows."""
        response: Json = await self.host.call(method, next(self._ids), **params)
        check_response(method, response)
        return response

    async def call(self, method: str, /, **params: object) -> Json:
        """The result of a call that must succeed."""
        response = await self.ask(method, **params)
        assert "result" in response, response["error"]["data"]
        result: Json = response["result"]
        return result

    async def refusal(self, method: str, /, **params: object) -> tuple[str, str | None]:
        """Kind and path of the error of a call that must fail."""
        response = await self.ask(method, **params)
        assert "error" in response, f"{method} answered"
        data = response["error"]["data"]
        return data["kind"], data.get("path")

    async def observe(self, *contents: str, event: str = "e1", **members: object) -> Json:
        """The owner says these."""
        messages = [
            {"message_id": f"{event}-m{place}", "role": "user", "content": content, **members}
            for place, content in enumerate(contents)
        ]
        return await self.call("observe", event_id=event, conversation_id="talk", messages=messages)

    async def fact(self, text: str, event: str = "e1") -> tuple[EvidenceId, ItemId]:
        """Said, and formed whole."""
        told = await self.observe(text, event=event)
        row = EvidenceId(told["evidence"][0]["evidence_id"])
        return row, await worlds.form(self.account, (row, text))

    async def erase(self, method: str, command_id: str = "c1", **target: object) -> Json:
        """Preview, then forget exactly that; the receipt."""
        found = await self.call("preview_forget", **target)
        scope = found["forget_scope"]
        done = await self.call(method, command_id=command_id, forget_scope=scope, **target)
        receipt: Json = done["receipt"]
        return receipt


@asynccontextmanager
async def serving(data_dir: Path, **initialize: object) -> AsyncIterator[Served]:
    """A daemon without workers, and one host that has said `initialize`."""
    config = Config(data_dir, interpreter=Interpreter.NONE)
    async with running(config, "i1") as engine:
        services: SessionServices[Any] = engine.services
        await services.methods.warm()
        async with connected(services, initialized=False) as host:
            assert "result" in await host.initialize(**{"tier": "local", **initialize})
            (account,) = engine.accounts.opened
            yield Served(host, account, count(1))


@asynccontextmanager
async def serving_two(data_dir: Path) -> AsyncIterator[tuple[Served, Served]]:
    """One daemon without workers, and a host on each of two accounts, a1 and a2."""
    config = Config(data_dir, interpreter=Interpreter.NONE)
    async with running(config, "i1") as engine:
        services: SessionServices[Any] = engine.services
        await services.methods.warm()
        async with (
            connected(services, initialized=False) as first,
            connected(services, initialized=False) as second,
        ):
            assert "result" in await first.initialize(account="a1", tier="local")
            assert "result" in await second.initialize(account="a2", tier="local")
            by_name = {account.account_id: account for account in engine.accounts.opened}
            yield (
                Served(first, by_name[AccountId("a1")], count(1)),
                Served(second, by_name[AccountId("a2")], count(1)),
            )
