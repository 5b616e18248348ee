"""`mnemod serve --foreground`: the daemon's process, from the lock to the event loop.

Started by a person or a service manager it stays where it is; started by `spawn` it leaves its
starter first, and tells it through a pipe how that went.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from mnemod.commands.prepare import log_to_file, log_to_stderr, prepare
from mnemod.commands.serve_options import Options
from mnemod.config import Config
from mnemod.exits import Exit, Refused
from mnemod.transport import daemon_lock
from mnemod.transport.daemon_lock import DaemonLock
from mnemod.transport.directories import socket_path
from mnemod.transport.service_manager import GivenSocket, Notifier, given_socket
from mnemod.transport.socket_file import SocketFile, bind
from mnemod.transport.spawn import Inherited, Report


def run(options: Options) -> int:
    """Be the daemon. Returns its exit code."""
    if options.spawned is None:
        return _managed(options)
    if os.fork():
        # The starter waits for this process only; the daemon shall be nobody's child.
        os._exit(Exit.OK)
    return _detached(options, Inherited.from_text(options.spawned))


def _managed(options: Options) -> int:
    given = given_socket(os.environ)
    notifier = Notifier(os.environ)
    data_dir, settings = prepare(options.data_dir, options.config)
    log_to_stderr(settings)
    lock = daemon_lock.try_take(data_dir)
    if lock is None:
        owner = daemon_lock.owner_pid(data_dir) or "unknown"
        raise Refused(Exit.TRY_AGAIN, f"process {owner} holds this data directory already")
    config = settings.config
    if given is not None:
        # The manager started us because somebody came; when to stop is its business too.
        config = replace(config, idle_exit_s=0.0)
    return _serve(options, config, lock, given, notifier.ready)


def _detached(options: Options, inherited: Inherited) -> int:
    report = Report(inherited.report_fd)
    try:
        data_dir, settings = prepare(options.data_dir, options.config)
        log_to_file(settings, data_dir)
        lock = DaemonLock(inherited.lock_fd)
        return _serve(options, settings.config, lock, None, report.ready)
    except Refused as refusal:
        report.refused(refusal)
        return refusal.code


def _serve(
    options: Options,
    config: Config,
    lock: DaemonLock,
    given: GivenSocket | None,
    on_ready: Callable[[], None],
) -> int:
    """Serve until told to end. The lock is never let go by us: it ends with the process, so that
    whoever gets it finds nobody here any more."""
    import trio

    from mnemod import app

    lock.write_owner(os.getpid())
    listening = given or _bind(options, config.data_dir)
    plan = app.DoorPlan(
        listening,
        allow_root=options.allow_root_peer,
        on_ready=on_ready,
        is_at_home=partial(lock.is_of, config.data_dir),
    )
    return trio.run(app.daemon, config, plan)


def _bind(options: Options, data_dir: Path) -> SocketFile:
    if options.socket:
        return bind(Path(options.socket).absolute())
    return bind(socket_path(data_dir, os.environ))
