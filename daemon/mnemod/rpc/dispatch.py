"""From a method's name to its handler, and from its outcome to a response object."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec
import trio
from msgspec import Struct

from mnemod.ids import Mint, random_id
from mnemod.rpc.calls import AccountT, Call, Underway
from mnemod.rpc.params import convert
from mnemod.rpc.refusals import refusal_for
from mnemod.rpc.wire import RequestId

if TYPE_CHECKING:
    from mnemod.rpc.jsonrpc import Dispatch, Outcome

ParamsT = TypeVar("ParamsT", bound=msgspec.Struct)


class Method(Generic[AccountT, ParamsT], Struct, frozen=True):
    """One method: its name on the wire, the Struct of its params, and who answers it.

    The handler returns the result as a dict, or raises a MnemodError. `begin` does the same without
    a task to wait in, or gives None where it cannot, having done nothing.
    """

    name: str
    params_type: type[ParamsT]
    handler: Callable[[Call[AccountT], ParamsT], Awaitable[Mapping[str, object]]]
    begin: Callable[[Call[AccountT], ParamsT], Underway[Any] | None] | None = None


class MethodTable(Generic[AccountT]):
    """Every method that needs an account. Made once for the daemon, read by each connection."""

    def __init__(self, methods: Iterable[Method[AccountT, Any]], mint: Mint = random_id) -> None:
        self._methods = {method.name: method for method in methods}
        self._mint = mint
        self._dispatch: Dispatch | None = None
        self._loading = trio.Lock()

    @property
    def names(self) -> tuple[str, ...]:
        """The names served, in order."""
        return tuple(sorted(self._methods))

    def __contains__(self, name: str) -> bool:
        return name in self._methods

    async def warm(self) -> None:
        """Load what answers calls, in a thread, once. Meant for the moment after `initialize`."""
        if self._dispatch is not None:
            return
        async with self._loading:
            if self._dispatch is None:
                self._dispatch = await trio.to_thread.run_sync(self._load)

    async def respond(
        self,
        name: str,
        members: dict[str, object],
        request_id: RequestId | None,
        call: Call[AccountT],
    ) -> dict[str, object] | None:
        """Run the method `name`, which must be one of ours; None if it was a notification.

        After `warm`, the handler begins before this lets go of the loop.
        """
        assert self._dispatch is not None, "warm comes first"
        return await self._dispatch(name, members, request_id, call)

    def begins(self, name: str) -> bool:
        """Whether calls of `name` may begin without a task. None does before `warm`."""
        method = self._methods.get(name)
        return self._dispatch is not None and method is not None and method.begin is not None

    def begin(
        self, name: str, members: dict[str, object], call: Call[AccountT]
    ) -> Underway[Any] | None:
        """Begin such a call; None if this one takes a task. Raises what refuses it."""
        method = self._methods[name]
        assert method.begin is not None, "ask begins first"
        return method.begin(call, convert(members, method.params_type))

    def _load(self) -> Dispatch:
        from mnemod.rpc.jsonrpc import dispatcher

        return dispatcher({name: self._answer(method) for name, method in self._methods.items()})

    def _answer(
        self, method: Method[AccountT, Any]
    ) -> Callable[[Call[AccountT], dict[str, object]], Awaitable[Outcome]]:
        async def answer(call: Call[AccountT], members: dict[str, object]) -> Outcome:
            try:
                return await method.handler(call, convert(members, method.params_type))
            except Exception as fault:  # noqa: BLE001  the library would put its text on the wire
                return refusal_for(fault, method.name, self._mint)

        return answer
