"""What waits to be written to one connection: bounded in frames and in bytes, read by one writer.

A reply waits for room, which is what stops the reader of a client that reads nothing; a
notification that finds no room is dropped. Everything that waits leaves in one write.
"""

from __future__ import annotations

from collections import deque

import trio

from mnemod.config import OUTBOUND_BYTES_MAX, OUTBOUND_FRAMES_MAX


class Outbound:
    """A box of framed bytes. One frame larger than the byte bound is let into an empty box."""

    def __init__(
        self, frames_max: int = OUTBOUND_FRAMES_MAX, bytes_max: int = OUTBOUND_BYTES_MAX
    ) -> None:
        self._frames_max = frames_max
        self._bytes_max = bytes_max
        self._frames: deque[bytes] = deque()
        self._bytes = 0
        self._closed = False
        self._room = trio.lowlevel.ParkingLot()
        self._work = trio.lowlevel.ParkingLot()

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits to be written."""
        return not self._frames

    def offer(self, data: bytes) -> bool:
        """Put `data` in if there is room now; say whether there was."""
        if self._closed or not self._has_room(len(data)):
            return False
        self._frames.append(data)
        self._bytes += len(data)
        self._work.unpark()
        return True

    async def put(self, data: bytes) -> None:
        """Put `data` in, waiting for room. No checkpoint if there is room: a reply is not lost
        to a cancellation between its commit and its queueing. After `close` it is dropped."""
        while not self.offer(data) and not self._closed:
            await self._room.park()

    async def take(self) -> bytes:
        """Everything that waits, joined; waits for something. Empty once closed and written out."""
        while not self._frames and not self._closed:
            await self._work.park()
        data = self._frames[0] if len(self._frames) == 1 else b"".join(self._frames)
        self._frames.clear()
        self._bytes = 0
        self._room.unpark_all()
        return data

    def close(self) -> None:
        """Nothing more comes; what is in leaves still."""
        self._closed = True
        self._work.unpark_all()
        self._room.unpark_all()

    def _has_room(self, size: int) -> bool:
        if not self._frames:
            return True
        return len(self._frames) < self._frames_max and self._bytes + size <= self._bytes_max
