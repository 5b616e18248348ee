"""Running the calls of one connection: a task a slot, a cancel scope a call.

A task takes the next waiting call when its own is answered, and ends when none waits. A handler
that returns a value is answered with it even if the call was cancelled meanwhile: the value says
what was committed. From there on a cancelled call has nothing left to be cancelled at.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

import trio

from mnemod.errors import Cancelled, MnemodError
from mnemod.ids import Mint
from mnemod.rpc.in_flight import InFlight, Pending
from mnemod.rpc.order import Turn
from mnemod.rpc.refusals import refusal_for
from mnemod.rpc.replies import Replies, refusal_frame
from mnemod.rpc.wire import Request, RequestId, encode_response

Respond = Callable[[Request, Turn], Awaitable[Mapping[str, object] | None]]
Prepare = Callable[[Request], Awaitable[None]]


class Workers:
    """Lives as long as its connection. `respond` gives None for a notification.

    `prepare` may take its time; when it has returned, `respond` begins the call at once.
    """

    def __init__(self, prepare: Prepare, respond: Respond, replies: Replies, mint: Mint) -> None:
        self._prepare = prepare
        self._respond = respond
        self._replies = replies
        self._mint = mint
        self._table = InFlight()

    def __contains__(self, request_id: RequestId | None) -> bool:
        return request_id in self._table

    def start(self, call: Pending, nursery: trio.Nursery) -> None:
        """Run the call now or when its turn comes. Raises Overloaded."""
        if self._admit(call):
            nursery.start_soon(self._work, call)

    async def run(self, call: Pending) -> None:
        """Run the call and wait until it is answered. Raises Overloaded."""
        if self._admit(call):
            await self._work(call)

    async def cancel(self, request_id: RequestId) -> None:
        """Ask a call to stop; one that is not in flight is none of our business."""
        waiting = self._table.cancel(request_id)
        if waiting:
            waiting.turn.over()
            await self._replies.refuse(waiting, Cancelled())

    async def cut_off(self, refusal: MnemodError) -> None:
        """Ask every call to stop and answer `refusal`."""
        for waiting in self._table.cancel_all(refusal):
            waiting.turn.over()
            await self._replies.refuse(waiting, refusal)

    async def idle(self) -> None:
        """Wait until every call is answered."""
        await self._table.idle()

    def _admit(self, call: Pending) -> bool:
        try:
            return self._table.admit(call)
        except MnemodError:
            call.turn.over()
            raise

    async def _work(self, call: Pending) -> None:
        following: Pending | None = call
        while following is not None:
            frame = await self._outcome(following)
            await following.turn.end()
            await self._replies.answer(following, frame)
            following.turn.over()
            following = self._table.finish(following)

    async def _outcome(self, call: Pending) -> bytes | None:
        try:
            with call.scope:
                await self._prepare(call.request)
                await call.turn.begin()
                response = await self._respond(call.request, call.turn)
                return None if response is None else encode_response(response)
            refusal = call.refusal or Cancelled()
        except Exception as fault:  # noqa: BLE001  one call's fault ends that call, nothing else
            refusal = refusal_for(fault, call.request.method, self._mint)
        return refusal_frame(call, refusal)
