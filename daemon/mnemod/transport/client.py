"""A small client for mnemod's own commands: one JSON value a line, one call at a time.

Standard library only and no event loop, because a command that asks one thing should start fast.
Hosts use the generated clients; this one serves people. A refused call, a daemon that went away
and one that takes too long are `Refused`: a command that lets them pass ends with their exit code
and their sentence. The sentence is the daemon's own, which never holds anybody's words.
"""

from __future__ import annotations

import json
import select
import socket
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from mnemod import __version__
from mnemod.exits import Exit, Refused
from mnemod.transport.plain_io import read_some, write_all

JsonObject = Mapping[str, Any]
Call = tuple[str, JsonObject]
"""A method and its params."""

ANSWER_S: Final = 60.0
PIPELINED: Final = 16
"""Calls sent ahead of their answers; half of what the daemon runs at once on a connection."""

_USAGE_KINDS: Final = frozenset({"invalid_params", "method_not_found"})


class CallRefused(Refused):
    """The daemon answered with an error. Switch on `kind`; `retryable` says if later may do."""

    def __init__(self, error: JsonObject) -> None:
        data = error.get("data") or {}
        self.kind: str = data.get("kind", "internal")
        self.retryable: bool = data.get("retryable", False)
        self.path: str | None = data.get("path")
        self.details: JsonObject = data.get("details") or {}
        self.error_id: str | None = data.get("error_id")
        self.error: JsonObject = error
        super().__init__(self._exit(), self._sentence())

    def _exit(self) -> Exit:
        if self.retryable:
            return Exit.TRY_AGAIN
        return Exit.USAGE if self.kind in _USAGE_KINDS else Exit.FAILED

    def _sentence(self) -> str:
        told = {"at": self.path, **self.details, "error_id": self.error_id}
        facts = ", ".join([self.kind, *(f"{n} {v}" for n, v in told.items() if v is not None)])
        return f"{self.error.get('message', 'refused')} ({facts})"


class Lost(Refused):
    """The daemon went away before it answered."""

    def __init__(self) -> None:
        super().__init__(Exit.TRY_AGAIN, "the daemon went away before it answered; try again")


class Client:
    """One connection. Not for two threads at once."""

    def __init__(self, read_fd: int, write_fd: int, close: Callable[[], None]) -> None:
        """Speak on these descriptors; `close` is called once, by `close()`."""
        self._read_fd, self._write_fd, self._close = read_fd, write_fd, close
        self._unread = bytearray()
        self._last_id = 0
        self._answers: dict[int, JsonObject] = {}
        self._notices: deque[JsonObject] = deque()

    @classmethod
    def over(cls, sock: socket.socket) -> Client:
        """A client on a connected socket, which becomes the client's."""
        sock.setblocking(True)
        return cls(sock.fileno(), sock.fileno(), sock.close)

    def initialize(self, account: str, *, host_id: str, tier: str = "local") -> JsonObject:
        """Bind the connection to an account. Returns what the daemon says of itself."""
        params = {
            "protocol_versions": [1],
            "client": {"name": "mnemod", "version": __version__},
            "account": account,
            "host_id": host_id,
            "tier": tier,
        }
        return self.call("initialize", params)

    def call(self, method: str, params: JsonObject, *, within_s: float = ANSWER_S) -> JsonObject:
        """The result. Raises CallRefused, Lost, and Refused (75) when `within_s` is over."""
        return self._answer_to(self._send(method, params), time.monotonic() + within_s)

    def calls(self, wanted: Iterable[Call], *, within_s: float = ANSWER_S) -> Iterator[JsonObject]:
        """The results of many calls, in order, with some always under way."""
        waiting: deque[int] = deque()
        for method, params in wanted:
            waiting.append(self._send(method, params))
            if len(waiting) == PIPELINED:
                yield self._answer_to(waiting.popleft(), time.monotonic() + within_s)
        while waiting:
            yield self._answer_to(waiting.popleft(), time.monotonic() + within_s)

    def next_notice(self, within_s: float) -> JsonObject | None:
        """The next notification, one that came during a call included; None if none comes."""
        deadline = time.monotonic() + within_s
        while not self._notices:
            frame = self._receive(deadline)
            if frame is None:
                return None
            self._sort(frame)
        return self._notices.popleft()

    def close(self) -> None:
        """Hang up. Harmless the second time."""
        close, self._close = self._close, _nothing
        close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def _send(self, method: str, params: JsonObject) -> int:
        self._last_id += 1
        request = {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params}
        try:
            write_all(self._write_fd, json.dumps(request).encode() + b"\n")
        except OSError:
            raise Lost() from None
        return self._last_id

    def _answer_to(self, call_id: int, deadline: float) -> JsonObject:
        while (answer := self._answers.pop(call_id, None)) is None:
            frame = self._receive(deadline)
            if frame is None:
                raise Refused(Exit.TRY_AGAIN, "the daemon takes too long to answer; try again")
            self._sort(frame)
        if "error" in answer:
            raise CallRefused(answer["error"])
        result: JsonObject = answer["result"]
        return result

    def _sort(self, frame: JsonObject) -> None:
        if "method" in frame:
            self._notices.append(frame)
        elif frame.get("id") is None:
            # It could not tell which call was meant, so none can be waited for any longer.
            raise CallRefused(frame.get("error") or {})
        else:
            self._answers[frame["id"]] = frame

    def _receive(self, deadline: float) -> JsonObject | None:
        """The next frame; None once the deadline has passed. Raises Lost."""
        searched = 0
        while (end := self._unread.find(b"\n", searched)) < 0:
            searched = len(self._unread)
            if not _readable(self._read_fd, deadline):
                return None
            chunk = read_some(self._read_fd)
            if not chunk:
                raise Lost()
            self._unread += chunk
        line = bytes(self._unread[:end])
        del self._unread[: end + 1]
        frame: JsonObject = json.loads(line)
        return frame


def _readable(fd: int, deadline: float) -> bool:
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(max(0.0, deadline - time.monotonic()) * 1000))


def _nothing() -> None:
    """What is left to close of something closed."""
