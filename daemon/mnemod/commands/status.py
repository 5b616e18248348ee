"""`mnemod status`: whether a daemon runs, how it is, and what it is or would be set to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mnemod import settings
from mnemod.commands import answer, place
from mnemod.commands.one_call import call
from mnemod.commands.terminal.words import lack
from mnemod.exits import Exit
from mnemod.transport import discovery


def run(arguments: list[str]) -> int:
    """Exit 0 if the daemon answers, 69 if there is none."""
    parser = place.parser("status", "Say whether the daemon of a data directory runs.")
    answer.add_json(parser)
    options = parser.parse_args(arguments)
    data_dir = place.data_dir(options)
    facts: dict[str, object] = {
        "running": False,
        "data_dir": str(data_dir),
        **_configuration(data_dir, place.config_file(options)),
    }
    if sock := discovery.connect(data_dir):
        record = discovery.read(data_dir)
        facts |= {"running": True, "health": call(sock, "health", {})}
        facts |= discovery.as_dict(record) if record else {}
    answer.give(options, facts, _sentence(facts))
    return Exit.OK if facts["running"] else Exit.UNAVAILABLE


def _configuration(data_dir: Path, config_file: Path | None) -> dict[str, object]:
    """What a daemon started now would be set to; one that runs keeps what it read at its start."""
    try:
        found = settings.load(data_dir, config_file, os.environ)
    except settings.SettingsError as refusal:
        return {"configuration_error": refusal.reason}
    file = str(found.file) if found.file else None
    return {"configuration_file": file, "configuration": settings.describe(found)}


def _sentence(facts: dict[str, object]) -> str:
    return "\n".join([_life(facts), *_lacks(facts)])


def _life(facts: dict[str, object]) -> str:
    if not facts["running"]:
        return f"mnemod is not running for {facts['data_dir']}"
    how = _health(facts)["status"]
    return f"mnemod {facts.get('version')} is running (process {facts.get('pid')}): {how}"


def _lacks(facts: dict[str, object]) -> Iterator[str]:
    """What does not work now, and what will not at the next start."""
    if facts["running"]:
        yield from map(lack, _health(facts)["degraded"])
    if wrong := facts.get("configuration_error"):
        yield f"the next start will fail: {wrong}"


def _health(facts: dict[str, object]) -> Any:
    return facts["health"]
