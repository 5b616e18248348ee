"""`mnemod version`, and `mnemod --version --json`: the versions a bug report needs."""

from __future__ import annotations

import platform
from argparse import ArgumentParser

from mnemod import __version__
from mnemod.commands import answer
from mnemod.exits import Exit


def run(arguments: list[str]) -> int:
    """Print the program's version; with `--json` also those of all it speaks and stands on."""
    parser = ArgumentParser(prog="mnemod version", description="Print the version.")
    answer.add_json(parser)
    options = parser.parse_args(arguments)
    facts: dict[str, object] = {"version": __version__}
    if options.json:
        facts |= _all()
    answer.give(options, facts, f"mnemod {__version__}")
    return Exit.OK


def _all() -> dict[str, object]:
    from mnemod.config import PROTOCOL_VERSIONS
    from mnemod.rpc.generated import SCHEMA_VERSION
    from mnemod.store import _sqlite

    return {
        "schema": SCHEMA_VERSION,
        "protocol_versions": list(PROTOCOL_VERSIONS),
        "sqlite": f"{_sqlite.DRIVER} {'.'.join(map(str, _sqlite.VERSION))}",
        "python": platform.python_version(),
    }
