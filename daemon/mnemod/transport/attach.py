"""Joining the daemon of a data directory, and starting it if there is none.

However many starters come at once, one wins the lock and starts a daemon; the others see the lock
taken, wait a little and find the daemon. A lock that is taken while nobody answers means that
somebody is just starting or just leaving, so they wait, at most START_WAIT_S.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemod.config import START_WAIT_S
from mnemod.exits import Exit, Refused
from mnemod.transport import daemon_lock, discovery
from mnemod.transport.daemon_lock import DaemonLock
from mnemod.transport.directories import log_file

_FIRST_WAIT_S: Final = 0.01
_WAIT_MAX_S: Final = 0.5

Start = Callable[[DaemonLock], None]
"""Starts a daemon that takes over the lock, and returns once it is ready."""


@dataclass(frozen=True, slots=True)
class Attached:
    """A connection to the daemon, and whether this call is what started it."""

    sock: socket.socket
    started: bool


def attach_or_start(
    data_dir: Path,
    start: Start,
    *,
    monotonic: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Attached:
    """Connect to the daemon of `data_dir`, a private directory, starting it if need be.

    Raises Refused: 75 if the lock stays taken and nobody answers, or whatever kept the daemon
    from starting.
    """
    deadline = monotonic() + START_WAIT_S
    started = False
    for wait_s in waits():
        if sock := discovery.connect(data_dir):
            return Attached(sock, started)
        if lock := daemon_lock.try_take(data_dir):
            with lock:
                # Whoever held it may have started a daemon since we looked.
                if sock := discovery.connect(data_dir):
                    return Attached(sock, started)
                start(lock)
                started = True
        elif monotonic() >= deadline:
            raise _nobody_answers(data_dir)
        else:
            sleep(wait_s)
    raise AssertionError("waits never end")


def attach_by_command(
    data_dir: Path, command: Sequence[str], *, monotonic: Callable[[], float] = time.monotonic
) -> socket.socket:
    """Connect to the daemon of `data_dir`, running `command` (`mnemod ensure`) if there is none.

    For the proxy, which stays small by letting another process do the starting. Raises Refused
    with the command's exit code; the command has said why on stderr by then.
    """
    deadline = monotonic() + START_WAIT_S
    while (sock := discovery.connect(data_dir)) is None:
        if code := _run(command):
            raise Refused(Exit(code), "no daemon could be started")
        if monotonic() >= deadline:
            raise Refused(Exit.TRY_AGAIN, "the daemon keeps going away")
    return sock


def waits() -> Iterator[float]:
    """Seconds to wait between looks: 10 ms, doubling to half a second, for ever."""
    wait_s = _FIRST_WAIT_S
    while True:
        yield wait_s
        wait_s = min(2 * wait_s, _WAIT_MAX_S)


def _run(command: Sequence[str]) -> int:
    """The exit code of `command`, run with our stderr and nothing else of ours."""
    nothing = (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)
    pid = os.posix_spawn(command[0], list(command), os.environ, file_actions=[nothing])
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return code if code in set(Exit) else Exit.INTERNAL


def _nobody_answers(data_dir: Path) -> Refused:
    holder = daemon_lock.owner_pid(data_dir)
    return Refused(
        Exit.TRY_AGAIN,
        f"process {holder or 'unknown'} holds the data directory and serves no socket "
        f"(a `serve --alone`?); the daemon's log: {log_file(data_dir)}",
    )
