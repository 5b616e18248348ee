"""The methods a session answers itself, because they are about the connection and not the world.

They go without jsonrpcserver, which is not even loaded when the first of them comes.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Generic

import orjson
import trio

from mnemod.config import DRAIN_EOF_S, EXIT_WITHIN_S, WARM_CALLS_AFTER_S
from mnemod.errors import AlreadyInitialized, NotInitialized, UnsupportedProtocol
from mnemod.rpc import generated as schema
from mnemod.rpc.calls import AccountT
from mnemod.rpc.connection import Connection
from mnemod.rpc.ending import Ending
from mnemod.rpc.handshake import Binding, initialize
from mnemod.rpc.in_flight import Pending
from mnemod.rpc.params import StructT, convert, read_params
from mnemod.rpc.ports import SessionServices
from mnemod.rpc.refusals import refusal_for
from mnemod.rpc.replies import Replies
from mnemod.rpc.subscriptions import Subscriptions
from mnemod.rpc.wire import Request

Immediate = Callable[[Pending, trio.Nursery], Awaitable[None]]
Worked = Callable[[Request], Awaitable[Mapping[str, object]]]


class SessionMethods(Generic[AccountT]):
    """What one connection knows of itself, and the methods that read or change it."""

    def __init__(
        self,
        connection: Connection,
        replies: Replies,
        services: SessionServices[AccountT],
        idle: Callable[[], Awaitable[None]],
        end: Callable[[Ending], None],
    ) -> None:
        """`idle` waits for the calls in flight, `end` stops the reading."""
        self.binding: Binding[AccountT] | None = None
        self.leaving = False
        """Whether `shutdown` was asked for: no new work after it."""
        self._connection = connection
        self._replies = replies
        self._services = services
        self._idle = idle
        self._end = end
        self._subscriptions = Subscriptions(services.topics, services.mint)
        self._goodbye: Pending | None = None
        self.immediate: Mapping[str, Immediate] = {
            "ping": self._ping,
            "subscribe": self._subscribe,
            "unsubscribe": self._unsubscribe,
            "shutdown": self._shutdown,
            "daemon.stop": self._stop_daemon,
        }
        """Answered by the reader, which gives them the nursery of the connection's tasks."""
        self.worked: Mapping[str, Worked] = {
            "initialize": self._initialize,
            "health": self._health,
            "rpc.discover": self._discover,
        }
        """Answered by a worker, because they wait for something."""

    @property
    def bound(self) -> Binding[AccountT]:
        """The account and who speaks. Raises NotInitialized."""
        if self.binding is None:
            raise NotInitialized()
        return self.binding

    async def say_goodbye(self) -> None:
        """Answer `shutdown`, if it was asked and is not answered yet."""
        call, self._goodbye = self._goodbye, None
        if call is not None:
            await self._replies.result(call, {})

    def release(self) -> None:
        """Let go of the account and of what was listened to."""
        self._subscriptions.close()
        if self.binding is not None:
            self.binding.handle.release()

    async def warm(self) -> None:
        """Load what answers calls, once the reply to `initialize` has had its chance to leave."""
        await trio.sleep(WARM_CALLS_AFTER_S)
        try:
            await self._services.methods.warm()
        except ImportError as fault:
            # Each call meets the same and answers it; what needs no module is served on.
            refusal_for(fault, "(warm)", self._services.mint)

    async def _initialize(self, request: Request) -> Mapping[str, object]:
        params = _params(request, schema.InitializeParams)
        if self.binding is not None:
            raise AlreadyInitialized()
        try:
            self.binding, welcome = await initialize(params, self._services)
        except UnsupportedProtocol:
            self._end(Ending.REFUSED)  # nothing more can be said in a version we do not speak
            raise
        return welcome

    async def _health(self, request: Request) -> Mapping[str, object]:
        _params(request, schema.HealthParams)
        return await self._services.health(self.binding.handle.account if self.binding else None)

    async def _discover(self, request: Request) -> Mapping[str, object]:
        _params(request, schema.RpcDiscoverParams)
        document: Mapping[str, object] = orjson.loads(self._services.discover())
        return document

    async def _ping(self, call: Pending, _: trio.Nursery) -> None:
        _params(call.request, schema.PingParams)
        await self._replies.result(call, {})

    async def _subscribe(self, call: Pending, nursery: trio.Nursery) -> None:
        params = _params(call.request, schema.SubscribeParams)
        listening = self._subscriptions.add(params.topic, self.bound.handle.account)
        told = {"subscription_id": listening.subscription_id, "cursor": str(listening.cursor)}
        await self._replies.result(call, told)
        # Only now: no change may be told before the id it is told under.
        nursery.start_soon(listening.pump, self._connection.send)

    async def _unsubscribe(self, call: Pending, _: trio.Nursery) -> None:
        params = _params(call.request, schema.UnsubscribeParams)
        self._subscriptions.remove(params.subscription_id)
        await self._replies.result(call, {})

    async def _shutdown(self, call: Pending, nursery: trio.Nursery) -> None:
        _params(call.request, schema.ShutdownParams)
        await self.say_goodbye()  # to an earlier one: each request has its answer
        self.leaving, self._goodbye = True, call
        nursery.start_soon(self._leave)

    async def _leave(self) -> None:
        """Finish, answer, and give the client time to say `exit` or to close."""
        with trio.move_on_after(DRAIN_EOF_S):
            await self._idle()
        await self.say_goodbye()
        await trio.sleep(EXIT_WITHIN_S)
        self._end(Ending.SHUTDOWN)

    async def _stop_daemon(self, call: Pending, _: trio.Nursery) -> None:
        params = _params(call.request, schema.DaemonStopParams)
        await self._replies.result(call, {"pid": self._services.server["pid"]})
        self._services.stop(params.mode)


def _params(request: Request, struct: type[StructT]) -> StructT:
    return convert(read_params(request.params).members, struct)
