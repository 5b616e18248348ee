"""Named points at which a test can cut the daemon off. In a release nothing here runs.

A point is armed by the environment, read once at import, and only in a test build:

    MNEMOD_TEST_BUILD=1  MNEMOD_FAULT=write.before_commit:3      SIGKILL at the third hit
    MNEMOD_TEST_BUILD=1  MNEMOD_FAULT=write.before_commit:3:full the third hit finds the disk full

| point | stands |
| --- | --- |
| write.before_begin | a write has been queued, its transaction has not begun |
| write.before_commit | every statement of the group has run, COMMIT has not |
| write.after_commit | the group is on disk, nobody has been told |
| checkpoint | before the log is copied into the file |
| create.before_rename | a new account's file is built, it does not have its name yet |
| migrate.before_commit | a migration and its record have run, COMMIT has not |
| migrate.after_commit | the migration is on disk, the next has not begun |
| erase.before_cleanup | an erasing write is on disk, its text may still lie in the log |
| formation.after_claim | a job is claimed, nothing has been read for it |
| formation.after_reply_stored | a reply is on disk, nothing has used it |
| formation.before_apply_commit | a job's rows and its end have been written, COMMIT has not run |

A row is added here, and to `Point`, by whoever places the point.
"""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable, Mapping
from typing import Final, Literal, get_args

Point = Literal[
    "write.before_begin",
    "write.before_commit",
    "write.after_commit",
    "checkpoint",
    "create.before_rename",
    "migrate.before_commit",
    "migrate.after_commit",
    "erase.before_cleanup",
    "formation.after_claim",
    "formation.after_reply_stored",
    "formation.before_apply_commit",
]
POINTS: Final[frozenset[str]] = frozenset(get_args(Point))


def armed(environ: Mapping[str, str]) -> Callable[[Point], None]:
    """What `hit` does under this environment. Raises ValueError on a fault nobody can hit."""
    fault = environ.get("MNEMOD_FAULT", "")
    if environ.get("MNEMOD_TEST_BUILD") != "1" or not fault:
        return _nothing
    return _parsed(fault)


def _nothing(point: Point) -> None:
    """The release: no point does anything."""


def _parsed(fault: str) -> Callable[[Point], None]:
    """`point[:n[:action]]` as the function that counts hits and strikes at the n-th."""
    name, _, rest = fault.partition(":")
    nth, _, action = rest.partition(":")
    # A misspelt fault would never strike, and its test would pass for the wrong reason.
    if name not in POINTS or (action or "kill") not in _STRIKES:
        raise ValueError("MNEMOD_FAULT names no fault point, or no action")
    strike = _STRIKES[action or "kill"]
    left = int(nth or "1")

    def hit(point: Point) -> None:
        nonlocal left
        if point == name:
            left -= 1
            if left == 0:
                strike()

    return hit


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _full() -> None:
    raise OSError(errno.ENOSPC, "fault point")


def _io() -> None:
    raise OSError(errno.EIO, "fault point")


_STRIKES: Final[Mapping[str, Callable[[], None]]] = {"kill": _kill, "full": _full, "io": _io}

hit: Final = armed(os.environ)
