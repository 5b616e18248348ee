"""Checks of the running daemon: who holds the directory, who answers, and what version it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mnemod import __version__
from mnemod.commands.account import running
from mnemod.commands.doctor.finding import Finding, failed, ok, warning
from mnemod.exits import Refused
from mnemod.transport import daemon_lock, discovery


def check(data_dir: Path) -> Iterator[Finding]:
    """Everything about the daemon of a data directory that exists. None running is fine."""
    try:
        client = running(data_dir)
    except Refused as refusal:
        yield failed("daemon", refusal.reason, "end whoever listens there")
        return
    if client is None:
        yield _nobody(data_dir)
        return
    with client:
        health = client.call("health", {})
    pid = daemon_lock.owner_pid(data_dir)
    yield ok("daemon", f"process {pid} answers, up {health['uptime_s']:.0f} s")
    yield _version(data_dir)


def _nobody(data_dir: Path) -> Finding:
    lock = daemon_lock.try_take(data_dir)
    if lock is not None:
        lock.close()
        return ok("daemon", "none runs; one starts when it is needed")
    pid = daemon_lock.owner_pid(data_dir)
    return warning(
        "daemon",
        f"process {pid or 'unknown'} holds the directory and serves no socket",
        "a `serve --stdio --alone`? end it to let others in",
    )


def _version(data_dir: Path) -> Finding:
    record = discovery.read(data_dir)
    theirs = record.version if record else "unknown"
    if theirs == __version__:
        return ok("daemon version", theirs)
    return warning(
        "daemon version", f"the daemon is {theirs}, this is {__version__}", "mnemod stop"
    )
