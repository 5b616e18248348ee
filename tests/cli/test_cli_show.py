"""`mnemod show` and `mnemod jobs`: what a thing is made of, and where work stands."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mnemod.commands import jobs
from mnemod.exits import Exit
from mnemod.store.jobs import JobState
from tests.cli.conftest import Run
from tests.support.fake_daemon import FakeDaemon

EVIDENCE = {
    "evidence_id": "ev_1",
    "source_kind": "spoken",
    "conversation_id": "c1",
    "message_id": "m1",
    "content": "Well. I live in Lisbon now.",
    "said_at": "2031-05-04T20:45:00+09:00",
    "recorded_at": "2031-05-04T11:45:01Z",
    "outcome": "eligible",
    "trust": 1.0,
    "permissions": {"local_read": True, "cloud_read": False, "inference": True},
}
ITEM = {
    "item_id": "it_2",
    "object_kind": "cognition",
    "layer": "fact",
    "text": "I live in Lisbon now.",
    "state": "current",
    "statement_kind": "attribute",
    "formed_by": "stated",
    "confidence": 600,
    "trust": 1.0,
    "recorded_at": "2031-05-04T11:45:02Z",
    "archived": False,
    "muted": True,
    "pinned": False,
}
JOB = {
    "job_id": "jb_1",
    "kind": "formation",
    "state": "retry",
    "reason": "provider_error",
    "attempts": 2,
    "next_attempt_at": "2031-05-04T11:46:00Z",
    "last_error": "timeout",
    "evidence_ids": ["ev_1"],
    "item_ids": [],
    "created_at": "2031-05-04T11:45:01Z",
}
COUNTS = {"pending": 0, "retry": 1, "done": 4}


def step(prior: str, successor: str | None, kind: str = "supersedes") -> dict[str, Any]:
    ends = {"successor_item_id": successor} if successor else {}
    return {"kind": kind, "prior_item_id": prior, "at": "2031-05-04T11:45:02Z", **ends}


def with_item(daemon: FakeDaemon, *transitions: dict[str, Any], content: str | None = "") -> None:
    evidence = {**EVIDENCE, "content": EVIDENCE["content"] if content == "" else content}
    span = {"evidence_id": "ev_1", "relation": "support", "start": 6, "end": 27, "quote": "…"}
    older = {**ITEM, "item_id": "it_1", "text": "I live in Porto."}
    newer = {**ITEM, "item_id": "it_3", "text": "I live in Faro."}
    daemon.answers["query_world"] = {"items": [older, ITEM, newer], "transitions": []}
    daemon.answers["query_provenance"] = {
        "item": ITEM,
        "support": [{"support": span, "evidence": evidence}],
        "transitions": list(transitions),
        "successor_provenance": [],
    }


def test_a_memory_is_underlined_in_the_whole_message_it_comes_from(
    daemon: FakeDaemon, mnemod: Run
) -> None:
    with_item(daemon)

    out = mnemod("show", "it_2").out

    assert "from ev_1, said by the owner, 2031-05-04 20:45:00 +09:00\n" in out
    assert "  Well. I live in Lisbon now.\n        ^^^^^^^^^^^^^^^^^^^^^\n" in out
    assert "attribute, stated, layer fact" in out
    assert "marked      muted" in out
    assert daemon.params_of("query_provenance") == [{"object_kind": "cognition", "item_id": "it_2"}]


def test_what_a_memory_replaced_and_what_replaced_it_are_told_in_words(
    daemon: FakeDaemon, mnemod: Run
) -> None:
    with_item(daemon, step("it_1", "it_2"), step("it_2", "it_3", "corrects"))

    out = mnemod("show", "it_2").out

    assert "replaced (supersedes): I live in Porto." in out
    assert "gave way (corrects) to: I live in Faro." in out


def test_a_memory_that_ended_without_a_successor_says_so(daemon: FakeDaemon, mnemod: Run) -> None:
    with_item(daemon, step("it_2", None, "retracts"))

    assert "ended (retracts) 2031-05-04 11:45:02 Z" in mnemod("show", "it_2").out


def test_words_that_may_not_be_shown_are_not_made_up(daemon: FakeDaemon, mnemod: Run) -> None:
    with_item(daemon, content=None)

    assert "The words may not be shown here." in mnemod("show", "it_2").out


def test_a_message_is_shown_whole_with_what_it_allows(daemon: FakeDaemon, mnemod: Run) -> None:
    daemon.answers["query_evidence"] = {"evidence_row": EVIDENCE}

    out = mnemod("show", "ev_1").out

    assert out.startswith("  Well. I live in Lisbon now.\n")
    assert "allows        local read, inference\n" in out


def test_a_message_that_is_kept_back_says_by_which_rule_and_where(
    daemon: FakeDaemon, mnemod: Run
) -> None:
    gate = {"decision": "hold", "detector": "role", "reason": "claim", "start": 0, "end": 4}
    held = {**EVIDENCE, "outcome": "held", "gate": {**gate, "rules_version": 1}}
    daemon.answers["query_evidence"] = {"evidence_row": held}

    out = mnemod("show", "ev_1").out

    assert out.splitlines()[1].strip() == "^^^^"
    assert "gates         hold (role claim)\n" in out
    assert "kept back     from recall and memories, until it is released\n" in out


def test_a_job_is_shown_with_its_reason(daemon: FakeDaemon, mnemod: Run) -> None:
    daemon.answers["query_jobs"] = {"job": JOB}

    out = mnemod("show", "jb_1").out

    assert "reason        provider_error\n" in out
    assert "next attempt  2031-05-04 11:46:00 Z\n" in out


@pytest.mark.parametrize(
    ("shown", "method"),
    [("it_2", "query_provenance"), ("ev_1", "query_evidence"), ("jb_1", "query_jobs")],
)
def test_json_is_the_result_as_it_came(
    daemon: FakeDaemon, mnemod: Run, shown: str, method: str
) -> None:
    with_item(daemon)
    daemon.answers["query_evidence"] = {"evidence_row": EVIDENCE}
    daemon.answers["query_jobs"] = {"job": JOB}

    assert json.loads(mnemod("show", shown, "--json").out) == daemon.answers[method]


def test_an_id_of_no_kind_is_a_usage_error(daemon: FakeDaemon, mnemod: Run) -> None:
    assert mnemod("show", "xx_1").code == Exit.USAGE
    assert daemon.asked == []


def test_jobs_are_listed_with_why_they_wait_and_how_many_there_are(
    daemon: FakeDaemon, mnemod: Run
) -> None:
    worker = {"state": "stopped", "reason": "interpreter_none"}
    daemon.answers["query_jobs"] = {"jobs": [JOB], "worker": worker, "counts": COUNTS}

    ran = mnemod("jobs", "--state", "retry", "--limit", "7")

    lines = ran.out.splitlines()
    assert lines[1] == "2031-05-04 11:45:01 Z  retry  2      jb_1"
    assert [line.strip() for line in lines[2:4]] == ["provider error", "timeout"]
    assert lines[4] == "worker stopped (interpreter_none); in all: 1 retry, 4 done"
    assert daemon.params_of("query_jobs") == [{"operation": "list", "limit": 7, "state": "retry"}]


def test_the_states_to_choose_from_are_those_a_job_can_have() -> None:
    assert list(jobs.STATES) == [state.value for state in JobState]


def test_no_jobs_is_said(daemon: FakeDaemon, mnemod: Run) -> None:
    daemon.answers["query_jobs"] = {"jobs": [], "worker": {"state": "idle"}, "counts": {}}

    assert mnemod("jobs").out == "No jobs.\nworker idle; in all: none\n"


def test_a_limit_out_of_range_is_a_usage_error(daemon: FakeDaemon, mnemod: Run) -> None:
    assert mnemod("jobs", "--limit", "0").code == Exit.USAGE
    assert daemon.asked == []


def test_watching_shows_each_change_until_the_daemon_leaves(
    daemon: FakeDaemon, mnemod: Run
) -> None:
    done = {**JOB, "state": "done", "completed_at": "2031-05-04T11:47:00Z"}
    daemon.answers["subscribe"] = {"subscription_id": "s1", "cursor": "0"}
    daemon.answers["query_jobs"] = {"jobs": [], "worker": {"state": "idle"}, "counts": {}}
    daemon.notices = [
        {"method": "job_changed", "params": {"subscription_id": "s1", "seq": 1, "job": done}},
        {"method": "subscription_lagged", "params": {"subscription_id": "s1", "dropped": 2}},
    ]
    daemon.hangs_up_after = "query_jobs"

    ran = mnemod("jobs", "--watch")

    assert [method for method, _ in daemon.asked] == ["initialize", "subscribe", "query_jobs"]
    assert ran.out.splitlines()[2:] == [
        "2031-05-04 11:47:00 Z  done  jb_1  provider error  timeout",
        "2 changes went by unseen",
    ]
    assert ran.code == Exit.TRY_AGAIN
