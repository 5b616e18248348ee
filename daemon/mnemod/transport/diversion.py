"""Standard input and output, moved out of everybody's reach.

The protocol owns them: a print by any library, native code included, would corrupt it, and a child
process would eat our input. So both are duplicated to private descriptors, and then 0 reads
nothing and 1 is stderr. Call it before anything else is imported. The file status flags are left
alone: they belong to whoever shares the terminal or pipe with us.
"""

from __future__ import annotations

import fcntl
import os
from typing import NamedTuple

_FIRST_PRIVATE = 3


class Stdio(NamedTuple):
    """The private descriptors, closed on exec."""

    stdin: int
    stdout: int


def divert() -> Stdio:
    """Move 0 and 1 away and put harmless ones in their place."""
    _fill_gaps()
    stdio = Stdio(*(fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _FIRST_PRIVATE) for fd in (0, 1)))
    nothing = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return stdio


def _fill_gaps() -> None:
    """A host may start us with 0, 1 or 2 closed; the next file opened would take the number."""
    while (fd := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(fd, True)
    os.close(fd)
