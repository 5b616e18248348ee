"""The proxy between a host's pipes and a daemon's socket. The daemon here is the test itself."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from mnemod.exits import Exit, Refused
from mnemod.rpc.wire import encode_response, result_object
from mnemod.transport.diversion import Stdio
from mnemod.transport.proxy import Proxy
from tests.support.rpc import Client, request

ANSWER_S = 10.0


@dataclass
class Stage:
    """A host (pipes), a proxy in a thread, and daemons (socket pairs) that the test plays."""

    daemons: list[socket.socket] = field(default_factory=list)
    code: int | None = None
    refusal: Refused | None = None

    def __post_init__(self) -> None:
        self.stdin, self.host_out = os.pipe()
        self.host_in, self.stdout = os.pipe()
        self.host = Client(self.host_in, self.host_out)
        self.attached = threading.Semaphore(0)
        self.thread = threading.Thread(target=self._run, daemon=True)

    def attach(self) -> socket.socket:
        if self.refusal:
            raise self.refusal
        ours, theirs = socket.socketpair()
        ours.settimeout(ANSWER_S)
        self.daemons.append(ours)
        self.attached.release()
        return theirs

    def start(self) -> None:
        """Start the proxy and pass by its first connection, which only proves there is a daemon."""
        self.thread.start()
        self.daemon()
        assert self.daemons[0].recv(1) == b""

    def daemon(self) -> socket.socket:
        """The daemon's end of the next connection."""
        assert self.attached.acquire(timeout=ANSWER_S)
        return self.daemons[-1]

    def end(self) -> int:
        """The proxy's exit code."""
        self.thread.join(ANSWER_S)
        assert self.code is not None
        return self.code

    def _run(self) -> None:
        self.code = Proxy(self.attach, Stdio(self.stdin, self.stdout)).run()
        os.close(self.stdout)


@pytest.fixture
def stage() -> Iterator[Stage]:
    made = Stage()
    yield made
    for sock in made.daemons:
        sock.close()
    for fd in (made.host_out, made.host_in):
        with contextlib.suppress(OSError):
            os.close(fd)


def _read_to_the_end(daemon: socket.socket) -> None:
    while daemon.recv(1_000):
        pass


def _answer(daemon: socket.socket, request_id: int) -> None:
    daemon.sendall(encode_response(result_object(request_id, {})) + b"\n")


def test_nothing_is_connected_before_the_host_speaks(stage: Stage) -> None:
    stage.start()
    assert not stage.attached.acquire(timeout=0.05)

    stage.host.send(request(1, "ping"))
    assert stage.daemon().recv(1_000) == request(1, "ping")


def test_bytes_pass_both_ways_and_the_end_is_passed_on(stage: Stage) -> None:
    stage.start()
    stage.host.send(request(1, "ping"))
    daemon = stage.daemon()
    assert daemon.recv(1_000) == request(1, "ping")

    os.close(stage.host_out)
    assert daemon.recv(1_000) == b""
    _answer(daemon, 1)
    daemon.close()

    assert stage.host.answer_to(1)["result"] == {}
    assert stage.end() == Exit.OK


def test_an_unterminated_last_line_counts_as_asked(stage: Stage) -> None:
    stage.start()
    stage.host.send(request(1, "initialize") + request(2, "ping").rstrip(b"\n"))
    os.close(stage.host_out)
    daemon = stage.daemon()
    _read_to_the_end(daemon)
    _answer(daemon, 1)
    daemon.close()

    initialized, left_open = (json.loads(line) for line in stage.host.rest().splitlines())
    assert (initialized["id"], left_open["id"]) == (1, 2)
    assert left_open["error"]["data"]["kind"] == "shutting_down"
    assert stage.end() == Exit.INTERNAL


def test_ids_left_open_by_a_bound_daemon_are_answered_and_the_exit_is_no_success(
    stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    stage.start()
    stage.host.send(request(1, "initialize"))
    daemon = stage.daemon()
    _answer(daemon, 1)
    stage.host.answer_to(1)
    daemon.recv(1_000)
    stage.host.send(request(2, "observe") + request(3, "observe"))
    daemon.recv(1_000)
    daemon.sendall(b'{"jsonrpc":"2.0","id":2,"resu')  # cut off in the middle of an answer
    daemon.close()

    first, second = (json.loads(line) for line in stage.host.rest().splitlines())
    assert (first["id"], second["id"]) == (2, 3)
    assert {first["error"]["data"]["kind"], second["error"]["data"]["kind"]} == {"shutting_down"}
    assert stage.end() == Exit.INTERNAL
    assert "2 calls open" in capsys.readouterr().err


def test_a_daemon_that_leaves_a_silent_host_is_no_success(stage: Stage) -> None:
    stage.start()
    stage.host.send(request(1, "initialize"))
    daemon = stage.daemon()
    _answer(daemon, 1)
    daemon.close()

    assert stage.end() == Exit.INTERNAL


@pytest.mark.parametrize("goodbye", ["shutdown", "exit"])
def test_a_host_that_said_goodbye_is_let_go(stage: Stage, goodbye: str) -> None:
    stage.start()
    stage.host.send(request(1, goodbye))
    daemon = stage.daemon()
    _answer(daemon, 1)
    daemon.close()

    assert stage.end() == Exit.OK


def test_a_daemon_that_left_before_its_first_answer_is_replaced(stage: Stage) -> None:
    stage.start()
    stage.host.send(request(1, "initialize"))
    stage.daemon().close()

    daemon = stage.daemon()
    assert daemon.recv(1_000) == request(1, "initialize")
    _answer(daemon, 1)
    assert stage.host.answer_to(1)["result"] == {}


def test_a_daemon_that_answered_once_is_never_replaced(stage: Stage) -> None:
    stage.start()
    stage.host.send(request(1, "initialize"))
    daemon = stage.daemon()
    _answer(daemon, 1)
    stage.host.answer_to(1)
    stage.host.send(request(2, "observe"))
    daemon.close()

    assert stage.end() == Exit.INTERNAL
    assert not stage.attached.acquire(timeout=0.01)


def test_daemons_that_fall_one_after_the_other_are_given_up(stage: Stage) -> None:
    stage.start()
    stage.host.send(request(1, "initialize"))
    for _ in range(4):
        stage.daemon().close()

    assert stage.end() == Exit.INTERNAL
    assert stage.host.answer_to(1)["error"]["data"]["retryable"] is True


def test_no_new_daemon_leaves_with_its_own_exit_code_and_answers_first(stage: Stage) -> None:
    stage.start()
    stage.host.send(request(1, "initialize"))
    daemon = stage.daemon()
    stage.refusal = Refused(Exit.TRY_AGAIN, "nobody")
    daemon.close()

    assert stage.host.answer_to(1)["error"]["data"]["kind"] == "shutting_down"
    assert stage.end() == Exit.TRY_AGAIN


def test_a_host_that_sends_nothing_ends_well(stage: Stage) -> None:
    stage.start()
    os.close(stage.host_out)

    assert stage.end() == Exit.OK


def test_header_framing_is_answered_in_headers_to_the_end(stage: Stage) -> None:
    body = request(1, "initialize").strip()
    stage.start()
    stage.host.send(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    for _ in range(4):
        stage.daemon().close()

    head, _, answer = stage.host.rest().partition(b"\r\n\r\n")
    assert head == b"Content-Length: %d" % len(answer)
    assert json.loads(answer)["id"] == 1


def test_a_host_that_stopped_reading_ends_the_proxy(stage: Stage) -> None:
    stage.start()
    os.close(stage.host_in)
    stage.host.send(request(1, "ping"))
    _answer(stage.daemon(), 1)

    assert stage.end() == Exit.IO


def test_input_that_is_no_protocol_is_no_success(stage: Stage) -> None:
    stage.start()
    stage.host.send(b"GET / HTTP/1.1\r\n\r\n")
    daemon = stage.daemon()
    daemon.sendall(b'{"jsonrpc":"2.0","id":null,"error":{}}\n')
    daemon.close()

    assert stage.host.receive()["id"] is None
    assert stage.end() == Exit.FAILED


def test_the_end_of_the_hosts_process_ends_its_input(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    host_ended = threading.Event()
    monkeypatch.setattr("mnemod.transport.host_process.is_ancestor", lambda pid: pid == 4711)
    monkeypatch.setattr(
        "mnemod.transport.host_process.wait_for_end", lambda pid: host_ended.wait(ANSWER_S)
    )
    stage.start()
    stage.host.send(request(1, "initialize", process_id=4711))
    daemon = stage.daemon()
    daemon.recv(1_000)
    _answer(daemon, 1)
    host_ended.set()

    assert daemon.recv(1) == b""
    daemon.close()
    assert stage.end() == Exit.OK
