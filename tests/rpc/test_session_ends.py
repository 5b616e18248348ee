"""How a connection ends: everything accepted is answered first, whoever ends it."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from mnemod.config import DRAIN_EOF_S, DRAIN_SIGTERM_S, EXIT_WITHIN_S, INITIALIZE_WITHIN_S
from mnemod.rpc.calls import Call
from mnemod.rpc.drain import Drain
from mnemod.rpc.ending import Ending
from tests.support.session_host import (
    EchoParams,
    FakeAccount,
    FakeAccounts,
    Gate,
    connected,
    notification,
    request,
    services,
)


def kinds(replies: list[Any]) -> dict[object, str]:
    """The outcome of each reply by its id."""
    return {
        reply["id"]: reply["error"]["data"]["kind"] if "error" in reply else "result"
        for reply in replies
    }


async def takes_a_second(call: Call[FakeAccount], params: EchoParams) -> dict[str, object]:
    await trio.sleep(1)
    return {}


# --- end of input


async def test_at_the_end_of_input_calls_in_flight_are_finished_and_answered(
    autojump_clock: MockClock,
) -> None:
    async with connected(services({"slow": takes_a_second})) as host:
        await host.say(*(request("slow", number) for number in range(100)))
        await host.end_of_input()
        replies = await host.hear_all()
        await host.ended.wait()

    assert kinds(replies) == dict.fromkeys(range(100), "result")
    assert host.ending is Ending.EOF


async def test_an_unterminated_last_line_is_answered() -> None:
    async with connected() as host:
        await host.stream.send_all(orjson.dumps(request("echo", 1)))
        await host.end_of_input()

        assert kinds(await host.hear_all()) == {1: "result"}


async def test_what_takes_longer_than_five_seconds_after_the_end_is_cancelled_and_answered(
    autojump_clock: MockClock,
) -> None:
    gate = Gate()
    async with connected(services({"wait": gate.handle, "slow": takes_a_second})) as host:
        await host.say(request("wait", 1), request("slow", 2))
        began = trio.current_time()
        await host.end_of_input()
        replies = await host.hear_all()

    assert kinds(replies) == {1: "cancelled", 2: "result"}
    assert trio.current_time() - began == pytest.approx(DRAIN_EOF_S)


async def test_a_client_that_is_gone_has_its_calls_cancelled_at_once(
    autojump_clock: MockClock,
) -> None:
    one, other, accounts = Gate(), Gate(), FakeAccounts()
    served = services({"one": one.handle, "other": other.handle}, accounts=accounts)
    async with connected(served) as host:
        await host.say(request("one", 1), request("other", 2))
        await wait_all_tasks_blocked()
        began = trio.current_time()
        await host.stream.aclose()
        one.open()  # its answer finds nobody
        await host.ended.wait()

    assert (host.ending, other.cancelled) == (Ending.BROKEN, 1)
    assert trio.current_time() == began
    assert accounts.handles[0].released == 1


# --- shutdown and exit


async def test_shutdown_answers_after_the_calls_in_flight_and_refuses_new_ones(
    autojump_clock: MockClock,
) -> None:
    async with connected(services({"slow": takes_a_second})) as host:
        await host.say(
            request("slow", 1), request("shutdown", 2), request("slow", 3), request("ping", 4)
        )
        replies = [await host.hear() for _ in range(4)]
        await host.say(notification("exit"))
        await host.ended.wait()

    assert [reply["id"] for reply in replies] == [3, 4, 1, 2]
    assert kinds(replies) == {3: "shutting_down", 4: "result", 1: "result", 2: "result"}
    assert host.ending is Ending.EXIT


async def test_after_shutdown_a_client_that_says_nothing_is_closed(
    autojump_clock: MockClock,
) -> None:
    async with connected() as host:
        began = trio.current_time()
        assert "result" in await host.call("shutdown")
        rest = await host.hear_all()
        await host.ended.wait()

    assert (rest, host.ending) == ([], Ending.SHUTDOWN)
    assert trio.current_time() - began == pytest.approx(EXIT_WITHIN_S)


async def test_shutdown_as_the_last_line_of_a_file_is_answered(autojump_clock: MockClock) -> None:
    async with connected(services({"slow": takes_a_second})) as host:
        await host.say(request("slow", 1), request("shutdown", 2))
        await host.end_of_input()
        replies = await host.hear_all()
        await host.ended.wait()

    assert [reply["id"] for reply in replies] == [1, 2]
    assert host.ending is Ending.SHUTDOWN


async def test_shutdown_is_answered_though_a_call_cannot_be_cut_off(
    autojump_clock: MockClock,
) -> None:
    async def stuck(call: Call[FakeAccount], params: EchoParams) -> dict[str, object]:
        with trio.CancelScope(shield=True):
            await trio.sleep(30)
        return {}

    served = services({"stuck": stuck})
    async with connected(served) as host:
        await host.say(request("stuck", 1), request("shutdown", 2))
        await wait_all_tasks_blocked()
        served.drain.start(0.0)
        replies = await host.hear_all()

    assert kinds(replies) == {1: "result", 2: "result"}


async def test_exit_without_shutdown_finishes_what_is_in_flight(autojump_clock: MockClock) -> None:
    async with connected(services({"slow": takes_a_second})) as host:
        await host.say(request("slow", 1), notification("exit"), request("slow", 2))
        replies = await host.hear_all()
        await host.ended.wait()

    assert kinds(replies) == {1: "result"}
    assert host.ending is Ending.ABRUPT_EXIT


# --- the daemon leaves


async def test_a_drain_refuses_new_calls_finishes_old_ones_and_closes(
    autojump_clock: MockClock,
) -> None:
    served = services({"slow": takes_a_second})
    async with connected(served) as host:
        await host.say(request("slow", 1))
        await wait_all_tasks_blocked()
        served.drain.start(DRAIN_SIGTERM_S)
        await host.say(
            request("echo", 2), request("ping", 3), request("subscribe", 4, topic="jobs")
        )
        replies = await host.hear_all()
        await host.ended.wait()

    assert kinds(replies) == {
        2: "shutting_down",
        3: "result",
        4: "shutting_down",
        1: "result",
    }
    assert host.ending is Ending.DRAINED


async def test_a_drain_cuts_off_what_outlasts_it_and_says_so(autojump_clock: MockClock) -> None:
    served = services({"wait": Gate().handle})
    async with connected(served) as host:
        await host.say(*(request("wait", number) for number in range(40)))
        await wait_all_tasks_blocked()
        began = trio.current_time()
        served.drain.start(DRAIN_SIGTERM_S)
        replies = await host.hear_all()

    assert kinds(replies) == dict.fromkeys(range(40), "shutting_down")
    assert trio.current_time() - began == pytest.approx(DRAIN_SIGTERM_S)


async def test_a_drain_is_started_once(autojump_clock: MockClock) -> None:
    drain = Drain()
    drain.start(DRAIN_SIGTERM_S)
    deadline = drain.deadline
    await trio.sleep(1)
    drain.start(DRAIN_SIGTERM_S)

    assert (drain.started, drain.deadline) == (True, deadline)


async def test_a_drain_that_is_now_waits_for_nobody(autojump_clock: MockClock) -> None:
    served = services({"wait": Gate().handle})
    async with connected(served) as host:
        await host.say(request("wait", 1))
        await wait_all_tasks_blocked()
        began = trio.current_time()
        served.drain.start(0.0)
        replies = await host.hear_all()

    assert kinds(replies) == {1: "shutting_down"}
    assert trio.current_time() == began


async def test_initialize_in_the_middle_of_a_drain_is_answered(autojump_clock: MockClock) -> None:
    class SlowAccounts(FakeAccounts):
        async def open(self, *args: Any, **names: Any) -> Any:
            await trio.sleep(1)
            return await super().open(*args, **names)

    served = services(accounts=SlowAccounts())
    async with connected(served, initialized=False) as host:
        await host.say(request("initialize", 1, **_initialize()), request("echo", 2))
        await wait_all_tasks_blocked()
        served.drain.start(DRAIN_SIGTERM_S)
        replies = await host.hear_all()

    assert kinds(replies)[1] == "result"
    assert served.accounts.handles[0].released == 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("mode", ["drain", "now"])
async def test_daemon_stop_answers_before_it_stops_anything(mode: str) -> None:
    asked = []
    async with connected(services(stop=asked.append), initialized=False) as host:
        reply = await host.call("daemon.stop", mode=mode)

    assert reply["result"] == {"pid": 4800}
    assert asked == [mode]


# --- what is no protocol


async def test_a_bad_line_is_answered_and_the_next_good_one_too() -> None:
    async with connected() as host:
        await host.stream.send_all(b'\xff\xfe\n{\n\n   \n{"a":NaN}\n')
        bad = [await host.hear() for _ in range(3)]
        good = await host.call("echo")

    assert [(reply["id"], reply["error"]["code"]) for reply in bad] == [(None, -32700)] * 3
    assert "result" in good


async def test_eight_bad_lines_in_a_row_close_the_connection() -> None:
    async with connected() as host:
        await host.stream.send_all(b"{\n" * 7)
        await host.say(request("ping", 1))
        await host.stream.send_all(b"{\n" * 8 + b'{"jsonrpc":"2.0","id":2,"method":"ping"}\n')
        replies = await host.hear_all()
        await host.ended.wait()

    assert [reply.get("id") for reply in replies] == [None] * 7 + [1] + [None] * 8
    assert host.ending is Ending.REFUSED


@pytest.mark.parametrize("first", [b"\xef\xbb\xbf{}\n", b"GET / HTTP/1.1\r\n", b"\x00", b"7"])
async def test_a_first_byte_that_begins_no_message_is_refused_at_once(first: bytes) -> None:
    async with connected(initialized=False) as host:
        await host.stream.send_all(first)
        replies = await host.hear_all()
        await host.ended.wait()

    assert [(reply["id"], reply["error"]["code"]) for reply in replies] == [(None, -32700)]
    assert host.ending is Ending.REFUSED


async def test_a_frame_over_the_limit_is_refused_after_what_came_before_is_answered() -> None:
    async with connected() as host:
        await host.say(request("echo", 1))
        await host.stream.send_all(b"[" + b" " * (16 * 1024 * 1024))
        replies = await host.hear_all()

    assert kinds(replies) == {1: "result", None: "frame_too_long"}


async def test_headers_are_answered_with_headers() -> None:
    async with connected(initialized=False) as host:
        body = orjson.dumps(request("ping", 1))
        await host.stream.send_all(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        heard = await host.stream.receive_some(1_000)

    answer = orjson.dumps({"jsonrpc": "2.0", "id": 1, "result": {}})
    assert heard == b"Content-Length: %d\r\n\r\n%b" % (len(answer), answer)


async def test_a_socket_that_never_says_who_it_is_is_closed(autojump_clock: MockClock) -> None:
    served = services(initialize_within_s=INITIALIZE_WITHIN_S)
    async with connected(served, initialized=False) as host:
        began = trio.current_time()
        assert "result" in await host.call("ping")
        replies = await host.hear_all()
        await host.ended.wait()

    assert kinds(replies) == {None: "not_initialized"}
    assert trio.current_time() - began == pytest.approx(INITIALIZE_WITHIN_S)
    assert host.ending is Ending.REFUSED


async def test_one_whose_account_is_just_being_opened_is_not_closed(
    autojump_clock: MockClock,
) -> None:
    class SlowAccounts(FakeAccounts):
        async def open(self, *args: Any, **names: Any) -> Any:
            await trio.sleep(2 * INITIALIZE_WITHIN_S)
            return await super().open(*args, **names)

    served = services(initialize_within_s=INITIALIZE_WITHIN_S, accounts=SlowAccounts())
    async with connected(served, initialized=False) as host:
        assert "result" in await host.initialize()
        assert "result" in await host.call("ping")


async def test_one_that_did_may_stay_silent_for_ever(autojump_clock: MockClock) -> None:
    async with connected(services(initialize_within_s=INITIALIZE_WITHIN_S)) as host:
        await trio.sleep(3_600)

        assert "result" in await host.call("ping")


# --- faults of ours


async def test_a_fault_in_the_session_itself_ends_one_connection_and_raises_nothing(
    autojump_clock: MockClock,
) -> None:
    def broken(mode: str) -> None:
        raise RuntimeError("secret words")

    accounts = FakeAccounts()
    async with connected(services(stop=broken, accounts=accounts)) as host:
        await host.say(request("daemon.stop"))
        await host.hear_all()
        await host.ended.wait()

    assert host.ending is Ending.FAILED
    assert accounts.handles[0].released == 1


def _initialize() -> dict[str, object]:
    return {
        "protocol_versions": [1],
        "client": {"name": "n", "version": "1"},
        "account": "a1",
        "host_id": "h",
    }
