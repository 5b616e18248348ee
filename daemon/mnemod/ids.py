"""Names for the opaque strings and numbers that travel through every layer.

An id is a prefix that names its kind and 32 hexadecimal digits. Nothing may be read out of it.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable
from typing import Final, NewType

AccountId = NewType("AccountId", str)
HostId = NewType("HostId", str)
ConversationId = NewType("ConversationId", str)
SessionId = NewType("SessionId", str)
MessageId = NewType("MessageId", str)
EventId = NewType("EventId", str)
CommandId = NewType("CommandId", str)
EvidenceId = NewType("EvidenceId", str)
ItemId = NewType("ItemId", str)
JobId = NewType("JobId", str)
InteractionId = NewType("InteractionId", str)
TransitionId = NewType("TransitionId", str)
OwnerId = NewType("OwnerId", str)
ClaimToken = NewType("ClaimToken", str)
WorldRevision = NewType("WorldRevision", int)
EpochMs = NewType("EpochMs", int)
"""Milliseconds since 1970-01-01T00:00:00Z."""

EVIDENCE: Final = "ev_"
ITEM: Final = "it_"
JOB: Final = "jb_"
INTERACTION: Final = "ix_"
TRANSITION: Final = "tr_"

Mint = Callable[[str], str]
"""Makes a fresh id of the given prefix. Tests pass one that counts."""


def random_id(prefix: str) -> str:
    """A never-reused id: `prefix`, then 48 bits of the time and 80 random ones in hexadecimal.

    Ids made one after another lie together in an index: fewer pages to write, at every commit.
    """
    return f"{prefix}{time.time_ns() // 1_000_000:012x}{_random_digits()}"


def _random_digits() -> str:
    """Twenty hexadecimal digits nobody had before."""
    while True:
        try:
            return _READY.pop()
        except IndexError:
            # Asked for in bulk: each asking lets go of the interpreter's lock, which is slow to
            # come back while other threads want it.
            digits = os.urandom(_RANDOM_BYTES * _READY_MAX).hex()
            step = 2 * _RANDOM_BYTES
            _READY.extend(digits[at : at + step] for at in range(0, len(digits), step))


_RANDOM_BYTES: Final = 10
_READY_MAX: Final = 64
_READY: Final = deque[str]()
# Two processes that share them would share ids.
os.register_at_fork(after_in_child=_READY.clear)
