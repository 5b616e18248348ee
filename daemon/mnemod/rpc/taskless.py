"""Running calls in no task: for those that need nothing but one piece of queued work.

A task, its cancel scope and its way to the store and back cost more than what most calls do. So
the reader begins such a call, and it is answered where its work is told of. What it has in common
with every other is the table: it holds a slot, can be cancelled, and is answered in its turn.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import trio
from outcome import Outcome

from mnemod.errors import Cancelled
from mnemod.ids import Mint
from mnemod.rpc.calls import Underway
from mnemod.rpc.in_flight import Pending
from mnemod.rpc.order import Turn
from mnemod.rpc.replies import fault_frame, refusal_frame, result_frame
from mnemod.rpc.wire import Request

Begin = Callable[[Request, Turn], Underway[Any] | None]
End = Callable[[bytes | None], object]
"""Takes the answer of a call, None for a notification's, and waits for nothing."""


class Taskless:
    """The calls of one connection that run so. `begin` gives None for one that takes a task."""

    def __init__(self, begin: Begin, mint: Mint) -> None:
        self._begin = begin
        self._mint = mint
        self._underway = set[Pending]()
        self._ended = trio.lowlevel.ParkingLot()

    def take(self, call: Pending, end: End) -> bool:
        """Begin the call, and give `end` its answer when there is one; False if it takes a task."""
        if not call.turn.may_begin:
            return False
        try:
            underway = self._begin(call.request, call.turn)
        except Exception as fault:  # noqa: BLE001  one call's fault ends that call, nothing else
            call.turn.has_begun()
            end(fault_frame(call, fault, self._mint))
            return True
        if underway is None:
            return False
        call.turn.has_begun()
        call.withdraw = partial(self._withdraw, call, underway, end)
        self._underway.add(call)
        underway.work.then(partial(self._told, call, underway, end))
        return True

    async def see_out(self) -> None:
        """Wait until none runs; what has not begun to work never will. Work has its deadlines."""
        for call in list(self._underway):
            assert call.withdraw is not None
            call.withdraw()
        with trio.CancelScope(shield=True):
            while self._underway:
                await self._ended.park()

    def _told(self, call: Pending, underway: Underway[Any], end: End, came: Outcome[Any]) -> None:
        """The work is done, or has failed."""
        try:
            frame = result_frame(call, underway.result_of(came.unwrap()))
        except Exception as fault:  # noqa: BLE001  one call's fault ends that call, nothing else
            frame = fault_frame(call, fault, self._mint)
        self._leave(call)
        end(frame)

    def _withdraw(self, call: Pending, underway: Underway[Any], end: End) -> None:
        if underway.work.withdraw():
            self._leave(call)
            end(refusal_frame(call, call.refusal or Cancelled()))

    def _leave(self, call: Pending) -> None:
        call.withdraw = None  # it holds the call: a circle, which only the collector would break
        self._underway.discard(call)
        if not self._underway:
            self._ended.unpark_all()
