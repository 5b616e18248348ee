"""Checks that what the daemon says is what the contract says it may say.

Every RPC-level test sends its replies through here. On the wire results are open; here they are
closed, so a misspelt member fails a test instead of being ignored by every client.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tests.support.schemas import method, openrpc, validator

_DATA_MEMBERS: Final = {"kind", "retryable", "path", "details", "error_id"}


def check_response(name: str, response: Mapping[str, Any]) -> None:
    """A whole JSON-RPC response object to a call of the method `name`."""
    assert response.keys() in ({"jsonrpc", "id", "result"}, {"jsonrpc", "id", "error"}), (
        f"{name}: not a response: {sorted(response)}"
    )
    assert response["jsonrpc"] == "2.0"
    if "result" in response:
        check_result(name, response["result"])
    else:
        check_error(name, response["error"])


def check_result(name: str, result: object) -> None:
    """A result of the method `name`: every member known, typed and none missing."""
    _check(name, "result", _type_of(method(name)["result"]["schema"]), result)


def check_notification(name: str, params: object) -> None:
    """The params of a notification that the daemon sends."""
    assert method(name)["x-direction"] == "to_client", f"{name}: not the daemon's to send"
    _check(name, "params", _type_of(method(name)["x-params"]), params)


def check_error(name: str, error: Mapping[str, Any]) -> None:
    """An error of the method `name`: one it lists, with that kind's code, message and retryable."""
    kind = error.get("data", {}).get("kind")
    listed = {_last(entry["$ref"]) for entry in method(name)["errors"]}
    assert kind in listed, f"{name}: answers with {kind}, which it does not list"
    _check_against_table(name, kind, error)


def check_any_error(error: Mapping[str, Any]) -> None:
    """An error that no method gave: of the frame, the envelope or a method that is not there."""
    kind = error.get("data", {}).get("kind")
    assert kind in openrpc()["components"]["errors"], f"unknown kind {kind}"
    _check_against_table("no method", kind, error)


def _check_against_table(name: str, kind: str, error: Mapping[str, Any]) -> None:
    wanted = openrpc()["components"]["errors"][kind]
    said = {
        "code": error.get("code"),
        "message": error.get("message"),
        "data": {part: error["data"].get(part) for part in ("kind", "retryable")},
    }
    assert said == wanted, f"{name}: {kind} is not as errors.json has it"
    assert error.keys() == {"code", "message", "data"}
    assert error["data"].keys() <= _DATA_MEMBERS, f"{name}: {kind} says more than it may"


def _check(name: str, what: str, type_name: str, value: object) -> None:
    # Where and by which rule, not the value itself: a test's log is no place for a conversation.
    faults = [
        f"{error.json_path} breaks {error.validator}: {_shape(error)}"
        for error in validator(type_name, closed=True).iter_errors(value)
    ]
    assert not faults, f"{name}: the {what} is not a {type_name}:\n" + "\n".join(faults)


def _shape(error: Any) -> str:
    if error.validator in {"required", "additionalProperties"}:
        return str(error.message)
    return f"wanted {error.validator_value!r}, got {type(error.instance).__name__}"


def _type_of(schema: Mapping[str, str]) -> str:
    return _last(schema["$ref"])


def _last(ref: str) -> str:
    return ref.rpartition("/")[2]
