"""`mnemod stop`: ask the daemon to end, and wait until it has."""

from __future__ import annotations

import time
from pathlib import Path

from mnemod.commands import answer, place
from mnemod.commands.one_call import call
from mnemod.config import DRAIN_SIGTERM_S
from mnemod.exits import Exit, Refused
from mnemod.transport import daemon_lock, discovery
from mnemod.transport.attach import waits

_CLOSING_S = 5.0


def run(arguments: list[str]) -> int:
    """Exit 0 once no daemon runs, also if none did. No process is ever signalled by its number."""
    parser = place.parser("stop", "End the daemon of a data directory.")
    parser.add_argument("--now", action="store_true", help="do not finish the calls in flight")
    answer.add_json(parser)
    options = parser.parse_args(arguments)
    data_dir = place.data_dir(options)
    sock = discovery.connect(data_dir)
    if sock is None:
        answer.give(options, {"stopped": False, "running": False}, "mnemod is not running")
        return Exit.OK
    pid = call(sock, "daemon.stop", {"mode": "now" if options.now else "drain"})["pid"]
    _wait_until_gone(data_dir)
    answer.give(
        options, {"stopped": True, "running": False, "pid": pid}, f"stopped mnemod (process {pid})"
    )
    return Exit.OK


def _wait_until_gone(data_dir: Path) -> None:
    """The lock is let go last of all, so whoever gets it knows that everything is closed."""
    deadline = time.monotonic() + DRAIN_SIGTERM_S + _CLOSING_S
    for wait_s in waits():
        if lock := daemon_lock.try_take(data_dir):
            lock.close()
            return
        if time.monotonic() >= deadline:
            raise Refused(Exit.TRY_AGAIN, "the daemon is still finishing; `--now` does not wait")
        time.sleep(wait_s)
