"""What a connection listens to: changes of its account, told as notifications.

    subscribe {topic}          -> {subscription_id, cursor}
    <notification>             {subscription_id, seq, ...the members of the topic}
    subscription_lagged        {subscription_id, dropped}

`seq` grows and is always above `cursor`. A topic publishes keys; what they stand for is read when
it is sent, so a slow client gets the newest state once instead of every state late.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Generic

import trio
from msgspec import Struct

from mnemod.config import SUBSCRIPTIONS_MAX
from mnemod.errors import InvalidParams, LimitExceeded, MnemodError, NotFound
from mnemod.feed import Change, Hub, Subscription
from mnemod.ids import Mint
from mnemod.rpc.calls import AccountT
from mnemod.rpc.wire import encode_notification

Send = Callable[[bytes], Awaitable[None]]


class Topic(Generic[AccountT], Struct, frozen=True):
    """One thing to subscribe to."""

    notification: str
    """The method of its notifications, `job_changed`."""
    hub: Callable[[AccountT], Hub[Any]]
    render: Callable[[AccountT, Any], Awaitable[Mapping[str, object] | None]]
    """The members to tell of a published value; None if there is nothing to tell any more."""


class Listening(Generic[AccountT], Struct, frozen=True):
    """One subscription of one connection."""

    subscription_id: str
    cursor: int
    topic: Topic[AccountT]
    account: AccountT
    changes: Subscription[Any]
    scope: trio.CancelScope

    async def pump(self, send: Send) -> None:
        """Send every change until the scope is cancelled; `send` waits for a slow client.

        Meanwhile changes are merged and dropped in the feed, not here, and its publisher goes on.
        """
        with self.scope:
            while True:
                dropped, change = await self.changes.take()
                if dropped:
                    await send(self._lagged(dropped))
                await self._tell(change, send)

    def stop(self) -> None:
        """Listen no more."""
        self.changes.close()
        self.scope.cancel()

    async def _tell(self, change: Change[Any], send: Send) -> None:
        try:
            members = await self.topic.render(self.account, change.value)
        except MnemodError:
            await send(self._lagged(1))  # it could not be read now; the client reads it later
            return
        if members is not None:
            head = {"subscription_id": self.subscription_id, "seq": change.seq}
            await send(encode_notification(self.topic.notification, {**head, **members}))

    def _lagged(self, dropped: int) -> bytes:
        told = {"subscription_id": self.subscription_id, "dropped": dropped}
        return encode_notification("subscription_lagged", told)


class Subscriptions(Generic[AccountT]):
    """The subscriptions of one connection, at most SUBSCRIPTIONS_MAX."""

    def __init__(self, topics: Mapping[str, Topic[AccountT]], mint: Mint) -> None:
        self._topics = topics
        self._mint = mint
        self._open: dict[str, Listening[AccountT]] = {}

    def add(self, topic: str, account: AccountT) -> Listening[AccountT]:
        """Listen from now on; the caller runs `pump`. Raises InvalidParams, LimitExceeded."""
        if topic not in self._topics:
            raise InvalidParams("$.topic")
        if len(self._open) >= SUBSCRIPTIONS_MAX:
            raise LimitExceeded(limit="subscriptions", max=SUBSCRIPTIONS_MAX)
        hub = self._topics[topic].hub(account)
        listening = Listening(
            self._mint("sb_"),
            hub.seq,
            self._topics[topic],
            account,
            hub.subscribe(),
            trio.CancelScope(),
        )
        self._open[listening.subscription_id] = listening
        return listening

    def remove(self, subscription_id: str) -> None:
        """Stop one. Raises NotFound."""
        listening = self._open.pop(subscription_id, None)
        if listening is None:
            raise NotFound("$.subscription_id")
        listening.stop()

    def close(self) -> None:
        """Stop all."""
        for listening in self._open.values():
            listening.stop()
        self._open.clear()
