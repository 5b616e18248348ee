"""What the command line of `mnemod serve` can say."""

from __future__ import annotations

from typing import NamedTuple


class Options(NamedTuple):
    """What the command line said."""

    stdio: bool = False
    alone: bool = False
    foreground: bool = False
    data_dir: str | None = None
    config: str | None = None
    socket: str | None = None
    allow_root_peer: bool = False
    spawned: str | None = None
