"""Calls sent without waiting: commands in order, and a query sees the commands before it."""

from __future__ import annotations

import trio
from trio.testing import wait_all_tasks_blocked

from mnemod.config import IN_FLIGHT_MAX
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

TIMES = 24
"""Enough calls that an order kept by luck is one in millions."""


class Slow:
    """A command that takes effect at once and answers the later the earlier it was sent."""

    def __init__(self) -> None:
        self.began: list[str] = []

    async def handle(self, call: Call[FakeAccount], params: EchoParams) -> dict[str, object]:
        self.began.append(params.word)
        for _ in range(TIMES - len(self.began)):
            await trio.lowlevel.checkpoint()
        return {"word": params.word}


async def test_commands_begin_and_are_answered_in_the_order_they_were_sent() -> None:
    slow = Slow()
    sent = [str(number) for number in range(TIMES)]
    async with connected(services({"observe": slow.handle})) as host:
        await host.say(*(request("observe", word, word=word) for word in sent))
        answered = [(await host.hear())["id"] for _ in sent]

    assert slow.began == sent
    assert answered == sent


async def test_commands_do_not_wait_for_each_other_to_end() -> None:
    gate = Gate()
    async with connected(services({"observe": gate.handle})) as host:
        await host.say(request("observe", 1), request("observe", 2))
        await wait_all_tasks_blocked()

        assert gate.entered == 2
        gate.open()
        assert [(await host.hear())["id"], (await host.hear())["id"]] == [1, 2]


class Thinking:
    """A command that has to think before it takes effect, and keeps its place meanwhile."""

    def __init__(self) -> None:
        self.took_effect: list[str] = []
        self.thought = trio.Event()

    async def handle(self, call: Call[FakeAccount], params: EchoParams) -> dict[str, object]:
        if params.word == "slow":
            with call.in_order():
                await self.thought.wait()
                self.took_effect.append(params.word)
        else:
            self.took_effect.append(params.word)
        return {"word": params.word}


async def test_a_command_that_thinks_first_is_overtaken_by_none_sent_after_it() -> None:
    thinking = Thinking()
    async with connected(services({"observe": thinking.handle})) as host:
        await host.say(*(request("observe", word, word=word) for word in ("slow", "a", "b")))
        await wait_all_tasks_blocked()
        before = list(thinking.took_effect)
        thinking.thought.set()
        answered = [(await host.hear())["id"] for _ in range(3)]

    assert before == []
    assert thinking.took_effect == answered == ["slow", "a", "b"]


async def test_a_command_that_keeps_its_place_twice_gives_it_up_once_it_is_through() -> None:
    thinking = Thinking()

    async def twice(call: Call[FakeAccount], params: EchoParams) -> dict[str, object]:
        with call.in_order():
            await trio.lowlevel.checkpoint()
            return await thinking.handle(call, params)

    async with connected(services({"observe": twice})) as host:
        await host.say(request("observe", 1, word="slow"), request("observe", 2, word="quick"))
        await wait_all_tasks_blocked()
        thinking.thought.set()
        assert [(await host.hear())["id"], (await host.hear())["id"]] == [1, 2]

    assert thinking.took_effect == ["slow", "quick"]


async def test_a_command_that_is_cancelled_while_it_thinks_gives_its_place_up() -> None:
    thinking = Thinking()
    async with connected(services({"observe": thinking.handle})) as host:
        await host.say(
            request("observe", 1, word="slow"),
            request("observe", 2, word="a"),
            notification("$/cancelRequest", id=1),
        )
        answered = [(await host.hear())["id"] for _ in range(2)]

    assert (answered, thinking.took_effect) == ([1, 2], ["a"])


async def test_one_cancelled_behind_a_command_that_thinks_lets_none_past_it() -> None:
    thinking = Thinking()
    async with connected(services({"observe": thinking.handle})) as host:
        await host.say(*(request("observe", word, word=word) for word in ("slow", "a", "b")))
        await wait_all_tasks_blocked()
        await host.say(notification("$/cancelRequest", id="a"))
        await wait_all_tasks_blocked()
        before = list(thinking.took_effect)
        thinking.thought.set()
        answered = [(await host.hear())["id"] for _ in range(3)]

    assert before == []
    assert (thinking.took_effect, answered) == (["slow", "b"], ["slow", "a", "b"])


async def test_a_query_behind_a_command_that_is_taken_back_waits_for_those_before_it() -> None:
    gate, query = Gate(), Slow()
    handlers = {"observe": gate.handle, "recall_preview": gate.handle, "query_world": query.handle}
    async with connected(services(handlers)) as host:
        # So many that the last command waits for a slot, and is out as soon as it is taken back.
        running = [request("recall_preview", number) for number in range(IN_FLIGHT_MAX - 1)]
        await host.say(request("observe", "first"), *running, request("observe", "taken back"))
        await wait_all_tasks_blocked()
        await host.say(
            notification("$/cancelRequest", id="taken back"),
            notification("$/cancelRequest", id=0),
            request("query_world", "q", word="q"),
        )
        await wait_all_tasks_blocked()

        assert query.began == []
        gate.open()


async def test_a_query_waits_for_the_commands_sent_before_it() -> None:
    gate, query = Gate(), Slow()
    handlers = {"observe": gate.handle, "query_world": query.handle}
    async with connected(services(handlers)) as host:
        await host.say(request("observe", 1), request("query_world", 2, word="q"))
        await wait_all_tasks_blocked()

        assert query.began == []
        gate.open()
        assert [(await host.hear())["id"], (await host.hear())["id"]] == [1, 2]


async def test_a_query_waits_for_a_command_that_wants_no_answer() -> None:
    gate, query = Gate(), Slow()
    handlers = {"observe": gate.handle, "query_world": query.handle}
    async with connected(services(handlers)) as host:
        await host.say(notification("observe"), request("query_world", 2, word="q"))
        await wait_all_tasks_blocked()

        assert query.began == []
        gate.open()
        assert (await host.hear())["id"] == 2


async def test_a_query_waits_for_no_query_and_no_later_command() -> None:
    gate, query = Gate(), Slow()
    handlers = {
        "recall_preview": gate.handle,
        "query_world": query.handle,
        "observe": gate.handle,
    }
    async with connected(services(handlers)) as host:
        await host.say(
            request("recall_preview", 1),
            request("query_world", 2, word="q"),
            request("observe", 3),
        )

        assert (await host.hear())["id"] == 2
        gate.open()


async def test_a_command_that_is_refused_holds_nobody_up() -> None:
    async def refuse(call: Call[FakeAccount], params: EchoParams) -> dict[str, object]:
        raise Conflict(world_revision=7)

    query = Slow()
    handlers = {"observe": refuse, "query_world": query.handle}
    async with connected(services(handlers)) as host:
        await host.say(
            request("observe", 1), request("observe", 2), request("query_world", 3, word="q")
        )
        answered = [(await host.hear())["id"] for _ in range(3)]

    assert answered == [1, 2, 3]


async def test_a_command_that_is_cancelled_holds_nobody_up() -> None:
    gate, query = Gate(), Slow()
    handlers = {"observe": gate.handle, "query_world": query.handle}
    async with connected(services(handlers)) as host:
        await host.say(request("observe", 1), request("query_world", 2, word="q"))
        await wait_all_tasks_blocked()
        await host.say(notification("$/cancelRequest", id=1))
        answered = [await host.hear(), await host.hear()]

    assert [answer["id"] for answer in answered] == [1, 2]
    assert answered[0]["error"]["data"]["kind"] == "cancelled"


async def test_a_waiting_query_can_be_cancelled() -> None:
    gate, query = Gate(), Slow()
    handlers = {"observe": gate.handle, "query_world": query.handle}
    async with connected(services(handlers)) as host:
        await host.say(request("observe", 1), request("query_world", 2, word="q"))
        await wait_all_tasks_blocked()
        await host.say(notification("$/cancelRequest", id=2))
        first = await host.hear()
        gate.open()

    assert (first["id"], first["error"]["data"]["kind"]) == (2, "cancelled")
    assert query.began == []
