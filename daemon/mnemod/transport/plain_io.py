"""Reading and writing a descriptor that somebody else may have made non-blocking.

The flag belongs to the open file, which we share with our host: we neither rely on it nor touch it.
"""

from __future__ import annotations

import os
import select
from typing import Final

CHUNK_BYTES: Final = 64 * 1024


def read_some(fd: int, max_bytes: int = CHUNK_BYTES) -> bytes:
    """What is there, waiting for something; empty at the end of input, or when it broke."""
    while True:
        try:
            return os.read(fd, max_bytes)
        except BlockingIOError:
            _wait(fd, select.POLLIN)
        except OSError:
            return b""  # a terminal whose session ended says EIO instead of the end


def write_all(fd: int, data: bytes) -> None:
    """All of `data`. Raises OSError when nobody reads any more."""
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[os.write(fd, rest) :]
        except BlockingIOError:
            _wait(fd, select.POLLOUT)


def _wait(fd: int, event: int) -> None:
    poll = select.poll()
    poll.register(fd, event)
    poll.poll()
