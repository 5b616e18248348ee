"""`mnemod forget`: nothing goes that was not shown, and nothing without a yes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mnemod.exits import Exit
from tests.cli.conftest import Ran, Run
from tests.support.fake_daemon import FakeDaemon, Refusal

ROWS = [
    {
        "object_kind": "cognition",
        "item_id": "it_1",
        "name": "I live in Lisbon.",
        "item_type": "attribute",
        "reason": "unsupported",
        "effect": "erased",
    },
    {
        "object_kind": "evidence",
        "item_id": "ev_1",
        "name": None,
        "item_type": "spoken",
        "reason": "target",
        "effect": "erased",
    },
    {
        "object_kind": "turn",
        "item_id": "ix_1",
        "name": "Lisbon!",
        "item_type": "assistant",
        "reason": "a_new_reason",
        "effect": "changed",
    },
]
PREVIEW = {
    "items": ROWS,
    "item_count": 1,
    "evidence_ids": ["ev_1"],
    "evidence_count": 1,
    "forget_scope": "scope-1",
    "world_revision": 4,
}
RECEIPT = {
    "command_id": "cli-1",
    "operation": "delete_evidence",
    "result_state": "applied",
    "before_revision": 4,
    "after_revision": 5,
    "affected_ids": ["it_1", "ev_1"],
    "transition_ids": [],
    "completed_at": "2031-05-04T11:45:02Z",
    "receipt_hash": "ab" * 32,
    "storage_cleanup": {"state": "complete"},
}


@pytest.fixture
def forgetting(daemon: FakeDaemon) -> FakeDaemon:
    """A daemon that previews and erases."""
    daemon.answers["preview_forget"] = PREVIEW
    daemon.answers["delete_evidence"] = {"receipt": RECEIPT}
    daemon.answers["delete_world_item"] = {"receipt": RECEIPT}
    daemon.answers["query_world"] = {"item": {"object_kind": "event"}}
    return daemon


def deeds(daemon: FakeDaemon) -> list[str]:
    return [method for method, _ in daemon.asked if method.startswith("delete_")]


def test_without_a_terminal_and_without_yes_nothing_is_erased(
    forgetting: FakeDaemon, mnemod: Run
) -> None:
    ran = mnemod("forget", "ev_1")

    assert ran.code == Exit.FAILED
    assert "nothing was erased" in ran.err
    assert deeds(forgetting) == []


def test_all_that_would_go_is_shown_with_its_reason_and_counted(
    forgetting: FakeDaemon, mnemod: Run
) -> None:
    lines = mnemod("forget", "ev_1").out.splitlines()

    assert lines == [
        "         what       why                       words",
        "goes     attribute  nothing else supports it  I live in Lisbon.",
        "goes     message    you named it              (words not shown here)",
        "changes  answer     a_new_reason              Lisbon!",
        "In all: 1 memory, 1 message, 1 other trace.",
    ]


def test_yes_erases_exactly_what_the_preview_showed(forgetting: FakeDaemon, mnemod: Run) -> None:
    ran = mnemod("forget", "ev_1", "--yes")

    assert ran.code == 0
    [command] = forgetting.params_of("delete_evidence")
    assert command.pop("command_id").startswith("cli-")
    assert command == {
        "target_kind": "evidence",
        "target_id": "ev_1",
        "forget_scope": "scope-1",
    }
    assert "result   applied, 2 ids" in ran.out
    assert "world    revision 4 -> 5" in ran.out
    assert "bytes    gone from the disk" in ran.out


def test_bytes_that_are_still_there_are_owned_up_to(forgetting: FakeDaemon, mnemod: Run) -> None:
    pending = {**RECEIPT, "storage_cleanup": {"state": "pending", "reason": "reader"}}
    forgetting.answers["delete_evidence"] = {"receipt": pending}

    out = mnemod("forget", "ev_1", "--yes").out

    assert "still in the log file" in out
    assert """mnemod rpc retry_storage_cleanup '{"command_id":"cli-1"}'""" in out


def test_the_first_target_decides_the_method_and_the_others_ride_along(
    forgetting: FakeDaemon, mnemod: Run
) -> None:
    mnemod("forget", "it_1", "ev_1", "--yes")

    assert deeds(forgetting) == ["delete_world_item"]
    [previewed] = forgetting.params_of("preview_forget")
    assert previewed == {
        "target_kind": "event",
        "target_id": "it_1",
        "additional_targets": [{"target_kind": "evidence", "target_id": "ev_1"}],
    }


def test_json_alone_is_the_preview_and_erases_nothing(forgetting: FakeDaemon, mnemod: Run) -> None:
    ran = mnemod("forget", "ev_1", "--json")

    assert (ran.code, json.loads(ran.out)) == (0, PREVIEW)
    assert deeds(forgetting) == []


def test_a_token_from_a_preview_seen_before_is_passed_on_as_it_is(
    forgetting: FakeDaemon, mnemod: Run
) -> None:
    ran = mnemod("forget", "ev_1", "--yes", "--token", "scope-0", "--json")

    assert forgetting.params_of("preview_forget") == []
    assert forgetting.params_of("delete_evidence")[0]["forget_scope"] == "scope-0"
    assert json.loads(ran.out) == {"receipt": RECEIPT}


def test_a_token_needs_a_yes(forgetting: FakeDaemon, mnemod: Run) -> None:
    assert mnemod("forget", "ev_1", "--token", "scope-0").code == Exit.USAGE
    assert forgetting.asked == []


def refused(forgetting: FakeDaemon, mnemod: Run, kind: str, *, retryable: bool) -> Ran:
    def refuse(_params: dict[str, Any]) -> None:
        raise Refusal(kind, retryable=retryable)

    forgetting.answers["delete_evidence"] = refuse
    return mnemod("forget", "ev_1", "--yes")


def test_a_scope_that_changed_is_told_and_not_previewed_again_behind_your_back(
    forgetting: FakeDaemon, mnemod: Run
) -> None:
    ran = refused(forgetting, mnemod, "forget_scope_changed", retryable=False)

    assert (ran.code, len(forgetting.params_of("preview_forget"))) == (Exit.FAILED, 1)
    assert "forget_scope_changed" in ran.err


def test_work_in_progress_means_try_again(forgetting: FakeDaemon, mnemod: Run) -> None:
    ran = refused(forgetting, mnemod, "formation_in_progress", retryable=True)

    assert ran.code == Exit.TRY_AGAIN


def test_a_rejected_command_is_a_failure(forgetting: FakeDaemon, mnemod: Run) -> None:
    forgetting.answers["delete_evidence"] = {"receipt": {**RECEIPT, "result_state": "rejected"}}

    assert mnemod("forget", "ev_1", "--yes").code == Exit.FAILED


def test_an_id_of_no_kind_is_a_usage_error(forgetting: FakeDaemon, mnemod: Run) -> None:
    assert mnemod("forget", "jb_1", "--yes").code == Exit.USAGE
    assert deeds(forgetting) == []
