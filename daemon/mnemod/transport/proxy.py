"""`mnemod serve --stdio`: joins a host's stdin and stdout to the shared daemon's socket.

It lives as long as its host, once for every window, so it is small: the standard library only, two
threads with blocking reads, no event loop. Requests go on byte for byte, answers frame by frame,
so that the host never sees half a message.

    host --stdin--> thread `requests` --socket--> daemon
    host <-stdout-- main thread       <-socket--  daemon

The end of stdin is passed on as the end of the socket's input; the daemon finishes what is in
flight, answers it and closes. If the daemon closes first, every id still open is answered
`shutting_down` and the exit code is 70, never 0. As long as it has answered nothing at all, a
new daemon gets the same bytes instead: an idle daemon may leave just as a host arrives. The
connection is made with the first byte, for a host may start us long before it has anything to say.
"""

from __future__ import annotations

import contextlib
import socket
import sys
import threading
from collections.abc import Callable
from typing import Final

from mnemod.exits import Exit, Refused
from mnemod.transport import host_process
from mnemod.transport.diversion import Stdio
from mnemod.transport.framing import Framer
from mnemod.transport.ledger import Ledger, went_away
from mnemod.transport.plain_io import CHUNK_BYTES, read_some, write_all

_REPLAY_BYTES_MAX: Final = CHUNK_BYTES
_DAEMONS_MAX: Final = 4
"""How many daemons in a row may go away without a word before the fault is ours or the input's."""


class Proxy:
    """One host's connection. `attach` returns a connected socket, starting a daemon if need be."""

    def __init__(self, attach: Callable[[], socket.socket], stdio: Stdio) -> None:
        self._attach = attach
        self._stdio = stdio
        self._ledger = Ledger()
        self._framer = Framer()
        self._sock: socket.socket | None = None
        self._sent: bytearray | None = bytearray()
        """All that was sent, while it can still go to another daemon; else None."""
        self._input_ended = False
        self._lock = threading.Lock()
        """Guards all of the above; held while sending only to a daemon that has nothing to say."""
        self._something_came = threading.Event()
        self._connected = threading.Event()

    def run(self) -> int:
        """Serve until either side is done. Returns the exit code."""
        try:
            self._attach().close()  # a daemon that cannot start is told of now, not later
            threading.Thread(target=self._carry_requests, daemon=True).start()
            for _ in range(_DAEMONS_MAX):
                if not self._has_unanswered_input():
                    break
                self._connect()
                self._carry_answers()
            return self._finish()
        except Refused as refusal:
            self._answer_the_open()
            return _say(refusal.code, refusal.reason)
        except OSError:
            return Exit.IO  # nobody reads our stdout any more
        finally:
            if self._sock is not None:
                self._sock.close()

    def _carry_requests(self) -> None:
        while chunk := read_some(self._stdio.stdin):
            with self._lock:
                self._note(chunk)
                sock = self._sock
            self._something_came.set()
            if sock is None:
                self._connected.wait()  # connecting sends what was noted
            else:
                # If the daemon is gone, the main thread sees it and decides.
                with contextlib.suppress(OSError):
                    sock.sendall(chunk)
        self._end_input()

    def _note(self, chunk: bytes) -> None:
        for frame in self._framer.feed(chunk):
            self._ask(frame)
        if self._sent is not None:
            self._sent += chunk
            if len(self._sent) > _REPLAY_BYTES_MAX:
                self._sent = None

    def _ask(self, frame: bytes) -> None:
        knew = self._ledger.initialized
        self._ledger.asked(frame)
        host = self._ledger.process_id
        if not knew and host is not None and host_process.is_ancestor(host):
            threading.Thread(target=self._watch_host, args=(host,), daemon=True).start()

    def _watch_host(self, pid: int) -> None:
        host_process.wait_for_end(pid)
        self._end_input()

    def _end_input(self) -> None:
        with self._lock:
            if not self._input_ended:
                self._input_ended = True
                for frame in self._framer.end():
                    self._ask(frame)
                if self._sock is not None:
                    _half_close(self._sock)
        self._something_came.set()

    def _has_unanswered_input(self) -> bool:
        """Whether there is something to send to a daemon that has not answered anything yet."""
        self._something_came.wait()
        return bool(self._sent)

    def _connect(self) -> None:
        sock = self._attach()
        with self._lock:
            if self._sock is not None:
                self._sock.close()
            self._sock = sock
            with contextlib.suppress(OSError):
                sock.sendall(bytes(self._sent or b""))
            if self._input_ended:
                _half_close(sock)
        self._connected.set()

    def _carry_answers(self) -> None:
        assert self._sock is not None
        answers = Framer()
        while data := _receive(self._sock):
            for frame in answers.feed(data):
                with self._lock:
                    self._sent = None
                write_all(self._stdio.stdout, self._framer.encode(frame))
                self._ledger.answered(frame)

    def _finish(self) -> int:
        unanswered = self._answer_the_open()
        if self._framer.fatal:
            return _say(Exit.FAILED, "the input is not the protocol; the daemon closed")
        if unanswered:
            return _say(Exit.INTERNAL, f"the daemon went away with {unanswered} calls open")
        if not (self._input_ended or self._ledger.said_goodbye):
            return _say(Exit.INTERNAL, "the daemon closed the connection")
        return Exit.OK

    def _answer_the_open(self) -> int:
        with self._lock:
            unanswered = self._ledger.open_ids()
        for request_id in unanswered:
            write_all(self._stdio.stdout, self._framer.encode(went_away(request_id)))
        return len(unanswered)


def _receive(sock: socket.socket) -> bytes:
    try:
        return sock.recv(CHUNK_BYTES)
    except ConnectionError:
        return b""


def _half_close(sock: socket.socket) -> None:
    with contextlib.suppress(OSError):
        sock.shutdown(socket.SHUT_WR)


def _say(code: Exit, reason: str) -> Exit:
    sys.stderr.write(f"mnemod: {reason}\n")
    return code
