"""Runs the store in a process of its own and cuts it off at a named fault point.

The points stand in `mnemod/faults.py`. They are honoured by a test build alone, which is what the
environment given here asks for.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def environment(fault: str = "", **more: str) -> dict[str, str]:
    """The environment of a process in which `fault` strikes (`write.before_commit:3:full`)."""
    return {**os.environ, "MNEMOD_TEST_BUILD": "1", "MNEMOD_FAULT": fault, **more}


def run(module: str, *args: str, fault: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """Run `python -m module args` under that fault, to its end."""
    return run_command([sys.executable, "-m", module, *args], environment(fault, **more))


def run_command(
    command: list[str], env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command in the project's root to its end."""
    return subprocess.run(
        command,
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def run_until_killed(module: str, *args: str, fault: str) -> list[str]:
    """The lines it had printed when the fault killed it. Fails if the fault never struck."""
    ended = run(module, *args, fault=fault)
    assert ended.returncode == -signal.SIGKILL, (ended.returncode, ended.stderr)
    return ended.stdout.splitlines()
