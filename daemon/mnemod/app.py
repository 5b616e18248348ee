"""The daemon's life: what is opened, in which order, and how it ends.

    socket, daemon.json  >  engine (accounts, workers)  >  connections  >  accepting

Every way to end (a signal, `daemon.stop`, idleness) starts the drain. Then the innermost block is
left first: nobody new comes in and the socket's name goes, connections finish their calls, the
workers hand back their jobs, the accounts close. The lock on the data directory is the caller's
and goes last, so that whoever gets it finds everything closed.
"""

from __future__ import annotations

import gc
import os
import resource
import secrets
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NoReturn

import trio
from msgspec import Struct
from msgspec.structs import replace

from mnemod import __version__, engine, log
from mnemod.activity import wait_until_idle
from mnemod.config import (
    COLLECT_AFTER_OBJECTS,
    DRAIN_SIGTERM_S,
    INITIALIZE_WITHIN_S,
    OPEN_FILES_MAX,
    PROTOCOL_VERSIONS,
    Config,
)
from mnemod.engine import Engine
from mnemod.exits import Exit, Refused
from mnemod.rpc.drain import Drain
from mnemod.rpc.ending import Ending
from mnemod.rpc.session import serve_connection
from mnemod.transport import discovery, host_process
from mnemod.transport.diversion import Stdio
from mnemod.transport.framing import Framer
from mnemod.transport.host_spotter import HostSpotter
from mnemod.transport.prompt_stream import PromptStream
from mnemod.transport.socket_file import Listening
from mnemod.transport.stdio import StdioStream
from mnemod.transport.unix_socket import Door

_INSTANCE_BYTES: Final = 16
_ARRIVING_S: Final = 0.05
_LOOK_S: Final = 3.0
"""Shorter than a starter waits for a daemon it cannot find."""
_CLOSING_S: Final = 2.0
"""What connections may take past the drain's deadline to flush and close."""


def nothing() -> None:
    """For a daemon that nobody waits for."""


def always() -> bool:
    """For a daemon whose directory nobody can take away."""
    return True


class DoorPlan(Struct, frozen=True):
    """Where the daemon listens, who may come in, and whom to tell when they can."""

    listening: Listening
    allow_root: bool = False
    on_ready: Callable[[], None] = nothing
    is_at_home: Callable[[], bool] = always
    """Whether the data directory is still the one whose lock we hold."""


async def daemon(config: Config, door: DoorPlan) -> int:
    """Serve the socket until told to end, and close it. Returns the exit code.

    The caller holds the lock of `config.data_dir`.
    """
    _collect_rarely()
    _open_many()
    instance = secrets.token_hex(_INSTANCE_BYTES)
    listening = door.listening
    try:
        discovery.write(config.data_dir, _record(listening, instance))
        async with engine.running(config, instance) as parts:
            await _serve_socket(config, instance, door, parts)
    finally:
        listening.remove()
        discovery.withdraw(config.data_dir, instance)
    log.current().info("stopped")
    return Exit.OK


async def alone(config: Config, stdio: Stdio, held_by: int | None) -> int:
    """Serve one host on stdio. Returns the exit code: as in LSP, 1 for `exit` without `shutdown`.

    `held_by` is the process that holds the data directory's lock if we do not.
    """
    _collect_rarely()
    _open_many()
    stream = StdioStream(stdio)
    async with (
        engine.running(config, secrets.token_hex(_INSTANCE_BYTES), held_by=held_by) as parts,
        trio.open_nursery() as side,
    ):
        await side.start(_obey_signals, parts.drain, nothing)
        framing = HostSpotter(lambda pid: side.start_soon(_end_with_host, pid, stream))
        with parts.activity.connection():
            ending = await serve_connection(stream, framing, parts.services)
        side.cancel_scope.cancel()
    return _EXIT_OF[ending]


def _collect_rarely() -> None:
    """Keep Python's collector of circles from being most of what a busy daemon waits for.

    What calls make is freed without it, circles are rare. But at Python's own threshold it ran at
    every tenth call of a crowd, took what was still in use for lasting, and so came to look through
    all there is: a tenth of a second at a time.
    """
    gc.set_threshold(COLLECT_AFTER_OBJECTS, *gc.get_threshold()[1:])


def _open_many() -> None:
    """Take all the descriptors this process may have: an account that is open holds nine.

    The usual limit of 1,024 is for programs that wait with `select`, and came with whichever host
    started us: at the 110th account it would be in the way of all the others.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = OPEN_FILES_MAX if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES_MAX)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):  # then we do with what we have
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


_EXIT_OF: Final = {
    Ending.EOF: Exit.OK,
    Ending.EXIT: Exit.OK,
    Ending.SHUTDOWN: Exit.OK,
    Ending.DRAINED: Exit.OK,
    Ending.ABRUPT_EXIT: Exit.FAILED,
    Ending.REFUSED: Exit.FAILED,
    Ending.BROKEN: Exit.IO,
    Ending.FAILED: Exit.INTERNAL,
}


async def _end_with_host(pid: int, stream: StdioStream) -> None:
    await trio.to_thread.run_sync(host_process.wait_for_end, pid, abandon_on_cancel=True)
    stream.end_input()


async def _serve_socket(config: Config, instance: str, plan: DoorPlan, parts: Engine) -> None:
    listening = plan.listening
    services = replace(parts.services, initialize_within_s=INITIALIZE_WITHIN_S)
    door = Door(
        listening,
        lambda stream: serve_connection(PromptStream.over(stream), Framer(), services),
        parts.activity,
        allow_root=plan.allow_root,
    )
    async with trio.open_nursery() as side:
        await side.start(_obey_signals, parts.drain, listening.remove)
        async with trio.open_nursery() as connections:
            async with trio.open_nursery() as accepting:
                accepting.start_soon(door.accept, connections)
                accepting.start_soon(_leave_when_idle, config, parts, listening)
                accepting.start_soon(_keep_found, config, instance, plan, door, parts.drain)
                log.current().info("ready", pid=os.getpid(), version=__version__)
                plan.on_ready()
                await parts.drain.wait()
                accepting.cancel_scope.cancel()
            # From here on a starter finds no socket, waits for our lock and starts the next one.
            listening.remove()
            connections.cancel_scope.deadline = parts.drain.deadline + _CLOSING_S
        side.cancel_scope.cancel()


async def _keep_found(
    config: Config, instance: str, plan: DoorPlan, door: Door, drain: Drain
) -> None:
    """Put back what somebody took away: the socket's name, `daemon.json`.

    If it was the whole data directory, leave: what is stored from now on would be read by nobody,
    and whoever made another directory in its place is owed a daemon of that one.
    """
    listening = plan.listening
    while True:
        await trio.sleep(_LOOK_S)
        try:
            if not plan.is_at_home():
                log.current().error("data_directory_gone")
                return drain.start(0.0)
            if listening.keep_found():
                log.current().warning("socket_was_gone")
                door.move()
            found = discovery.read(config.data_dir)
            if found is None or found.instance != instance:
                discovery.write(config.data_dir, _record(listening, instance))
        except (Refused, OSError) as error:
            log.current().warning("cannot_be_found", at=log.types_only(error))


async def _leave_when_idle(config: Config, parts: Engine, listening: Listening) -> None:
    """Start the drain once nobody needs us, in such a way that nobody who comes now is lost."""
    while True:
        await wait_until_idle(parts.activity, config.idle_exit_s, parts.is_working)
        listening.hide()
        # Whoever found us before that is let in and counted meanwhile.
        await trio.sleep(_ARRIVING_S)
        if not parts.activity.connections and not listening.has_visitors():
            log.current().info("idle")
            parts.drain.start(0.0)
            return
        listening.show()
        parts.activity.touch()


async def _obey_signals(
    drain: Drain,
    before_exit: Callable[[], None],
    *,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """SIGTERM and SIGINT: drain, and the second time leave at once. SIGHUP: reopen the log."""
    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT, signal.SIGHUP) as arriving:
        task_status.started()
        async for number in arriving:
            if number == signal.SIGHUP:
                log.current().reopen()
            elif drain.started:
                _leave_now(number, before_exit)
            else:
                drain.start(DRAIN_SIGTERM_S)


def _leave_now(number: int, before_exit: Callable[[], None]) -> NoReturn:
    # What was answered is on disk already; nothing else is owed to anybody.
    before_exit()
    os._exit(128 + number)


def _record(listening: Listening, instance: str) -> discovery.Record:
    return discovery.Record(
        socket=str(listening.path),
        pid=os.getpid(),
        instance=instance,
        version=__version__,
        protocol_versions=PROTOCOL_VERSIONS,
    )
