"""JSON-RPC 2.0 messages as bytes: what a frame asks, and how an answer is written.

    request       {"jsonrpc":"2.0", "id":ID, "method":"...", "params":{...}?}
    notification  the same without `id`: it is never answered
    batch         an array of 1 to BATCH_MEMBERS_MAX of both
    ID            a string of 1 to 128 bytes, or an integer within 2^53-1 (what JavaScript keeps)
    error         {"code", "message", "data":{"kind","retryable","path"?,"details"?,"error_id"?}}

Other top-level members are ignored, as in LSP. orjson refuses invalid UTF-8, lone surrogates, NaN
and numbers beyond a double, so nothing here has to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeGuard

import orjson
from msgspec import Struct

from mnemod.config import (
    BATCH_MEMBERS_MAX,
    FRAME_BYTES_MAX,
    REQUEST_ID_BYTES_MAX,
    REQUEST_ID_INT_MAX,
)
from mnemod.errors import (
    Internal,
    InvalidRequest,
    LimitExceeded,
    MnemodError,
    ParseError,
    ResultTooLarge,
)

RequestId = str | int


class Request(Struct, frozen=True):
    """A request, or a notification if `request_id` is None. `params` are as sent, else `{}`."""

    method: str
    params: object
    request_id: RequestId | None


class Refused(Struct, frozen=True):
    """A message that is not a request, and why. `request_id` is None if none could be read."""

    error: MnemodError
    request_id: RequestId | None = None


Message = Request | Refused


def parse(frame: bytes) -> Message | list[Message]:
    """What one frame asks; a list for a batch, in the order of its members."""
    try:
        value = orjson.loads(frame)
    except orjson.JSONDecodeError:
        return Refused(ParseError())
    if not isinstance(value, list):
        return _message(value)
    if not value:
        return Refused(InvalidRequest())
    if len(value) > BATCH_MEMBERS_MAX:
        return Refused(LimitExceeded(limit="batch_members", max=BATCH_MEMBERS_MAX))
    return [_message(member) for member in value]


def is_request_id(value: object) -> TypeGuard[RequestId]:
    """Whether `value` may name a request or a progress token."""
    if isinstance(value, str):
        return len(value) > 0 and len(value.encode()) <= REQUEST_ID_BYTES_MAX
    return (
        isinstance(value, int)
        and not isinstance(value, bool)
        and -REQUEST_ID_INT_MAX <= value <= REQUEST_ID_INT_MAX
    )


def result_object(request_id: RequestId, result: object) -> dict[str, object]:
    """The answer of a call that went well."""
    return {"jsonrpc": "2.0", "id": request_id, "result": result}


def encode_response(response: Mapping[str, object]) -> bytes:
    """A response object as one frame. Raises ResultTooLarge, and TypeError if it is not JSON."""
    frame = orjson.dumps(response)
    if len(frame) > FRAME_BYTES_MAX:
        raise ResultTooLarge(limit="frame_bytes", max=FRAME_BYTES_MAX)
    return frame


def encode_error(request_id: RequestId | None, error: MnemodError) -> bytes:
    """The answer of a call that was refused; `request_id` is None if it had no readable id."""
    body = {"code": error.code, "message": error.message, "data": error_data(error)}
    return orjson.dumps({"jsonrpc": "2.0", "id": request_id, "error": body})


def encode_notification(method: str, params: Mapping[str, object]) -> bytes:
    """A message from the daemon that wants no answer."""
    return orjson.dumps({"jsonrpc": "2.0", "method": method, "params": params})


def encode_batch(answers: Iterable[bytes]) -> bytes:
    """The answers of a batch as one frame."""
    return b"[" + b",".join(answers) + b"]"


def error_data(error: MnemodError) -> dict[str, object]:
    """The member `data` of an error: what clients switch on."""
    data: dict[str, object] = {"kind": error.kind, "retryable": error.retryable}
    if error.path is not None:
        data["path"] = error.path
    if error.details:
        data["details"] = error.details
    if isinstance(error, Internal) and error.error_id:
        data["error_id"] = error.error_id
    return data


def _message(value: object) -> Message:
    if not isinstance(value, dict):
        return Refused(InvalidRequest())
    request_id = value.get("id")
    if not is_request_id(request_id):
        if "id" in value:
            return Refused(InvalidRequest("$.id"))
        request_id = None
    method = value.get("method")
    if value.get("jsonrpc") != "2.0":
        return Refused(InvalidRequest("$.jsonrpc"), request_id)
    if not isinstance(method, str):
        return Refused(InvalidRequest("$.method"), request_id)
    return Request(method, value.get("params", {}), request_id)
