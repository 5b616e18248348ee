"""What becomes of each message: answered at once, given to a worker, or refused.

The order of the checks is the order of the errors a client sees: the id, the method's name, whether
the connection is initialized, whether it is leaving, room, and last the params.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, Generic

import trio

from mnemod.errors import (
    InvalidRequest,
    MethodNotFound,
    MnemodError,
    NotInitialized,
    Overloaded,
    ShuttingDown,
)
from mnemod.rpc.batch import Batch
from mnemod.rpc.calls import AccountT, Call, Progress, Underway
from mnemod.rpc.connection import Connection
from mnemod.rpc.ending import Ending
from mnemod.rpc.generated import METHODS
from mnemod.rpc.in_flight import Pending
from mnemod.rpc.order import Order, Turn
from mnemod.rpc.params import read_params
from mnemod.rpc.ports import SessionServices
from mnemod.rpc.replies import Replies
from mnemod.rpc.session_methods import SessionMethods
from mnemod.rpc.wire import (
    Message,
    Refused,
    Request,
    encode_error,
    is_request_id,
    result_object,
)
from mnemod.rpc.workers import Workers

# The members of a batch run at once; these cannot run beside others.
_NEVER_IN_A_BATCH: Final = frozenset(
    {"initialize", "shutdown", "subscribe", "unsubscribe", "daemon.stop"}
)
_BEFORE_INITIALIZE: Final = frozenset(
    name for name, spec in METHODS.items() if spec.before_initialize
)
_COMMANDS: Final = frozenset(name for name, spec in METHODS.items() if spec.kind == "command")
# Served by a connection that is leaving, too.
_BEGINS_NOTHING: Final = frozenset(
    {"ping", "health", "rpc.discover", "unsubscribe", "shutdown", "daemon.stop"}
)


class Reception(Generic[AccountT]):
    """Takes the messages of one connection, in order."""

    def __init__(
        self,
        connection: Connection,
        services: SessionServices[AccountT],
        end: Callable[[Ending], None],
    ) -> None:
        self._connection = connection
        self._services = services
        self._end = end
        self._replies = Replies(connection)
        self._order = Order()
        self._workers = Workers(
            self._prepare, self._respond, self._begin, self._replies, services.mint
        )
        self.session = SessionMethods(connection, self._replies, services, self.idle, end)

    async def take(
        self, message: Message | list[Message], frame_bytes: int, nursery: trio.Nursery
    ) -> None:
        """Deal with what one frame says. `nursery` holds the calls of this connection."""
        if not isinstance(message, list):
            await self._take_one(message, None, frame_bytes, nursery)
            return
        batch = Batch(len(message))
        for member in message:
            await self._take_one(member, batch, frame_bytes // len(message), nursery)

    async def idle(self) -> None:
        """Wait until every call is answered."""
        await self._workers.idle()

    async def see_out(self) -> None:
        """Wait for the calls that run in no task; those of them that had not begun never do."""
        await self._workers.see_out()

    async def cut_off(self, refusal: MnemodError) -> None:
        """Ask every call to stop and answer `refusal`."""
        await self._workers.cut_off(refusal)

    async def _take_one(
        self, message: Message, batch: Batch | None, frame_bytes: int, nursery: trio.Nursery
    ) -> None:
        if isinstance(message, Refused):
            await self._replies.settle(batch, encode_error(message.request_id, message.error))
        elif message.request_id is None:
            await self._take_notification(self._pending(message, batch, frame_bytes), nursery)
        elif message.request_id in self._workers:
            # Without the id: a client would take an answer under it for the first call's.
            await self._replies.settle(batch, encode_error(None, InvalidRequest("$.id")))
        else:
            await self._take_request(self._pending(message, batch, frame_bytes), nursery)

    async def _take_request(self, call: Pending, nursery: trio.Nursery) -> None:
        method = call.request.method
        try:
            self._require_servable(method, call.batch)
            if immediate := self.session.immediate.get(method):
                await immediate(call, nursery)
            elif method == "initialize":
                await self._workers.run(call)
                nursery.start_soon(self.session.warm)
            else:
                self._workers.start(call, nursery)
        except MnemodError as refusal:
            call.turn.over()
            await self._replies.refuse(call, refusal)

    async def _take_notification(self, call: Pending, nursery: trio.Nursery) -> None:
        """Do what it says and never answer; what cannot be done is left undone in silence."""
        request = call.request
        if request.method in self._services.methods:
            with suppress(NotInitialized, Overloaded, ShuttingDown):
                self._require_servable(request.method, call.batch)
                self._workers.start(call, nursery)
                return
            call.turn.over()
        elif request.method == "exit":
            self._end(Ending.EXIT if self.session.leaving else Ending.ABRUPT_EXIT)
        elif request.method == "$/cancelRequest" and isinstance(request.params, dict):
            request_id = request.params.get("id")
            if is_request_id(request_id):
                await self._workers.cancel(request_id)
        await self._replies.settle(call.batch, None)

    def _pending(self, request: Request, batch: Batch | None, frame_bytes: int) -> Pending:
        turn = self._order.next(is_command=request.method in _COMMANDS)
        return Pending(request, batch, frame_bytes, turn)

    def _require_servable(self, method: str, batch: Batch | None) -> None:
        here = method in self.session.immediate or method in self.session.worked
        if not here and method not in self._services.methods:
            raise MethodNotFound()
        if batch is not None and method in _NEVER_IN_A_BATCH:
            raise InvalidRequest("$.method")
        if self.session.binding is None and method not in _BEFORE_INITIALIZE:
            raise NotInitialized()
        if method not in _BEGINS_NOTHING and (self.session.leaving or self._services.drain.started):
            raise ShuttingDown()

    def _begin(self, request: Request, turn: Turn) -> Underway[Any] | None:
        """Begin a call that takes no task; a worker's part. None for one that does."""
        if not self._services.methods.begins(request.method):
            return None
        binding, params = self.session.bound, read_params(request.params)
        call = Call(binding.handle.account, binding.session, Progress(None, _nothing), turn.kept)
        return self._services.methods.begin(request.method, params.members, call)

    async def _prepare(self, request: Request) -> None:
        """Load what answers this call, if nothing has yet; a worker's part."""
        if request.method in self._services.methods:
            await self._services.methods.warm()

    async def _respond(self, request: Request, turn: Turn) -> Mapping[str, object] | None:
        """Run one call to its response object; a worker's part."""
        if worked := self.session.worked.get(request.method):
            assert request.request_id is not None
            return result_object(request.request_id, await worked(request))
        binding, params = self.session.bound, read_params(request.params)
        progress = Progress(params.progress_token, self._connection.offer)
        call = Call(binding.handle.account, binding.session, progress, turn.kept)
        try:
            return await self._services.methods.respond(
                request.method, params.members, request.request_id, call
            )
        finally:
            progress.close()


def _nothing(_: bytes) -> None:
    """Where the progress of a call goes that has none."""
