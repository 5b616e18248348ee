"""A job that keeps its thread until a test lets go, so that the order of things is the test's."""

from __future__ import annotations

from threading import Event

import trio

from mnemod.store.database import Tx

_AT_MOST_S = 10.0


class Held:
    """Give `held` to a database as work; `await begun()`; do what has to happen; `let_go()`."""

    def __init__(self) -> None:
        self._begun = Event()
        self._let_go = Event()

    def __call__(self, tx: Tx) -> list[tuple[object, ...]]:
        """The work: opens its snapshot, then stays."""
        rows: list[tuple[object, ...]] = tx.execute("SELECT text FROM note").fetchall()
        self._begun.set()
        assert self._let_go.wait(_AT_MOST_S), "a test never let go"
        return rows

    async def begun(self) -> None:
        """Wait until the thread is in it."""
        assert await trio.to_thread.run_sync(self._begun.wait, _AT_MOST_S)

    def let_go(self) -> None:
        self._let_go.set()
