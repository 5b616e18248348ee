"""The daemon under measurement: spawned for real, spoken to over its socket or its pipes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.support.rpc import SocketClient, initialize_params, request

MNEMOD: Final = str(Path(sys.executable).with_name("mnemod"))
_READY_S: Final = 15.0


@contextmanager
def daemon(data_dir: Path, **settings: str) -> Iterator[tuple[int, Path]]:
    """A daemon of its own: its process id and its socket. `settings` are MNEMOD_ variables."""
    extra = {f"MNEMOD_{name.upper()}": value for name, value in settings.items()}
    process = subprocess.Popen(
        [MNEMOD, "serve", "--foreground", "--data-dir", str(data_dir)],
        env={**os.environ, **extra},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process.pid, _socket(data_dir)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def _socket(data_dir: Path) -> Path:
    until = time.monotonic() + _READY_S
    while time.monotonic() < until:
        try:
            return Path(json.loads((data_dir / "daemon.json").read_text())["socket"])
        except (OSError, ValueError):
            time.sleep(0.02)
    raise TimeoutError("the daemon did not start")


@contextmanager
def session(socket_path: Path, account: str = "bench") -> Iterator[SocketClient]:
    """A connection bound to an account, its first call's warm-up done."""
    with SocketClient(socket_path) as client:
        client.initialize(account, tier="local")
        client.call("query_receipts")
        yield client


def first_answer_s(command: list[str]) -> float:
    """Seconds from the spawn of a stdio server to the answer of its `initialize`."""
    began = time.perf_counter()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(request(1, "initialize", **initialize_params()))
        process.stdin.flush()
        line = process.stdout.readline()
        took = time.perf_counter() - began
        process.stdin.close()
        process.wait(20)
    assert b'"result"' in line, line
    return took


def resident_mb(pid: int) -> float:
    """What a process holds in memory now, in MB of 1,000,000 bytes."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024 / 1e6
    raise LookupError(pid)
