"""Framing that listens in: which process does the host name in `initialize`?

For `--alone`, whose host is the only one. The session needs no part in it, and a shared daemon
has none of it.
"""

from __future__ import annotations

from collections.abc import Callable

from mnemod.errors import MnemodError
from mnemod.transport.framing import Framer
from mnemod.transport.host_process import is_ancestor
from mnemod.transport.ledger import Ledger


class HostSpotter:
    """A Framer that calls `found(pid)` once, if the process named is an ancestor of ours."""

    def __init__(self, found: Callable[[int], None]) -> None:
        self._framer = Framer()
        self._ledger: Ledger | None = Ledger()
        self._found = found

    @property
    def fatal(self) -> MnemodError | None:
        """Why nothing more can be read."""
        return self._framer.fatal

    def feed(self, data: bytes) -> list[bytes]:
        """The frames that `data` completes."""
        return self._overhear(self._framer.feed(data))

    def end(self) -> list[bytes]:
        """The frame that the end of input completes."""
        return self._framer.end()

    def encode(self, frame: bytes) -> bytes:
        """`frame` in the framing of the other side."""
        return self._framer.encode(frame)

    def _overhear(self, frames: list[bytes]) -> list[bytes]:
        for frame in frames:
            if self._ledger is None:
                break
            self._ledger.asked(frame)
            if self._ledger.initialized:
                pid, self._ledger = self._ledger.process_id, None
                if pid is not None and is_ancestor(pid):
                    self._found(pid)
        return frames
