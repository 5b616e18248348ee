"""Telling whoever listens that something changed, without ever waiting for them.

A publisher never blocks and a listener never holds more than its bound: changes of the same key are
merged into the newest, and past the bound the oldest are dropped and counted. A listener that was
told of drops reads the state itself. Publish from the trio thread only.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

import trio
from msgspec import Struct

from mnemod.config import FEED_PENDING_MAX

T = TypeVar("T")


class Change(Generic[T], Struct, frozen=True):
    """One change. `seq` rises with every publish of its hub, so a gap means merged or dropped."""

    seq: int
    value: T


class Hub(Generic[T]):
    """What is published to every subscription open at that moment; nothing is kept for later."""

    def __init__(self, pending_max: int = FEED_PENDING_MAX) -> None:
        self.seq = 0
        self._pending_max = pending_max
        self._subscriptions: set[Subscription[T]] = set()

    def publish(self, key: str, value: T) -> None:
        """Tell that what `key` names is now `value`."""
        self.seq += 1
        for subscription in self._subscriptions:
            subscription._add(key, Change(self.seq, value))

    def subscribe(self) -> Subscription[T]:
        """Begin to listen. Whoever subscribes also closes."""
        subscription: Subscription[T] = Subscription(self, self._pending_max)
        self._subscriptions.add(subscription)
        return subscription

    def _leave(self, subscription: Subscription[T]) -> None:
        self._subscriptions.discard(subscription)


class Subscription(Generic[T]):
    """The changes one listener has not taken yet."""

    def __init__(self, hub: Hub[T], pending_max: int) -> None:
        self._hub = hub
        self._pending_max = pending_max
        self._pending: OrderedDict[str, Change[T]] = OrderedDict()
        self._dropped = 0
        self._something = trio.Event()

    async def take(self) -> tuple[int, Change[T]]:
        """How many changes were dropped since the last take, and the oldest one still held."""
        await self._something.wait()
        _, change = self._pending.popitem(last=False)
        dropped, self._dropped = self._dropped, 0
        if not self._pending:
            self._something = trio.Event()
        return dropped, change

    def close(self) -> None:
        """Stop listening. Closing twice is harmless."""
        self._hub._leave(self)

    def _add(self, key: str, change: Change[T]) -> None:
        # The newest goes to the end, so that `seq` grows from take to take.
        self._pending.pop(key, None)
        if len(self._pending) >= self._pending_max:
            self._pending.popitem(last=False)
            self._dropped += 1
        self._pending[key] = change
        self._something.set()
