"""The socket door: who is let in, how many, and who else is left in peace."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from mnemod.activity import Activity
from mnemod.transport import socket_file
from mnemod.transport.socket_file import SocketFile
from mnemod.transport.unix_socket import Door
from tests.support.rpc import AsyncClient


@pytest.fixture
def listening(tmp_path: Path) -> Iterator[SocketFile]:
    made = socket_file.bind(tmp_path / "s")
    yield made
    made.remove()


async def _echo(stream: trio.SocketStream) -> None:
    async with stream:
        async for data in stream:
            await stream.send_all(data)


@asynccontextmanager
async def _open(listening: SocketFile, activity: Activity, **more: bool) -> AsyncIterator[Door]:
    door = Door(listening, _echo, activity, **more)
    async with trio.open_nursery() as connections:
        connections.start_soon(door.accept, connections)
        yield door
        connections.cancel_scope.cancel()


async def _visit(listening: SocketFile) -> trio.SocketStream:
    return await trio.open_unix_socket(os.fspath(listening.path))


async def _says(stream: trio.SocketStream, data: bytes) -> bytes:
    with trio.fail_after(5):
        await stream.send_all(data)
        return bytes(await stream.receive_some(1_000))


async def test_a_visitor_is_served_and_counted(listening: SocketFile) -> None:
    activity = Activity()
    async with _open(listening, activity):
        async with await _visit(listening) as stream:
            assert await _says(stream, b"hello") == b"hello"
            assert activity.connections == 1
        await trio.testing.wait_all_tasks_blocked()
        assert activity.connections == 0


async def test_one_visitor_too_many_is_told_so_and_the_others_stay(
    listening: SocketFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mnemod.transport.unix_socket.CONNECTIONS_MAX", 1)
    async with _open(listening, Activity()):
        async with await _visit(listening) as first, await _visit(listening) as second:
            assert await _says(first, b"hello") == b"hello"

            refusal = (await AsyncClient(second).receive())["error"]["data"]
            assert (refusal["kind"], refusal["details"]) == ("overloaded", {"connections": 1})
            assert await second.receive_some(1) == b""
            assert await _says(first, b"again") == b"again"


async def test_a_door_that_moved_serves_both_who_was_there_and_who_comes(
    listening: SocketFile,
) -> None:
    async with _open(listening, Activity()) as door, await _visit(listening) as early:
        assert await _says(early, b"hello") == b"hello"
        listening.path.unlink()
        assert listening.keep_found()
        door.move()

        async with await _visit(listening) as late:
            assert await _says(late, b"hello") == b"hello"
        assert await _says(early, b"still here") == b"still here"


@pytest.fixture
def root_comes_to_another_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mnemod.transport.unix_socket.peer_uid", lambda sock: 0)
    monkeypatch.setattr("mnemod.transport.unix_socket.os.geteuid", lambda: 1_000)


@pytest.mark.usefixtures("root_comes_to_another_user")
async def test_root_is_another_user_and_let_go(listening: SocketFile) -> None:
    async with _open(listening, Activity()):
        async with await _visit(listening) as stream:
            with trio.fail_after(5):
                assert await stream.receive_some(1) == b""


@pytest.mark.usefixtures("root_comes_to_another_user")
async def test_root_is_served_where_that_was_allowed(listening: SocketFile) -> None:
    async with _open(listening, Activity(), allow_root=True):
        async with await _visit(listening) as stream:
            assert await _says(stream, b"hello") == b"hello"
