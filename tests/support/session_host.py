"""A host at one end of a connection, and a daemon of fakes at the other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import orjson
import trio
from msgspec import Struct
from outcome import Error, Outcome, Value
from trio.testing import memory_stream_pair, wait_all_tasks_blocked

from mnemod.errors import MnemodError
from mnemod.feed import Hub
from mnemod.ids import AccountId
from mnemod.rpc.calls import Call, Underway
from mnemod.rpc.dispatch import Method, MethodTable
from mnemod.rpc.drain import Drain
from mnemod.rpc.ending import Ending
from mnemod.rpc.ports import ByteStream, SessionServices
from mnemod.rpc.session import serve_connection
from mnemod.rpc.subscriptions import Topic
from mnemod.transport.framing import Framer

INITIALIZE = {
    "protocol_versions": [1],
    "client": {"name": "test-host", "version": "0.1"},
    "account": "a1",
    "host_id": "h1",
}


class EchoParams(Struct, forbid_unknown_fields=True):
    """What `echo` takes: one word."""

    word: str = ""


@dataclass
class FakeAccount:
    """An account with nothing in it but a hub."""

    account_id: str
    jobs: Hub[str] = field(default_factory=Hub)


@dataclass
class FakeHandle:
    """A hold that remembers whether it was let go."""

    account: FakeAccount
    released: int = 0

    def release(self) -> None:
        self.released += 1


@dataclass
class FakeAccounts:
    """Opens accounts; `refuse` makes it raise instead."""

    handles: list[FakeHandle] = field(default_factory=list)
    refuse: MnemodError | None = None

    async def open(
        self, account_id: AccountId, *, time_zone: str | None, locale: str | None
    ) -> FakeHandle:
        await trio.lowlevel.checkpoint()
        if self.refuse:
            raise self.refuse
        self.handles.append(FakeHandle(FakeAccount(account_id)))
        return self.handles[-1]


@dataclass
class Gate:
    """A handler that answers only when it is let: `entered` counts, `open` lets all through."""

    entered: int = 0
    cancelled: int = 0
    _open: trio.Event = field(default_factory=trio.Event)

    def open(self) -> None:
        self._open.set()

    async def handle(self, call: Call[FakeAccount], params: EchoParams) -> dict[str, object]:
        self.entered += 1
        try:
            await self._open.wait()
        except trio.Cancelled:
            self.cancelled += 1
            raise
        return {"word": params.word}


async def echo(call: Call[FakeAccount], params: EchoParams) -> dict[str, object]:
    """Answer what was said, and on which account."""
    return {"word": params.word, "account": call.account.account_id}


@dataclass
class Piece:
    """A piece of work somebody else does: begun and done when the test says so."""

    word: str
    has_begun: bool = False
    is_withdrawn: bool = False
    _told: Callable[[Outcome[str]], object] = lambda came: None

    def then(self, told: Callable[[Outcome[str]], object]) -> None:
        self._told = told

    def withdraw(self) -> bool:
        self.is_withdrawn = not self.has_begun
        return self.is_withdrawn

    def done(self) -> None:
        self.fails(None)

    def fails(self, error: Exception | None) -> None:
        told = self._told
        del self._told  # as a job does: it holds the call, and the call holds this
        told(Value(self.word) if error is None else Error(error))


@dataclass
class Pile:
    """Begins calls that take no task: each is a Piece on the pile."""

    pieces: list[Piece] = field(default_factory=list)

    def begin(self, call: Call[FakeAccount], params: EchoParams) -> Underway[str] | None:
        self.pieces.append(Piece(params.word))
        return Underway(self.pieces[-1], lambda word: {"word": word})


Handler = Callable[[Call[FakeAccount], EchoParams], Awaitable[Mapping[str, object]]]
Beginning = Callable[[Call[FakeAccount], EchoParams], Underway[Any] | None]


def services(
    handlers: Mapping[str, Handler] | None = None,
    beginnings: Mapping[str, Beginning] | None = None,
    **changes: Any,
) -> SessionServices[FakeAccount]:
    """A daemon of fakes that serves `echo` and `handlers`, each taking EchoParams."""
    served = {"echo": echo, **(handlers or {})}
    numbers = count(1)

    async def render(account: FakeAccount, job_id: str) -> dict[str, object]:
        return {"job": {"job_id": job_id}}

    async def world_revision(account: FakeAccount) -> int:
        return 17

    async def health(account: FakeAccount | None) -> Any:
        return {"status": "ok", "account": account and account.account_id}

    def mint(prefix: str) -> str:
        return f"{prefix}{next(numbers)}"

    parts: dict[str, Any] = {
        "accounts": FakeAccounts(),
        "methods": MethodTable(
            [
                Method(name, EchoParams, handler, (beginnings or {}).get(name))
                for name, handler in served.items()
            ],
            mint,
        ),
        "topics": {"jobs": Topic("job_changed", lambda account: account.jobs, render)},
        "server": {"name": "mnemod", "version": "0", "pid": 4800, "instance": "i1"},
        "capabilities": {"batch": True, "subscriptions": ["jobs"]},
        "world_revision": world_revision,
        "health": health,
        "discover": lambda: b'{"openrpc":"1.4.1"}',
        "stop": lambda mode: None,
        "drain": Drain(),
        "mint": mint,
    }
    return SessionServices(**{**parts, **changes})


@dataclass
class Host:
    """The client's end: says messages, hears frames, in the framing it began with."""

    stream: Any
    ending: Ending | None = None
    ended: trio.Event = field(default_factory=trio.Event)
    _framer: Framer = field(default_factory=lambda: _framer_for_lines())
    _heard: list[Any] = field(default_factory=list)

    async def say(self, *messages: object) -> None:
        """Send each message as one line, all in one write."""
        await self.stream.send_all(b"".join(orjson.dumps(each) + b"\n" for each in messages))

    async def call(self, method: str, request_id: object = 1, /, **params: object) -> Any:
        """Send a request and hear the next message."""
        await self.say(request(method, request_id, **params))
        return await self.hear()

    async def hear(self) -> Any:
        """The next message; None once the daemon has closed."""
        while not self._heard:
            data = await self.stream.receive_some(65_536)
            if not data:
                return None
            self._heard += [orjson.loads(frame) for frame in self._framer.feed(bytes(data))]
        return self._heard.pop(0)

    async def hear_all(self) -> list[Any]:
        """Every message until the daemon closes."""
        messages = []
        while (message := await self.hear()) is not None:
            messages.append(message)
        return messages

    async def silent(self) -> bool:
        """Whether the daemon has nothing to say, now that everybody had their turn."""

        async def listen() -> None:
            self._heard.insert(0, await self.hear())

        async with trio.open_nursery() as nursery:
            nursery.start_soon(listen)
            await wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
        return not self._heard

    async def end_of_input(self) -> None:
        """Say that nothing more comes, and go on reading."""
        await self.stream.send_eof()

    async def initialize(self, **changes: object) -> Any:
        """Bind this connection to an account."""
        return await self.call("initialize", "init", **{**INITIALIZE, **changes})


def request(method: str, request_id: object = 1, /, **params: object) -> dict[str, object]:
    """A request as a dict."""
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}


def notification(method: str, **params: object) -> dict[str, object]:
    """A notification as a dict."""
    return {"jsonrpc": "2.0", "method": method, "params": params}


@asynccontextmanager
async def connected(
    served: SessionServices[FakeAccount] | None = None, *, initialized: bool = True
) -> AsyncIterator[Host]:
    """A host joined to a session over memory streams; the session is cancelled at the end."""
    here, there = memory_stream_pair()
    served = served or services()
    if initialized:
        await served.methods.warm()  # so that no test waits for a thread
    async with _serving(Host(here), there, served) as host:
        if initialized:
            assert "result" in await host.initialize()
        yield host


@asynccontextmanager
async def _serving(
    host: Host, there: ByteStream, served: SessionServices[FakeAccount]
) -> AsyncIterator[Host]:
    async def serve() -> None:
        host.ending = await serve_connection(there, Framer(), served)
        host.ended.set()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve)
        yield host
        nursery.cancel_scope.cancel()


def _framer_for_lines() -> Framer:
    framer = Framer()
    framer.feed(b"{}\n")
    return framer
