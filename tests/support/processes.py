"""Real mnemod processes for tests, each test in a HOME of its own.

Nothing outlives a `Place`: closing it kills the daemon its directory names and every host that was
spawned from it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from mnemod.transport import daemon_lock, discovery
from mnemod.transport.discovery import Record
from tests.support.rpc import Client, SocketClient

MNEMOD = (sys.executable, "-P", "-m", "mnemod")
PATIENCE_S = 20.0


class Host:
    """A spawned `mnemod serve --stdio …`, with our ends of its pipes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self.client = Client(process.stdout.fileno(), process.stdin.fileno())

    def end(self) -> int:
        """Close its stdin and wait for its exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(PATIENCE_S)

    def stderr(self) -> str:
        """What it wrote to stderr, once it has ended."""
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()

    def close(self) -> None:
        """Kill it and close our ends."""
        self.process.kill()
        self.process.wait(PATIENCE_S)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()


class Place:
    """One user's home on a machine of its own, as far as mnemod can tell."""

    def __init__(self, root: Path, data_dir: Path | None = None) -> None:
        self.root = root
        self.data_dir = data_dir or root / "data"
        runtime = root / "run"
        runtime.mkdir(mode=0o700, exist_ok=True)
        self.env = {
            "HOME": str(root),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "TMPDIR": str(runtime),
            "MNEMOD_DATA_DIR": str(self.data_dir),
        }
        self._hosts: list[Host] = []

    def run(
        self,
        *arguments: str,
        stdin: bytes = b"",
        env: Mapping[str, str] | None = None,
        pass_fds: Sequence[int] = (),
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a command to its end."""
        return subprocess.run(
            [*MNEMOD, *arguments],
            input=stdin,
            env={**self.env, **(env or {})},
            cwd=self.root,
            pass_fds=pass_fds,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )

    def spawn(self, *arguments: str, env: Mapping[str, str] | None = None) -> Host:
        """Start a host's connection: `serve --stdio` unless told otherwise."""
        process = subprocess.Popen(
            [*MNEMOD, *(arguments or ("serve", "--stdio"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env={**self.env, **(env or {})},
            cwd=self.root,
        )
        host = Host(process)
        self._hosts.append(host)
        return host

    def start_in_foreground(self, *arguments: str) -> subprocess.Popen[bytes]:
        """The daemon as a child of ours, ready."""
        host = self.spawn("serve", "--foreground", *arguments)
        wait_until(self._answers)
        return host.process

    def record(self) -> Record:
        """What the running daemon says about itself."""
        found = discovery.read(self.data_dir)
        assert found is not None
        return found

    def connect(self) -> SocketClient:
        """A client of the running daemon's socket."""
        return SocketClient(self.record().socket)

    def kill_daemon(self) -> int:
        """SIGKILL the daemon that answers, and wait until its lock is free. Returns its pid."""
        with self.connect() as client:
            pid = int(client.initialize("killer")["server"]["pid"])
        os.kill(pid, signal.SIGKILL)
        self.wait_until_gone()
        return pid

    def wait_until_gone(self) -> None:
        """Wait until nobody holds the data directory."""
        wait_until(self._lock_is_free)

    def daemons(self) -> list[int]:
        """The pids of all daemons of this data directory, found by their command lines."""
        return [pid for pid, line in _command_lines() if self._is_daemon(line)]

    def close(self) -> None:
        """Leave nothing running."""
        for host in self._hosts:
            host.close()
        for pid in self.daemons():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not self.daemons())

    def _is_daemon(self, line: list[str]) -> bool:
        return "--foreground" in line and str(self.data_dir.resolve()) in line

    def _answers(self) -> bool:
        sock = discovery.connect(self.data_dir)
        if sock is not None:
            sock.close()
        return sock is not None

    def _lock_is_free(self) -> bool:
        lock = daemon_lock.try_take(self.data_dir)
        if lock is not None:
            lock.close()
        return lock is not None


def wait_until(is_true: Callable[[], bool]) -> None:
    """Look every 10 ms. Raises TimeoutError after 20 s."""
    deadline = time.monotonic() + PATIENCE_S
    while not is_true():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.01)


def memory_kb(pid: int) -> int:
    """The resident memory of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def _command_lines() -> Iterator[tuple[int, list[str]]]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                line = (entry / "cmdline").read_bytes().decode(errors="replace")
                yield int(entry.name), line.split("\0")
