"""Small JSON-RPC clients for tests: one that blocks, over pipes or a socket, and one for trio.

They write one JSON value a line, keep what they did not ask for in `notifications`, and raise
`RpcError` for an error answer. Every read has a deadline, so that a hang is a failure.
"""

from __future__ import annotations

import itertools
import json
import os
import select
import socket
from collections.abc import Mapping
from typing import Any, Protocol

import trio

ANSWER_S = 20.0

Json = dict[str, Any]


class RpcError(Exception):
    """The error member of an answer."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        data = error["data"]
        super().__init__(f"{error['code']} {data['kind']} {data.get('path', '')}")
        self.code: int = error["code"]
        self.kind: str = data["kind"]
        self.data: Json = dict(data)


class ConnectionEnded(Exception):
    """The other side closed before it answered."""


def request(request_id: object, method: str, /, **params: object) -> bytes:
    """One request as a line."""
    message = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
    return json.dumps(message, ensure_ascii=False).encode() + b"\n"


def notification(method: str, **params: object) -> bytes:
    """One notification as a line."""
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    return json.dumps(message, ensure_ascii=False).encode() + b"\n"


def initialize_params(account: str = "a1", **more: object) -> Json:
    """The params of `initialize` that a plain host sends."""
    client = {"name": "tests", "version": "1"}
    return {
        "protocol_versions": [1],
        "client": client,
        "account": account,
        "host_id": "tests",
        **more,
    }


def observe_params(text: str, message_id: str = "m1", **more: object) -> Json:
    """The params of an `observe` of one message of the owner."""
    message = {"message_id": message_id, "role": "user", "content": text}
    return {
        "event_id": f"event-{message_id}",
        "conversation_id": "c1",
        "messages": [message],
        **more,
    }


def result_of(answer: Json) -> Json:
    """The result of an answer. Raises RpcError."""
    if "error" in answer:
        raise RpcError(answer["error"])
    result: Json = answer["result"]
    return result


class Client:
    """Blocks. `read_fd` and `write_fd` may be the same socket's."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read_fd = read_fd
        self._write_fd = write_fd
        self._buffer = b""
        self._ids = itertools.count(1)
        self._early: dict[int, Json] = {}
        self.notifications: list[Json] = []

    def call(self, method: str, /, **params: object) -> Json:
        """Ask and wait for the result."""
        return result_of(self.answer_to(self.ask(method, **params)))

    def initialize(self, account: str = "a1", **more: object) -> Json:
        """Bind the connection to an account."""
        return self.call("initialize", **initialize_params(account, **more))

    def ask(self, method: str, /, **params: object) -> int:
        """Send a request without waiting. Returns its id."""
        request_id = next(self._ids)
        self.send(request(request_id, method, **params))
        return request_id

    def notify(self, method: str, **params: object) -> None:
        """Send a notification."""
        self.send(notification(method, **params))

    def answer_to(self, request_id: int) -> Json:
        """The answer with this id, result or error; what comes before it is kept."""
        while request_id not in self._early:
            message = self.receive()
            if "id" in message:
                self._early[message["id"]] = message
            else:
                self.notifications.append(message)
        return self._early.pop(request_id)

    def send(self, data: bytes) -> None:
        """Write raw bytes."""
        while data:
            data = data[os.write(self._write_fd, data) :]

    def receive(self) -> Json:
        """The next message, whatever it is. Raises ConnectionEnded."""
        message: Json = json.loads(self.receive_line())
        return message

    def receive_line(self) -> bytes:
        """The next line, without its end. Raises ConnectionEnded, and TimeoutError after 20 s."""
        while b"\n" not in self._buffer:
            if not select.select([self._read_fd], [], [], ANSWER_S)[0]:
                raise TimeoutError("no answer")
            chunk = os.read(self._read_fd, 65_536)
            if not chunk:
                raise ConnectionEnded(self._buffer)
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def rest(self) -> bytes:
        """Everything up to the end of the connection."""
        while chunk := os.read(self._read_fd, 65_536):
            self._buffer += chunk
        return self._buffer


class SocketClient(Client):
    """A client of a daemon's socket; leave the block to close it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._sock = socket.socket(socket.AF_UNIX)
        self._sock.connect(os.fspath(path))
        super().__init__(self._sock.fileno(), self._sock.fileno())

    def __enter__(self) -> SocketClient:
        return self

    def __exit__(self, *_: object) -> None:
        self._sock.close()

    def half_close(self) -> None:
        """Say that no more comes."""
        self._sock.shutdown(socket.SHUT_WR)


class AsyncBytes(Protocol):
    """A trio stream, or anything like it."""

    async def send_all(self, data: bytes) -> None: ...

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray: ...


class AsyncClient:
    """For trio, over any stream; give it one end of `trio.testing.memory_stream_pair()`."""

    def __init__(self, stream: AsyncBytes) -> None:
        self._stream = stream
        self._buffer = b""
        self._ids = itertools.count(1)
        self.notifications: list[Json] = []

    async def call(self, method: str, /, **params: object) -> Json:
        """Ask and wait for the result."""
        request_id = next(self._ids)
        await self._stream.send_all(request(request_id, method, **params))
        while (message := await self.receive()).get("id") != request_id:
            self.notifications.append(message)
        return result_of(message)

    async def initialize(self, account: str = "a1", **more: object) -> Json:
        """Bind the connection to an account."""
        return await self.call("initialize", **initialize_params(account, **more))

    async def receive(self) -> Json:
        """The next message. Raises ConnectionEnded, and trio.TooSlowError after 20 s."""
        with trio.fail_after(ANSWER_S):
            while b"\n" not in self._buffer:
                chunk = await self._stream.receive_some()
                if not chunk:
                    raise ConnectionEnded(self._buffer)
                self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        message: Json = json.loads(line)
        return message
