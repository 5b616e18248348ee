"""Threads that serve connections start together, end in order, and never leave a task waiting."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import trio
from outcome import Value

from mnemod.store.lane import Job, Kind, More, Tell, ThreadLane


class Broken(Exception):
    """A bug, as a test imagines one."""


class BreaksAtWork:
    """A server with a bug."""

    def serve(self, first: Job[Any], more: More, tell: Tell) -> None:
        raise Broken

    def rest(self) -> float | None:
        return None

    def close(self) -> None: ...


class WakesUp(BreaksAtWork):
    """A server that wants a quiet moment every few milliseconds."""

    def __init__(self) -> None:
        self.rests = 0

    def rest(self) -> float | None:
        self.rests += 1
        return 0.001


def _cannot_be_made() -> BreaksAtWork:
    raise Broken


def _threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == "lane"]


async def test_one_server_that_cannot_be_made_fails_the_start_and_leaves_no_thread() -> None:
    makers = iter([BreaksAtWork, _cannot_be_made])
    lane = ThreadLane("lane", lambda: next(makers)(), 2)

    with pytest.raises(Broken):
        await lane.start()
    await _end_of_threads()

    assert _threads() == []


async def _end_of_threads() -> None:
    with trio.fail_after(5):
        while _threads():  # they have said that they end; the system takes a moment more
            await trio.sleep(0.001)


async def test_a_lane_that_is_closed_leaves_no_thread() -> None:
    lane = ThreadLane("lane", BreaksAtWork, 3)
    await lane.start()
    running = len(_threads())

    await lane.close()
    await _end_of_threads()

    assert running == 3


def test_a_bug_in_a_thread_ends_the_daemon_instead_of_hanging_it() -> None:
    async def main() -> None:
        lane = ThreadLane("lane", BreaksAtWork)
        await lane.start()
        job: Job[None] = Job(Kind.WRITE, lambda tx: None)
        lane.put(job)
        await job.wait()

    with pytest.raises(trio.TrioInternalError) as ended:
        trio.run(main)

    assert isinstance(ended.value.__cause__, ExceptionGroup)
    assert ended.value.__cause__.subgroup(Broken) is not None


async def test_a_server_gets_the_quiet_moments_it_asks_for() -> None:
    server = WakesUp()
    lane = ThreadLane("lane", lambda: server)
    await lane.start()

    with trio.fail_after(5):
        while server.rests < 3:  # its thread's own timer
            await trio.sleep(0.001)

    await lane.close()


async def test_who_left_word_is_told_on_the_loop_what_came_of_the_work() -> None:
    came: list[object] = []
    job: Job[str] = Job(Kind.WRITE, lambda tx: "done", lambda: came.append("hook"))
    job.then(lambda result: came.append(result.unwrap()))
    job.take()
    job.result = Value("done")

    job.finish()

    assert came == ["hook", "done"]


async def test_a_job_can_be_withdrawn_until_its_server_takes_it() -> None:
    came: list[object] = []
    early: Job[None] = Job(Kind.WRITE, lambda tx: None)
    late: Job[None] = Job(Kind.WRITE, lambda tx: None)
    early.then(came.append)
    late.take()

    assert (early.withdraw(), late.withdraw()) == (True, False)
    assert not early.take()
    assert came == []
