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

from mnemod.commands import account, spawned
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
            with spawned.client_of(serving) as client:
                client.initialize(account.DEFAULT, host_id=account.HOST_ID)
                yield client
        finally:
            spawned.see_out(serving, _END_S)
