"""Who is at the other end of a Unix socket, as the kernel says it."""

from __future__ import annotations

import os
import socket
import struct
import sys
from typing import Final, Protocol

_LOCAL_PEERCRED: Final = 1  # <sys/un.h> on macOS; there, SOL_LOCAL is 0
_XUCRED_BYTES: Final = 76


class Asked(Protocol):
    """A connected socket of any make."""

    def getsockopt(self, level: int, name: int, buflen: int, /) -> bytes:
        """As `socket.socket` has it."""


def peer_uid(sock: Asked) -> int:
    """The user id of the process that connected, or that listens. macOS: untested."""
    if sys.platform == "darwin":
        xucred = sock.getsockopt(0, _LOCAL_PEERCRED, _XUCRED_BYTES)
        return int(struct.unpack_from("=II", xucred)[1])
    credentials = sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return int(struct.unpack("3i", credentials)[1])


def is_ours(sock: Asked) -> bool:
    """Whether the other end runs as the same user. Root is another user too."""
    return peer_uid(sock) == os.geteuid()
