"""How mnemod starts itself again."""

from __future__ import annotations

import sys


def ourselves() -> list[str]:
    """The command that runs this same installation, whatever PATH and the working directory say."""
    if getattr(sys, "frozen", False):
        return [sys.executable]
    # -P: a `mnemod` folder where we happen to run is not imported.
    return [sys.executable, "-P", "-m", "mnemod"]
