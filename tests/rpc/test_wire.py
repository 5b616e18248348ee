"""The envelope: what is a request, what is refused, and what an error looks like."""

from __future__ import annotations

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemod import errors
from mnemod.config import FRAME_BYTES_MAX
from mnemod.rpc.batch import Batch
from mnemod.rpc.wire import (
    Refused,
    Request,
    encode_error,
    encode_response,
    parse,
    result_object,
)

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def parsed(**members: object) -> Request | Refused:
    """What the ping request becomes when `members` are set in it."""
    message = parse(orjson.dumps({**PING, **members}))
    assert not isinstance(message, list)
    return message


def kind_of(message: object) -> str:
    assert isinstance(message, Refused), message
    return message.error.kind


@pytest.mark.parametrize(
    "request_id", ["a", "x" * 128, "\u00e9" * 64, 0, -1, 2**53 - 1, -(2**53 - 1)]
)
def test_an_id_is_a_short_string_or_an_integer_that_javascript_keeps(request_id: object) -> None:
    assert parsed(id=request_id) == Request("ping", {}, request_id)


@pytest.mark.parametrize(
    "request_id", [None, 1.5, 1.0, True, False, 2**53, 2**60, "", "x" * 129, "\u00e9" * 65, [], {}]
)
def test_any_other_id_is_an_invalid_request_answered_with_null(request_id: object) -> None:
    message = parsed(id=request_id)

    assert kind_of(message) == "invalid_request"
    assert isinstance(message, Refused)
    assert message.request_id is None


@pytest.mark.parametrize("version", ["1.0", 2.0, 2, None, "2", ["2.0"]])
def test_only_version_two_is_spoken_and_the_refusal_keeps_the_id(version: object) -> None:
    message = parsed(jsonrpc=version, id=7)

    assert kind_of(message) == "invalid_request"
    assert isinstance(message, Refused)
    assert message.request_id == 7


@pytest.mark.parametrize("method", [None, 1, ["ping"], {}])
def test_a_method_is_a_string(method: object) -> None:
    assert kind_of(parsed(method=method)) == "invalid_request"


def test_a_message_without_an_id_is_a_notification() -> None:
    assert parse(b'{"jsonrpc":"2.0","method":"exit"}') == Request("exit", {}, None)


def test_unknown_members_beside_the_known_ones_are_ignored() -> None:
    assert parsed(traceparent="00-1", result=3) == Request("ping", {}, 1)


@pytest.mark.parametrize("value", [b"null", b'"x"', b"1", b"true"])
def test_a_json_value_that_is_no_object_is_an_invalid_request(value: bytes) -> None:
    assert kind_of(parse(value)) == "invalid_request"


@pytest.mark.parametrize(
    "frame",
    [
        b"{",
        b"\xff\xfe",
        b'{"a":"\xff"}',
        b'{"a":"\\ud800"}',
        b'{"a":"\xed\xa0\x80"}',
        b'{"a":NaN}',
        b'{"a":Infinity}',
        b'{"a":1e999}',
        b'{"a":"\x00"}',
        b"\xef\xbb\xbf{}",
        b"[" * 10_000 + b"]" * 10_000,
        b"{} {}",
        b"",
    ],
)
def test_what_is_not_one_json_value_in_utf8_is_a_parse_error(frame: bytes) -> None:
    assert kind_of(parse(frame)) == "parse_error"


def test_a_batch_of_nothing_is_one_invalid_request() -> None:
    assert kind_of(parse(b"[]")) == "invalid_request"


def test_a_batch_refuses_its_bad_members_one_by_one() -> None:
    first, second = parse(b'[1,{"jsonrpc":"2.0","id":1,"method":"ping"}]')  # type: ignore[misc]

    assert kind_of(first) == "invalid_request"
    assert second == Request("ping", {}, 1)


def test_a_batch_over_the_limit_is_refused_whole_with_the_limits_name() -> None:
    message = parse(orjson.dumps([PING] * 101))

    assert kind_of(message) == "limit_exceeded"
    assert isinstance(message, Refused)
    assert message.error.details == {"limit": "batch_members", "max": 100}
    assert len(parse(orjson.dumps([PING] * 100))) == 100  # type: ignore[arg-type]


@given(st.binary(max_size=200))
def test_no_bytes_whatsoever_raise(frame: bytes) -> None:
    parse(frame)


@pytest.mark.parametrize("error", errors.kinds().values(), ids=errors.kinds().keys())
def test_every_error_has_code_message_kind_and_retryable(error: type[errors.MnemodError]) -> None:
    told = orjson.loads(encode_error("c1", error()))

    assert told == {
        "jsonrpc": "2.0",
        "id": "c1",
        "error": {
            "code": error.code,
            "message": error().message,
            "data": {"kind": error.kind, "retryable": error.retryable},
        },
    }


def test_an_error_may_have_a_path_details_and_an_error_id() -> None:
    conflict = orjson.loads(encode_error(None, errors.Conflict("$.a", world_revision=3)))
    internal = orjson.loads(encode_error(None, errors.Internal("er_1")))

    assert conflict["error"]["data"]["path"] == "$.a"
    assert conflict["error"]["data"]["details"] == {"world_revision": 3}
    assert internal["error"]["data"]["error_id"] == "er_1"


def test_a_reply_may_be_as_long_as_a_frame_and_not_longer() -> None:
    room = FRAME_BYTES_MAX - len(encode_response(result_object(1, "")))

    assert len(encode_response(result_object(1, "x" * room))) == FRAME_BYTES_MAX
    with pytest.raises(errors.ResultTooLarge):
        encode_response(result_object(1, "x" * (room + 1)))


def test_a_batch_whose_answers_pass_a_frame_refuses_those_that_do_not_fit() -> None:
    half = encode_response(result_object(1, "x" * (FRAME_BYTES_MAX // 2)))
    batch = Batch(3)

    assert batch.settle(1, half) is None
    assert batch.settle(2, half) is None
    frame = batch.settle(3, encode_response(result_object(3, "short")))

    assert frame is not None
    assert len(frame) <= FRAME_BYTES_MAX
    first, second, third = orjson.loads(frame)
    assert "result" in first
    assert (second["id"], second["error"]["data"]["kind"]) == (2, "result_too_large")
    assert third["result"] == "short"


def test_a_batch_of_notifications_only_has_no_answer() -> None:
    batch = Batch(2)

    assert [batch.settle(None, None), batch.settle(None, None)] == [None, None]
