"""How the process ends: sysexits numbers, and the refusals that carry them.

A `Refused` is for the person who started the program: its reason may name their own paths, so it
is printed on the terminal or sent to the starter, and never logged.
"""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes, as in sysexits.h; 0 is success and 128 + n is death by signal n."""

    OK = 0
    FAILED = 1
    USAGE = 2
    UNAVAILABLE = 69  # no daemon is running
    INTERNAL = 70
    CANNOT_CREATE = 73
    IO = 74
    TRY_AGAIN = 75
    NO_PERMISSION = 77
    CONFIG = 78
    INTERRUPTED = 130
    TERMINATED = 143


class Refused(Exception):
    """The program will not go on. `reason` is one sentence that says what to do."""

    def __init__(self, code: Exit, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason
