"""When the daemon may leave by itself."""

from __future__ import annotations

import trio
from trio.testing import MockClock

from mnemod.activity import Activity, wait_until_idle


class Work:
    """Jobs that are due for `rounds` looks."""

    def __init__(self, rounds: int = 0) -> None:
        self.rounds = rounds

    async def is_due(self) -> bool:
        self.rounds -= 1
        return self.rounds >= 0


async def _idle_after(activity: Activity, idle_exit_s: float, work: Work) -> float:
    start = trio.current_time()
    await wait_until_idle(activity, idle_exit_s, work.is_due)
    return trio.current_time() - start


async def test_with_nobody_there_it_is_idle_after_the_set_time(autojump_clock: MockClock) -> None:
    assert await _idle_after(Activity(), 900, Work()) == 900


async def test_the_time_begins_when_the_last_connection_ends(autojump_clock: MockClock) -> None:
    activity = Activity()

    async def visit(seconds: float) -> None:
        with activity.connection():
            await trio.sleep(seconds)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(visit, 1_000)
        nursery.start_soon(visit, 2_000)
        await trio.testing.wait_all_tasks_blocked()
        assert activity.connections == 2
        assert await _idle_after(activity, 900, Work()) == 2_900


async def test_work_that_is_due_keeps_it_here(autojump_clock: MockClock) -> None:
    assert await _idle_after(Activity(), 900, Work(rounds=2)) == 2_700


async def test_zero_means_never(autojump_clock: MockClock) -> None:
    with trio.move_on_after(1_000_000) as scope:
        await wait_until_idle(Activity(), 0, Work().is_due)
    assert scope.cancelled_caught
