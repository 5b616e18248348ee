"""Subscriptions: told after their id, merged while the client is slow, never in the way."""

from __future__ import annotations

from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from mnemod.config import OUTBOUND_FRAMES_MAX
from mnemod.errors import Busy
from mnemod.feed import Hub
from mnemod.rpc.outbound import Outbound
from mnemod.rpc.subscriptions import Subscriptions, Topic
from tests.support.session_host import FakeAccount, FakeAccounts, connected, services


async def test_a_change_is_told_under_the_subscriptions_id_and_above_its_cursor() -> None:
    accounts = FakeAccounts()
    async with connected(services(accounts=accounts)) as host:
        hub = accounts.handles[0].account.jobs
        hub.publish("jb_0", "jb_0")
        reply = await host.call("subscribe", topic="jobs")
        hub.publish("jb_1", "jb_1")
        told = await host.hear()

    subscription_id = reply["result"]["subscription_id"]
    assert reply["result"]["cursor"] == "1"
    assert told == {
        "jsonrpc": "2.0",
        "method": "job_changed",
        "params": {"subscription_id": subscription_id, "seq": 2, "job": {"job_id": "jb_1"}},
    }


async def test_the_reply_comes_before_the_first_change() -> None:
    hub: Hub[str] = Hub()

    async def render(account: FakeAccount, job_id: str) -> dict[str, object]:
        return {"job": {"job_id": job_id}}

    def hub_that_changes_at_once(account: FakeAccount) -> Hub[str]:
        trio.lowlevel.current_trio_token().run_sync_soon(hub.publish, "jb_1", "jb_1")
        return hub

    topics = {"jobs": Topic("job_changed", hub_that_changes_at_once, render)}
    async with connected(services(topics=topics)) as host:
        first = await host.call("subscribe", topic="jobs")
        second = await host.hear()

    assert "result" in first
    assert second["method"] == "job_changed"


async def test_after_unsubscribe_nothing_more_is_told() -> None:
    accounts = FakeAccounts()
    async with connected(services(accounts=accounts)) as host:
        subscription_id = (await host.call("subscribe", topic="jobs"))["result"]["subscription_id"]
        ended = await host.call("unsubscribe", subscription_id=subscription_id)
        accounts.handles[0].account.jobs.publish("jb_1", "jb_1")

        assert await host.silent()
        again = await host.call("unsubscribe", subscription_id=subscription_id)

    assert ended["result"] == {}
    assert again["error"]["data"]["kind"] == "not_found"


async def test_a_topic_that_is_not_served_is_invalid_params() -> None:
    async with connected() as host:
        reply = await host.call("subscribe", topic="weather")

    assert reply["error"]["data"]["path"] == "$.topic"


async def test_a_connection_that_ends_listens_no_more() -> None:
    accounts = FakeAccounts()
    async with connected(services(accounts=accounts)) as host:
        await host.call("subscribe", topic="jobs")
        await host.end_of_input()
        await host.ended.wait()

    assert accounts.handles[0].account.jobs._subscriptions == set()


async def test_a_change_that_cannot_be_read_is_told_as_lag_and_the_next_one_still_comes() -> None:
    async def render(account: FakeAccount, job_id: str) -> dict[str, object] | None:
        return await {"busy": busy, "gone": gone, "fine": fine}[job_id]()

    async def busy() -> dict[str, object]:
        raise Busy

    async def gone() -> None:
        return None

    async def fine() -> dict[str, object]:
        return {"job": {}}

    accounts = FakeAccounts()
    topics = {"jobs": Topic("job_changed", lambda account: account.jobs, render)}
    async with connected(services(accounts=accounts, topics=topics)) as host:
        await host.call("subscribe", topic="jobs")
        hub = accounts.handles[0].account.jobs
        _ = [hub.publish(key, key) for key in ("busy", "gone", "fine")]
        heard = [await host.hear(), await host.hear()]

    assert [each["method"] for each in heard] == ["subscription_lagged", "job_changed"]
    assert heard[0]["params"]["dropped"] == 1


async def test_a_client_that_lags_is_told_once_how_much_it_missed_and_delays_no_publisher() -> None:
    account = FakeAccount("a1", Hub(pending_max=10))
    box = Outbound(frames_max=3)
    subscriptions = Subscriptions(
        {"jobs": Topic("job_changed", lambda account: account.jobs, _bare)}, lambda prefix: prefix
    )
    listening = subscriptions.add("jobs", account)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(listening.pump, box.put)
        await wait_all_tasks_blocked()
        await _publish(account.jobs, 100)  # nobody takes from the box
        frames = [await _taken(box) for _ in range(6)]
        nursery.cancel_scope.cancel()

    told = b"".join(frames)
    assert told.count(b"subscription_lagged") == 1
    assert told.count(b"job_changed") == 3 + 1 + 10
    assert b'"dropped":%d' % (100 - 3 - 1 - 10) in told


async def _bare(account: FakeAccount, job_id: str) -> dict[str, object]:
    return {"job": {"job_id": job_id}}


async def _publish(hub: Hub[Any], count: int) -> None:
    for number in range(count):
        hub.publish(str(number), number)
        await wait_all_tasks_blocked()


async def _taken(box: Outbound) -> bytes:
    await wait_all_tasks_blocked()
    return b"" if box.is_empty else await box.take()


@pytest.mark.parametrize("frames_max", [1, OUTBOUND_FRAMES_MAX])
async def test_a_notification_that_finds_no_room_is_dropped_and_a_reply_waits(
    frames_max: int,
) -> None:
    box = Outbound(frames_max=frames_max)
    assert all(box.offer(b"x") for _ in range(frames_max))

    assert not box.offer(b"notification")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(box.put, b"reply")
        await wait_all_tasks_blocked()
        first = await box.take()
        second = await box.take()

    assert (first, second) == (b"x" * frames_max, b"reply")


async def test_the_box_is_bounded_in_bytes_but_takes_one_frame_of_any_size() -> None:
    box = Outbound(bytes_max=10)

    assert box.offer(b"x" * 100)
    assert not box.offer(b"y")
    assert await box.take() == b"x" * 100
    assert box.offer(b"x" * 6)
    assert box.offer(b"x" * 4)
    assert not box.offer(b"x")


async def test_a_closed_box_gives_out_what_is_in_it_and_then_nothing() -> None:
    box = Outbound()
    box.offer(b"last")
    box.close()
    await box.put(b"too late")

    assert [await box.take(), await box.take()] == [b"last", b""]
