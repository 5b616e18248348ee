"""`correct_world_item`, `query_world`, `query_provenance`, `query_receipts` and `check_account`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mnemod.config import PAGE_MAX
from mnemod.ids import EvidenceId
from tests.support import worlds
from tests.support.rules import judge_by, passing
from tests.support.served import Json, Served, serving


def correction(item_id: str, text: str = "I train on Fridays", **members: object) -> dict[str, Any]:
    return {
        "command_id": "c1",
        "target_kind": "cognition",
        "target_id": item_id,
        "correction_text": text,
        **members,
    }


async def corrected(host: Served) -> tuple[str, Json]:
    """A fact that was put right, and the receipt."""
    _, old = await host.fact("I train on Wednesdays")
    return old, (await host.call("correct_world_item", **correction(old)))["receipt"]


async def test_a_correction_leaves_history_and_explains_both_sides(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        old, receipt = await corrected(host)
        _, new, said = receipt["affected_ids"]

        now = (await host.call("query_world", operation="get", item_id=new))["item"]
        chain = await host.call("query_world", operation="history", item_id=old)
        why = await host.call("query_provenance", object_kind="cognition", item_id=old)
        row = await host.call("query_evidence", operation="get", evidence_id=said)

    assert (now["text"], now["state"], now["formed_by"]) == (
        "I train on Fridays",
        "current",
        "corrected",
    )
    assert [(item["item_id"], item["state"]) for item in chain["items"]] == [
        (old, "superseded"),
        (new, "current"),
    ]
    assert [step["kind"] for step in chain["transitions"]] == ["corrects"]
    assert [each["evidence"]["evidence_id"] for each in why["successor_provenance"]] == [said]
    assert row["evidence_row"]["source_kind"] == "correction"


async def test_a_list_can_ask_for_kind_and_state(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        old, _ = await corrected(host)

        past = await host.call(
            "query_world", operation="list", object_kind="cognition", state="superseded"
        )
        none = await host.call("query_world", operation="list", object_kind="event")

    assert [item["item_id"] for item in past["items"]] == [old]
    assert none["items"] == []


async def test_receipts_come_newest_first(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        _, receipt = await corrected(host)
        second = correction(receipt["affected_ids"][1], "I train on Mondays", command_id="c2")
        await host.call("correct_world_item", **second)

        first = await host.call("query_receipts", limit=1)
        rest = await host.call("query_receipts", limit=1, cursor=first["next_cursor"])
        one = await host.call("query_receipts", command_id="c1")

    assert [r["command_id"] for r in (*first["receipts"], *rest["receipts"])] == ["c2", "c1"]
    assert one["receipts"] == rest["receipts"] == [receipt]


async def test_the_model_projection_sends_no_word_that_may_not_go_there(tmp_path: Path) -> None:
    async with serving(tmp_path, tier="cloud") as host:
        _, made = await _private_fact(host)

        why = await host.call(
            "query_provenance", object_kind="cognition", item_id=made, projection="model"
        )
        refused = await host.refusal("query_provenance", object_kind="cognition", item_id=made)

    assert "4711" not in repr(why)
    assert (why["item"]["item_id"], why["item"]["text"]) == (made, "")
    assert refused == ("permission_denied", "$.item_id")


async def test_a_whole_account_has_nothing_wrong(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        await corrected(host)

        found = await host.call("check_account", deep=False)

    assert {finding["state"] for finding in found["findings"]} == {"ok"}
    assert "rebuilt" not in found


@pytest.mark.parametrize(
    ("members", "path"),
    [
        ({"correction_text": ""}, "$.correction_text"),
        ({"correction_text": " \n"}, "$.correction_text"),
        ({"correction_text": "... !"}, "$.correction_text"),
        ({"valid_from": "2031-05-04T20:45:00"}, "$.valid_from"),
        ({"valid_from": None}, "$.valid_from"),
        ({"target_kind": "evidence"}, "$.target_kind"),
        ({"source": {}}, "$.source"),
        ({"permissions": {"cloud": False}}, "$.permissions.cloud"),
        ({"expected_world_revision": -1}, "$.expected_world_revision"),
    ],
)
async def test_what_the_contract_does_not_allow_is_refused_by_its_path(
    tmp_path: Path, members: dict[str, Any], path: str
) -> None:
    async with serving(tmp_path) as host:
        _, made = await host.fact("I train on Wednesdays")

        refused = await host.refusal("correct_world_item", **correction(made, **members))

    assert refused == ("invalid_params", path)


async def test_correct_world_item_limit_exceeded(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        judge_by(host.account, passing())
        _, made = await host.fact("I train on Wednesdays")

        answer = await host.ask("correct_world_item", **correction(made, "x" * 16_001))
        done = await host.call("correct_world_item", **correction(made, "x" * 16_000))

    data = answer["error"]["data"]
    assert (data["kind"], data["path"]) == ("limit_exceeded", "$.correction_text")
    assert data["details"] == {"limit": "correction_chars", "maximum": 16_000}
    assert done["receipt"]["result_state"] == "applied"


async def test_a_message_named_like_a_correction_is_another_message(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        _, made = await host.fact("I train on Wednesdays")
        clash = {"message_id": "correction:c1", "role": "user", "content": "It rained"}
        call = {"event_id": "e9", "conversation_id": "talk", "messages": [clash]}

        await host.call("observe", **call)
        done = await host.call("correct_world_item", **correction(made))

    assert done["receipt"]["result_state"] == "applied"


@pytest.mark.parametrize("operation", ["get", "history"])
async def test_one_item_needs_an_id(tmp_path: Path, operation: str) -> None:
    async with serving(tmp_path) as host:
        refused = await host.refusal("query_world", operation=operation)

    assert refused == ("invalid_params", "$.item_id")


async def _private_fact(host: Served) -> tuple[str, str]:
    told = await host.observe("My door code is 4711", permissions={"cloud_read": False})
    row = told["evidence"][0]["evidence_id"]
    return row, await worlds.form(host.account, (row, "My door code is 4711"))


async def test_an_item_said_in_many_long_messages_is_explained_in_pages(tmp_path: Path) -> None:
    # Each byte of the filling takes six on the wire: together they are twice as long as a frame.
    async with serving(tmp_path) as host:
        said, made = await host.fact("I keep bees")
        rows = [said]
        for number in range(22):
            filled = "I keep bees" + chr(1 + number) * 256 * 1000
            told = await host.observe(filled, event=f"long-{number}")
            rows.append(EvidenceId(told["evidence"][0]["evidence_id"]))
            await worlds.support(host.account, made, rows[-1], "I keep bees")
        item = (await host.call("query_world", operation="list"))["items"]
        pages = await _pages_of_provenance(host, made)

    assert [row["item_id"] for row in item] == [made]
    assert len(pages) > 2
    found = [part for page in pages for part in page["support"]]
    assert sorted(part["support"]["evidence_id"] for part in found) == sorted(rows)
    assert {part["support"]["quote"] for part in found} == {"I keep bees"}
    assert {page["item"]["item_id"] for page in pages} == {made}


async def test_the_pages_of_an_explanation_go_on_to_what_replaced_it(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        old, receipt = await corrected(host)
        row = (await host.call("query_world", operation="get", item_id=old))["item"]["support"][0]
        for number in range(PAGE_MAX):
            told = await host.observe("I train on Wednesdays", event=f"again-{number}")
            said = EvidenceId(told["evidence"][0]["evidence_id"])
            await worlds.support(host.account, old, said, "I train on Wednesdays")
        first, second = await _pages_of_provenance(host, old)

    assert len(first["support"]) == PAGE_MAX
    assert (first["successor_provenance"], len(second["support"])) == ([], 1)
    (after,) = second["successor_provenance"]
    assert after["support"]["evidence_id"] == receipt["affected_ids"][2] != row["evidence_id"]


async def _pages_of_provenance(host: Served, item_id: str) -> list[Json]:
    pages: list[Json] = []
    cursor: dict[str, Any] = {}
    while not pages or "next_cursor" in pages[-1]:
        page = await host.call(
            "query_provenance", object_kind="cognition", item_id=item_id, **cursor
        )
        pages.append(page)
        cursor = {"cursor": page.get("next_cursor")}
    return pages
