"""A byte stream over non-blocking descriptors that can also be written without waiting.

trio's own streams pass two checkpoints a message each way. A daemon that answers small calls wants
the answer on its way before anything else runs: `send_now` hands the kernel what it takes at once.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from typing import Final

import trio

from mnemod.config import RECEIVE_BYTES

_CLOSED: Final = -1


class PromptStream:
    """Reads one descriptor and writes another, or the same. Both must be non-blocking."""

    def __init__(self, read_fd: int, write_fd: int, close: Callable[[], Awaitable[None]]) -> None:
        """`close` closes what the descriptors belong to; they are not used after it began."""
        self._read_fd = read_fd
        self._write_fd = write_fd
        self._close = close

    @classmethod
    def over(cls, stream: trio.SocketStream) -> PromptStream:
        """The same connection as `stream`, which must not be used by itself any more."""
        fd = stream.socket.fileno()
        return cls(fd, fd, stream.aclose)

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """At least one byte, or none at the end of input."""
        # One turn for everybody else. A client that answers at once has written by then, and that
        # is cheaper than to wait for it: no sleep of this process, no turn of the event loop more.
        await trio.lowlevel.checkpoint()
        while True:
            try:
                return os.read(self._read_fd, max_bytes or RECEIVE_BYTES)
            except BlockingIOError:
                await trio.lowlevel.wait_readable(self._read_fd)
            except OSError:
                raise self._gone() from None

    def send_now(self, data: bytes | memoryview) -> int:
        """Write what the kernel takes without waiting; how many bytes that were."""
        try:
            return os.write(self._write_fd, data)
        except BlockingIOError:
            return 0
        except OSError:
            raise self._gone() from None

    async def send_all(self, data: bytes) -> None:
        """Write all of `data`. Cancelled in the middle, it leaves the other end a torn frame."""
        rest = memoryview(data)
        while rest := rest[self.send_now(rest) :]:
            await trio.lowlevel.wait_writable(self._write_fd)

    async def aclose(self) -> None:
        """Close both directions."""
        self._read_fd = self._write_fd = _CLOSED
        await self._close()

    def _gone(self) -> Exception:
        closed = self._read_fd == _CLOSED
        return trio.ClosedResourceError() if closed else trio.BrokenResourceError()
