"""An account that lasts as long as one question, for a command that needs nothing of what is kept.

The rules answer for it as they do in the daemon, with the same configuration; the directory it
lives in is gone when the command ends, whatever happened.
"""

from __future__ import annotations

import subprocess
import tempfile
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from mnemod.commands import account
from mnemod.transport.client import Client
from mnemod.transport.this_program import ourselves

_END_S: Final = 10.0


@contextmanager
def connected(options: Namespace) -> Iterator[Client]:
    """A connection to an account of its own. Raises Refused; what went wrong is on stderr."""
    with tempfile.TemporaryDirectory(prefix="mnemod-") as folder:
        place = ["--data-dir", folder, *account.configuration(options)]
        serving = subprocess.Popen(
            [*ourselves(), "serve", "--stdio", "--alone", *place],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        try:
            yield _greeted(serving)
        finally:
            _end(serving)


def _greeted(serving: subprocess.Popen[bytes]) -> Client:
    assert serving.stdin is not None
    assert serving.stdout is not None
    client = Client(serving.stdout.fileno(), serving.stdin.fileno(), serving.stdin.close)
    client.initialize(account.DEFAULT, host_id=account.HOST_ID)
    return client


def _end(serving: subprocess.Popen[bytes]) -> None:
    """Hang up, which ends it; a process that stays is killed, so that nothing is left behind."""
    assert serving.stdin is not None
    assert serving.stdout is not None
    serving.stdin.close()
    try:
        serving.wait(_END_S)
    except subprocess.TimeoutExpired:
        serving.kill()
        serving.wait()
    serving.stdout.close()
