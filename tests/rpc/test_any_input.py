"""Whatever a client sends: every request is answered once, and the session lives."""

from __future__ import annotations

from collections import Counter
from typing import Any

import orjson
import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemod.config import FRAME_BYTES_MAX
from mnemod.rpc.calls import Call
from mnemod.rpc.ending import Ending
from tests.support.session_host import EchoParams, FakeAccount, connected, request, services

PING = orjson.dumps(request("ping", 1))


def code(reply: Any) -> int | None:
    """The code of an error, None for a result; of the first answer in a batch."""
    first: dict[str, Any] = reply[0] if isinstance(reply, list) else reply
    return first["error"]["code"] if "error" in first else None


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        (b"\xff\xfe", [-32700]),
        (b"{", [-32700]),
        (b"[" * 10_000 + b"]" * 10_000, [-32700]),
        (b"[]", [-32600]),
        (b"null", [-32600]),
        (b'"x"', [-32600]),
        (b"[1]", [-32600]),
        (b"", []),
        (b"   ", []),
        (b'{"jsonrpc":"2.0","method":"ping"}', []),
        (b"[" + PING + b"]", [None]),
        (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', [-32600]),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', [-32600]),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', [-32600]),
        (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', [-32600]),
        (b'{"jsonrpc":"2.0","id":1,"method":"echo","params":[]}', [-32602]),
        (b'{"jsonrpc":"2.0","id":1,"method":"echo","params":null}', [-32602]),
        (b'{"jsonrpc":"2.0","id":1,"method":"echo","params":{"word":"\\u0000"}}', [-32602]),
        (b'{"jsonrpc":"2.0","id":1,"result":{}}', [-32600]),
    ],
)
async def test_a_line_that_makes_no_sense_is_answered_and_the_next_one_too(
    line: bytes, codes: list[int | None]
) -> None:
    async with connected() as host:
        await host.stream.send_all(line + b"\n")
        await host.say(request("ping", "after"))
        *answers, after = [await host.hear() for _ in range(len(codes) + 1)]

    assert [code(answer) for answer in answers] == codes
    assert after == {"jsonrpc": "2.0", "id": "after", "result": {}}


@pytest.mark.parametrize("size", [4 * 1024, 64 * 1024 + 1, 1024 * 1024, FRAME_BYTES_MAX])
async def test_a_line_of_any_size_up_to_the_limit_is_answered(size: int) -> None:
    async with connected() as host:
        await host.stream.send_all(PING + b" " * (size - len(PING)) + b"\n")

        assert (await host.hear())["result"] == {}


async def test_a_reply_that_is_too_large_is_refused_and_the_connection_lives() -> None:
    async def huge(call: Call[FakeAccount], params: EchoParams) -> dict[str, object]:
        return {"word": "x" * FRAME_BYTES_MAX}

    async with connected(services({"huge": huge})) as host:
        refused = await host.call("huge", 1)
        after = await host.call("echo", 2)

    assert (refused["id"], refused["error"]["data"]["kind"]) == (1, "result_too_large")
    assert "result" in after


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False)
    | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["word", "_meta", "id", "topic"]) | st.text(), inner, max_size=3
        )
    ),
    max_leaves=8,
)
METHODS = st.sampled_from(
    ["ping", "echo", "health", "rpc.discover", "subscribe", "unsubscribe", "initialize", "no_such"]
)
MEMBERS = {
    "jsonrpc": st.just("2.0") | JSON,
    "method": METHODS | JSON,
    "params": st.fixed_dictionaries({}, optional={"word": st.text()}) | JSON,
}
ANYTHING = st.fixed_dictionaries({}, optional={**MEMBERS, "id": JSON}) | JSON


def storable(message: object) -> bytes | None:
    """The message as a line, or None if it cannot be written as JSON at all."""
    try:
        return orjson.dumps(message) + b"\n"
    except TypeError:
        return None


async def _heard(lines: list[bytes]) -> tuple[Ending | None, list[Any]]:
    async with connected() as host:
        for line in lines:
            await host.stream.send_all(line)
        await host.end_of_input()
        replies = await host.hear_all()
        await host.ended.wait()
        return host.ending, replies


@settings(max_examples=60, deadline=None)
@given(st.lists(ANYTHING.map(storable).filter(bool), max_size=12))
def test_no_message_ends_the_session_or_goes_unrefused(lines: list[bytes]) -> None:
    ending, replies = trio.run(_heard, lines)

    assert ending is Ending.EOF
    assert not {code(reply) for reply in replies} & {-32603, -32700}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.fixed_dictionaries(MEMBERS), max_size=30))
def test_every_request_is_answered_exactly_once(bodies: list[dict[str, Any]]) -> None:
    lines = [storable({**body, "id": number}) for number, body in enumerate(bodies)]

    ending, replies = trio.run(_heard, [line for line in lines if line])

    asked = {number: 1 for number, line in enumerate(lines) if line}
    answered = Counter(reply["id"] for reply in replies if "id" in reply)
    assert ending is Ending.EOF
    assert answered == asked
