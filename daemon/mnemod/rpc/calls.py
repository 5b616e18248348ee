"""What a handler gets beside params: whose account, who asks, and a way to tell how far it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Final, Generic, Protocol, TypeVar

import trio
from msgspec import Struct
from outcome import Outcome

from mnemod.config import PROGRESS_PER_S_MAX, Tier
from mnemod.ids import HostId
from mnemod.rpc.wire import RequestId, encode_notification

AccountT = TypeVar("AccountT")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_INTERVAL_S: Final = 1 / PROGRESS_PER_S_MAX


class SessionInfo(Struct, frozen=True):
    """Who is at the other end, as told in `initialize`."""

    host_id: HostId
    tier: Tier
    locale: str | None
    client_name: str


class Progress:
    """`$/progress` of one call: wanted or not, rarely enough, growing, and none after the reply."""

    def __init__(self, token: RequestId | None, offer: Callable[[bytes], object]) -> None:
        """`offer` sends a frame if there is room now, and drops it if not."""
        self._token = token
        self._offer = offer
        self._done = -1
        self._next_at = 0.0

    def report(self, done: int, total: int | None = None, message: str | None = None) -> None:
        """Say that `done` of `total` is done. Never waits; may be called as often as one likes.

        `message` is for people and holds no user text.
        """
        if self._token is None or done <= self._done or trio.current_time() < self._next_at:
            return
        self._done, self._next_at = done, trio.current_time() + _INTERVAL_S
        value = {"done": done, "total": total, "message": message}
        told = {name: part for name, part in value.items() if part is not None}
        self._offer(encode_notification("$/progress", {"token": self._token, "value": told}))

    def close(self) -> None:
        """The reply goes out now: nothing may follow it."""
        self._token = None


class Call(Generic[AccountT], Struct, frozen=True):
    """One call of an initialized connection.

    A call may be cancelled at any checkpoint. A handler whose write has committed returns without
    another checkpoint that is not shielded: the value it returns is answered, cancelled or not.
    """

    account: AccountT
    session: SessionInfo
    progress: Progress
    in_order: Callable[[], AbstractContextManager[None]] = nullcontext
    """For a command that cannot hand its write to the store at once: see `order.Turn.kept`."""


class Queued(Protocol[T_co]):
    """Work that others do and will tell of; a job of the store is one."""

    def then(self, told: Callable[[Outcome[T_co]], object], /) -> None:
        """Call `told` once with what came of it, on the loop."""

    def withdraw(self) -> bool:
        """Whether it had not begun; it never will, and nobody is told of it."""


class Underway(Generic[T], Struct, frozen=True):
    """A call that has done its part but for one piece of work: no task need wait for that."""

    work: Queued[T]
    result_of: Callable[[T], Mapping[str, object]]
    """The result of the call, from what the work returned. It waits for nothing."""
