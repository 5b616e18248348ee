"""Options every command about a daemon shares: which data directory, which configuration."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from pathlib import Path

from mnemod.transport.directories import find_data_dir


def parser(command: str, summary: str) -> ArgumentParser:
    """A parser for `mnemod <command>` that knows `--data-dir` and `--config`."""
    made = ArgumentParser(prog=f"mnemod {command}", description=summary, allow_abbrev=False)
    made.add_argument(
        "--data-dir", metavar="DIR", help="where memories are kept ($MNEMOD_DATA_DIR)"
    )
    made.add_argument("--config", metavar="FILE", help="the TOML configuration ($MNEMOD_CONFIG)")
    return made


def data_dir(options: Namespace) -> Path:
    """The data directory meant, which may not exist."""
    return find_data_dir(options.data_dir, os.environ)


def config_file(options: Namespace) -> Path | None:
    """The configuration file named on the command line, if one is."""
    return Path(options.config) if options.config else None
