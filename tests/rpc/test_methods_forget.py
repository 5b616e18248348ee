"""`preview_forget`, the deletes and their receipts through a real session."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from mnemod.domain.world import ItemKind
from mnemod.store import job_contexts
from mnemod.store.files import account_file
from mnemod.store.job_contexts import Shown
from tests.support import worlds
from tests.support.served import Served, serving
from tests.support.work import claim, settle_all


def cognition(item_id: str) -> dict[str, str]:
    return {"target_kind": "cognition", "target_id": item_id}


def evidence(evidence_id: str) -> dict[str, str]:
    return {"target_kind": "evidence", "target_id": evidence_id}


async def test_a_preview_tells_what_goes_and_the_deed_does_that(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        row, made = await host.fact("I keep bees")

        found = await host.call("preview_forget", **cognition(made))
        done = await host.call(
            "delete_world_item",
            command_id="c1",
            forget_scope=found["forget_scope"],
            **cognition(made),
        )

        assert [(r["object_kind"], r["reason"], r["effect"]) for r in found["items"]] == [
            ("cognition", "target", "erased"),
            ("evidence", "source", "erased"),
        ]
        assert (found["item_count"], found["evidence_ids"]) == (1, [row])
        assert done["receipt"]["affected_ids"] == [made, row]
        assert done["receipt"]["storage_cleanup"] == {"state": "complete"}
        refused = await host.refusal("query_evidence", operation="get", evidence_id=row)
        assert refused == ("already_erased", "$.evidence_id")
        turns = (await host.call("query_interactions"))["turns"]
        assert [(t["content"], t["message_id"], "erased_at" in t) for t in turns] == [
            (None, "", True)
        ]


async def test_a_preview_changes_no_byte_of_the_file(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        _, made = await host.fact("I keep bees")
        await host.account.db.checkpoint_truncate()
        file = account_file(tmp_path, host.account.account_id)
        log = file.with_name(f"{file.name}-wal")
        before = hashlib.sha256(file.read_bytes()).hexdigest(), log.stat().st_size

        await host.call("preview_forget", **cognition(made))

        assert (hashlib.sha256(file.read_bytes()).hexdigest(), log.stat().st_size) == before


async def test_the_hash_of_a_receipt_can_be_worked_out_from_what_came(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        row, _ = await host.fact("I keep bees")
        made = await host.erase("delete_evidence", command_id='löschen ☂ "1"', **evidence(row))
        (kept,) = (await host.call("query_receipts"))["receipts"]

    hashed = {k: v for k, v in made.items() if k not in ("receipt_hash", "storage_cleanup")}
    text = json.dumps(hashed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert made["receipt_hash"] == hashlib.sha256(text.encode()).hexdigest()
    assert kept == {k: v for k, v in made.items() if k != "storage_cleanup"}


async def test_the_same_command_again_gives_the_same_receipt(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        row, _ = await host.fact("I keep bees")
        scope = (await host.call("preview_forget", **evidence(row)))["forget_scope"]
        given = {"command_id": "c1", "forget_scope": scope, **evidence(row)}

        first = await host.call("delete_evidence", **given)
        second = await host.call("delete_evidence", **given)

    assert second == first


async def test_storage_cleanup_is_asked_again_by_the_command(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        row, _ = await host.fact("I keep bees")
        await host.erase("delete_evidence", **evidence(row))

        again = await host.call("retry_storage_cleanup", command_id="c1")
        refused = await host.refusal("retry_storage_cleanup", command_id="c2")

    assert again["storage_cleanup"] == {"state": "complete"}
    assert refused == ("not_found", "$.command_id")


async def test_a_batch_of_one_and_thirty_one_is_one_receipt(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        told = await host.observe(*(f"Fact {n} is kept" for n in range(32)))
        first, *more = [evidence(row["evidence_id"]) for row in told["evidence"]]

        receipt = await host.erase("delete_evidence", additional_targets=more, **first)

    assert len(receipt["affected_ids"]) == 32


async def test_a_long_preview_is_told_in_pages_under_one_token(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        told = await host.observe(*(f"Fact {n} is kept" for n in range(5)))
        first, *more = [evidence(row["evidence_id"]) for row in told["evidence"]]
        whole = await host.call("preview_forget", **first, additional_targets=more)

        page = await host.call("preview_forget", **first, additional_targets=more, limit=3)
        cursor = page["next_cursor"]
        rest = await host.call(
            "preview_forget", **first, additional_targets=more, limit=3, cursor=cursor
        )

    assert page["items"] + rest["items"] == whole["items"]
    assert "next_cursor" not in rest
    assert page["forget_scope"] == rest["forget_scope"] == whole["forget_scope"]
    assert page["evidence_count"] == rest["evidence_count"] == 5


async def test_a_cloud_counts_what_it_may_not_read(tmp_path: Path) -> None:
    async with serving(tmp_path, tier="cloud") as host:
        told = await host.observe("I keep bees", permissions={"cloud_read": False})
        row = told["evidence"][0]["evidence_id"]

        found = await host.call("preview_forget", **evidence(row))

    assert [(r["name"], r["item_id"]) for r in found["items"]] == [(None, row)]


@pytest.mark.parametrize(
    ("method", "params", "refused"),
    [
        ("preview_forget", {"target_kind": "turn"}, ("invalid_params", "$.target_kind")),
        ("preview_forget", {"conversation_id": "talk"}, ("invalid_params", "$.conversation_id")),
        ("preview_forget", {"target_id": 7}, ("invalid_params", "$.target_id")),
        ("delete_evidence", cognition("it_1"), ("invalid_params", "$.target_kind")),
        ("delete_world_item", evidence("ev_1"), ("invalid_params", "$.target_kind")),
        ("delete_evidence", {"command_id": ""}, ("invalid_params", "$.command_id")),
        ("delete_evidence", {"command_id": "c" * 129}, ("invalid_params", "$.command_id")),
        ("delete_evidence", {"forget_scope": ""}, ("invalid_params", "$.forget_scope")),
        (
            "preview_forget",
            {"additional_targets": [{**evidence("ev_2"), "why": "x"}]},
            ("invalid_params", "$.additional_targets[0].why"),
        ),
    ],
)
async def test_what_the_contract_does_not_allow_is_refused_by_its_path(
    tmp_path: Path, method: str, params: dict[str, Any], refused: tuple[str, str]
) -> None:
    command = {"command_id": "c1"} if method.startswith("delete") else {}
    async with serving(tmp_path) as host:
        assert await host.refusal(method, **{**command, **evidence("ev_1"), **params}) == refused
        assert (await host.call("query_receipts"))["receipts"] == []


# --- each error that a method lists


async def test_preview_forget_not_found(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        assert await host.refusal("preview_forget", **evidence("ev_none")) == (
            "not_found",
            "$.target_id",
        )


async def test_preview_forget_already_erased(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        row, made = await host.fact("I keep bees")
        await host.erase("delete_evidence", **evidence(row))

        answer = await host.ask("preview_forget", **cognition(made))

    assert answer["error"]["data"]["kind"] == "already_erased"
    assert answer["error"]["data"]["details"] == {"command_id": "c1"}


async def test_delete_evidence_not_found(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        _, made = await host.fact("I keep bees")
        given = {"command_id": "c1", "forget_scope": "fs1_x"}

        refused = await host.refusal("delete_evidence", **given, **evidence(made))

    assert refused == ("not_found", "$.target_id")


async def test_delete_world_item_not_found(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        row, made = await host.fact("I keep bees")
        given = {"command_id": "c1", "forget_scope": "fs1_x"}

        unknown = await host.refusal("delete_world_item", **given, **cognition(row))
        other_kind = await host.refusal(
            "delete_world_item", **given, target_kind="event", target_id=made
        )

    assert unknown == other_kind == ("not_found", "$.target_id")


async def read_by_a_worker(host: Served) -> tuple[str, str]:
    """An item, and the row of another message that is being read against it now."""
    _, made = await host.fact("I keep bees")
    await settle_all(host.account)
    other = await host.observe("I row at dawn", event="e2")
    held = await claim(host.account)
    shown = Shown(item_ids=[made])
    await host.account.db.write(lambda tx: job_contexts.record(tx, held.job_id, shown))
    return made, other["evidence"][0]["evidence_id"]


async def test_delete_world_item_formation_in_progress(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        made, _ = await read_by_a_worker(host)
        given = {"command_id": "c1", "forget_scope": "fs1_x"}

        kind, _ = await host.refusal("delete_world_item", **given, **cognition(made))

        assert kind == "formation_in_progress"
        assert (await host.call("query_world", operation="get", item_id=made))["item"]


async def test_delete_evidence_formation_in_progress(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as host:
        made, _ = await read_by_a_worker(host)
        third = (await host.observe("It rained", event="e3"))["evidence"][0]["evidence_id"]
        given = {"command_id": "c1", "forget_scope": "fs1_x"}

        kind, _ = await host.refusal(
            "delete_evidence", **given, **evidence(third), additional_targets=[cognition(made)]
        )

    assert kind == "formation_in_progress"


async def test_a_batch_that_covers_what_is_being_read_goes(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        made, other = await read_by_a_worker(host)

        receipt = await host.erase(
            "delete_world_item", additional_targets=[evidence(other)], **cognition(made)
        )

    assert receipt["result_state"] == "applied"


@pytest.mark.parametrize("method", ["preview_forget", "delete_evidence", "delete_world_item"])
@pytest.mark.parametrize("number", [32, 1])
async def test_too_many_targets_or_the_same_twice_are_refused(
    tmp_path: Path, method: str, number: int
) -> None:
    is_item = method == "delete_world_item"
    first = cognition("it_0") if is_item else evidence("ev_0")
    more = [first] if number == 1 else [{**first, "target_id": f"x_{n}"} for n in range(number)]
    command = {"command_id": "c1"} if method.startswith("delete") else {}
    async with serving(tmp_path) as host:
        refused = await host.refusal(method, **command, **first, additional_targets=more)

    assert refused == ("invalid_forget_targets", "$.additional_targets")


async def test_delete_evidence_invalid_forget_targets(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        row, _ = await host.fact("I keep bees")
        twice = [evidence(row)]

        kind, _ = await host.refusal(
            "delete_evidence", command_id="c1", **evidence(row), additional_targets=twice
        )

        assert kind == "invalid_forget_targets"
        assert (await host.call("query_receipts"))["receipts"] == []


async def test_delete_world_item_invalid_forget_targets(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        _, made = await host.fact("I keep bees")
        many = [cognition(f"it_{n}") for n in range(32)]

        answer = await host.ask(
            "delete_world_item", command_id="c1", **cognition(made), additional_targets=many
        )

    assert answer["error"]["data"]["kind"] == "invalid_forget_targets"
    assert answer["error"]["data"]["details"] == {"limit": "forget_targets", "maximum": 32}


async def test_delete_world_item_conflict(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        _, made = await host.fact("I keep bees")
        found = await host.call("preview_forget", **cognition(made))
        scope, revision = found["forget_scope"], found["world_revision"]
        given = {"command_id": "c1", "forget_scope": scope, **cognition(made)}

        answer = await host.ask("delete_world_item", expected_world_revision=revision + 6, **given)
        done = await host.call("delete_world_item", expected_world_revision=revision, **given)

    assert answer["error"]["data"]["kind"] == "conflict"
    assert answer["error"]["data"]["details"] == {"world_revision": revision}
    assert done["receipt"]["result_state"] == "applied"


async def test_delete_world_item_command_id_conflict(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        _, bees = await host.fact("I keep bees")
        _, rows = await host.fact("I row at dawn", event="e2")
        await host.erase("delete_world_item", **cognition(bees))
        scope = (await host.call("preview_forget", **cognition(rows)))["forget_scope"]

        refused = await host.refusal(
            "delete_world_item", command_id="c1", forget_scope=scope, **cognition(rows)
        )

    assert refused == ("command_id_conflict", "$.command_id")


async def test_a_person_is_forgotten_by_any_kind_that_can_be_named(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        told = await host.observe("Mira is my colleague. It rained.")
        row = told["evidence"][0]["evidence_id"]
        mira = await worlds.name(host.account, "Mira", row)
        tie = await worlds.form(
            host.account, (row, "Mira is my colleague."), kind=ItemKind.RELATIONSHIP, target=mira
        )

        receipt = await host.erase("delete_world_item", target_kind="entity", target_id=mira)
        left = await host.call("query_evidence", operation="get", evidence_id=row)

    assert set(receipt["affected_ids"]) == {mira, tie, row}
    assert left["evidence_row"]["content"] == "█" * 21 + " It rained."
