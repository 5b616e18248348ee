"""The moment an idle daemon leaves: whoever comes just then is served by it or finds the next."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest
import trio
from trio.testing import MockClock

from mnemod.activity import Activity
from mnemod.app import _leave_when_idle
from mnemod.config import Config
from mnemod.engine import Engine
from mnemod.rpc.drain import Drain
from mnemod.transport import socket_file
from mnemod.transport.socket_file import SocketFile


@dataclass
class Parts:
    """As much of an engine as leaving looks at."""

    drain: Drain = field(default_factory=Drain)
    activity: Activity = field(default_factory=Activity)

    async def is_working(self) -> bool:
        return False


@pytest.fixture
def door(tmp_path: Path) -> Iterator[SocketFile]:
    made = socket_file.bind(tmp_path / "s")
    yield made
    made.remove()


async def _leave(parts: Parts, door: SocketFile) -> None:
    config = Config(Path(), idle_exit_s=10.0)
    await _leave_when_idle(config, cast("Engine", parts), door)


async def test_with_nobody_at_the_door_the_name_goes_and_then_the_drain_starts(
    door: SocketFile, autojump_clock: MockClock
) -> None:
    parts = Parts()

    await _leave(parts, door)

    assert parts.drain.started
    assert not door.path.exists()


async def test_a_visitor_who_waits_in_line_keeps_the_daemon_and_its_name(
    door: SocketFile, autojump_clock: MockClock
) -> None:
    parts = Parts()
    with socket.socket(socket.AF_UNIX) as visitor, trio.move_on_after(25):
        visitor.connect(os.fspath(door.path))
        await _leave(parts, door)

    assert not parts.drain.started
    assert door.path.exists()


async def test_a_visitor_who_was_accepted_at_the_last_moment_is_counted(
    door: SocketFile, autojump_clock: MockClock
) -> None:
    parts = Parts()

    async def accepted_just_before_the_name_went() -> None:
        await trio.sleep(10.0)
        with parts.activity.connection():
            await trio.sleep(5.0)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(accepted_just_before_the_name_went)
        nursery.start_soon(_leave, parts, door)
        await trio.sleep(12)
        assert not parts.drain.started
        assert door.path.exists()

    assert parts.drain.started
    assert trio.current_time() >= 25
