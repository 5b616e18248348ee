"""One connection, one account: no member and no id of a call ever leads into another (B125)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.bytes_on_disk import fingerprint
from tests.support.schemas import openrpc
from tests.support.served import Served, serving, serving_two

Json = dict[str, Any]

CALLED = [
    entry["name"]
    for entry in openrpc()["methods"]
    if entry["x-kind"] != "notification" and entry["name"] not in ("initialize", "daemon.stop")
]
ID = "the id of the other account's thing"
"""Stands for an id of the other account, and in the control for one that nobody has."""

ASKED: list[tuple[str, str, Json]] = [
    ("evidence", "query_evidence", {"operation": "get", "evidence_id": ID}),
    ("item", "query_world", {"operation": "get", "item_id": ID}),
    ("item", "query_world", {"operation": "history", "item_id": ID}),
    ("item", "query_provenance", {"object_kind": "cognition", "item_id": ID}),
    ("job", "query_jobs", {"operation": "get", "job_id": ID}),
    ("job", "retry_formation", {"job_id": ID, "request_id": "r1"}),
    ("item", "correct_world_item", {"command_id": "c9", "target_kind": "cognition",
                                    "target_id": ID, "correction_text": "I keep hens"}),
    ("item", "preview_forget", {"target_kind": "cognition", "target_id": ID}),
    ("evidence", "preview_forget", {"target_kind": "evidence", "target_id": ID}),
    ("item", "delete_world_item", {"command_id": "c9", "target_kind": "cognition",
                                   "target_id": ID, "forget_scope": "fs1_x"}),
    ("evidence", "delete_evidence", {"command_id": "c9", "target_kind": "evidence",
                                     "target_id": ID, "forget_scope": "fs1_x"}),
    ("command", "query_receipts", {"command_id": ID}),
    ("command", "retry_storage_cleanup", {"command_id": ID}),
]  # fmt: skip


async def _ids_of(host: Served) -> dict[str, str]:
    """Something of each kind in the host's own account."""
    told = await host.observe("I keep bees")
    _, item = await host.fact("I row at dawn", event="e2")
    gone = (await host.observe("I sail", event="e3"))["evidence"][0]["evidence_id"]
    await host.erase("delete_evidence", "theirs", target_kind="evidence", target_id=gone)
    row = told["evidence"][0]["evidence_id"]
    return {"evidence": row, "item": item, "job": told["job"]["job_id"], "command": "theirs"}


def _with(params: Json, identity: str) -> Json:
    return {name: identity if value == ID else value for name, value in params.items()}


@pytest.mark.parametrize("method", CALLED)
async def test_no_method_takes_the_name_of_an_account(tmp_path: Path, method: str) -> None:
    async with serving(tmp_path) as host:
        answer = await host.ask(method, account="a2")

    assert answer["error"]["data"]["kind"] == "invalid_params"
    assert "result" not in answer


async def test_an_id_of_another_account_is_answered_like_one_that_nobody_has(
    tmp_path: Path,
) -> None:
    async with serving_two(tmp_path) as (ours, theirs):
        ids = await _ids_of(theirs)
        foreign, unknown = [], []
        for sort, method, params in ASKED:
            foreign.append((await ours.ask(method, **_with(params, ids[sort])))["error"])
            unknown.append((await ours.ask(method, **_with(params, "nobody_has_this")))["error"])

    assert foreign == unknown
    assert {error["data"]["kind"] for error in foreign} == {"not_found"}


async def test_a_confirmation_of_one_account_erases_nothing_in_another(tmp_path: Path) -> None:
    async with serving_two(tmp_path) as (ours, theirs):
        row, _ = await theirs.fact("I row at dawn")
        target = {"target_kind": "evidence", "target_id": row}
        scope = (await theirs.call("preview_forget", **target))["forget_scope"]

        refused = await ours.refusal(
            "delete_evidence", command_id="c1", forget_scope=scope, **target
        )
        kept = await theirs.call("query_evidence", operation="get", evidence_id=row)

    assert refused == ("not_found", "$.target_id")
    assert kept["evidence_row"]["content"] == "I row at dawn"


async def test_nothing_that_is_listed_or_recalled_is_another_accounts(tmp_path: Path) -> None:
    async with serving_two(tmp_path) as (ours, theirs):
        await _ids_of(theirs)
        mine = await ours.observe("I keep bees in Tarn")

        found = [
            await ours.call("recall_preview", query="bees dawn", history="always"),
            await ours.call("query_evidence", operation="list"),
            await ours.call("query_interactions", conversation_id="talk"),
            await ours.call("query_world", operation="list"),
            await ours.call("query_jobs", operation="list"),
            await ours.call("query_receipts"),
        ]

    assert "I row at dawn" not in repr(found)
    assert "'I keep bees'" not in repr(found)
    assert found[1]["evidence"][0]["evidence_id"] == mine["evidence"][0]["evidence_id"]
    assert [len(found[at][name]) for at, name in ((1, "evidence"), (3, "items"), (4, "jobs"))] == [
        1,
        0,
        1,
    ]


async def test_forgetting_all_of_one_account_changes_no_byte_of_another(tmp_path: Path) -> None:
    # B018: forty items each, thirty-two and eight at a time.
    async with serving_two(tmp_path) as (ours, theirs):
        told = await ours.observe(*(f"I own {n} boats" for n in range(40)))
        await theirs.observe(*(f"I own {n} boats" for n in range(40)))
        rows = [
            {"target_kind": "evidence", "target_id": row["evidence_id"]} for row in told["evidence"]
        ]
        await theirs.account.db.checkpoint_truncate()
        before = _files_of(tmp_path, "a2")

        await ours.erase("delete_evidence", "c1", additional_targets=rows[1:32], **rows[0])
        await ours.erase("delete_evidence", "c2", additional_targets=rows[33:], **rows[32])

        assert (await ours.call("health"))["account"]["evidence"] == 0
        assert _files_of(tmp_path, "a2") == before


def _files_of(data_dir: Path, account: str) -> dict[str, str]:
    """The hashes of the account's own file."""
    return {
        name: digest
        for name, digest in fingerprint(data_dir).items()
        if f"/{account}" in f"/{name}" and not name.endswith(("-shm", "-wal"))
    }
