"""The order of one connection's calls.

Commands begin and are answered in the order they were sent, and a query waits for the commands sent
before it. So a host may write a whole script without waiting, and reads its own writes. Queries
among themselves run as they come. Beginning in order is enough for taking effect in order: a
handler hands its write to the store before it first lets go of the loop. One that cannot keeps its
place meanwhile (`Turn.kept`), and the commands behind it wait for it to end.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import trio


class Turn:
    """One call's place. `before` is the last command sent before it, while that is not answered."""

    __slots__ = ("_answered", "_before", "_begun", "_is_command", "_kept")

    def __init__(self, before: Turn | None, *, is_command: bool) -> None:
        self._before = before
        self._is_command = is_command
        self._begun = trio.Event()
        self._answered = trio.Event()
        self._kept: trio.Event | None = None

    @property
    def is_over(self) -> bool:
        """Whether it is answered, or never will be."""
        return self._answered.is_set()

    async def begin(self) -> None:
        """Wait until the call may begin."""
        if self._before is not None:
            before = self._before
            await (before._begun if self._is_command else before._answered).wait()
            # Its handler ran up to where it first let go of the loop, and may have kept its place.
            if self._is_command and before._kept is not None:
                await before._kept.wait()
        self._begun.set()

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Let no command sent after this one begin within this block.

        Enter it before the handler first lets go of the loop: after that it is too late.
        """
        self._kept = trio.Event()
        try:
            yield
        finally:
            self._kept.set()

    async def end(self) -> None:
        """Wait until the call may be answered."""
        self._begun.set()
        if self._is_command and self._before is not None:
            await self._before._answered.wait()

    def over(self) -> None:
        """It is answered, or was taken back before it began."""
        self._begun.set()
        self._answered.set()
        self._before = None


class Order:
    """Gives each call of a connection its turn, as it is read."""

    def __init__(self) -> None:
        self._last_command: Turn | None = None

    def next(self, *, is_command: bool) -> Turn:
        """The turn of the call that is read now."""
        before = self._last_command
        if before is not None and before.is_over:
            before = self._last_command = None
        turn = Turn(before, is_command=is_command)
        if is_command:
            self._last_command = turn
        return turn
