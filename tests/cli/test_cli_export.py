"""`mnemod export`: all of an account, whole or not at all, and in nobody else's sight."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from mnemod.exits import Exit
from tests.cli.conftest import Run
from tests.support.fake_daemon import FakeDaemon

SUPPORT = {"evidence_id": "ev_1", "relation": "support", "start": 0, "end": 1, "quote": "猫"}


def health(evidence: int = 2) -> dict[str, Any]:
    return {"account": {"evidence": evidence, "jobs": {"done": 1}}}


def two_pages(params: dict[str, Any]) -> dict[str, Any]:
    if "cursor" in params:
        return {"evidence": [{"evidence_id": "ev_2"}]}
    return {"evidence": [{"evidence_id": "ev_1", "content": "猫"}], "next_cursor": "2"}


@pytest.fixture
def full(daemon: FakeDaemon) -> FakeDaemon:
    """A daemon with an account that holds one thing of each kind, and two messages."""
    daemon.answers |= {
        "health": health(),
        "query_evidence": two_pages,
        "query_interactions": {"turns": [{"interaction_id": "ix_1"}]},
        "query_world": {"items": [{"item_id": "it_1", "object_kind": "event"}]},
        "query_provenance": {
            "support": [{"support": SUPPORT, "evidence": {"content": "猫"}}],
            "transitions": [{"transition_id": "tr_1"}],
        },
        "query_jobs": {"jobs": [{"job_id": "jb_1"}]},
        "query_receipts": {"receipts": [{"command_id": "c1"}], "world_revision": 9},
    }
    return daemon


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_everything_comes_out_in_order_between_a_header_and_an_end(
    full: FakeDaemon, mnemod: Run
) -> None:
    header, *rows, end = lines(mnemod("export").out)

    assert header["format"] == "mnemod-export/1"
    assert (header["account"], header["world_revision"]) == ("default", 9)
    assert rows == [
        {"kind": "evidence", "row": {"evidence_id": "ev_1", "content": "猫"}},
        {"kind": "evidence", "row": {"evidence_id": "ev_2"}},
        {"kind": "turn", "row": {"interaction_id": "ix_1"}},
        {
            "kind": "item",
            "row": {"item_id": "it_1", "object_kind": "event"},
            "support": [SUPPORT],
            "transitions": [{"transition_id": "tr_1"}],
        },
        {"kind": "job", "row": {"job_id": "jb_1"}},
        {"kind": "receipt", "row": {"command_id": "c1"}},
    ]
    counts = {"evidence": 2, "turn": 1, "item": 1, "job": 1, "receipt": 1}
    assert end == {"kind": "end", "world_revision": 9, "counts": counts}


def test_the_words_of_noise_and_of_what_is_held_are_left_out_and_that_is_said(
    full: FakeDaemon, mnemod: Run
) -> None:
    full.answers |= {
        "query_evidence": {
            "evidence": [
                {
                    "evidence_id": "ev_1",
                    "outcome": "held",
                    "content": "hunter2",
                    "annotations": [{"kind": "amount", "value": "hunter2"}],
                    "gate": {"decision": "hold"},
                },
                {"evidence_id": "ev_2", "outcome": "noise", "content": "hunter2"},
                {"evidence_id": "ev_3", "outcome": "released", "content": "猫"},
            ]
        },
        "query_interactions": {
            "turns": [{"interaction_id": "ix_1", "outcome": "held", "content": "hunter2"}]
        },
    }

    ran = mnemod("export")

    _, held, noise, released, turn, *_, end = lines(ran.out)
    assert "hunter2" not in ran.out
    assert held == {
        "kind": "evidence",
        "row": {
            "evidence_id": "ev_1",
            "outcome": "held",
            "content": None,
            "annotations": [],
            "gate": {"decision": "hold"},
        },
        "left_out": "held",
    }
    assert (noise["left_out"], noise["row"]["content"]) == ("noise", None)
    assert released["row"]["content"] == "猫"
    assert (turn["left_out"], turn["row"]["content"]) == ("held", None)
    assert end["left_out"] == {"held": 1, "noise": 1}
    assert "left out the words of messages kept back by the gates: 1 noise, 1 held" in ran.err


def test_the_words_are_asked_for_as_they_are_read_on_this_machine(
    data_dir: Path, full: FakeDaemon, mnemod: Run
) -> None:
    (data_dir / "accounts" / "mia").mkdir()

    mnemod("export", "--account", "mia")

    [hello] = full.params_of("initialize")
    assert (hello["account"], hello["tier"]) == ("mia", "local")


def test_all_spans_of_an_item_come_out_over_as_many_pages_as_they_have(
    full: FakeDaemon, mnemod: Run
) -> None:
    def provenance(params: dict[str, Any]) -> dict[str, Any]:
        at = int(params.get("cursor", "0"))
        more = {"next_cursor": str(at + 1)} if at < 2 else {}
        part = {"support": {**SUPPORT, "start": at}, "evidence": {"content": "猫"}}
        return {"support": [part], "transitions": [{"transition_id": "tr_1"}], **more}

    full.answers["query_provenance"] = provenance

    (item,) = [line for line in lines(mnemod("export").out) if line["kind"] == "item"]

    assert [span["start"] for span in item["support"]] == [0, 1, 2]
    assert item["transitions"] == [{"transition_id": "tr_1"}]


def test_a_file_is_written_for_its_owner_alone_and_twice_the_same(
    full: FakeDaemon, mnemod: Run, tmp_path: Path
) -> None:
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"

    ran = mnemod("export", "-o", str(first))
    mnemod("export", "-o", str(second))

    assert (ran.code, ran.out, ran.err) == (0, "", "exported 8 lines\n")
    assert stat.S_IMODE(first.stat().st_mode) == 0o600
    assert first.read_bytes() == second.read_bytes() != b""


def test_an_account_that_changes_meanwhile_leaves_no_file_and_asks_for_another_try(
    full: FakeDaemon, mnemod: Run, tmp_path: Path
) -> None:
    counts = iter([2, 3])
    full.answers["health"] = lambda _params: health(next(counts))

    ran = mnemod("export", "-o", str(tmp_path / "a.jsonl"))

    assert ran.code == Exit.TRY_AGAIN
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_an_account_at_work_is_said_to_be_and_when_to_come_again(
    full: FakeDaemon, mnemod: Run
) -> None:
    counts = iter([health(2), {"account": {"evidence": 2, "jobs": {"pending": 3, "retry": 1}}}])
    full.answers["health"] = lambda _params: next(counts)

    ran = mnemod("export")

    assert ran.code == Exit.TRY_AGAIN
    assert "when `mnemod jobs` shows none of the 3 jobs under way" in ran.err


def test_an_export_cut_short_leaves_the_earlier_file_as_it_was(
    full: FakeDaemon, mnemod: Run, tmp_path: Path
) -> None:
    target = tmp_path / "a.jsonl"
    target.write_text("earlier")
    full.hangs_up_after = "query_world"

    ran = mnemod("export", "-o", str(target))

    assert (ran.code, target.read_text()) == (Exit.TRY_AGAIN, "earlier")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "data"]


def test_a_link_in_the_target_s_place_is_refused_and_not_followed(
    full: FakeDaemon, mnemod: Run, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere.jsonl"
    link = tmp_path / "a.jsonl"
    link.symlink_to(elsewhere)

    ran = mnemod("export", "-o", str(link))

    assert (ran.code, full.asked[1:]) == (Exit.CANNOT_CREATE, [])
    assert "is a symbolic link" in ran.err
    assert link.is_symlink()
    assert not elsewhere.exists()


def test_a_place_that_cannot_be_written_says_so(
    full: FakeDaemon, mnemod: Run, tmp_path: Path
) -> None:
    ran = mnemod("export", "-o", str(tmp_path / "nowhere" / "a.jsonl"))

    assert ran.code == Exit.CANNOT_CREATE
    assert "FileNotFoundError" in ran.err
