"""The daemon's listening socket and its name in the file system.

It is bound under a private name and renamed to the public one once it listens: the rename replaces
a dead socket in one step, and nobody can connect in between. The caller holds the daemon's lock,
so whatever dead socket bears our name is our predecessor's. Anything else there is left alone.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import stat
import time
from pathlib import Path
from typing import Final, Protocol

from mnemod.config import CONNECTIONS_MAX
from mnemod.exits import Exit, Refused
from mnemod.transport.discovery import connect_to

_UMASK: Final = 0o177
_PRIVATE_SUFFIX: Final = ".new"
_FRESH_S: Final = 3_600.0
"""The XDG rule asks for a sign of life every six hours."""


class Listening(Protocol):
    """A listening socket and its public name, whoever gave it that."""

    sock: socket.socket
    path: Path

    def show(self) -> None:
        """Be found."""

    def hide(self) -> None:
        """Not be found by anybody new."""

    def has_visitors(self) -> bool:
        """Whether somebody has connected and would be lost if we left now."""

    def keep_found(self) -> bool:
        """See to it that we can be found. True if `sock` is another one now. Raises Refused."""

    def remove(self) -> None:
        """Stop listening. Twice is harmless."""


class SocketFile:
    """A listening socket of ours under its public name."""

    def __init__(self, path: Path, sock: socket.socket) -> None:
        self.path = path
        self.sock = sock
        self._private = _private_name(path)
        self._identity = _identity(self._private)
        self.show()

    def show(self) -> None:
        """Give the socket its public name."""
        with contextlib.suppress(OSError):  # somebody took it away: `keep_found` makes another
            self._private.replace(self.path)

    def hide(self) -> None:
        """Take the public name away: nobody new finds us, those who did still wait in line."""
        with contextlib.suppress(OSError):
            if self._is_ours():
                self.path.replace(self._private)

    def has_visitors(self) -> bool:
        """Whether somebody has connected and was not accepted yet."""
        poll = select.poll()
        poll.register(self.sock, select.POLLIN)
        return bool(poll.poll(0))

    def keep_found(self) -> bool:
        """Listen anew if the name is gone, and renew its times if they are old.

        What lies untouched in a temporary directory is swept away; a daemon that holds the lock
        and cannot be found would keep everybody out. The old socket is the caller's to close.
        """
        if self._is_ours():
            if time.time() - self.path.lstat().st_mtime > _FRESH_S:
                os.utime(self.path)
            return False
        if _identity(self._private) == self._identity:
            return False  # hidden on purpose
        _require_free(self.path)
        self.sock = _listen(self.path)
        self._identity = _identity(self._private)
        self.show()
        return True

    def remove(self) -> None:
        """Stop listening and remove the name, unless it is somebody else's by now."""
        with contextlib.suppress(OSError):
            if self._is_ours():
                self.path.unlink()
            elif _identity(self._private) == self._identity:
                self._private.unlink()
        self.sock.close()

    def _is_ours(self) -> bool:
        return _identity(self.path) == self._identity


def bind(path: Path) -> SocketFile:
    """Listen at `path`. Raises Refused (73, 77) and touches nothing if something else is there."""
    _require_free(path)
    return SocketFile(path, _listen(path))


def _listen(path: Path) -> socket.socket:
    """A socket that listens under the private name of `path`."""
    sock = socket.socket(socket.AF_UNIX)
    private = _private_name(path)
    umask = os.umask(_UMASK)
    try:
        private.unlink(missing_ok=True)
        sock.bind(os.fspath(private))
        sock.listen(CONNECTIONS_MAX)
    except OSError as exc:
        sock.close()
        reason = f"cannot listen at {path} ({type(exc).__name__})"
        raise Refused(Exit.CANNOT_CREATE, reason) from None
    finally:
        os.umask(umask)
    return sock


def _require_free(path: Path) -> None:
    """Only nothing, or a dead socket of our own, may be replaced."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(found.st_mode):
        raise Refused(Exit.CANNOT_CREATE, f"{path} is in the way and is not a socket; move it")
    if found.st_uid != os.geteuid():
        raise Refused(Exit.NO_PERMISSION, f"{path} is another user's socket")
    if listener := connect_to(path):
        listener.close()
        raise Refused(Exit.CANNOT_CREATE, f"another program listens at {path}")


def _private_name(path: Path) -> Path:
    return path.with_name(path.name + _PRIVATE_SUFFIX)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
