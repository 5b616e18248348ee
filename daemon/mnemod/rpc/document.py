"""The OpenRPC document as it is installed: what `rpc.discover` returns and `mnemod schema` prints.

Read from disk when somebody asks, because few do: it costs the daemon's start nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import orjson

_DOCUMENT: Final = Path(__file__).with_name("openrpc.json")


def openrpc_text() -> bytes:
    """The document as written by the generator: UTF-8 JSON, indented, with a last newline."""
    return _DOCUMENT.read_bytes()


def openrpc() -> dict[str, Any]:
    """The document as a value. About 150 KB of JSON; a fresh one each time."""
    document: dict[str, Any] = orjson.loads(openrpc_text())
    return document
