"""Space kept back on disk, so that a person can still forget when the disk is full.

An erasure writes before it frees: its pages go into the log first. `memory.db.reserve` is a file
of RESERVE_BYTES beside the account's that is removed when an erasure finds the disk full, and
made again once there is room. It holds nothing.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import final

from mnemod.config import RESERVE_BYTES
from mnemod.store.files import create_private


@final
class Reserve:
    """The space kept back for one account's file."""

    def __init__(self, path: Path) -> None:
        """`path` is the account's file."""
        self._path = path.with_name(path.name + ".reserve")
        self._is_kept = self._path.exists() and self._path.stat().st_size >= RESERVE_BYTES

    def keep(self) -> None:
        """Keep the space back if it is not. Without room for it nothing happens."""
        if self._is_kept:
            return
        try:
            self._path.unlink(missing_ok=True)
            create_private(self._path)
            _allocate(self._path)
            self._is_kept = True
        except OSError:
            # Half of it would be in the way of those who need the room.
            self._path.unlink(missing_ok=True)

    def spend(self) -> bool:
        """Whether there was space kept back, which is now free."""
        if not self._is_kept:
            return False
        self._is_kept = False
        try:
            self._path.unlink(missing_ok=True)
        except OSError:
            # A folder that cannot be written: the erasure is refused, and nothing else ends by it.
            return False
        return True


def _allocate(path: Path) -> None:
    with path.open("wb") as file:
        if sys.platform == "linux":
            os.posix_fallocate(file.fileno(), 0, RESERVE_BYTES)
        else:
            file.write(bytes(RESERVE_BYTES))
