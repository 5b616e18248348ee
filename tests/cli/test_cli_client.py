"""The client of the commands: whose answer is whose, and how each failure ends a command."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator

import pytest

from mnemod.exits import Exit, Refused
from mnemod.transport.client import PIPELINED, CallRefused, Client, Lost
from tests.support.fake_daemon import FakeDaemon, Refusal

Lines = Iterator[bytes]
Served = Callable[[Callable[[socket.socket, Lines], None]], Client]


@pytest.fixture
def served() -> Iterator[Served]:
    """A client whose other end is this function, run in a thread."""
    threads: list[threading.Thread] = []
    clients: list[Client] = []

    def serve(behave: Callable[[socket.socket, Lines], None]) -> Client:
        ours, theirs = socket.socketpair()

        def run() -> None:
            with theirs, theirs.makefile("rb") as lines:
                behave(theirs, lines)

        threads.append(threading.Thread(target=run))
        threads[-1].start()
        clients.append(Client.over(ours))
        return clients[-1]

    yield serve
    for client in clients:
        client.close()
    for thread in threads:
        thread.join()


def answering(daemon: FakeDaemon) -> Callable[[socket.socket, Lines], None]:
    return lambda sock, _lines: daemon.serve(sock)


def refusing(kind: str, *, retryable: bool = False) -> FakeDaemon:
    def refuse(_params: dict[str, object]) -> None:
        raise Refusal(kind, retryable=retryable, limit=5)

    return FakeDaemon({"observe": refuse})


def test_a_call_gets_its_answer_and_keeps_the_notices_that_came_before_it(served: Served) -> None:
    daemon = FakeDaemon({"ping": {"pong": 1}})
    daemon.notices = [{"method": "job_changed", "params": {"seq": 1}}]
    client = served(answering(daemon))

    assert client.call("ping", {}) == {"pong": 1}
    assert client.next_notice(0.0) == {"method": "job_changed", "params": {"seq": 1}}


def test_no_notice_within_its_time_is_none(served: Served) -> None:
    client = served(answering(FakeDaemon({"ping": {}})))

    assert client.next_notice(0.0) is None


def test_answers_that_come_in_another_order_are_given_in_the_order_of_the_calls(
    served: Served,
) -> None:
    def hold_back_a_full_pipeline(sock: socket.socket, lines: Lines) -> None:
        # Answers nothing until as many calls as may be under way are there: one call at a time
        # would wait for ever.
        ids = [json.loads(next(lines))["id"] for _ in range(PIPELINED)]
        answers = ({"id": call_id, "result": {"n": call_id}} for call_id in reversed(ids))
        sock.sendall(b"".join(json.dumps(answer).encode() + b"\n" for answer in answers))

    client = served(hold_back_a_full_pipeline)

    results = list(client.calls((("ping", {}) for _ in range(PIPELINED)), within_s=5.0))

    assert [result["n"] for result in results] == list(range(1, PIPELINED + 1))


def test_an_answer_in_pieces_is_put_together(served: Served) -> None:
    def dribble(sock: socket.socket, lines: Lines) -> None:
        call_id = json.loads(next(lines))["id"]
        text = json.dumps({"id": call_id, "result": {"text": "é" * 100}}).encode() + b"\n"
        sock.sendall(text[:7])
        sock.sendall(text[7:])

    assert served(dribble).call("ping", {}) == {"text": "é" * 100}


@pytest.mark.parametrize(
    ("kind", "retryable", "code"),
    [
        ("overloaded", True, Exit.TRY_AGAIN),
        ("forget_scope_changed", False, Exit.FAILED),
        ("invalid_params", False, Exit.USAGE),
    ],
)
def test_a_refusal_tells_its_kind_and_how_the_command_ends(
    served: Served, kind: str, retryable: bool, code: Exit
) -> None:
    client = served(answering(refusing(kind, retryable=retryable)))

    with pytest.raises(CallRefused) as refused:
        client.call("observe", {})

    assert (refused.value.kind, refused.value.code) == (kind, code)
    assert refused.value.reason == f"It was refused. ({kind}, limit 5)"


def test_a_daemon_that_goes_away_is_lost_and_worth_another_try(served: Served) -> None:
    client = served(lambda _sock, lines: next(lines) and None)

    with pytest.raises(Lost) as lost:
        client.call("ping", {})

    assert lost.value.code == Exit.TRY_AGAIN


def test_a_daemon_that_takes_too_long_ends_the_command_with_try_again(served: Served) -> None:
    client = served(lambda _sock, lines: [*lines] and None)

    with pytest.raises(Refused) as refused:
        client.call("ping", {}, within_s=0.01)

    assert refused.value.code == Exit.TRY_AGAIN


def test_an_error_that_names_no_call_ends_the_one_that_waits(served: Served) -> None:
    def misunderstand(sock: socket.socket, lines: Lines) -> None:
        next(lines)
        error = {"code": -32700, "message": "Not JSON.", "data": {"kind": "parse_error"}}
        sock.sendall(json.dumps({"id": None, "error": error}).encode() + b"\n")

    with pytest.raises(CallRefused) as refused:
        served(misunderstand).call("ping", {})

    assert refused.value.kind == "parse_error"


def test_closing_twice_closes_once() -> None:
    closed: list[str] = []
    client = Client(0, 0, lambda: closed.append("closed"))

    client.close()
    client.close()

    assert closed == ["closed"]
