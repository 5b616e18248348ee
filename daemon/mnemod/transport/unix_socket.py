"""The socket door: who comes in, how many, and what becomes of a connection that goes wrong."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

import trio

from mnemod import log
from mnemod.activity import Activity
from mnemod.config import CONNECTIONS_MAX
from mnemod.errors import Overloaded
from mnemod.rpc.wire import encode_error
from mnemod.transport.peers import peer_uid
from mnemod.transport.socket_file import Listening

_LAST_WORDS_S: Final = 1.0

Serve = Callable[[trio.SocketStream], Awaitable[object]]
"""Serves one connection to its end and closes it. Raises nothing but trio.Cancelled."""


class Door:
    """Accepts connections of this user at a socket and serves each in a task of its own."""

    def __init__(
        self, listening: Listening, serve: Serve, activity: Activity, *, allow_root: bool = False
    ) -> None:
        self._listening = listening
        self._accepting = trio.CancelScope()
        self._serve = serve
        self._activity = activity
        self._allowed = {os.geteuid()} | ({0} if allow_root else set())

    async def accept(self, connections: trio.Nursery) -> None:
        """Accept until cancelled. The connections live on in their nursery."""
        while True:
            listener = trio.SocketListener(trio.socket.from_stdlib_socket(self._listening.sock))
            with trio.CancelScope() as self._accepting:
                # trio waits and tries again when the process is out of descriptors.
                await trio.serve_listeners(self._admit, [listener], handler_nursery=connections)

    def move(self) -> None:
        """The listening socket is another one now; the old one is closed."""
        self._accepting.cancel()

    async def _admit(self, stream: trio.SocketStream) -> None:
        if peer_uid(stream.socket) not in self._allowed:
            log.current().warning("foreign_peer_refused")
            await stream.aclose()
        elif self._activity.connections >= CONNECTIONS_MAX:
            refusal = encode_error(None, Overloaded(connections=CONNECTIONS_MAX))
            await _last_words(stream, refusal + b"\n")
        else:
            with self._activity.connection():
                await self._serve(stream)


async def _last_words(stream: trio.SocketStream, line: bytes) -> None:
    with trio.move_on_after(_LAST_WORDS_S), suppress(trio.BrokenResourceError):
        await stream.send_all(line)
    await stream.aclose()
