"""`mnemod ensure`: the daemon runs when this returns. Clients call it before they connect."""

from __future__ import annotations

import os
from pathlib import Path

from mnemod.commands import answer, place
from mnemod.exits import Exit, Refused
from mnemod.transport import discovery, spawn
from mnemod.transport.attach import attach_or_start
from mnemod.transport.daemon_lock import DaemonLock
from mnemod.transport.directories import make_private


def run(arguments: list[str]) -> int:
    """Print where the daemon listens."""
    parser = place.parser("ensure", "Start the daemon of a data directory if it is not running.")
    answer.add_json(parser)
    options = parser.parse_args(arguments)
    data_dir = make_private(place.data_dir(options))
    config_file = place.config_file(options)

    def start(lock: DaemonLock) -> None:
        _start(data_dir, config_file, lock)

    attached = attach_or_start(data_dir, start)
    attached.sock.close()
    record = discovery.read(data_dir)
    if record is None:
        raise Refused(Exit.TRY_AGAIN, "the daemon left again at once")
    answer.give(
        options,
        {**discovery.as_dict(record), "started": attached.started},
        f"mnemod {record.version} {'started' if attached.started else 'is running'}"
        f" (process {record.pid}) at {record.socket}",
    )
    return Exit.OK


def _start(data_dir: Path, config_file: Path | None, lock: DaemonLock) -> None:
    # Read here only to refuse on the terminal of whoever asked, and for one variable's name;
    # a daemon that runs already keeps the configuration it has, whatever the file says now.
    from mnemod import settings

    found = settings.load(data_dir, config_file, os.environ)
    env = spawn.clean_environment(os.environ, found.config.chat.api_key_env)
    spawn.start(data_dir, found.file, env, lock)
