"""The calls of one connection that are not answered yet: which run, which wait, how to cancel one.

IN_FLIGHT_MAX run at once and QUEUED_MAX wait for a slot, in order. A call past that is refused by
the reader itself, which so can always read a `$/cancelRequest`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import trio
from msgspec import Struct, field

from mnemod.config import IN_FLIGHT_MAX, QUEUED_BYTES_MAX, QUEUED_MAX
from mnemod.errors import Cancelled, MnemodError, Overloaded
from mnemod.rpc.batch import Batch
from mnemod.rpc.order import Turn
from mnemod.rpc.wire import Request, RequestId


class Pending(Struct, eq=False):
    """One call, from the moment it is read until its answer is queued."""

    request: Request
    batch: Batch | None
    """Where the answer is gathered, if it does not go out alone."""
    frame_bytes: int
    """How much memory it holds while it waits, about."""
    turn: Turn
    """Its place among the calls of the connection."""
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    """What the handler runs in."""
    withdraw: Callable[[], object] | None = None
    """What stops a call that runs in no task."""
    refusal: MnemodError | None = None
    """What a cancelled call answers."""


class InFlight:
    """The table of one connection."""

    def __init__(self) -> None:
        self._by_id: dict[RequestId, Pending] = {}
        self._running: set[Pending] = set()
        self._queue: deque[Pending] = deque()
        self._queued_bytes = 0
        self._idle = trio.lowlevel.ParkingLot()

    def __contains__(self, request_id: RequestId | None) -> bool:
        return request_id in self._by_id

    def admit(self, call: Pending) -> bool:
        """Take the call in: True if it has a slot and must be run, False if it waits for one.

        Raises Overloaded, and then holds nothing of it.
        """
        runs = len(self._running) < IN_FLIGHT_MAX
        if runs:
            self._running.add(call)
        else:
            self._enqueue(call)
        if call.request.request_id is not None:
            self._by_id[call.request.request_id] = call
        return runs

    def finish(self, call: Pending) -> Pending | None:
        """The answer of a running call is queued; the next one to run in its slot, if any waits."""
        self._forget(call)
        self._running.discard(call)
        if self._queue:
            following = self._queue.popleft()
            self._queued_bytes -= following.frame_bytes
            self._running.add(following)
            return following
        if not self._running:
            self._idle.unpark_all()
        return None

    def cancel(self, request_id: RequestId) -> Pending | None:
        """Ask a call to stop. Returned if it had not begun: it is out, and must be answered."""
        call = self._by_id.get(request_id)
        return self._cancel(call, Cancelled()) if call else None

    def cancel_all(self, refusal: MnemodError) -> list[Pending]:
        """Ask every call to stop and answer `refusal`. Returns those that had not begun."""
        everything = [*self._queue, *self._running]
        return [call for call in everything if self._cancel(call, refusal)]

    async def idle(self) -> None:
        """Wait until nothing runs and nothing waits."""
        while self._running:
            await self._idle.park()

    def _enqueue(self, call: Pending) -> None:
        if len(self._queue) >= QUEUED_MAX:
            raise Overloaded(in_flight=IN_FLIGHT_MAX, queued=QUEUED_MAX)
        if self._queued_bytes + call.frame_bytes > QUEUED_BYTES_MAX:
            raise Overloaded(queued_bytes=QUEUED_BYTES_MAX)
        self._queue.append(call)
        self._queued_bytes += call.frame_bytes

    def _cancel(self, call: Pending, refusal: MnemodError) -> Pending | None:
        call.refusal = call.refusal or refusal
        if call in self._running:
            call.scope.cancel()
            if call.withdraw is not None:
                call.withdraw()
            return None
        self._queue.remove(call)
        self._queued_bytes -= call.frame_bytes
        self._forget(call)
        return call

    def _forget(self, call: Pending) -> None:
        if call.request.request_id is not None:
            del self._by_id[call.request.request_id]
