"""A daemon that says what a test tells it to, found by commands as a real one is.

It listens on a Unix socket and has a `daemon.json`, so that a command goes its whole way: find,
connect, initialize, ask. What was asked is kept in `asked`.
"""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mnemod import __version__
from mnemod.transport import discovery

Answer = Mapping[str, Any] | Callable[[dict[str, Any]], Any]


class Refusal(Exception):
    """An answer function raises it to answer with an error of this kind."""

    def __init__(self, kind: str, *, retryable: bool = False, **details: object) -> None:
        super().__init__(kind)
        data = {"kind": kind, "retryable": retryable, "details": details}
        self.error = {"code": 1, "message": "It was refused.", "data": data}


class FakeDaemon:
    """Answers `answers[method]`; before each answer the notifications put into `notices`."""

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        self.answers: dict[str, Answer] = {"initialize": {}, **answers}
        self.notices: list[dict[str, Any]] = []
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.hangs_up_after: str | None = None

    def params_of(self, method: str) -> list[dict[str, Any]]:
        """What this method was called with, in order."""
        return [params for name, params in self.asked if name == method]

    def serve(self, sock: socket.socket) -> None:
        """Answer one connection until it ends."""
        with sock, sock.makefile("rb") as lines:
            for line in lines:
                request = json.loads(line)
                self.asked.append((request["method"], request["params"]))
                frames = [*self.notices, self._answer(request)]
                self.notices.clear()
                sock.sendall(b"".join(json.dumps(frame).encode() + b"\n" for frame in frames))
                if request["method"] == self.hangs_up_after:
                    return

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        answer = self.answers[request["method"]]
        head = {"jsonrpc": "2.0", "id": request["id"]}
        try:
            result = answer(request["params"]) if callable(answer) else answer
        except Refusal as refusal:
            return {**head, "error": refusal.error}
        return {**head, "result": result}


@contextmanager
def listening(daemon: FakeDaemon, data_dir: Path, socket_path: Path) -> Iterator[None]:
    """The daemon of `data_dir` is this one, while the block runs."""
    data_dir.mkdir(mode=0o700, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.fspath(socket_path))
        listener.listen()
        thread = threading.Thread(target=_accept, args=(daemon, listener))
        thread.start()
        record = discovery.Record(os.fspath(socket_path), os.getpid(), "fake", __version__, [1])
        discovery.write(data_dir, record)
        try:
            yield
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()


def _accept(daemon: FakeDaemon, listener: socket.socket) -> None:
    while True:
        try:
            sock, _ = listener.accept()
        except OSError:
            return
        daemon.serve(sock)
