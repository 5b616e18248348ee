"""Joining or starting: whoever comes, and in whatever order. Time here is the test's own."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from mnemod.exits import Exit, Refused
from mnemod.transport import daemon_lock, discovery
from mnemod.transport.attach import attach_by_command, attach_or_start, waits
from mnemod.transport.daemon_lock import DaemonLock
from mnemod.transport.discovery import Record


class Town:
    """A data directory whose daemon is a listening socket of the test."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.clock = 0.0
        self.starts = 0
        self.listener = socket.socket(socket.AF_UNIX)

    def open_door(self) -> None:
        path = self.data_dir / "s"
        self.listener.bind(os.fspath(path))
        self.listener.listen()
        discovery.write(self.data_dir, Record(str(path), 1, "i", "0", [1]))

    def start(self, lock: DaemonLock) -> None:
        self.starts += 1
        self.open_door()
        lock.close()

    def monotonic(self) -> float:
        return self.clock

    def sleep(self, seconds: float) -> None:
        self.clock += seconds


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    made = Town(tmp_path)
    yield made
    made.listener.close()


def _attach(town: Town) -> bool:
    attached = attach_or_start(
        town.data_dir, town.start, monotonic=town.monotonic, sleep=town.sleep
    )
    attached.sock.close()
    return attached.started


def test_a_running_daemon_is_joined(town: Town) -> None:
    town.open_door()

    assert _attach(town) is False
    assert town.starts == 0


def test_without_one_it_is_started_once(town: Town) -> None:
    assert _attach(town) is True
    assert _attach(town) is False
    assert town.starts == 1


def test_while_somebody_else_starts_it_we_wait_and_join(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = daemon_lock.try_take(town.data_dir)
    assert other is not None
    monkeypatch.setattr(town, "sleep", lambda seconds: town.open_door())

    assert _attach(town) is False
    assert town.starts == 0
    other.close()


def test_a_daemon_that_came_while_we_took_the_lock_is_joined_not_doubled(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    take = daemon_lock.try_take

    def take_late(data_dir: Path) -> DaemonLock | None:
        town.open_door()
        return take(data_dir)

    monkeypatch.setattr(daemon_lock, "try_take", take_late)

    assert _attach(town) is False
    assert town.starts == 0


def test_a_holder_that_serves_nobody_is_given_up_after_fifteen_seconds(town: Town) -> None:
    other = daemon_lock.try_take(town.data_dir)
    assert other is not None
    other.write_owner(4711)

    with pytest.raises(Refused, match="process 4711") as caught:
        _attach(town)

    assert caught.value.code is Exit.TRY_AGAIN
    assert 15 <= town.clock < 16
    other.close()


def test_a_start_that_fails_tells_why_and_lets_the_lock_go(town: Town) -> None:
    def refuse(lock: DaemonLock) -> None:
        raise Refused(Exit.CONFIG, "no")

    with pytest.raises(Refused) as caught:
        attach_or_start(town.data_dir, refuse)

    assert caught.value.code is Exit.CONFIG
    assert _attach(town) is True


def test_waits_double_from_ten_milliseconds_to_half_a_second() -> None:
    assert list(islice(waits(), 8)) == [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.5, 0.5]


def test_a_command_that_cannot_start_it_gives_its_exit_code(town: Town) -> None:
    with pytest.raises(Refused) as caught:
        attach_by_command(town.data_dir, ["/bin/sh", "-c", "exit 78"])
    assert caught.value.code is Exit.CONFIG


def test_a_command_that_was_killed_counts_as_an_internal_error(town: Town) -> None:
    with pytest.raises(Refused) as caught:
        attach_by_command(town.data_dir, ["/bin/sh", "-c", "kill -9 $$"])
    assert caught.value.code is Exit.INTERNAL


def test_a_daemon_that_never_stays_is_given_up(town: Town) -> None:
    ticks = iter(range(0, 100, 10))

    with pytest.raises(Refused) as caught:
        attach_by_command(town.data_dir, ["/bin/true"], monotonic=lambda: next(ticks))
    assert caught.value.code is Exit.TRY_AGAIN
