"""What the proxy keeps of the messages that pass through it."""

from __future__ import annotations

import json

import pytest

from mnemod.errors import Busy
from mnemod.rpc.wire import encode_batch, encode_error, encode_response, result_object
from mnemod.transport.ledger import Ledger, went_away
from tests.support.rpc import notification, request


@pytest.fixture
def ledger() -> Ledger:
    return Ledger()


def test_an_id_is_open_until_it_is_answered(ledger: Ledger) -> None:
    ledger.asked(request(1, "ping"))
    ledger.asked(request("two", "ping"))
    ledger.answered(encode_response(result_object(1, {"id": "two"})))

    assert ledger.open_ids() == ["two"]


@pytest.mark.parametrize("request_id", [7, -7, "seven", '7"\\', "x" * 128, "\x00" * 128])
def test_the_id_is_found_after_the_result_too(ledger: Ledger, request_id: object) -> None:
    ledger.asked(request(request_id, "observe"))
    ledger.asked(request(1, "observe"))
    ledger.answered(json.dumps({"jsonrpc": "2.0", "result": {"id": 1}, "id": request_id}).encode())

    assert ledger.open_ids() == [1]


def test_an_error_answers_too(ledger: Ledger) -> None:
    ledger.asked(request('ü\n"', "observe"))
    ledger.answered(encode_error('ü\n"', Busy()))

    assert ledger.open_ids() == []


def test_every_member_of_a_batch_is_open_until_its_array_comes(ledger: Ledger) -> None:
    ledger.asked(json.dumps([{"id": n, "method": "ping"} for n in (1, 2, 3)]).encode())
    ledger.answered(encode_batch(encode_response(result_object(n, {})) for n in (1, 3)))

    assert ledger.open_ids() == [2]


@pytest.mark.parametrize(
    "frame",
    [
        notification("exit"),
        b'{"id":null,"method":"ping"}',
        b'{"id":1.5,"method":"ping"}',
        b'{"id":true,"method":"ping"}',
        b'{"id":"","method":"ping"}',
        b'{"id":9007199254740992,"method":"ping"}',
        b'{"id":"' + b"x" * 129 + b'","method":"ping"}',
        b'{"id":1,"method":"ping"',
        b'{"id":1,"x":NaN}',
        b"[1]",
        b"7",
        b"[" * 100_000,
        b'{"id":"\xff"}',
        json.dumps([{"id": n, "method": "ping"} for n in range(101)]).encode(),
    ],
)
def test_what_is_answered_with_no_id_is_not_waited_for(ledger: Ledger, frame: bytes) -> None:
    ledger.asked(frame)

    assert ledger.open_ids() == []


def test_a_result_that_looks_like_an_answer_answers_nothing_else(ledger: Ledger) -> None:
    ledger.asked(request(1, "ping"))
    ledger.asked(request(2, "ping"))
    ledger.answered(encode_response(result_object(2, {"jsonrpc": "2.0", "id": 1})))

    assert ledger.open_ids() == [1]


def test_a_notification_of_the_daemon_answers_nothing(ledger: Ledger) -> None:
    ledger.asked(request(1, "ping"))
    ledger.answered(notification("job_changed", id=1))

    assert ledger.open_ids() == [1]


def test_initialize_tells_the_hosts_process(ledger: Ledger) -> None:
    ledger.asked(request(1, "initialize", process_id=4711))

    assert ledger.process_id == 4711


def test_a_second_initialize_names_no_other_process(ledger: Ledger) -> None:
    ledger.asked(request(1, "initialize"))
    ledger.asked(request(2, "initialize", process_id=4711))

    assert (ledger.initialized, ledger.process_id) == (True, None)


@pytest.mark.parametrize("method", ["shutdown", "exit"])
def test_a_goodbye_is_remembered(ledger: Ledger, method: str) -> None:
    assert not ledger.said_goodbye
    ledger.asked(request(1, method))
    assert ledger.said_goodbye


def test_the_answer_in_the_daemons_place_can_be_retried(ledger: Ledger) -> None:
    answer = json.loads(went_away("ü"))

    assert answer["id"] == "ü"
    assert answer["error"]["code"] == 1031
    assert answer["error"]["data"] == {"kind": "shutting_down", "retryable": True}
