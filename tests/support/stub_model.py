"""A model endpoint on this machine that says what a test wants, over real HTTP.

    async with StubModel(say('{"result":"no_change"}')) as stub:
        ... base_url=stub.base_url ...

Answers come in order; the last one is given again. What was asked is kept, bodies parsed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

import h11
import trio


@dataclass(frozen=True)
class Http:
    """Any answer, byte for byte; `chunked` sends its body in two pieces without a length."""

    status: int = 200
    body: bytes = b"{}"
    headers: Mapping[str, str] = field(default_factory=dict)
    chunked: bool = False


@dataclass(frozen=True)
class Raw:
    """Bytes in place of HTTP; then the connection closes."""

    data: bytes


@dataclass(frozen=True)
class Hang:
    """Reads the question, never answers, and notices when the asker goes away."""


Scripted = Http | Raw | Hang


def say(content: Any, finish_reason: str | None = "stop", **message: Any) -> Http:
    """A chat completion with this content."""
    choice = {"message": {"content": content, **message}, "finish_reason": finish_reason}
    usage = {"prompt_tokens": 7, "completion_tokens": 3}
    return Http(body=json.dumps({"choices": [choice], "usage": usage}).encode())


@dataclass(frozen=True)
class Asked:
    """One request as it came in."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: dict[str, Any]


class StubModel:
    """Serves while its block lasts."""

    def __init__(self, *answers: Scripted) -> None:
        self.asked: list[Asked] = []
        self.was_asked = trio.Event()
        self.gone_away = trio.Event()
        self.base_url = ""
        self._answers = answers
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> StubModel:
        nursery = await self._stack.enter_async_context(trio.open_nursery())
        (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
        self.base_url = f"http://127.0.0.1:{listener.socket.getsockname()[1]}/v1"
        nursery.start_soon(trio.serve_listeners, self._serve, [listener])
        self._stack.callback(nursery.cancel_scope.cancel)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._stack.__aexit__(kind, error, traceback)

    async def _serve(self, stream: trio.SocketStream) -> None:
        talk = h11.Connection(h11.SERVER)
        self.asked.append(await _request(talk, stream))
        self.was_asked.set()
        answer = self._answers[min(len(self.asked), len(self._answers)) - 1]
        match answer:
            case Hang():
                with suppress(trio.BrokenResourceError):
                    await stream.receive_some()
                self.gone_away.set()
            case Raw(data=data):
                await stream.send_all(data)
            case Http():
                await stream.send_all(_answer(talk, answer))
        await stream.aclose()


async def _request(talk: h11.Connection, stream: trio.SocketStream) -> Asked:
    head: h11.Request | None = None
    body = bytearray()
    while True:
        event = talk.next_event()
        if event is h11.NEED_DATA:
            talk.receive_data(bytes(await stream.receive_some()))
        elif isinstance(event, h11.Request):
            head = event
        elif isinstance(event, h11.Data):
            body += event.data
        else:
            break
    assert head is not None
    headers = {name.decode(): value.decode() for name, value in head.headers}
    return Asked(head.method.decode(), head.target.decode(), headers, json.loads(body))


def _answer(talk: h11.Connection, answer: Http) -> bytes:
    length = (
        {"Transfer-Encoding": "chunked"}
        if answer.chunked
        else {"Content-Length": str(len(answer.body))}
    )
    headers = list({**answer.headers, **length}.items())
    half = len(answer.body) // 2
    parts = (
        h11.Response(status_code=answer.status, headers=headers),
        h11.Data(data=answer.body[:half]),
        h11.Data(data=answer.body[half:]),
        h11.EndOfMessage(),
    )
    return b"".join(talk.send(part) or b"" for part in parts)
