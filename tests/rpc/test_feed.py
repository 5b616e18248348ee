"""The feed: publishing never waits, and a listener never holds more than its bound."""

from __future__ import annotations

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import wait_all_tasks_blocked

from mnemod.feed import Change, Hub


async def test_changes_come_in_order_with_growing_numbers() -> None:
    hub: Hub[str] = Hub()
    subscription = hub.subscribe()
    hub.publish("j1", "a")
    hub.publish("j2", "b")

    assert await subscription.take() == (0, Change(1, "a"))
    assert await subscription.take() == (0, Change(2, "b"))


async def test_changes_of_one_key_are_merged_into_the_newest() -> None:
    hub: Hub[str] = Hub()
    subscription = hub.subscribe()
    hub.publish("j1", "old")
    hub.publish("j2", "b")
    hub.publish("j1", "new")

    assert await subscription.take() == (0, Change(2, "b"))
    assert await subscription.take() == (0, Change(3, "new"))


async def test_past_the_bound_the_oldest_is_dropped_and_counted_once() -> None:
    hub: Hub[str] = Hub(pending_max=2)
    subscription = hub.subscribe()
    hub.publish("j1", "a")
    hub.publish("j2", "b")
    hub.publish("j2", "b again")
    hub.publish("j3", "c")

    assert await subscription.take() == (1, Change(3, "b again"))
    assert await subscription.take() == (0, Change(4, "c"))


async def test_a_listener_hears_only_what_comes_after_it_and_until_it_closes() -> None:
    hub: Hub[str] = Hub()
    hub.publish("j1", "before")
    subscription = hub.subscribe()
    hub.publish("j1", "during")
    subscription.close()
    subscription.close()
    hub.publish("j1", "after")

    assert await subscription.take() == (0, Change(2, "during"))
    with trio.move_on_after(0) as silence:
        await subscription.take()
    assert silence.cancelled_caught


async def test_a_listener_that_waits_is_woken() -> None:
    hub: Hub[str] = Hub()
    subscription = hub.subscribe()
    heard: list[tuple[int, Change[str]]] = []

    async def listen() -> None:
        heard.append(await subscription.take())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(listen)
        await wait_all_tasks_blocked()
        hub.publish("j1", "a")

    assert heard == [(0, Change(1, "a"))]


@given(st.lists(st.integers(0, 9)), st.integers(1, 5))
def test_every_key_is_either_heard_at_its_newest_or_counted_as_dropped(
    keys: list[int], pending_max: int
) -> None:
    newest = {key: number for number, key in enumerate(keys, start=1)}
    expected = sorted(newest.values())[-pending_max:]

    async def heard() -> list[tuple[int, Change[int]]]:
        hub: Hub[int] = Hub(pending_max)
        subscription = hub.subscribe()
        for number, key in enumerate(keys, start=1):
            hub.publish(str(key), number)
        return [await subscription.take() for _ in expected]

    taken = trio.run(heard)

    assert [change for _, change in taken] == [Change(number, number) for number in expected]
    assert sum(dropped for dropped, _ in taken) >= len(newest) - len(expected)


@pytest.mark.parametrize("listeners", [1, 3])
async def test_each_listener_has_its_own_bound(listeners: int) -> None:
    hub: Hub[str] = Hub(pending_max=1)
    subscriptions = [hub.subscribe() for _ in range(listeners)]
    hub.publish("j1", "a")
    await subscriptions[0].take()
    hub.publish("j2", "b")

    heard = [await subscription.take() for subscription in subscriptions]

    assert heard == [(0, Change(2, "b"))] + [(1, Change(2, "b"))] * (listeners - 1)
