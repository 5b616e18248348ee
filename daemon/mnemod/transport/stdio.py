"""The host's stdin and stdout as one byte stream, for `serve --stdio --alone`.

A pipe or socket is given to trio's event loop. A regular file cannot be (epoll refuses it) and a
terminal must not be: the loop makes the open file non-blocking, which the parent shell shares and
would keep after a kill -9 of ours. Those are read and written in threads, one call at a time.
"""

from __future__ import annotations

import os
import stat
from functools import partial

import trio

from mnemod.transport.diversion import Stdio
from mnemod.transport.plain_io import CHUNK_BYTES, read_some, write_all


class StdioStream:
    """Reads from one private descriptor and writes to the other."""

    def __init__(self, stdio: Stdio) -> None:
        self._stdin = _open(stdio.stdin)
        self._stdout = _open(stdio.stdout)
        self._input_ended = False
        self._reading = trio.CancelScope()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Some bytes, or none at the end of input."""
        if not self._input_ended:
            with trio.CancelScope() as self._reading:
                return bytes(await self._stdin.receive_some(max_bytes or CHUNK_BYTES))
        return b""

    def end_input(self) -> None:
        """Act as if the host had closed its end."""
        self._input_ended = True
        self._reading.cancel()

    async def send_all(self, data: bytes) -> None:
        """Write all of `data`. Raises trio.BrokenResourceError when the host no longer reads."""
        await self._stdout.send_all(data)

    async def aclose(self) -> None:
        """Close both. What the loop made non-blocking becomes again what it was."""
        await self._stdin.aclose()
        await self._stdout.aclose()


class _InThreads:
    """A file or terminal. A read that is abandoned ends with the process."""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    async def receive_some(self, max_bytes: int) -> bytes:
        read = partial(read_some, self._fd, max_bytes)
        return await trio.to_thread.run_sync(read, abandon_on_cancel=True)

    async def send_all(self, data: bytes) -> None:
        try:
            await trio.to_thread.run_sync(write_all, self._fd, data)
        except OSError:
            raise trio.BrokenResourceError("stdout") from None

    async def aclose(self) -> None:
        os.close(self._fd)
        await trio.lowlevel.checkpoint()


def _open(fd: int) -> trio.lowlevel.FdStream | _InThreads:
    return trio.lowlevel.FdStream(fd) if _can_poll(fd) else _InThreads(fd)


def _can_poll(fd: int) -> bool:
    mode = os.fstat(fd).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
