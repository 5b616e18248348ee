"""Dispatch: from a name to its handler, and no exception's text on the wire or in the log."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from typing import Any

import orjson
import pytest
import trio
from trio.testing import MockClock

from mnemod import log
from mnemod.errors import Conflict, LimitExceeded, MnemodError
from mnemod.rpc.calls import Call
from mnemod.rpc.dispatch import Method, MethodTable
from mnemod.rpc.refusals import refusal_for
from tests.support.session_host import EchoParams, FakeAccount, connected, request, services

SECRET = "canary-7f3a"


class Lines:
    """A log sink that keeps what it is given."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, line: bytes) -> None:
        self.text += line.decode()

    def reopen(self) -> None:
        pass


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Lines:
    """The log, at its most talkative."""
    sink = Lines()
    monkeypatch.setattr(log, "_current", log.Log(sink, level="debug"))
    return sink


async def raises_by_accident(call: Call[FakeAccount], params: EchoParams) -> dict[str, object]:
    return {}[params.word]  # type: ignore[no-any-return, index]


async def raises_on_purpose(call: Call[FakeAccount], params: EchoParams) -> dict[str, object]:
    raise Conflict(world_revision=3)


async def raises_in_a_nursery(call: Call[FakeAccount], params: EchoParams) -> dict[str, object]:
    async with trio.open_nursery() as outer, trio.open_nursery() as inner:
        outer.start_soon(trio.sleep_forever)
        inner.start_soon(raises_on_purpose, call, params)
    return {}


async def raises_both(call: Call[FakeAccount], params: EchoParams) -> dict[str, object]:
    raise ExceptionGroup(params.word, [Conflict(), ValueError(params.word)])


async def returns_no_json(call: Call[FakeAccount], params: EchoParams) -> dict[str, object]:
    return {"word": object()}


HANDLERS = {
    "raises_by_accident": raises_by_accident,
    "raises_on_purpose": raises_on_purpose,
    "raises_in_a_nursery": raises_in_a_nursery,
    "raises_both": raises_both,
    "returns_no_json": returns_no_json,
}


@pytest.mark.parametrize("method", ["raises_by_accident", "raises_both", "returns_no_json"])
async def test_a_fault_of_ours_is_internal_with_an_id_that_the_log_explains_without_text(
    method: str, lines: Lines
) -> None:
    async with connected(services(HANDLERS)) as host:
        reply = await host.call(method, word=SECRET)
        after = await host.call("echo", word="still here")

    error_id = reply["error"]["data"]["error_id"]
    assert (reply["id"], reply["error"]["data"]["kind"]) == (1, "internal")
    assert after["result"]["word"] == "still here"
    assert f"method={method} error_id={error_id}" in lines.text
    assert SECRET not in lines.text + orjson.dumps(reply).decode()


@pytest.mark.parametrize("method", ["raises_on_purpose", "raises_in_a_nursery"])
async def test_a_refusal_is_answered_as_it_was_raised_and_not_logged(
    method: str, lines: Lines
) -> None:
    async with connected(services(HANDLERS)) as host:
        reply = await host.call(method)

    assert reply["error"]["code"] == 1020
    assert reply["error"]["data"]["kind"] == "conflict"
    assert lines.text == ""


async def test_params_that_do_not_fit_reach_no_handler_and_no_log(lines: Lines) -> None:
    async with connected(services(HANDLERS)) as host:
        reply = await host.call("raises_by_accident", word=[SECRET])
        named = await host.call("raises_by_accident", call=SECRET, params=1)

    assert (reply["error"]["code"], reply["error"]["data"]["path"]) == (-32602, "$.word")
    assert named["error"]["data"]["path"] == "$.call"
    assert SECRET not in lines.text + orjson.dumps([reply, named]).decode()


async def test_an_unknown_method_is_named_by_nobody(lines: Lines) -> None:
    async with connected(services()) as host:
        reply = await host.call(SECRET)

    assert reply["error"]["code"] == -32601
    assert SECRET not in lines.text + orjson.dumps(reply).decode()


def test_of_several_refusals_the_first_is_answered() -> None:
    group = ExceptionGroup("", [ExceptionGroup("", [LimitExceeded()]), Conflict()])

    refusal: MnemodError = refusal_for(group, "observe", lambda prefix: prefix)

    assert isinstance(refusal, LimitExceeded)


def test_a_table_knows_its_names() -> None:
    table = MethodTable([Method(name, EchoParams, raises_on_purpose) for name in ("b", "a")])

    assert table.names == ("a", "b")
    assert "a" in table
    assert "c" not in table


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("jsonrpcserver.result", "Error"),
        ("jsonrpcserver.result", "Success"),
        ("jsonrpcserver.dispatcher", "get_method"),
        ("jsonrpcserver.dispatcher", "validate_args"),
        ("jsonrpcserver.dispatcher", "to_response"),
        ("jsonrpcserver.request", "Request"),
        ("jsonrpcserver.response", "to_serializable_one"),
    ],
)
def test_the_parts_of_jsonrpcserver_that_we_use_are_where_we_look(module: str, name: str) -> None:
    assert hasattr(import_module(module), name)
    assert version("jsonrpcserver") == "5.0.9"


async def test_calls_that_come_before_the_library_is_loaded_wait_for_it() -> None:
    async with connected(initialized=False) as host:
        await host.initialize()
        await host.say(*(request("echo", number, word="early") for number in range(40)))
        replies = [await host.hear() for _ in range(40)]

    assert {reply["result"]["word"] for reply in replies} == {"early"}


async def test_however_many_calls_wait_the_library_is_loaded_once() -> None:
    class Counting(MethodTable[FakeAccount]):
        loads = 0

        def _load(self) -> Any:
            self.loads += 1
            return super()._load()

    table = Counting([Method("note", EchoParams, raises_on_purpose)])
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.warm)
        nursery.start_soon(table.warm)
        nursery.start_soon(table.warm)

    assert table.loads == 1


async def test_an_installation_that_lacks_a_module_says_so_call_by_call(
    lines: Lines, autojump_clock: MockClock
) -> None:
    class Broken(MethodTable[FakeAccount]):
        def _load(self) -> Any:
            raise ModuleNotFoundError(SECRET)

    table = Broken([Method("note", EchoParams, raises_on_purpose)])
    async with connected(services(methods=table), initialized=False) as host:
        await host.initialize()
        await trio.sleep(1)  # the loading in the background has begun
        note = await host.call("note")
        ping = await host.call("ping")

    assert note["error"]["data"]["kind"] == "internal"
    assert ping["result"] == {}
    assert "ModuleNotFoundError" in lines.text
    assert SECRET not in lines.text


def test_a_session_starts_without_jsonrpcserver() -> None:
    program = "import sys, mnemod.rpc.session; print('jsonrpcserver' in sys.modules)"

    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert ran.stdout == "False\n"


def test_the_library_is_used_without_its_validator_web_server_and_event_loop() -> None:
    code = (
        "import sys, mnemod.rpc.jsonrpc; "
        "print(sorted({'asyncio', 'jsonschema', 'http.server'} & set(sys.modules)))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
