"""The order to end, given once from outside and seen by every connection."""

from __future__ import annotations

import math

import trio


class Drain:
    """Until `start`, nothing. After it connections refuse new calls, finish theirs and close."""

    def __init__(self) -> None:
        self.deadline = math.inf
        """When what is in flight is cut off, in trio's time."""
        self._started = trio.Event()

    @property
    def started(self) -> bool:
        """Whether new calls are refused."""
        return self._started.is_set()

    def start(self, within_s: float) -> None:
        """Begin; calls in flight have `within_s` seconds. A second call changes nothing."""
        if not self.started:
            self.deadline = trio.current_time() + within_s
            self._started.set()

    async def wait(self) -> None:
        """Wait for `start`."""
        await self._started.wait()
