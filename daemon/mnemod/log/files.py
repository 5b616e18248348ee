"""Where log lines go: stderr, or a file that is append-only, 0600, and rotated while it runs.

`daemon.log`, then `.1` to `.4`. A detached daemon's stderr is the same file and moves along with
it, so that noise from native code is bounded too.
"""

from __future__ import annotations

import contextlib
import os
import threading
from pathlib import Path
from typing import Final, Protocol

from mnemod.config import LOG_BYTES_MAX, LOG_FILES_MAX

_STDERR: Final = 2


class Sink(Protocol):
    """Where lines go."""

    def write(self, line: bytes) -> None:
        """Append `line`, which ends in a newline. Never raises: a full disk stops no call."""

    def reopen(self) -> None:
        """Look the file up again by its name (SIGHUP)."""


class StderrSink:
    """Lines to file descriptor 2, whatever that is."""

    def write(self, line: bytes) -> None:
        """Append `line`; a closed or full stderr loses it."""
        with contextlib.suppress(OSError):
            os.write(_STDERR, line)

    def reopen(self) -> None:
        """Nothing to look up."""


class RotatingFile:
    """An append-only file of `files` generations, each of at most about `bytes_max` bytes."""

    def __init__(
        self,
        path: Path,
        *,
        bytes_max: int = LOG_BYTES_MAX,
        files: int = LOG_FILES_MAX,
        is_stderr: bool = False,
    ) -> None:
        self._path = path
        self._bytes_max = bytes_max
        self._files = files
        self._is_stderr = is_stderr
        self._lock = threading.Lock()
        self._fd = -1
        self.reopen()

    def write(self, line: bytes) -> None:
        """Append `line`, rotating first if it would not fit."""
        with self._lock, contextlib.suppress(OSError):
            # fstat, not a counter: the starter and native code append to the same file.
            if os.fstat(self._fd).st_size + len(line) > self._bytes_max:
                self._rotate()
            os.write(self._fd, line)

    def reopen(self) -> None:
        """Open the file by its name; an external rotation has moved the old one away."""
        fd = open_append(self._path)
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = fd
        if self._is_stderr:
            os.dup2(fd, _STDERR)

    def close(self) -> None:
        """Let go of the file; tests only, a daemon's log ends with its process."""
        os.close(self._fd)

    def _rotate(self) -> None:
        for number in range(self._files - 2, 0, -1):
            with contextlib.suppress(FileNotFoundError):
                self._numbered(number).replace(self._numbered(number + 1))
        with contextlib.suppress(FileNotFoundError):
            self._path.replace(self._numbered(1))
        self.reopen()

    def _numbered(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}")


def open_append(path: Path) -> int:
    """A descriptor that appends to `path`, made 0600, starting on a line of its own."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    fd = os.open(path, flags, 0o600)
    size = os.fstat(fd).st_size
    if size and os.pread(fd, 1, size - 1) != b"\n":
        os.write(fd, b"\n")  # a kill cut the last line short
    return fd
