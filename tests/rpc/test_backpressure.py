"""A client that reads slowly or not at all, over a real socket: bounded, and nobody else waits."""

from __future__ import annotations

import socket
import tracemalloc
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import orjson
import pytest
import trio
from outcome import Outcome, Value
from trio.testing import wait_all_tasks_blocked

from mnemod.rpc.calls import Call, Underway
from mnemod.rpc.connection import Connection
from mnemod.rpc.ports import ByteStream, SessionServices
from mnemod.rpc.session import serve_connection
from mnemod.transport.framing import Framer
from mnemod.transport.prompt_stream import PromptStream
from tests.support.session_host import (
    INITIALIZE,
    EchoParams,
    FakeAccount,
    Gate,
    Host,
    echo,
    notification,
    request,
    services,
)

KINDS_OF_STREAM = {"prompt": PromptStream.over, "trio": lambda stream: stream}


@pytest.fixture(params=KINDS_OF_STREAM.values(), ids=KINDS_OF_STREAM.keys())
def wrap(request: pytest.FixtureRequest) -> object:
    """Both kinds of stream that a daemon may serve."""
    return request.param


@asynccontextmanager
async def two_hosts(
    wrap: object, served: SessionServices[FakeAccount]
) -> AsyncIterator[tuple[Host, Host]]:
    """Two initialized hosts of one daemon, over socket pairs."""
    await served.methods.warm()
    async with trio.open_nursery() as nursery:
        hosts = [await _host(nursery, wrap, served) for _ in range(2)]
        async with hosts[0].stream, hosts[1].stream:
            yield hosts[0], hosts[1]
        nursery.cancel_scope.cancel()


async def _host(nursery: trio.Nursery, wrap: object, served: SessionServices[FakeAccount]) -> Host:
    here, there = (
        trio.SocketStream(trio.socket.from_stdlib_socket(end)) for end in socket.socketpair()
    )
    stream: ByteStream = wrap(there)  # type: ignore[operator]
    nursery.start_soon(serve_connection, stream, Framer(), served)
    host = Host(here)
    await host.call("initialize", **INITIALIZE)
    return host


async def large(call: Call[FakeAccount], params: EchoParams) -> dict[str, object]:
    """A reply of 1.5 MB."""
    return {"word": "x" * 1_500_000}


@dataclass
class Done:
    """Work that was done before anybody asked for it."""

    word: str

    def then(self, told: Callable[[Outcome[str]], object]) -> None:
        told(Value(self.word))

    def withdraw(self) -> bool:
        return False


def at_once(call: Call[FakeAccount], params: EchoParams) -> Underway[str]:
    """Begin a call that takes no task."""
    return Underway(Done(params.word), lambda word: {"word": word})


@pytest.mark.parametrize("method", ["ping", "echo", "taskless", "no_such_method"])
async def test_a_client_that_never_reads_is_stopped_and_costs_little(
    wrap: object, method: str
) -> None:
    lines = b"".join(orjson.dumps(request(method, number)) + b"\n" for number in range(36_000))
    served = services({"taskless": echo}, {"taskless": at_once})
    async with two_hosts(wrap, served) as (deaf, other):
        async with trio.open_nursery() as nursery:
            tracemalloc.start()
            nursery.start_soon(deaf.stream.send_all, lines)
            await wait_all_tasks_blocked(0.02)
            _, peak_bytes = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            still_sending = bool(nursery.child_tasks)
            answered = await other.call("echo", word="quick")
            nursery.cancel_scope.cancel()

    assert still_sending  # its own full socket holds it up
    assert answered["result"]["word"] == "quick"
    assert peak_bytes < 4_000_000


async def test_a_client_that_reads_again_gets_every_answer(wrap: object) -> None:
    async with two_hosts(wrap, services()) as (slow, _):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(slow.say, *(request("ping", number) for number in range(20_000)))
            await wait_all_tasks_blocked(0.02)
            ids = [(await slow.hear())["id"] for _ in range(20_000)]

    assert ids == list(range(20_000))


async def test_a_large_reply_read_in_small_pieces_stays_whole_and_holds_up_nobody(
    wrap: object,
) -> None:
    async with two_hosts(wrap, services({"large": large})) as (slow, other):
        await slow.say(request("large", 1), request("echo", 2), request("large", 3))
        heard = b""
        while heard.count(b"\n") < 3:
            heard += await slow.stream.receive_some(50_000)
        answered = await other.call("echo", word="quick")

    replies = {reply["id"]: reply["result"] for reply in map(orjson.loads, heard.splitlines())}
    assert len(replies[1]["word"]) == len(replies[3]["word"]) == 1_500_000
    assert replies[2]["word"] == ""
    assert answered["result"]["word"] == "quick"


async def test_a_cancel_is_read_while_a_large_reply_is_being_written(wrap: object) -> None:
    gate = Gate()
    async with two_hosts(wrap, services({"large": large, "wait": gate.handle})) as (slow, _):
        await slow.say(request("wait", 1), request("large", 2))
        await wait_all_tasks_blocked(0.02)
        await slow.say(notification("$/cancelRequest", id=1))
        await wait_all_tasks_blocked(0.02)

        assert gate.cancelled == 1  # though the client has not read a byte of the large reply


async def test_after_the_flush_a_late_answer_is_dropped_whole() -> None:
    here, there = (
        trio.SocketStream(trio.socket.from_stdlib_socket(end)) for end in socket.socketpair()
    )
    connection = Connection(PromptStream.over(there), Framer())
    async with here, trio.open_nursery() as nursery:
        nursery.start_soon(connection.write)
        await connection.send(b"in time")
        await connection.flush()
        await connection.send(b"late")
        assert connection.offer(b"late") is False
        await there.aclose()

        assert await here.receive_some() == b"in time\n"
        assert await here.receive_some() == b""


async def test_a_client_that_hangs_up_in_the_middle_of_a_reply_ends_alone(wrap: object) -> None:
    async with two_hosts(wrap, services({"large": large})) as (rude, other):
        await rude.say(request("large", 1))
        await wait_all_tasks_blocked(0.02)
        await rude.stream.aclose()
        await wait_all_tasks_blocked(0.02)

        assert (await other.call("ping"))["result"] == {}


async def test_requests_of_one_byte_a_write_and_three_in_one_write_are_answered(
    wrap: object,
) -> None:
    async with two_hosts(wrap, services()) as (host, _):
        for byte in orjson.dumps(request("echo", 1)) + b"\n":
            await host.stream.send_all(bytes([byte]))
        first = await host.hear()
        await host.say(*(request("ping", number) for number in (2, 3, 4)))
        others = [(await host.hear())["id"] for _ in range(3)]

    assert first["id"] == 1
    assert others == [2, 3, 4]
