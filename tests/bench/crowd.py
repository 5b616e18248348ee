"""Many clients of one daemon, in one thread, as cheap as clients can be."""

from __future__ import annotations

import itertools
import selectors
import socket
import time
from pathlib import Path
from typing import Final

from tests.support.rpc import initialize_params, observe_params, request

_NAME: Final = "a-name"


def unsaid(text: str, name: str) -> str:
    """`text` as nobody said it before: a daemon judges at less cost what it judged lately."""
    return f"{text} Batch {name}."


class Crowd:
    """Clients that each send the next `observe` when the last is answered, in this one thread."""

    def __init__(self, path: Path, count: int, text: str) -> None:
        # All of a line but the names in it, made beforehand: who measures a server that shares its
        # cores with it must not take what it measures.
        line = request(1, "observe", **observe_params(unsaid(text, _NAME), _NAME))
        self._around_names = line.split(_NAME.encode())
        self._selector = selectors.DefaultSelector()
        self._numbers = itertools.count()
        for _ in range(count):
            sock = socket.socket(socket.AF_UNIX)
            sock.connect(str(path))
            sock.sendall(request(0, "initialize", **initialize_params("crowd")))
            self._drain(sock)
            self._selector.register(sock, selectors.EVENT_READ)

    def rate(self, seconds: float) -> float:
        """Answers a second."""
        sockets = [key.fileobj for key in self._selector.get_map().values()]
        for sock in sockets:
            self._next(sock)
        began, answers = time.perf_counter(), 0
        while (now := time.perf_counter()) - began < seconds:
            for key, _ in self._selector.select(1.0):
                self._drain(key.fileobj)
                answers += 1
                self._next(key.fileobj)
        for sock in sockets:
            self._drain(sock)
        return answers / (now - began)

    def close(self) -> None:
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        self._selector.close()

    def _next(self, sock: object) -> None:
        assert isinstance(sock, socket.socket)
        name = b"m%d" % next(self._numbers)
        sock.sendall(name.join(self._around_names))

    @staticmethod
    def _drain(sock: object) -> None:
        """Read one answer: each client has one call open."""
        assert isinstance(sock, socket.socket)
        answer = sock.recv(65_536)
        while not answer.endswith(b"\n"):
            answer += sock.recv(65_536)
        assert b'"error"' not in answer, answer
