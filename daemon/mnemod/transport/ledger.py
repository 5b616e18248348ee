"""What the proxy has to know of the messages it passes on: who still waits for an answer.

Frames are forwarded as they are. The ledger reads only ids and a few method names, so that the
proxy can answer what the daemon leaves open, tell a wanted end from an unwanted one, and watch
the host's process. What is not JSON is none of its business: the daemon says so to the client.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final, NoReturn, TypeGuard

from mnemod.config import BATCH_MEMBERS_MAX, REQUEST_ID_BYTES_MAX, REQUEST_ID_INT_MAX
from mnemod.errors import ShuttingDown

# The daemon writes the id first or last in an answer: there it is found without reading the result.
_ID: Final = rb'"id":("(?:[^"\\]|\\.)*"|-?[0-9]+)'
_HEAD: Final = re.compile(rb'\{"jsonrpc":"2\.0",' + _ID + b",")
_TAIL: Final = re.compile(b"," + _ID + rb"\}\Z")
_TAIL_BYTES_MAX: Final = 6 * REQUEST_ID_BYTES_MAX + 16

RequestId = str | int


class Ledger:
    """Ids asked and not answered, and what `initialize` and `shutdown` told on the way."""

    def __init__(self) -> None:
        self._open: dict[RequestId, None] = {}
        self.said_goodbye = False
        """Whether the client itself asked for the end, by `shutdown` or `exit`."""
        self.initialized = False
        """Whether `initialize` was asked."""
        self.process_id: int | None = None
        """The process whose end is the host's end, as `initialize` named it."""

    def asked(self, frame: bytes) -> None:
        """Note a frame of the client."""
        for message in _messages(frame):
            if _is_request_id(request_id := message.get("id")):
                self._open[request_id] = None
            self._note_method(message)

    def answered(self, frame: bytes) -> None:
        """Strike out what a frame of the daemon answers."""
        found = _HEAD.match(frame) or _TAIL.search(frame, max(0, len(frame) - _TAIL_BYTES_MAX))
        if found and frame.startswith(b"{"):
            self._open.pop(json.loads(found[1]), None)
            return
        for message in _messages(frame):
            if _is_request_id(request_id := message.get("id")):
                self._open.pop(request_id, None)

    def open_ids(self) -> list[RequestId]:
        """The unanswered ids, in the order asked."""
        return list(self._open)

    def _note_method(self, message: dict[str, object]) -> None:
        method, params = message.get("method"), message.get("params")
        if method in ("shutdown", "exit"):
            self.said_goodbye = True
        if method == "initialize" and not self.initialized:
            self.initialized = True
            named = params.get("process_id") if isinstance(params, dict) else None
            self.process_id = named if isinstance(named, int) else None


def went_away(request_id: RequestId) -> bytes:
    """The answer the daemon did not give.

    It may have carried out the call: what is true is that nobody knows, and that every call with
    an id of its own (event, command, request) can be sent again.
    """
    text = "The daemon went away before it answered. Connect again and send the same call again."
    data = {"kind": ShuttingDown.kind, "retryable": True}
    error = {"code": ShuttingDown.code, "message": text, "data": data}
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "error": error}).encode()


def _messages(frame: bytes) -> Iterator[dict[str, object]]:
    try:
        value = json.loads(frame, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return
    members = value if isinstance(value, list) else [value]
    # A longer batch is refused as a whole: none of its ids is answered.
    if len(members) <= BATCH_MEMBERS_MAX:
        yield from (member for member in members if isinstance(member, dict))


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _is_request_id(value: object) -> TypeGuard[RequestId]:
    """As rpc/wire.py has it; an id that does not qualify is answered with null."""
    if isinstance(value, str):
        return 1 <= len(value.encode(errors="replace")) <= REQUEST_ID_BYTES_MAX
    return (
        isinstance(value, int) and not isinstance(value, bool) and abs(value) <= REQUEST_ID_INT_MAX
    )
