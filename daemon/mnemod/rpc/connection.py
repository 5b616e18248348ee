"""The bytes of one connection: frames in, frames out, and how both end.

One task writes what is queued. Replies wait for room in its queue, and the reader waits with them,
so a client that does not read is stopped by its own full socket and costs no more than the queue.
While nothing is queued an answer goes straight to the kernel: that saves it a task switch.
"""

from __future__ import annotations

import trio

from mnemod.config import FLUSH_WITHIN_S, RECEIVE_BYTES
from mnemod.errors import MnemodError
from mnemod.rpc.outbound import Outbound
from mnemod.rpc.ports import ByteStream, Framing, Prompt


class Connection:
    """A byte stream under a framing."""

    def __init__(self, stream: ByteStream, framing: Framing) -> None:
        self.at_end = False
        """Whether the other end has said that nothing more comes."""
        self.gathers = False
        """Whether more answers follow at once: they are queued, to leave in one write."""
        self._stream = stream
        self._send_now = stream.send_now if isinstance(stream, Prompt) else None
        self._framing = framing
        self._outbound = Outbound()
        self._is_writing = False
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
        """Send a frame, waiting for room in the queue; no checkpoint if there is."""
        rest = self._begun(self._framing.encode(frame))
        if rest:
            await self._outbound.put(rest)

    def offer(self, frame: bytes) -> bool:
        """Send a frame if there is room; say whether there was."""
        rest = self._begun(self._framing.encode(frame))
        return not rest or self._outbound.offer(rest)

    async def write(self) -> None:
        """Write what is queued until `flush`. Raises trio.BrokenResourceError."""
        while data := await self._outbound.take():
            self._is_writing = True
            await self._stream.send_all(data)
            self._is_writing = False
        self._flushed.set()

    async def flush(self) -> None:
        """Queue nothing more and wait, not for ever, until all is written."""
        self.gathers = True  # a late answer goes the way of the queue, which is closed
        self._outbound.close()
        with trio.move_on_after(FLUSH_WITHIN_S):
            await self._flushed.wait()

    def _begun(self, data: bytes) -> bytes:
        """What is left of `data` to be queued. A torn frame gets in: the queue is empty then."""
        busy = self.gathers or self._is_writing or not self._outbound.is_empty
        if self._send_now is None or busy:
            return data
        try:
            return data[self._send_now(data) :]
        except trio.BrokenResourceError:
            return data  # the writer will meet the same, and ends the connection
