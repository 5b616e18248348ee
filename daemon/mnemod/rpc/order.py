"""The order of one connection's calls.

Commands begin and are answered in the order they were sent, and a query waits for the commands sent
before it. So a host may write a whole script without waiting, and reads its own writes. Queries
among themselves run as they come. Beginning in order is enough for taking effect in order: a
handler hands its write to the store before it first lets go of the loop. One that cannot keeps its
place meanwhile (`Turn.kept`), and the commands behind it wait for it to end. One that is taken back
before it began lets nobody past those before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import trio


class Turn:
    """One call's place. `before` is the last command sent before it, while that is not answered."""

    __slots__ = ("_answered", "_before", "_begun", "_instead", "_is_command", "_kept")

    def __init__(self, before: Turn | None, *, is_command: bool) -> None:
        self._before = before
        self._is_command = is_command
        self._begun = trio.Event()
        self._answered = trio.Event()
        self._kept: trio.Event | None = None
        self._instead: Turn | None = None
        """Of one that never began: the one before it, which those behind it wait for."""

    @property
    def is_over(self) -> bool:
        """Whether it is answered, or never will be."""
        return self._answered.is_set()

    @property
    def standing(self) -> Turn | None:
        """The last turn up to this one that is not over; None if all are."""
        turn: Turn | None = self
        while turn is not None and turn.is_over:
            turn = turn._instead
        return turn

    @property
    def may_begin(self) -> bool:
        """Whether the call need not wait to begin."""
        before = self._before
        while before is not None:
            passed = before._begun if self._is_command else before._answered
            if not passed.is_set() or (self._is_command and before._keeps_others):
                return False
            before = before._instead
        return True

    @property
    def may_end(self) -> bool:
        """Whether the call need not wait to be answered."""
        return not self._is_command or self._before is None or self._before.standing is None

    def has_begun(self) -> None:
        """The call began without waiting."""
        self._begun.set()

    async def begin(self) -> None:
        """Wait until the call may begin."""
        before = self._before
        while before is not None:
            await (before._begun if self._is_command else before._answered).wait()
            # Its handler ran up to where it first let go of the loop, and may have kept its place.
            if self._is_command and before._kept is not None:
                await before._kept.wait()
            before = before._instead
        self._begun.set()

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Let no command sent after this one begin within this block.

        Enter it before the handler first lets go of the loop: after that it is too late. A block
        within one is part of it.
        """
        if self._keeps_others:
            yield
            return
        self._kept = trio.Event()
        try:
            yield
        finally:
            self._kept.set()

    async def end(self) -> None:
        """Wait until the call may be answered."""
        self._begin_no_more()
        before = self._before if self._is_command else None
        while before is not None:
            await before._answered.wait()
            before = before._instead

    def over(self) -> None:
        """It is answered, or was taken back before it began."""
        self._begin_no_more()
        self._answered.set()
        self._before = None

    @property
    def _keeps_others(self) -> bool:
        return self._kept is not None and not self._kept.is_set()

    def _begin_no_more(self) -> None:
        if not self._begun.is_set():
            self._instead = self._before
            self._begun.set()


class Order:
    """Gives each call of a connection its turn, as it is read."""

    def __init__(self) -> None:
        self._last_command: Turn | None = None

    def next(self, *, is_command: bool) -> Turn:
        """The turn of the call that is read now."""
        before = None if self._last_command is None else self._last_command.standing
        turn = Turn(before, is_command=is_command)
        self._last_command = turn if is_command else before
        return turn
