"""The lock that makes a daemon the only one of its data directory.

`daemon.lock` is locked with `flock` by whoever starts a daemon, handed to it as an open descriptor
and held for its whole life: the kernel lets go when the last copy of that descriptor is closed,
kill -9 included. The file is never removed (a second file under the same name would be a second
lock). The number in it says who holds the lock, to people and to `account_busy`; no process is
ever chosen by it.

Windows has no `flock`; this module is for Linux and macOS (macOS untested).
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path
from types import TracebackType

from mnemod.exits import Exit, Refused

_NAME = "daemon.lock"
_PID_BYTES_MAX = 20


class DaemonLock:
    """The lock, held. Leaving the block, or the process, lets it go."""

    def __init__(self, fd: int) -> None:
        """Take over `fd`, which holds the lock; programs started from here do not get it."""
        self._fd = fd
        os.set_inheritable(fd, False)

    def fileno(self) -> int:
        """The descriptor to hand to a daemon being started."""
        return self._fd

    def is_of(self, data_dir: Path) -> bool:
        """Whether this is still the lock of `data_dir`: not if that was removed, or is another."""
        ours = os.fstat(self._fd)
        try:
            found = os.lstat(data_dir / _NAME)
        except FileNotFoundError:
            return False
        return (found.st_dev, found.st_ino) == (ours.st_dev, ours.st_ino)

    def write_owner(self, pid: int) -> None:
        """Say in the file who holds the lock now."""
        text = f"{pid}\n".encode()
        os.ftruncate(self._fd, 0)
        os.pwrite(self._fd, text, 0)

    def close(self) -> None:
        """Close our copy; a daemon that was handed one keeps the lock. Twice is harmless."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> DaemonLock:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def try_take(data_dir: Path) -> DaemonLock | None:
    """The lock of `data_dir`, or None while somebody has it. Raises Refused (73)."""
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    path = data_dir / _NAME
    try:
        fd = os.open(path, flags, 0o600)
    except OSError as exc:
        reason = f"{path} cannot be opened ({type(exc).__name__})"
        raise Refused(Exit.CANNOT_CREATE, reason) from None
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(fd)
        return None
    return DaemonLock(fd)


def owner_pid(data_dir: Path) -> int | None:
    """Who wrote itself into the lock file last; only to be shown."""
    with contextlib.suppress(OSError, ValueError):
        return int((data_dir / _NAME).read_bytes()[:_PID_BYTES_MAX])
    return None
