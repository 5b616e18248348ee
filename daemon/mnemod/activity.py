"""Whether anybody uses the daemon, and when it may leave by itself."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import trio


class Activity:
    """Counts the connections and remembers when the last one ended."""

    def __init__(self) -> None:
        self.connections = 0
        self._last = trio.current_time()

    @contextmanager
    def connection(self) -> Iterator[None]:
        """Somebody is connected for the length of this block."""
        self.connections += 1
        try:
            yield
        finally:
            self.connections -= 1
            self.touch()

    def touch(self) -> None:
        """Something happened just now: the time of quiet begins again."""
        self._last = trio.current_time()

    def quiet_s(self) -> float:
        """For how long nobody has been connected; zero while somebody is."""
        return 0.0 if self.connections else trio.current_time() - self._last


async def wait_until_idle(
    activity: Activity, idle_exit_s: float, is_working: Callable[[], Awaitable[bool]]
) -> None:
    """Return after `idle_exit_s` seconds without a connection, at a moment with no work to do.

    Work is a job that runs or is due; a job that is due later keeps nobody here: the next daemon
    does it. Zero seconds means never.
    """
    if idle_exit_s <= 0:
        await trio.sleep(math.inf)
    while True:
        if (rest_s := idle_exit_s - activity.quiet_s()) > 0:
            await trio.sleep(rest_s)
        elif await is_working():
            activity.touch()
        else:
            return
