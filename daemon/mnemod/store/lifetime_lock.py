"""Who is alive: an exclusive OS lock that a daemon holds for its whole life, and lets go by dying.

A daemon takes `<directory>/<owner>.lock` under an id of 32 hexadecimal digits that no other ever
had. Whoever can take that lock, or finds no such file, knows that its owner is dead, with no
clock and no lease. A lock that is held, or cannot be looked at, is a live owner. A process id
proves nothing, for another process may have it by now: where one is written it is for people.

`account.lock` beside an account's file is the same thing for one account: who holds it may open
the file.
"""

from __future__ import annotations

import fcntl
import os
import re
import secrets
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final, final

from mnemod.errors import AccountBusy
from mnemod.ids import OwnerId
from mnemod.store.files import make_private_folder

_OWNER: Final = re.compile(r"[0-9a-f]{32}")
_ENDING: Final = ".lock"
_PID_BYTES_MAX: Final = 20


@final
class LifetimeLock:
    """This process's sign of life. Held until `release`, or until the process ends in any way."""

    def __init__(self, owner_id: OwnerId, path: Path, descriptor: int) -> None:
        """Use `LifetimeLock.take`."""
        self.owner_id = owner_id
        self._path = path
        self._descriptor = descriptor

    @classmethod
    def take(cls, directory: Path) -> LifetimeLock:
        """Come alive under a new owner id, and remove the lock files of the dead."""
        make_private_folder(directory)
        _sweep(directory)
        while True:
            owner_id = OwnerId(secrets.token_hex(16))
            path = _lock_path(directory, owner_id)
            descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600)
            if _lock(descriptor) and _is_still(path, descriptor):
                return cls(owner_id, path, descriptor)
            # Another daemon's sweep came between the file and its lock, and took it for a dead one.
            os.close(descriptor)

    def release(self) -> None:
        """Die in order: the file goes while the lock is held, so nobody sees it unheld."""
        self._path.unlink(missing_ok=True)
        os.close(self._descriptor)


@final
class AccountLock:
    """The right to open one account's file. Held until `release`, or until the process ends."""

    def __init__(self, descriptor: int) -> None:
        """Use `AccountLock.take`."""
        self._descriptor = descriptor

    @classmethod
    def take(cls, path: Path) -> AccountLock:
        """Raises AccountBusy, with the `owner_pid` written in the file, if another holds it."""
        make_private_folder(path.parent)
        descriptor = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        if not _lock(descriptor):
            owner_pid = _written_pid(descriptor)
            os.close(descriptor)
            raise AccountBusy(owner_pid=owner_pid)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        return cls(descriptor)

    def release(self) -> None:
        """Let another open the account. The file stays: removing it would race with its taker."""
        os.close(self._descriptor)


def owner_is_dead(directory: Path, owner_id: OwnerId) -> bool:
    """Whether this owner's claims can be taken from it now.

    Only a daemon has a lock. An id of another form is an external worker's, which nothing here
    can judge: its lease ends it.
    """
    if not _OWNER.fullmatch(owner_id):
        return False
    return _if_dead(_lock_path(directory, owner_id), then=lambda: None)


def _if_dead(path: Path, then: Callable[[], None]) -> bool:
    """Whether this file's owner is dead; if so, after doing `then` with the lock in hand."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    try:
        if dead := _lock(descriptor):
            then()
        return dead
    except OSError:
        return False
    finally:
        os.close(descriptor)


def _sweep(directory: Path) -> None:
    for path in directory.glob(f"*{_ENDING}"):
        if _OWNER.fullmatch(path.stem):
            # With the lock in hand: its owner may be about to take it, and must see it go.
            _if_dead(path, then=partial(path.unlink, missing_ok=True))


def _lock_path(directory: Path, owner_id: OwnerId) -> Path:
    return directory / f"{owner_id}{_ENDING}"


def _lock(descriptor: int) -> bool:
    """Whether the lock is ours now. It belongs to the open file, not to the process."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_still(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _written_pid(descriptor: int) -> int | None:
    written = os.pread(descriptor, _PID_BYTES_MAX, 0)
    return int(written) if written.isdigit() else None
