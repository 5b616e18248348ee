"""The bytes of one connection: frames in, frames out, and how both end.

One task writes. Replies wait for room in its box, and the reader waits with them, so a client that
does not read is stopped by its own full socket and costs no more than the box.
"""

from __future__ import annotations

import trio

from mnemod.config import FLUSH_WITHIN_S, RECEIVE_BYTES
from mnemod.errors import MnemodError
from mnemod.rpc.outbound import Outbound
from mnemod.rpc.ports import ByteStream, Framing


class Connection:
    """A byte stream under a framing."""

    def __init__(self, stream: ByteStream, framing: Framing) -> None:
        self.at_end = False
        """Whether the other end has said that nothing more comes."""
        self._stream = stream
        self._framing = framing
        self._outbound = Outbound()
        self._flushed = trio.Event()

    @property
    def fatal(self) -> MnemodError | None:
        """Why nothing more can be read, if the framing is broken."""
        return self._framing.fatal

    async def receive(self) -> list[bytes]:
        """The next frames, perhaps none yet. Raises trio.BrokenResourceError."""
        data = await self._stream.receive_some(RECEIVE_BYTES)
        if data:
            return self._framing.feed(bytes(data))
        self.at_end = True
        return self._framing.end()

    async def send(self, frame: bytes) -> None:
        """Queue a frame, waiting for room; no checkpoint if there is."""
        await self._outbound.put(self._framing.encode(frame))

    def offer(self, frame: bytes) -> bool:
        """Queue a frame if there is room; say whether there was."""
        return self._outbound.offer(self._framing.encode(frame))

    async def write(self) -> None:
        """Write what is queued until `flush`. Raises trio.BrokenResourceError."""
        while data := await self._outbound.take():
            await self._stream.send_all(data)
        self._flushed.set()

    async def flush(self) -> None:
        """Queue nothing more and wait, not for ever, until all is written."""
        self._outbound.close()
        with trio.move_on_after(FLUSH_WITHIN_S):
            await self._flushed.wait()
