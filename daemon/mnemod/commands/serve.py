"""`mnemod serve`: what a host spawns, and what the daemon itself is.

    serve --stdio            the proxy: joins stdio to the shared daemon, starting it if need be
    serve --stdio --alone    serves stdio in this process, for tests and containers
    serve --foreground       the daemon in this process, for a service manager

The first is started for every window of every host, so it imports no parser and no event loop.
"""

from __future__ import annotations

import os

from mnemod.commands.serve_options import Options
from mnemod.transport.directories import find_data_dir, make_private
from mnemod.transport.diversion import Stdio, divert


def run(arguments: list[str]) -> int:
    """Serve until the host, a signal or idleness ends it."""
    options = _read_plain(arguments) or _read(arguments)
    if options.foreground:
        from mnemod.commands import foreground

        return foreground.run(options)
    # Before anything else is imported: whatever prints from here on prints to stderr.
    stdio = divert()
    return _alone(options, stdio) if options.alone else _proxy(options, stdio)


def _read_plain(arguments: list[str]) -> Options | None:
    """A host's usual command lines, without argparse; None for anything unusual."""
    found: dict[str, str] = {}
    flags = ("--stdio", "--alone")
    rest = iter(arguments)
    for argument in rest:
        if argument in ("--data-dir", "--config") and (value := next(rest, "")):
            found[argument] = value
        elif argument not in flags:
            return None
    if "--stdio" not in arguments:
        return None
    return Options(
        stdio=True,
        alone="--alone" in arguments,
        data_dir=found.get("--data-dir"),
        config=found.get("--config"),
    )


def _read(arguments: list[str]) -> Options:
    from argparse import SUPPRESS

    from mnemod.commands import place

    parser = place.parser("serve", "Serve a host over stdio, or be the daemon.")
    parser.add_argument("--stdio", action="store_true", help="speak the protocol on stdin, stdout")
    parser.add_argument("--alone", action="store_true", help="with --stdio: no shared daemon")
    parser.add_argument("--foreground", action="store_true", help="be the daemon, here")
    parser.add_argument("--socket", metavar="PATH", help="with --foreground: listen at PATH")
    parser.add_argument("--allow-root-peer", action="store_true", help="let root connect as well")
    parser.add_argument("--spawned", help=SUPPRESS)
    options = Options(**vars(parser.parse_args(arguments)))
    if options.stdio == options.foreground or (options.alone and not options.stdio):
        parser.error("choose --stdio, --stdio --alone, or --foreground")
    return options


def _proxy(options: Options, stdio: Stdio) -> int:
    import signal

    from mnemod.transport.attach import attach_by_command
    from mnemod.transport.proxy import Proxy
    from mnemod.transport.this_program import ourselves

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    data_dir = make_private(find_data_dir(options.data_dir, os.environ))
    config = ["--config", options.config] if options.config else []
    ensure = [*ourselves(), "ensure", "--data-dir", str(data_dir), *config]
    return Proxy(lambda: attach_by_command(data_dir, ensure), stdio).run()


def _alone(options: Options, stdio: Stdio) -> int:
    import trio

    from mnemod import app
    from mnemod.commands.prepare import log_to_stderr, prepare
    from mnemod.transport import daemon_lock

    data_dir, settings = prepare(options.data_dir, options.config)
    log_to_stderr(settings)
    lock = daemon_lock.try_take(data_dir)
    if lock is None:
        # Served all the same: the host learns who is in the way from the answer to `initialize`.
        owner = daemon_lock.owner_pid(data_dir) or 0
        return trio.run(app.alone, settings.config, stdio, owner)
    lock.write_owner(os.getpid())
    return trio.run(app.alone, settings.config, stdio, None)
