"""Why a connection ended: the one thing its owner is told of it."""

from __future__ import annotations

from enum import StrEnum


class Ending(StrEnum):
    """How it came to the end."""

    EOF = "eof"
    EXIT = "exit"
    """`exit` after `shutdown`, as it should be."""
    ABRUPT_EXIT = "abrupt_exit"
    """`exit` without `shutdown`."""
    SHUTDOWN = "shutdown"
    """`shutdown` with no `exit` after it."""
    DRAINED = "drained"
    """The daemon leaves."""
    REFUSED = "refused"
    """It spoke no protocol of ours, or never said who it is."""
    BROKEN = "broken"
    """The other end is gone."""
    FAILED = "failed"
    """A fault of ours; it is in the log."""
