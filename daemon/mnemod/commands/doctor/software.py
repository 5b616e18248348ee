"""Checks of the program itself: its SQLite, its configuration, and other copies of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from mnemod import __version__, settings
from mnemod.commands.doctor.finding import Finding, failed, ok, warning
from mnemod.store import _sqlite


def check(data_dir: Path, config_file: Path | None, env: Mapping[str, str]) -> Iterator[Finding]:
    """Everything about the installation and what it is set to."""
    yield ok("version", f"mnemod {__version__}, Python {sys.version.split()[0]}")
    yield _database()
    yield from _configuration(data_dir, config_file, env)
    yield _on_path(env.get("PATH", ""), Path(sys.argv[0]))


def _database() -> Finding:
    version = ".".join(map(str, _sqlite.VERSION))
    found = f"{_sqlite.DRIVER} {version} with full-text search"
    try:
        _sqlite.require_fit()
    except _sqlite.DriverUnfit as unfit:
        return failed("sqlite", f"{_sqlite.DRIVER} {version}", str(unfit))
    if _sqlite.HAS_WAL_RESET_BUG:
        # Never met here, because only one connection checkpoints; other tools may not know that.
        return warning(
            "sqlite",
            f"{found}; this version can damage a file that two programs open",
            "install pysqlite3, and keep other tools off the files",
        )
    return ok("sqlite", found)


def _configuration(
    data_dir: Path, config_file: Path | None, env: Mapping[str, str]
) -> Iterator[Finding]:
    try:
        found = settings.load(data_dir, config_file, env)
    except settings.SettingsError as wrong:
        yield failed("configuration", wrong.reason, "mend that line")
        return
    yield ok("configuration", str(found.file) if found.file else "no file; defaults")
    for key, setting in settings.describe(found).items():
        if setting["from"] != "default":
            yield ok(key, f"{setting['value']} (from {setting['from']})")
    key_name = found.config.chat.api_key_env
    if key_name and not env.get(key_name):
        yield warning("chat.api_key_env", f"{key_name} is not set", f"set {key_name}")


def _on_path(path: str, ours: Path) -> Finding:
    """Which `mnemod` a shell would run, and whether it is this one."""
    found = [Path(folder) / "mnemod" for folder in path.split(os.pathsep) if folder]
    there = list(dict.fromkeys(file.resolve() for file in found if os.access(file, os.X_OK)))
    if ours.name != "mnemod" or not there or there == [ours.resolve()]:
        return ok("PATH", f"{len(there)} mnemod on it")
    listed = ", ".join(map(str, there))
    return warning("PATH", f"several mnemod: {listed}", "remove those you do not use")
