"""Started by a service manager: the socket is given, readiness is told."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.processes import MNEMOD, PATIENCE_S, Place, wait_until
from tests.support.rpc import SocketClient

ACTIVATE = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
os.execv(sys.argv[2], sys.argv[2:])
"""
"""What `systemd-socket-activate` does, in a program of ours."""
ACTIVATED_BY = (sys.executable, "-c", ACTIVATE)


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
        sock.bind(str(tmp_path / "notify"))
        sock.settimeout(PATIENCE_S)
        yield sock


def test_the_given_socket_is_served_named_found_and_left(
    place: Place, tmp_path: Path, manager: socket.socket
) -> None:
    door = tmp_path / "door.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(door))
        listener.listen()
        with SocketClient(door) as early:  # came before the daemon was started
            daemon = subprocess.Popen(
                [*ACTIVATED_BY, str(listener.fileno()), *MNEMOD, "serve", "--foreground"],
                pass_fds=[listener.fileno()],
                env={
                    **place.env,
                    "NOTIFY_SOCKET": manager.getsockname(),
                    "MNEMOD_DAEMON_IDLE_EXIT_S": "0.05",
                },
            )
            assert early.initialize()["account"] == "a1"
        assert manager.recv(100) == b"READY=1"
        assert place.record().socket == str(door)
        host = place.spawn()
        assert host.client.initialize()["server"]["pid"] == daemon.pid
        assert host.end() == 0

        time.sleep(0.5)  # ten times as long as it would stay idle by itself
        assert daemon.poll() is None
        daemon.terminate()
        assert daemon.wait(PATIENCE_S) == 0
        assert door.exists()


def test_variables_meant_for_another_process_are_ignored(place: Place) -> None:
    env = {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
    host = place.spawn("serve", "--foreground", "--socket", "s", env=env)
    wait_until((place.root / "s").exists)
    wait_until((place.data_dir / "daemon.json").exists)

    assert place.record().socket == str(place.root / "s")
    assert place.run("stop").returncode == 0
    assert host.process.wait(PATIENCE_S) == 0


def test_anything_but_one_named_unix_socket_is_refused(place: Place) -> None:
    with socket.socket() as port:
        ran = subprocess.run(
            [*ACTIVATED_BY, str(port.fileno()), *MNEMOD, "serve", "--foreground"],
            pass_fds=[port.fileno()],
            env=place.env,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )

    assert ran.returncode == 78
    assert b"Unix socket" in ran.stderr
