"""Text that breaks others: zero bytes, look-alike forms, wildcards, nothing at all; on the wire."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.served import Json, serving

NUL = "note\0tail"


def message(**members: object) -> Json:
    return {"message_id": "m1", "role": "user", "content": "I keep bees", **members}


def one(first: Json, **members: object) -> dict[str, Any]:
    return {"event_id": "e1", "conversation_id": "talk", "messages": [first], **members}


@pytest.mark.parametrize(
    ("method", "params", "path"),
    [
        ("observe", one(message(content=NUL)), "$.messages[0].content"),
        ("observe", one(message(message_id=NUL)), "$.messages[0].message_id"),
        ("observe", one(message(), event_id=NUL), "$.event_id"),
        ("observe", one(message(), conversation_id=NUL), "$.conversation_id"),
        ("recall_preview", {"query": NUL}, "$.query"),
        ("query_world", {"operation": "get", "item_id": NUL}, "$.item_id"),
        ("query_receipts", {"command_id": NUL}, "$.command_id"),
    ],
)
async def test_a_zero_byte_is_refused_where_it_stands_and_nothing_is_kept(
    tmp_path: Path, method: str, params: Json, path: str
) -> None:
    # B053
    async with serving(tmp_path) as host:
        assert await host.refusal(method, **params) == ("invalid_params", path)
        assert (await host.call("query_evidence", operation="list"))["evidence"] == []
        assert await host.call("ping") == {}


@pytest.mark.parametrize("params", [{"query": ""}, {}])
async def test_asking_nothing_is_refused(tmp_path: Path, params: Json) -> None:
    # B058
    async with serving(tmp_path) as host:
        kind, _ = await host.refusal("recall_preview", **params)

    assert kind == "invalid_params"


async def test_look_alike_forms_are_kept_as_they_came_and_find_each_other(tmp_path: Path) -> None:
    # B057
    composed, decomposed = "がく, third floor", "か\u3099く, third floor"
    async with serving(tmp_path) as host:
        await host.observe(composed, event="e1")
        await host.observe(decomposed, event="e2")
        rows = (await host.call("query_evidence", operation="list"))["evidence"]
        found = [await host.call("recall_preview", query=query) for query in ("がく", "か\u3099く")]

    assert [row["content"] for row in rows] == [composed, decomposed]
    texts = [[row["text"] for row in reply["recent_evidence"]] for reply in found]
    assert texts == [[composed, decomposed]] * 2


@pytest.mark.parametrize("name", ["s_1", "s%", "s[1]", "S_1"])
async def test_a_conversation_is_named_exactly(tmp_path: Path, name: str) -> None:
    # B059
    names = ["s_1", "sx1", "s%", "s[1]", "S_1"]
    async with serving(tmp_path) as host:
        for place, talk in enumerate(names):
            said = message(message_id=f"m{place}", content=f"In {talk}")
            await host.call("observe", **one(said, event_id=f"e{place}", conversation_id=talk))

        rows = await host.call("query_evidence", operation="list", conversation_id=name)
        turns = await host.call("query_interactions", conversation_id=name)

    assert [row["content"] for row in rows["evidence"]] == [f"In {name}"]
    assert [turn["content"] for turn in turns["turns"]] == [f"In {name}"]


async def test_what_a_correction_says_is_kept_like_what_a_message_says(tmp_path: Path) -> None:
    # B010: no way in skips a column, the index, or a list.
    async with serving(tmp_path) as host:
        said, item = await host.fact("I train on Wednesdays")
        await host.call(
            "correct_world_item",
            command_id="c1",
            target_kind="cognition",
            target_id=item,
            correction_text="I train on Fridays",
        )
        first, second = (await host.call("query_evidence", operation="list"))["evidence"]
        health = (await host.call("health"))["account"]

    assert first["evidence_id"] == said
    assert {*second} - {"session_id"} >= {*first} - {"session_id", "said_at"}
    assert (second["content"], second["outcome"]) == ("I train on Fridays", first["outcome"])
    assert second["permissions"] == first["permissions"]
    assert health["index_gap"] == 0


async def test_a_lost_index_is_a_typed_error_and_nothing_is_half_kept(tmp_path: Path) -> None:
    # B005
    async with serving(tmp_path) as host:
        await host.observe("I keep bees", event="e1")
        await host.account.db.write(
            lambda tx: tx.execute("ALTER TABLE evidence_lexical RENAME TO moved")
        )
        answer = await host.ask("observe", **one(message(message_id="m9"), event_id="e9"))
        await host.account.db.write(
            lambda tx: tx.execute("ALTER TABLE moved RENAME TO evidence_lexical")
        )
        rows = (await host.call("query_evidence", operation="list"))["evidence"]
        again = await host.call("observe", **one(message(message_id="m9"), event_id="e9"))
        health = (await host.call("health"))["account"]

    assert answer["error"]["data"]["kind"] in ("storage_corrupt", "internal")
    assert [row["content"] for row in rows] == ["I keep bees"]
    assert again["replayed"] is False
    assert (health["evidence"], health["index_gap"]) == (2, 0)
