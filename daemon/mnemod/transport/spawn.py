"""Starting the daemon of a data directory, detached, under the lock its starter holds.

The daemon gets the locked descriptor, one end of a pipe on which it reports once, and an
environment with nothing in it that belongs to the program that happened to start it first. It
reports by `Report`: that it is ready, or the exit code and the reason it refused. A pipe that
closes without a word means it crashed.

    starter                           daemon
    flock(daemon.lock)
    pipe; fork+exec, setsid  ------>  fork, so that it is nobody's child
    closes its copies                 settings, directories, bind, rename, daemon.json
    waits for the report     <------  "ready"
"""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemod.config import START_WAIT_S
from mnemod.exits import Exit, Refused
from mnemod.log.files import open_append
from mnemod.transport.daemon_lock import DaemonLock
from mnemod.transport.directories import log_file, make_private
from mnemod.transport.this_program import ourselves

_KEPT: Final = frozenset({"HOME", "PATH", "LANG", "TMPDIR", "TZ"})
_KEPT_PREFIXES: Final = ("LC_", "XDG_", "MNEMOD_")
_READY: Final = b"ready"
_REPORT_BYTES_MAX: Final = 4_096
_LAST_LINES: Final = 5


@dataclass(frozen=True, slots=True)
class Inherited:
    """The descriptors a spawned daemon finds open: the lock's and the report pipe's."""

    lock_fd: int
    report_fd: int

    def as_text(self) -> str:
        """As it goes through the daemon's arguments."""
        return f"{self.lock_fd},{self.report_fd}"

    @classmethod
    def from_text(cls, text: str) -> Inherited:
        """Raises ValueError."""
        lock_fd, report_fd = text.split(",")
        return cls(int(lock_fd), int(report_fd))


class Report:
    """The daemon's end of the pipe: exactly one message, then closed."""

    def __init__(self, fd: int) -> None:
        os.set_inheritable(fd, False)
        self._fd: int | None = fd

    def ready(self) -> None:
        """Connections are accepted from here on."""
        self._send(_READY)

    def refused(self, refusal: Refused) -> None:
        """The daemon ends. The reason goes to the starter's terminal and to no log."""
        self._send(f"{int(refusal.code)} {refusal.reason}".encode(errors="replace"))

    def _send(self, message: bytes) -> None:
        if self._fd is None:
            return
        # A starter that did not wait is no reason to leave: others find the daemon all the same.
        with contextlib.suppress(BrokenPipeError):
            os.write(self._fd, message[:_REPORT_BYTES_MAX])
        os.close(self._fd)
        self._fd = None


def clean_environment(env: Mapping[str, str], api_key_env: str) -> dict[str, str]:
    """What a daemon may know of its starter's environment.

    A daemon outlives its starter and serves others: settings that came with the first host would
    silently rule all of them. `api_key_env` is the variable that holds the model's key, if any.
    """
    return {
        name: value
        for name, value in env.items()
        if name in _KEPT or name == api_key_env or name.startswith(_KEPT_PREFIXES)
    }


def daemon_command(data_dir: Path, config_file: Path | None, inherited: Inherited) -> list[str]:
    """The command line of a spawned daemon. Its paths are absolute: it runs in `/`."""
    where = ["--data-dir", str(data_dir)]
    config = ["--config", str(config_file)] if config_file else []
    daemon = ["serve", "--foreground", "--spawned", inherited.as_text()]
    return [*ourselves(), *daemon, *where, *config]


def start(
    data_dir: Path, config_file: Path | None, env: Mapping[str, str], lock: DaemonLock
) -> None:
    """Start the daemon and wait until it is ready. Raises Refused with its own reason.

    `env` is clean already. The lock is the daemon's afterwards, whatever happens to this process.
    """
    ours, theirs = os.pipe()
    try:
        _launch(data_dir, config_file, env, Inherited(lock.fileno(), theirs))
    finally:
        os.close(theirs)
        lock.close()
    try:
        _await_report(ours, data_dir)
    finally:
        os.close(ours)


def _launch(
    data_dir: Path, config_file: Path | None, env: Mapping[str, str], inherited: Inherited
) -> None:
    log_fd = _open_log(log_file(data_dir))
    try:
        child = subprocess.Popen(
            daemon_command(data_dir, config_file, inherited),
            cwd="/",
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log_fd,
            pass_fds=(inherited.lock_fd, inherited.report_fd),
            start_new_session=True,
        )
    finally:
        os.close(log_fd)
    child.wait()  # it forks and ends at once; the daemon is its child, then nobody's


def _open_log(path: Path) -> int:
    make_private(path.parent)
    try:
        return open_append(path)
    except OSError as exc:
        reason = f"{path} cannot be opened ({type(exc).__name__})"
        raise Refused(Exit.CANNOT_CREATE, reason) from None


def _await_report(fd: int, data_dir: Path) -> None:
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    if not poll.poll(START_WAIT_S * 1000):
        raise Refused(Exit.TRY_AGAIN, f"the daemon is slow to start; its log: {log_file(data_dir)}")
    report = os.read(fd, _REPORT_BYTES_MAX)
    if report == _READY:
        return
    raise _refusal(report, data_dir)


def _refusal(report: bytes, data_dir: Path) -> Refused:
    code, _, reason = report.decode(errors="replace").partition(" ")
    if code:
        return Refused(Exit(int(code)), reason)
    path = log_file(data_dir)
    last_words = "".join(f"\n    {line}" for line in _last_lines(path))
    return Refused(Exit.INTERNAL, f"the daemon ended while starting; {path} ends:{last_words}")


def _last_lines(path: Path) -> list[str]:
    """The end of a log, which holds nobody's words; nothing if it cannot be read."""
    try:
        lines = path.read_bytes().decode(errors="replace").splitlines()
    except OSError:
        return []
    return lines[-_LAST_LINES:]
