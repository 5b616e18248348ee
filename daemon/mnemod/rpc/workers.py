"""Running the calls of one connection: a task a slot, a cancel scope a call.

A task takes the next waiting call when its own is answered, and ends when none waits. A handler
that returns a value is answered with it even if the call was cancelled meanwhile: the value says
what was committed. From there on a cancelled call has nothing left to be cancelled at.

A call that takes no task (`taskless`) gets one only if it has to wait: for a slot, for its turn,
for room to answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

import trio

from mnemod.errors import Cancelled, MnemodError
from mnemod.ids import Mint
from mnemod.rpc.in_flight import InFlight, Pending
from mnemod.rpc.order import Turn
from mnemod.rpc.replies import Replies, fault_frame, refusal_frame
from mnemod.rpc.taskless import Begin, Taskless
from mnemod.rpc.wire import Request, RequestId, encode_response

Respond = Callable[[Request, Turn], Awaitable[Mapping[str, object] | None]]
Prepare = Callable[[Request], Awaitable[None]]


class Workers:
    """Lives as long as its connection. `respond` gives None for a notification.

    `prepare` may take its time; when it has returned, `respond` begins the call at once. `begin`
    begins one that takes no task, and gives None for any other.
    """

    def __init__(
        self, prepare: Prepare, respond: Respond, begin: Begin, replies: Replies, mint: Mint
    ) -> None:
        self._prepare = prepare
        self._respond = respond
        self._taskless = Taskless(begin, mint)
        self._replies = replies
        self._mint = mint
        self._table = InFlight()

    def __contains__(self, request_id: RequestId | None) -> bool:
        return request_id in self._table

    def start(self, call: Pending, nursery: trio.Nursery) -> None:
        """Run the call now or when its turn comes. Raises Overloaded."""
        if self._admit(call) and not self._taskless.take(call, partial(self._end, call, nursery)):
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

    async def see_out(self) -> None:
        """Wait for the calls without a task; those of them whose work has not begun go undone."""
        await self._taskless.see_out()

    async def idle(self) -> None:
        """Wait until every call is answered."""
        await self._table.idle()

    def _admit(self, call: Pending) -> bool:
        try:
            return self._table.admit(call)
        except MnemodError:
            call.turn.over()
            raise

    def _end(self, call: Pending, nursery: trio.Nursery, frame: bytes | None) -> None:
        """Answer at once if nothing is to be waited for, else in a task."""
        if not call.turn.may_end or not self._replies.answer_now(call, frame):
            nursery.start_soon(self._work_after, call, frame)
            return
        call.turn.over()
        following = self._table.finish(call)
        if following is not None:
            nursery.start_soon(self._work, following)

    async def _work_after(self, call: Pending, frame: bytes | None) -> None:
        following = await self._answer(call, frame)
        if following is not None:
            await self._work(following)

    async def _work(self, call: Pending) -> None:
        following: Pending | None = call
        while following is not None:
            following = await self._answer(following, await self._outcome(following))

    async def _answer(self, call: Pending, frame: bytes | None) -> Pending | None:
        """Answer a call in its turn; the next one to run in its slot, if any waits."""
        await call.turn.end()
        await self._replies.answer(call, frame)
        call.turn.over()
        return self._table.finish(call)

    async def _outcome(self, call: Pending) -> bytes | None:
        try:
            with call.scope:
                await self._prepare(call.request)
                await call.turn.begin()
                response = await self._respond(call.request, call.turn)
                return None if response is None else encode_response(response)
            return refusal_frame(call, call.refusal or Cancelled())
        except Exception as fault:  # noqa: BLE001  one call's fault ends that call, nothing else
            return fault_frame(call, fault, self._mint)
