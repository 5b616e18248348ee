"""systemd, when it starts us: the socket it already listens on, and telling it how we are.

    LISTEN_PID, LISTEN_FDS   descriptor 3 is our listening socket, bound and named by the manager
    NOTIFY_SOCKET            a datagram socket (`@` for an abstract one) that wants READY=1

The variables are taken out of the environment, as sd_listen_fds(3) asks. The lock and
`daemon.json` are ours all the same: clients find the daemon in one way only.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import MutableMapping
from pathlib import Path
from typing import Final

from mnemod.exits import Exit, Refused

_FIRST_FD: Final = 3


class GivenSocket:
    """A listening socket whose name belongs to the service manager: it stays when we go."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.path = Path(os.fsdecode(sock.getsockname()))

    def show(self) -> None:
        """It is never hidden."""

    def hide(self) -> None:
        """Whoever comes next is kept in line by the manager."""

    def has_visitors(self) -> bool:
        """Nobody is lost who waits: the manager starts us again for them."""
        return False

    def keep_found(self) -> bool:
        """The manager looks after its name."""
        return False

    def remove(self) -> None:
        """Stop listening."""
        self.sock.close()


def given_socket(env: MutableMapping[str, str]) -> GivenSocket | None:
    """The socket the service manager passed to this process, if it did. Raises Refused (78)."""
    meant_for, count = env.pop("LISTEN_PID", ""), env.pop("LISTEN_FDS", "")
    env.pop("LISTEN_FDNAMES", None)
    if meant_for != str(os.getpid()) or not count:
        return None
    os.set_inheritable(_FIRST_FD, False)
    sock = socket.socket(fileno=_FIRST_FD)
    if count != "1" or sock.family != socket.AF_UNIX or not sock.getsockname():
        raise Refused(Exit.CONFIG, "the service manager must pass one Unix socket with a path")
    return GivenSocket(sock)


class Notifier:
    """Tells the service manager, if there is one that wants to know."""

    def __init__(self, env: MutableMapping[str, str]) -> None:
        name = env.pop("NOTIFY_SOCKET", "")
        self._address = "\0" + name[1:] if name.startswith("@") else name

    def ready(self) -> None:
        """Connections are accepted from here on."""
        self._send(b"READY=1")

    def _send(self, state: bytes) -> None:
        if not self._address:
            return
        # A manager that does not listen is no reason to stop serving.
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock, contextlib.suppress(OSError):
            sock.sendto(state, self._address)
