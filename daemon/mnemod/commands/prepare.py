"""What `serve` does before it serves: directories, configuration, log."""

from __future__ import annotations

import os
from pathlib import Path

from mnemod import log
from mnemod import settings as settings_module
from mnemod.log.files import RotatingFile, Sink, StderrSink
from mnemod.settings import Settings
from mnemod.transport.directories import find_data_dir, log_file, make_private


def prepare(data_dir: str | None, config: str | None) -> tuple[Path, Settings]:
    """The data directory, private, and the configuration. Raises Refused."""
    found = make_private(find_data_dir(data_dir, os.environ))
    return found, settings_module.load(found, Path(config) if config else None, os.environ)


def log_to_stderr(settings: Settings) -> None:
    """For a process somebody watches, or whose stderr a service manager keeps."""
    _configure(settings, StderrSink())


def log_to_file(settings: Settings, data_dir: Path) -> None:
    """For a detached daemon; its stderr is the same file and moves along with it."""
    path = log_file(data_dir)
    make_private(path.parent)
    _configure(settings, RotatingFile(path, is_stderr=True))


def _configure(settings: Settings, sink: Sink) -> None:
    config = settings.config
    log.configure(log.Log(sink, level=config.log_level, json_lines=config.log_format == "json"))
