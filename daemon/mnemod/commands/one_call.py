"""One call to the running daemon, for the commands that need no account."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from typing import Any, Final

from mnemod.exits import Exit, Refused

_ANSWER_S: Final = 15.0


def call(sock: socket.socket, method: str, params: Mapping[str, object]) -> dict[str, Any]:
    """The result of `method`, one that is allowed before `initialize`. Closes `sock`.

    Raises Refused (70 with the error's kind, 75 if there is no answer in 15 s).
    """
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    sock.settimeout(_ANSWER_S)
    try:
        with sock, sock.makefile("rb") as answers:
            sock.sendall(json.dumps(request).encode() + b"\n")
            line = answers.readline()
    except OSError:
        raise Refused(Exit.TRY_AGAIN, "the daemon does not answer") from None
    return _result(line)


def _result(line: bytes) -> dict[str, Any]:
    if not line:
        raise Refused(Exit.TRY_AGAIN, "the daemon went away before it answered")
    answer = json.loads(line)
    if "error" in answer:
        raise Refused(Exit.INTERNAL, f"the daemon refused: {answer['error']['data']['kind']}")
    result: dict[str, Any] = answer["result"]
    return result
