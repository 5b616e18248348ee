"""The command line: a table of commands, each imported when it is asked for.

To add one, write `commands/<name>.py` with `run(arguments) -> exit code`, and add a line here.
Data goes to stdout, everything else to stderr. Exit codes are those of `mnemod.exits`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from mnemod.exits import Exit, Refused


class Command(NamedTuple):
    """Where a command's function is, and what it does in half a line."""

    target: str
    summary: str


COMMANDS: Final[Mapping[str, Command]] = {
    "serve": Command("mnemod.commands.serve:run", "serve a host over stdio, or be the daemon"),
    "ensure": Command("mnemod.commands.ensure:run", "start the daemon if it is not running"),
    "status": Command("mnemod.commands.status:run", "say whether the daemon runs, and how it is"),
    "stop": Command("mnemod.commands.stop:run", "end the daemon, finishing what it is doing"),
    "recall": Command("mnemod.commands.recall:run", "bring back what bears on a question"),
    "show": Command("mnemod.commands.show:run", "show a memory, a message or a job by its id"),
    "jobs": Command("mnemod.commands.jobs:run", "show the background work; --watch follows it"),
    "forget": Command("mnemod.commands.forget:run", "show what would go, ask, and erase it"),
    "gates": Command("mnemod.commands.gates:run", "explain what the rules see; judge again"),
    "export": Command("mnemod.commands.export:run", "write all an account holds as JSON Lines"),
    "rpc": Command("mnemod.commands.rpc:run", "call one method of the daemon"),
    "doctor": Command("mnemod.commands.doctor:run", "look for what is wrong; --deep, --repair"),
    "demo": Command("mnemod.commands.demo:run", "see all of it work, on a throw-away directory"),
    "schema": Command("mnemod.commands.schema:run", "print the description of every method"),
    "version": Command("mnemod.commands.version:run", "print the version; --json for all of them"),
}


def run(arguments: Sequence[str]) -> int:
    """Run one command line, without the program's name. Returns the exit code."""
    name, rest = (arguments[0], list(arguments[1:])) if arguments else ("--help", [])
    if name in ("-h", "--help", "help"):
        print(_usage())
        return Exit.OK
    command = COMMANDS.get("version" if name == "--version" else name)
    if command is None:
        sys.stderr.write(f"mnemod: no command {name!r}; `mnemod --help` lists them\n")
        return Exit.USAGE
    return _call(command, rest)


def _call(command: Command, arguments: list[str]) -> int:
    from importlib import import_module

    from mnemod.late import put_off

    put_off()
    module, _, function = command.target.partition(":")
    try:
        code: int = getattr(import_module(module), function)(arguments)
        sys.stdout.flush()
    except Refused as refusal:
        sys.stderr.write(f"mnemod: {refusal.reason}\n")
        return refusal.code
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:
        # `mnemod schema | head`: whoever read has enough. Nothing may fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.IO
    except Exception as exc:  # noqa: BLE001 - the last line of defence, and it shows no text
        from mnemod.log import types_only

        sys.stderr.write(f"mnemod: internal error: {types_only(exc)}\n")
        return Exit.INTERNAL
    return code


def _usage() -> str:
    width = max(map(len, COMMANDS))
    lines = (f"  {name:<{width}}  {command.summary}" for name, command in COMMANDS.items())
    listed = "\n".join(lines)
    return f"usage: mnemod COMMAND [OPTIONS]\n\n{listed}\n\n`mnemod COMMAND --help` says more."
