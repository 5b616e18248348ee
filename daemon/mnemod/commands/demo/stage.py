"""Where the demo plays: a throw-away data directory and a real daemon, spawned as a host would.

The configuration is the demo's own, so that nobody's model is called and nobody's memory touched:
variables that begin with MNEMOD_ are left out, and the file named holds the interpreter alone.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from mnemod.commands import spawned
from mnemod.commands.account import running
from mnemod.exits import Exit, Refused
from mnemod.transport import daemon_lock
from mnemod.transport.attach import waits
from mnemod.transport.client import Client, JsonObject, Lost
from mnemod.transport.this_program import ourselves

ACCOUNT: Final = "lin"
HOST_ID: Final = "mnemod-demo"

# If the demo itself is killed, its daemon leaves by itself soon after.
_CONFIGURATION: Final = """
[formation]
interpreter = "rules"

[daemon]
idle_exit_s = 5
"""
_GONE_S: Final = 10.0
_PROXY_END_S: Final = 5.0


class Stage:
    """The directory, and the one connection to its daemon."""

    def __init__(self, directory: Path) -> None:
        self._configuration = directory / "demo.toml"
        self._configuration.write_text(_CONFIGURATION, encoding="utf-8")
        self._complaints = directory / "stderr.txt"
        self._proxy: subprocess.Popen[bytes] | None = None
        self.data_dir = directory / "data"
        self.client: Client
        self.greeting: JsonObject

    def spawn(self) -> float:
        """Start `mnemod serve --stdio` and say hello. Returns the seconds until it answered."""
        began = time.perf_counter()
        place = ["--data-dir", str(self.data_dir), "--config", str(self._configuration)]
        with self._complaints.open("ab") as complaints:
            self._proxy = subprocess.Popen(
                [*ourselves(), "serve", "--stdio", *place],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
                env=_environment(),
            )
        self.client = spawned.client_of(self._proxy)
        try:
            self.greeting = self.client.initialize(ACCOUNT, host_id=HOST_ID)
        except Lost:
            raise Refused(Exit.FAILED, self._complaint()) from None
        return time.perf_counter() - began

    def kill(self) -> int:
        """End the daemon with SIGKILL, the moment this is called. Returns its process number."""
        pid: int = self.greeting["server"]["pid"]
        os.kill(pid, signal.SIGKILL)
        self._wait_until_gone()
        self._hang_up()
        return pid

    @property
    def is_gone(self) -> bool:
        """Whether nothing is left of it. A daemon that still lived would have kept its lock."""
        return not self._configuration.parent.exists()

    def close(self) -> None:
        """Hang up, and end the daemon."""
        self._hang_up()
        with suppress(Refused):
            if client := running(self.data_dir):
                with client:
                    client.call("daemon.stop", {"mode": "now"})
        self._wait_until_gone()

    def _complaint(self) -> str:
        """What the daemon's starter said on stderr: for this person, on this terminal."""
        said = self._complaints.read_text(encoding="utf-8", errors="replace").strip()
        return f"no daemon could be started: {said or 'it said nothing'}"

    def _hang_up(self) -> None:
        proxy, self._proxy = self._proxy, None
        if proxy is None:
            return
        with suppress(OSError):
            self.client.close()
        spawned.see_out(proxy, _PROXY_END_S)

    def _wait_until_gone(self) -> None:
        """The kernel lets go of the daemon's lock when the daemon is gone, and not before."""
        if not self.data_dir.is_dir():
            return
        deadline = time.monotonic() + _GONE_S
        for wait_s in waits():
            if lock := daemon_lock.try_take(self.data_dir):
                lock.close()
                return
            if time.monotonic() >= deadline:
                raise Refused(Exit.TRY_AGAIN, "the demo's daemon does not end")
            time.sleep(wait_s)


@contextmanager
def stage() -> Iterator[Stage]:
    """A stage that leaves nothing behind, whatever happens on it."""
    directory = Path(tempfile.mkdtemp(prefix="mnemod-demo-")).resolve()
    made = Stage(directory)
    try:
        yield made
    finally:
        try:
            made.close()
        finally:
            shutil.rmtree(directory, ignore_errors=True)


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("MNEMOD_")}
