"""The checker that every RPC-level test leans on sees what is wrong with a reply."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mnemod.errors import NotFound
from tests.support.replies import (
    check_any_error,
    check_error,
    check_notification,
    check_response,
    check_result,
)
from tests.support.schemas import SCHEMA_FOLDER, openrpc

RESULTS = sorted(SCHEMA_FOLDER.glob("samples/*Result/valid/fullest.json"))
METHOD_OF = {
    method["result"]["schema"]["$ref"].rpartition("/")[2]: method["name"]
    for method in openrpc()["methods"]
    if "result" in method
}
RETRY: dict[str, Any] = {"storage_cleanup": {"state": "complete"}, "world_revision": 3}


def error(**changes: Any) -> dict[str, Any]:
    """The `not_found` that a method may answer with."""
    data = {"kind": "not_found", "retryable": False, "path": "$.command_id"}
    return {"code": 1024, "message": NotFound().message, "data": data, **changes}


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.parts[-3])
def test_a_right_result_passes(path: Path) -> None:
    check_result(METHOD_OF[path.parts[-3]], json.loads(path.read_text("utf-8")))


@pytest.mark.parametrize(
    ("result", "fault"),
    [
        ({**RETRY, "world_revison": 3}, "'world_revison' was unexpected"),
        ({**RETRY, "storage_cleanup": {"state": "complete", "why": "x"}}, "'why' was unexpected"),
        ({"world_revision": 3}, "'storage_cleanup' is a required property"),
        ({**RETRY, "world_revision": "3"}, "wanted 'integer', got str"),
        ({**RETRY, "world_revision": None}, "wanted 'integer', got NoneType"),
        ({**RETRY, "storage_cleanup": {"state": "done"}}, "breaks enum"),
    ],
)
def test_a_wrong_result_fails_and_says_where(result: dict[str, Any], fault: str) -> None:
    with pytest.raises(AssertionError, match="retry_storage_cleanup") as failed:
        check_result("retry_storage_cleanup", result)

    assert fault in str(failed.value)


def test_a_failure_does_not_quote_the_value() -> None:
    with pytest.raises(AssertionError) as failed:
        check_result("retry_storage_cleanup", {**RETRY, "world_revision": "I keep bees."})

    assert "bees" not in str(failed.value)


def test_a_result_of_any_members_passes_where_the_contract_is_free() -> None:
    check_result("rpc.discover", {"openrpc": "1.4.1", "methods": []})


def test_a_method_that_is_not_in_the_contract_fails() -> None:
    with pytest.raises(AssertionError, match="the contract has no method retry_cleanup"):
        check_result("retry_cleanup", RETRY)


def test_an_error_that_the_method_lists_passes() -> None:
    check_error("retry_storage_cleanup", error())


@pytest.mark.parametrize(
    ("name", "wrong", "fault"),
    [
        ("subscribe", error(), "answers with not_found, which it does not list"),
        ("retry_storage_cleanup", error(code=1025), "is not as errors.json has it"),
        ("retry_storage_cleanup", error(message="No."), "is not as errors.json has it"),
        ("retry_storage_cleanup", error(data={"kind": "not_found"}), "is not as errors.json has"),
        ("retry_storage_cleanup", error(data={}), "answers with None"),
        (
            "retry_storage_cleanup",
            error(data={"kind": "not_found", "retryable": False, "trace": "x"}),
            "says more than it may",
        ),
    ],
)
def test_a_wrong_error_fails(name: str, wrong: dict[str, Any], fault: str) -> None:
    with pytest.raises(AssertionError, match=fault):
        check_error(name, wrong)


def test_an_error_of_no_method_is_checked_against_the_table() -> None:
    check_any_error(error())
    with pytest.raises(AssertionError, match="unknown kind lost"):
        check_any_error(error(data={"kind": "lost", "retryable": False}))


def test_a_notification_of_the_daemon_is_checked() -> None:
    check_notification("subscription_lagged", {"subscription_id": "sub-1", "dropped": 4})
    with pytest.raises(AssertionError, match="'dropped' is a required property"):
        check_notification("subscription_lagged", {"subscription_id": "sub-1"})


def test_a_response_holds_a_result_or_an_error_and_never_both() -> None:
    head = {"jsonrpc": "2.0", "id": 1}

    check_response("retry_storage_cleanup", {**head, "result": RETRY})
    check_response("retry_storage_cleanup", {**head, "error": error()})
    with pytest.raises(AssertionError, match="not a response"):
        check_response("retry_storage_cleanup", {**head, "result": RETRY, "error": error()})
