"""Calls that need one piece of queued work and no task: what holds for others holds for them."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from mnemod.config import IN_FLIGHT_MAX
from mnemod.errors import Conflict
from mnemod.rpc.calls import Call, Underway
from mnemod.rpc.ending import Ending
from mnemod.rpc.ports import SessionServices
from tests.support.session_host import (
    EchoParams,
    FakeAccount,
    FakeAccounts,
    Gate,
    Pile,
    connected,
    notification,
    request,
    services,
)


def observing(pile: Pile, gate: Gate | None = None, **changes: Any) -> SessionServices[FakeAccount]:
    """A daemon whose `observe` begins without a task, and else waits at the gate."""
    handler = (gate or Gate()).handle
    return services({"observe": handler}, {"observe": pile.begin}, **changes)


def kind(reply: Any) -> str:
    return str(reply["error"]["data"]["kind"]) if "error" in reply else "result"


async def test_a_call_is_answered_when_its_work_is_done_and_no_handler_ran() -> None:
    pile, gate = Pile(), Gate()
    async with connected(observing(pile, gate)) as host:
        await host.say(request("observe", 1, word="kiln"))
        silent = await host.silent()
        pile.pieces[0].done()
        reply = await host.hear()

    assert silent
    assert (reply["id"], reply["result"]) == (1, {"word": "kiln"})
    assert gate.entered == 0


async def test_commands_are_answered_in_the_order_they_were_sent_whichever_is_done_first() -> None:
    pile = Pile()
    async with connected(observing(pile)) as host:
        await host.say(*(request("observe", number) for number in range(3)))
        await wait_all_tasks_blocked()
        for piece in (pile.pieces[2], pile.pieces[0], pile.pieces[1]):
            piece.done()
        answered = [(await host.hear())["id"] for _ in range(3)]

    assert answered == [0, 1, 2]


async def test_a_command_behind_one_that_keeps_its_place_does_not_begin() -> None:
    pile, thought = Pile(), trio.Event()

    def begin(call: Call[FakeAccount], params: EchoParams) -> Underway[str] | None:
        return None if params.word == "long" else pile.begin(call, params)

    async def thinks(call: Call[FakeAccount], params: EchoParams) -> dict[str, object]:
        with call.in_order():
            await thought.wait()
        return {"word": params.word}

    async with connected(services({"observe": thinks}, {"observe": begin})) as host:
        await host.say(request("observe", 1, word="long"))
        await wait_all_tasks_blocked()
        await host.say(request("observe", 2, word="short"))
        await wait_all_tasks_blocked()
        begun_early = list(pile.pieces)
        thought.set()
        answered = [(await host.hear())["id"] for _ in range(2)]

    assert begun_early == []
    assert answered == [1, 2]


async def test_a_query_waits_for_a_command_that_runs_in_no_task() -> None:
    pile = Pile()
    async with connected(observing(pile)) as host:
        await host.say(request("observe", 1), request("echo", 2))
        silent = await host.silent()
        pile.pieces[0].done()
        answered = [(await host.hear())["id"] for _ in range(2)]

    assert silent
    assert answered == [1, 2]


async def test_work_that_fails_is_answered_with_its_error() -> None:
    pile = Pile()
    async with connected(observing(pile)) as host:
        await host.say(request("observe", 1), request("observe", 2))
        await wait_all_tasks_blocked()
        pile.pieces[0].fails(Conflict())
        pile.pieces[1].fails(ZeroDivisionError())
        replies = [await host.hear(), await host.hear()]

    assert [kind(reply) for reply in replies] == ["conflict", "internal"]


async def test_a_call_that_is_refused_as_it_begins_is_answered_in_its_turn() -> None:
    pile = Pile()
    async with connected(observing(pile)) as host:
        await host.say(request("observe", 1), request("observe", 2, no_such="member"))
        silent = await host.silent()
        pile.pieces[0].done()
        replies = [await host.hear(), await host.hear()]

    assert silent
    assert [(reply["id"], kind(reply)) for reply in replies] == [
        (1, "result"),
        (2, "invalid_params"),
    ]


async def test_a_cancelled_call_whose_work_has_not_begun_is_withdrawn_and_says_so() -> None:
    pile = Pile()
    async with connected(observing(pile)) as host:
        await host.say(request("observe", 1), notification("$/cancelRequest", id=1))
        reply = await host.hear()

    assert (reply["id"], reply["error"]["code"]) == (1, -32800)
    assert pile.pieces[0].is_withdrawn


async def test_a_cancelled_call_whose_work_has_begun_is_answered_with_what_it_did() -> None:
    pile = Pile()
    async with connected(observing(pile)) as host:
        await host.say(request("observe", 1, word="kept"))
        await wait_all_tasks_blocked()
        pile.pieces[0].has_begun = True
        await host.say(notification("$/cancelRequest", id=1))
        silent = await host.silent()
        pile.pieces[0].done()
        reply = await host.hear()

    assert silent
    assert reply["result"] == {"word": "kept"}


async def test_they_hold_slots_like_others_and_give_them_to_those_that_wait() -> None:
    pile, gate = Pile(), Gate()
    async with connected(observing(pile, gate)) as host:
        await host.say(*(request("observe", number) for number in range(IN_FLIGHT_MAX + 1)))
        await wait_all_tasks_blocked()
        begun = len(pile.pieces)
        pile.pieces[0].done()
        first = await host.hear()
        await wait_all_tasks_blocked()
        entered = gate.entered
        duplicate = await host.call("observe", 1)

    assert (begun, first["id"], entered) == (IN_FLIGHT_MAX, 0, 1)
    assert kind(duplicate) == "invalid_request"


async def test_a_notification_and_the_members_of_a_batch_begin_so_too() -> None:
    pile = Pile()
    async with connected(observing(pile)) as host:
        batch = [request("observe", 1, word="a"), request("observe", 2, word="b")]
        await host.say(notification("observe", word="quiet"), batch)
        await wait_all_tasks_blocked()
        for piece in pile.pieces:
            piece.done()
        replies = await host.hear()

    assert [piece.word for piece in pile.pieces] == ["quiet", "a", "b"]
    assert [reply["result"]["word"] for reply in replies] == ["a", "b"]


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


async def test_a_call_that_was_answered_leaves_nothing_to_the_collector(
    no_collector: None,
) -> None:
    pile = Pile()
    async with connected(observing(pile)) as host:
        await host.say(request("observe", 1))
        await wait_all_tasks_blocked()
        piece = weakref.ref(pile.pieces[0])
        pile.pieces.pop().done()
        await host.hear()
        is_gone = piece() is None

    assert is_gone


async def test_at_the_end_of_input_they_are_finished_and_answered(
    autojump_clock: MockClock,
) -> None:
    pile = Pile()
    async with connected(observing(pile)) as host:
        await host.say(request("observe", 1))
        await host.end_of_input()
        await wait_all_tasks_blocked()
        pile.pieces[0].done()
        replies = await host.hear_all()

    assert [kind(reply) for reply in replies] == ["result"]
    assert host.ending is Ending.EOF


async def test_the_account_is_held_until_work_that_cannot_be_stopped_is_done(
    autojump_clock: MockClock,
) -> None:
    pile, accounts = Pile(), FakeAccounts()
    async with connected(observing(pile, accounts=accounts)) as host:
        await host.say(request("observe", 1), request("observe", 2))
        await wait_all_tasks_blocked()
        pile.pieces[0].has_begun = True
        await host.stream.aclose()
        await trio.sleep(60)
        released_early = accounts.handles[0].released
        pile.pieces[0].done()
        await host.ended.wait()

    assert released_early == 0
    assert accounts.handles[0].released == 1
