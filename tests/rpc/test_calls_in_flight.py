"""Calls at once: ids, limits, cancelling, batches, progress."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from mnemod.config import IN_FLIGHT_MAX, QUEUED_MAX
from mnemod.errors import Conflict
from mnemod.rpc.calls import Call
from tests.support.session_host import (
    EchoParams,
    FakeAccount,
    Gate,
    connected,
    notification,
    request,
    services,
)

ROOM = IN_FLIGHT_MAX + QUEUED_MAX


def kind(reply: Any) -> str:
    return str(reply["error"]["data"]["kind"]) if "error" in reply else "result"


# --- ids


async def test_an_id_in_flight_is_refused_and_the_first_call_is_unharmed() -> None:
    gate = Gate()
    async with connected(services({"wait": gate.handle})) as host:
        await host.say(request("wait", "c1", word="first"))
        second = await host.call("wait", "c1")
        ping = await host.call("ping", "c1")
        gate.open()
        first = await host.hear()
        again = await host.call("echo", "c1", word="free")

    # Without the id, so that no client takes it for the answer of the first.
    assert (second["error"]["code"], second["id"]) == (-32600, None)
    assert (ping["error"]["code"], ping["id"]) == (-32600, None)
    assert (first["id"], first["result"]) == ("c1", {"word": "first"})
    assert (gate.entered, again["id"]) == (1, "c1")


async def test_the_number_1_and_the_string_1_are_two_ids() -> None:
    gate = Gate()
    async with connected(services({"wait": gate.handle})) as host:
        await host.say(request("wait", 1), request("wait", "1"))
        await wait_all_tasks_blocked()
        gate.open()
        ids = {type((await host.hear())["id"]), type((await host.hear())["id"])}

    assert ids == {int, str}


async def test_a_slow_call_does_not_hold_up_a_quick_one() -> None:
    gate = Gate()
    async with connected(services({"wait": gate.handle})) as host:
        await host.say(request("wait", 1), request("echo", 2), request("health", 3))
        answered = {(await host.hear())["id"], (await host.hear())["id"]}

    assert answered == {2, 3}


# --- limits


async def test_past_32_running_and_256_queued_the_next_is_overloaded_at_once() -> None:
    gate = Gate()
    async with connected(services({"wait": gate.handle})) as host:
        await host.say(*(request("wait", number) for number in range(ROOM + 1)))
        refused = await host.hear()
        await wait_all_tasks_blocked()
        running = gate.entered
        gate.open()
        replies = [await host.hear() for _ in range(ROOM)]

    assert (refused["id"], kind(refused)) == (ROOM, "overloaded")
    assert refused["error"]["data"]["retryable"] is True
    assert running == IN_FLIGHT_MAX
    assert Counter(map(kind, replies)) == {"result": ROOM}


async def test_queued_calls_run_in_the_order_they_came() -> None:
    gate, order = Gate(), []

    async def note(call: Call[FakeAccount], params: EchoParams) -> dict[str, object]:
        order.append(params.word)
        return {}

    async with connected(services({"wait": gate.handle, "note": note})) as host:
        await host.say(*(request("wait", number) for number in range(IN_FLIGHT_MAX)))
        await host.say(*(request("note", f"n{number}", word=str(number)) for number in range(5)))
        await host.say(notification("$/cancelRequest", id=0))  # frees one slot
        _ = [await host.hear() for _ in range(6)]

    assert order == ["0", "1", "2", "3", "4"]


async def test_queued_calls_are_bounded_in_bytes_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mnemod.rpc.in_flight.QUEUED_BYTES_MAX", 1_000)
    gate = Gate()
    async with connected(services({"wait": gate.handle})) as host:
        await host.say(*(request("wait", number) for number in range(IN_FLIGHT_MAX)))
        await host.say(request("wait", "fits", word="x" * 500))
        refused = await host.call("wait", "does not", word="x" * 500)

    assert (refused["id"], kind(refused)) == ("does not", "overloaded")


@pytest.mark.parametrize("leaving", [0, "queued"])
async def test_a_call_that_leaves_the_queue_makes_room_for_its_bytes(
    monkeypatch: pytest.MonkeyPatch, leaving: object
) -> None:
    monkeypatch.setattr("mnemod.rpc.in_flight.QUEUED_BYTES_MAX", 1_000)
    gate = Gate()
    async with connected(services({"wait": gate.handle})) as host:
        await host.say(*(request("wait", number) for number in range(IN_FLIGHT_MAX)))
        await host.say(request("wait", "queued", word="x" * 500))
        # A running one ends and the queued one takes its slot, or the queued one is cancelled.
        await host.say(notification("$/cancelRequest", id=leaving))
        cancelled = await host.hear()
        await host.say(request("wait", "next", word="x" * 500))

        assert (cancelled["id"], kind(cancelled)) == (leaving, "cancelled")
        assert await host.silent()  # the next one waits: it is not refused


# --- cancelling


async def test_a_running_read_that_is_cancelled_answers_32800() -> None:
    gate = Gate()
    async with connected(services({"wait": gate.handle})) as host:
        await host.say(request("wait", "c1"), notification("$/cancelRequest", id="c1"))
        reply = await host.hear()

    assert (reply["id"], reply["error"]["code"], kind(reply)) == ("c1", -32800, "cancelled")
    assert reply["error"]["data"]["retryable"] is True


async def test_a_cancel_gets_through_when_everything_is_full() -> None:
    gate = Gate()
    async with connected(services({"wait": gate.handle})) as host:
        await host.say(*(request("wait", number) for number in range(ROOM)))
        await wait_all_tasks_blocked()
        await host.say(notification("$/cancelRequest", id=ROOM - 1))
        queued = await host.hear()
        await host.say(notification("$/cancelRequest", id=0))
        running = await host.hear()
        await wait_all_tasks_blocked()

        assert (queued["id"], kind(queued)) == (ROOM - 1, "cancelled")
        assert (running["id"], kind(running)) == (0, "cancelled")
        # The freed slot went to the next in line; the cancelled queued call never began.
        assert (gate.entered, gate.cancelled) == (IN_FLIGHT_MAX + 1, 1)


async def test_a_write_that_has_committed_answers_with_its_result() -> None:
    committing, committed = trio.Event(), trio.Event()

    async def write(call: Call[FakeAccount], params: EchoParams) -> dict[str, object]:
        with trio.CancelScope(shield=True):  # what Database.write does once it has begun
            committing.set()
            await committed.wait()
        return {"word": "kept"}

    async with connected(services({"write": write})) as host:
        await host.say(request("write", "w1"))
        await committing.wait()
        await host.say(notification("$/cancelRequest", id="w1"))
        await wait_all_tasks_blocked()
        committed.set()
        reply = await host.hear()

    assert (reply["id"], reply["result"]) == ("w1", {"word": "kept"})


async def test_an_error_that_was_raised_is_answered_though_the_call_was_cancelled() -> None:
    async def conflicts(call: Call[FakeAccount], params: EchoParams) -> dict[str, object]:
        try:
            await trio.sleep_forever()
        finally:
            raise Conflict

    async with connected(services({"conflicts": conflicts})) as host:
        await host.say(request("conflicts"), notification("$/cancelRequest", id=1))
        reply = await host.hear()

    assert kind(reply) == "conflict"


@pytest.mark.parametrize("params", [{"id": "unknown"}, {"id": None}, {"id": []}, {}])
async def test_cancelling_what_is_not_in_flight_does_nothing(params: dict[str, object]) -> None:
    async with connected() as host:
        await host.say(notification("$/cancelRequest", **params))

        assert await host.silent()


async def test_control_names_are_no_requests() -> None:
    async with connected() as host:
        replies = [await host.call("$/cancelRequest", 1, id=2), await host.call("exit", 2)]

    assert [kind(reply) for reply in replies] == ["method_not_found"] * 2


# --- notifications


async def test_a_notification_is_done_and_never_answered() -> None:
    seen = []

    async def note(call: Call[FakeAccount], params: EchoParams) -> dict[str, object]:
        seen.append(params.word)
        raise Conflict

    async with connected(services({"note": note})) as host:
        await host.say(
            notification("note", word="done"),
            notification("note", unknown=1),
            notification("note", word="\0"),
            notification("no_such_method"),
            notification("ping"),
        )

        assert await host.silent()
    assert seen == ["done"]


# --- batches


async def test_a_batch_is_answered_with_one_array_without_its_notifications() -> None:
    async with connected() as host:
        batch = [
            request("echo", 1, word="a"),
            notification("echo"),
            request("ping", 2),
            request("no_such_method", 3),
            7,
            request("echo", 1),
        ]
        await host.say(batch)
        answers = await host.hear()

    outcomes = sorted((str(answer["id"]), kind(answer)) for answer in answers)
    assert outcomes == [
        ("1", "result"),
        ("2", "result"),
        ("3", "method_not_found"),
        ("None", "invalid_request"),
        ("None", "invalid_request"),
    ]


async def test_the_members_of_a_batch_run_at_once() -> None:
    gate = Gate()
    async with connected(services({"wait": gate.handle})) as host:
        await host.say([request("wait", number) for number in range(5)])
        await wait_all_tasks_blocked()
        entered = gate.entered
        gate.open()
        answers = await host.hear()

    assert entered == 5
    assert {answer["id"] for answer in answers} == {0, 1, 2, 3, 4}


@pytest.mark.parametrize(
    "method", ["initialize", "shutdown", "subscribe", "unsubscribe", "daemon.stop"]
)
async def test_a_batch_cannot_change_the_session(method: str) -> None:
    async with connected() as host:
        await host.say([request(method, 1), request("ping", 2)])
        answers = {answer["id"]: answer for answer in await host.hear()}

    assert kind(answers[1]) == "invalid_request"
    assert kind(answers[2]) == "result"


async def test_a_batch_of_notifications_is_not_answered() -> None:
    async with connected() as host:
        await host.say([notification("echo"), notification("no_such_method")])

        assert await host.silent()


async def test_a_member_of_a_batch_can_be_cancelled() -> None:
    gate = Gate()
    async with connected(services({"wait": gate.handle})) as host:
        await host.say([request("wait", 1), request("echo", 2)])
        await host.say(notification("$/cancelRequest", id=1))
        answers = {answer["id"]: answer for answer in await host.hear()}

    assert (kind(answers[1]), kind(answers[2])) == ("cancelled", "result")


@pytest.mark.parametrize("members", [[], [1], [[]]])
async def test_an_empty_or_senseless_batch_is_an_invalid_request(members: list[object]) -> None:
    async with connected() as host:
        await host.say(members)
        reply = await host.hear()

    # The answer to `[]` is one object, to `[1]` an array of one: the specification's own examples.
    first = reply if members == [] else reply[0]
    assert (first["id"], first["error"]["code"]) == (None, -32600)


async def test_a_batch_past_the_limits_has_its_last_members_overloaded() -> None:
    gate = Gate()
    async with connected(services({"wait": gate.handle})) as host:
        await host.say(*(request("wait", number) for number in range(ROOM - 1)))
        await host.say([request("wait", "a"), request("wait", "b")])
        await wait_all_tasks_blocked()
        gate.open()
        heard = [await host.hear() for _ in range(ROOM)]

    answers = {
        answer["id"]: kind(answer) for each in heard if isinstance(each, list) for answer in each
    }
    assert answers == {"a": "result", "b": "overloaded"}


# --- progress


async def counts(call: Call[FakeAccount], params: EchoParams) -> dict[str, object]:
    """Report a step every 10 ms for a second, and once more after the reply."""
    for done in range(100):
        call.progress.report(done, total=100)
        await trio.sleep(0.01)
    call.progress.report(3)
    LATE.append(call.progress)
    return {}


LATE: list[Any] = []


async def test_progress_is_told_ten_times_a_second_growing_and_never_after_the_reply(
    autojump_clock: MockClock,
) -> None:
    async with connected(services({"count": counts})) as host:
        await host.say({**request("count"), "params": {"_meta": {"progress_token": "t1"}}})
        heard = [await host.hear()]
        while "result" not in heard[-1]:
            heard.append(await host.hear())
        await trio.sleep(1)
        LATE.pop().report(1_000)

        assert await host.silent()
    told = [each["params"] for each in heard[:-1]]
    done = [each["value"]["done"] for each in told]
    assert {each["token"] for each in told} == {"t1"}
    assert told[0]["value"] == {"done": 0, "total": 100}
    assert 9 <= len(done) <= 11
    assert done == sorted(set(done))


async def test_without_a_token_there_is_no_progress(autojump_clock: MockClock) -> None:
    async with connected(services({"count": counts})) as host:
        first = await host.call("count")

    assert first["result"] == {}
