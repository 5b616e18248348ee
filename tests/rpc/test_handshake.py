"""`initialize`: once, first, and with an account that no later call can change."""

from __future__ import annotations

import pytest

from mnemod import config
from mnemod.errors import AccountBusy, DeadlineExceeded
from mnemod.rpc.ending import Ending
from mnemod.rpc.generated import SCHEMA_VERSION
from tests.support.session_host import FakeAccounts, connected, notification, request, services


def kind(reply: dict[str, dict[str, dict[str, str]]]) -> str:
    return reply["error"]["data"]["kind"]


async def test_initialize_tells_versions_account_world_limits_and_health() -> None:
    async with connected(initialized=False) as host:
        reply = await host.initialize(tier="local", locale="en", time_zone="Asia/Tokyo")

    assert reply["result"] == {
        "protocol_version": 1,
        "schema_version": SCHEMA_VERSION,
        "server": {"name": "mnemod", "version": "0", "pid": 4800, "instance": "i1"},
        "account": "a1",
        "world_revision": 17,
        "capabilities": {"batch": True, "subscriptions": ["jobs"]},
        "limits": reply["result"]["limits"],
        "health": {"status": "ok", "account": None},
    }
    assert reply["result"]["limits"]["frame_bytes"] == config.FRAME_BYTES_MAX
    assert reply["result"]["limits"]["in_flight"] == config.IN_FLIGHT_MAX


@pytest.mark.parametrize("method", ["echo", "subscribe", "unsubscribe", "shutdown"])
async def test_before_it_a_call_is_refused_each_time_the_same(method: str) -> None:
    async with connected(initialized=False) as host:
        first, second = await host.call(method, 1), await host.call(method, 1)

    assert kind(first) == "not_initialized"
    assert first == second


async def test_before_it_ping_health_and_discover_are_answered() -> None:
    async with connected(initialized=False) as host:
        ping = await host.call("ping")
        health = await host.call("health")
        document = await host.call("rpc.discover")

    assert ping["result"] == {}
    assert health["result"] == {"status": "ok", "account": None}
    assert document["result"] == {"openrpc": "1.4.1"}


async def test_it_happens_once() -> None:
    accounts = FakeAccounts()
    async with connected(services(accounts=accounts)) as host:
        again = await host.initialize(account="a2")
        echoed = await host.call("echo")

    assert kind(again) == "already_initialized"
    assert echoed["result"]["account"] == "a1"
    assert len(accounts.handles) == 1


@pytest.mark.parametrize("versions", [[], [True], [1.5], [1.0], [0], ["1"], 1, None])
async def test_versions_that_are_no_positive_integers_are_invalid_params(versions: object) -> None:
    async with connected(initialized=False) as host:
        reply = await host.initialize(protocol_versions=versions)
        after = await host.initialize()

    assert kind(reply) == "invalid_params"
    assert reply["error"]["data"]["path"].startswith("$.protocol_versions")
    assert "result" in after


async def test_no_version_in_common_names_what_is_supported_and_closes() -> None:
    accounts = FakeAccounts()
    async with connected(services(accounts=accounts), initialized=False) as host:
        reply = await host.initialize(protocol_versions=[99])
        rest = await host.hear_all()
        await host.ended.wait()

    assert kind(reply) == "unsupported_protocol"
    assert reply["error"]["data"]["details"] == {"supported": "1"}
    assert (rest, host.ending) == ([], Ending.REFUSED)
    assert accounts.handles == []


@pytest.mark.parametrize(
    "account", ["", None, ["a1"], "*", "a1 ", "a1\n", "../a1", "-a1", "a" * 129, "\u00e91", "a1\0"]
)
async def test_an_account_that_is_no_name_is_invalid_params(account: object) -> None:
    async with connected(initialized=False) as host:
        reply = await host.initialize(account=account)

    assert kind(reply) == "invalid_params"
    assert reply["error"]["data"]["path"] == "$.account"


async def test_no_later_call_can_name_an_account() -> None:
    async with connected() as host:
        reply = await host.call("echo", account="a2")

    assert (kind(reply), reply["error"]["data"]["path"]) == ("invalid_params", "$.account")


async def test_an_account_that_cannot_be_opened_may_be_asked_for_again() -> None:
    accounts = FakeAccounts(refuse=AccountBusy(owner_pid=7))
    async with connected(services(accounts=accounts), initialized=False) as host:
        busy = await host.initialize()
        accounts.refuse = None
        free = await host.initialize()

    assert busy["error"]["data"] == {
        "kind": "account_busy",
        "retryable": True,
        "details": {"owner_pid": 7},
    }
    assert "result" in free


async def test_an_account_is_let_go_once_when_the_connection_ends() -> None:
    accounts = FakeAccounts()
    async with connected(services(accounts=accounts)) as host:
        assert accounts.handles[0].released == 0
        await host.end_of_input()
        await host.ended.wait()

    assert accounts.handles[0].released == 1


async def test_an_account_is_let_go_if_the_welcome_fails() -> None:
    async def too_slow(account: object) -> int:
        raise DeadlineExceeded

    accounts = FakeAccounts()
    async with connected(
        services(accounts=accounts, world_revision=too_slow), initialized=False
    ) as host:
        reply = await host.initialize()
        echoed = await host.call("echo")

    assert (kind(reply), kind(echoed)) == ("deadline_exceeded", "not_initialized")
    assert accounts.handles[0].released == 1


async def test_what_follows_initialize_in_the_same_write_waits_for_it() -> None:
    async with connected(initialized=False) as host:
        await host.say(
            request("initialize", 1, **_params()), request("echo", 2, word="a"), request("ping", 3)
        )
        replies = {reply["id"]: reply for reply in [await host.hear() for _ in range(3)]}

    assert replies[2]["result"] == {"word": "a", "account": "a1"}
    assert "result" in replies[1]


async def test_initialize_as_a_notification_does_nothing() -> None:
    accounts = FakeAccounts()
    async with connected(services(accounts=accounts), initialized=False) as host:
        await host.say(notification("initialize", **_params()))

        assert await host.silent()
    assert accounts.handles == []


def _params() -> dict[str, object]:
    return {
        "protocol_versions": [1, 7],
        "client": {"name": "n", "version": "1"},
        "account": "a1",
        "host_id": "h",
        "_meta": {"anything": [1]},
    }
