"""A database without threads: every job is done where it is put, before its task goes on.

The mock clock cannot see threads, so tests that pass time open their database with this.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mnemod.store.lane import Job, Server, finish


class InlineLane:
    """A lane of one server, served by whoever puts a job in it."""

    def __init__(self, make: Callable[[], Server]) -> None:
        self._make = make
        self._server: Server | None = None

    async def start(self) -> None:
        self._server = self._make()

    def put(self, job: Job[Any]) -> None:
        assert self._server is not None
        self._server.serve(job, lambda: None, finish)
        self._server.rest()

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()


def inline_runner(name: str, make: Callable[[], Server], count: int = 1) -> InlineLane:
    """The runner to open a Database with under `autojump_clock`."""
    return InlineLane(make)


async def in_place(work: Callable[[Any], Any], given: Any) -> Any:
    """Runs what would go to a thread where it stands: the `run` of an interpreter under test."""
    return work(given)
