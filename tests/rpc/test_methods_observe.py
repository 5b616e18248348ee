"""`observe`, `query_evidence` and `query_interactions` through a real session."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.rules import judge_by, passing
from tests.support.served import Json, Served, serving


def message(role: str = "user", **members: object) -> dict[str, Any]:
    return {"message_id": "m1", "role": role, "content": "I keep bees", **members}


def one(*messages: dict[str, Any], **members: object) -> dict[str, Any]:
    return {"event_id": "e1", "conversation_id": "talk", "messages": list(messages), **members}


async def test_what_was_said_reads_back_as_it_was_said(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        at = "2031-05-04T20:45:00.000+09:00"
        speaker = {"id": "p1", "name": "Mira"}
        told = await host.call("observe", **one(message(at=at, speaker=speaker), session_id="s1"))
        row = told["evidence"][0]["evidence_id"]

        got = (await host.call("query_evidence", operation="get", evidence_id=row))["evidence_row"]
        listed = await host.call("query_evidence", operation="list", conversation_id="talk")

    assert (got["content"], got["said_at"], got["speaker"]) == ("I keep bees", at, speaker)
    assert (got["session_id"], got["message_id"], got["outcome"]) == ("s1", "m1", "eligible")
    assert listed["evidence"] == [got]
    assert "next_cursor" not in listed


async def test_the_same_call_again_is_answered_the_same_but_for_saying_so(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        first = await host.call("observe", **one(message()))
        second = await host.call("observe", **one(message()))

    assert second == {**first, "replayed": True}


async def test_assistant_turns_are_context_with_what_they_relied_on(tmp_path: Path) -> None:
    relied = {"capture": "complete", "items": [{"object_kind": "event", "item_id": "it_x"}]}
    reply = {"message_id": "a1", "role": "assistant", "content": "Oh", "dependencies": relied}
    async with serving(tmp_path) as host:
        told = await host.call("observe", **one(message(), reply))
        turns = (await host.call("query_interactions", conversation_id="talk"))["turns"]

    assert len(told["evidence"]) == 1
    assert [(turn["role"], turn["content"]) for turn in turns] == [
        ("user", "I keep bees"),
        ("assistant", "Oh"),
    ]
    assert turns[1]["dependencies"]["item_ids"] == ["it_x"]
    assert "evidence_id" not in turns[1]


async def test_lists_go_on_where_the_cursor_says(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        await host.observe("one", "two", "three")
        seen: list[str] = []
        cursor: dict[str, str] = {}
        for _ in range(2):
            page = await host.call("query_evidence", operation="list", limit=2, **cursor)
            seen += [row["content"] for row in page["evidence"]]
            cursor = {"cursor": page["next_cursor"]} if "next_cursor" in page else {}

    assert (seen, cursor) == (["one", "two", "three"], {})


async def test_long_messages_come_in_shorter_pages_and_never_outgrow_a_frame(
    tmp_path: Path,
) -> None:
    # Each byte of them takes six on the wire: together they are twice as long as a frame.
    long = [chr(1 + n) * 256 * 1024 for n in range(22)]
    async with serving(tmp_path) as host:
        judge_by(host.account, passing())
        for n, text in enumerate(long):
            reply = {"message_id": f"a{n}", "role": "assistant", "content": text}
            await host.call(
                "observe",
                event_id=f"e{n}",
                conversation_id="talk",
                messages=[message(message_id=f"m{n}", content=text), reply],
            )
        rows = await _all_of(host, "query_evidence", "evidence", operation="list")
        turns = await _all_of(host, "query_interactions", "turns")

    assert [row["content"] for row in rows] == long
    assert [turn["content"] for turn in turns] == [text for text in long for _ in range(2)]


async def _all_of(host: Served, method: str, member: str, **params: object) -> list[Json]:
    rows: list[Json] = []
    cursor: dict[str, object] = {}
    while True:
        page = await host.call(method, limit=500, **params, **cursor)
        rows += page[member]
        if "next_cursor" not in page:
            return rows
        cursor = {"cursor": page["next_cursor"]}


@pytest.mark.parametrize(
    ("params", "path"),
    [
        (one(message(role="system")), "$.messages[0].role"),
        (one(message(role="tool")), "$.messages[0].role"),
        (one(message(synthetic=True)), "$.messages[0].synthetic"),
        (one(message(observed=True)), "$.messages[0].observed"),
        (one(message(account="a2")), "$.messages[0].account"),
        (one(message(), account="a2"), "$.account"),
        (one(message(content=7)), "$.messages[0].content"),
        (one(message(content="")), "$.messages[0].content"),
        (one(message(content="nul\0")), "$.messages[0].content"),
        (one(message(at="2031-05-04T20:45:00")), "$.messages[0].at"),
        (one(message(at="yesterday, about noon or")), "$.messages[0].at"),
        (one(message(permissions={"cloud_read": 1})), "$.messages[0].permissions.cloud_read"),
        (one(message("assistant", permissions={})), "$.messages[0].permissions"),
        (one(message("assistant", speaker={"id": "1", "name": "M"})), "$.messages[0].speaker"),
        (one(), "$.messages"),
    ],
)
async def test_what_the_contract_does_not_allow_is_refused_by_its_path(
    tmp_path: Path, params: dict[str, Any], path: str
) -> None:
    async with serving(tmp_path) as host:
        assert await host.refusal("observe", **params) == ("invalid_params", path)
        assert (await host.call("query_interactions"))["turns"] == []


NOTHING: dict[str, Any] = {}
ONE_ITEM = {"items": [{"object_kind": "event", "item_id": "it_1"}]}


@pytest.mark.parametrize(
    ("role", "dependencies"),
    [
        ("user", {"capture": "complete_empty"}),
        ("assistant", {"capture": "complete"}),
        ("assistant", {"capture": "complete", "items": []}),
        ("assistant", {"capture": "complete_empty", **ONE_ITEM}),
        ("assistant", {"capture": "withheld", "evidence_ids": ["ev_1"]}),
        ("assistant", {"capture": "unavailable", "interaction_ids": ["ix_1"]}),
        ("assistant", {"capture": "complete", "evidence_ids": ["ev"] * 65}),
        ("assistant", {"capture": "complete", "evidence_ids": ["e" * 513]}),
        ("assistant", {"capture": "complete", "evidence_ids": [""]}),
        ("assistant", {"capture": "complete", "items": ["it_1"]}),
        ("assistant", {"capture": "whole", **ONE_ITEM}),
        ("assistant", ONE_ITEM),
    ],
)
async def test_dependencies_that_contradict_themselves_are_refused(
    tmp_path: Path, role: str, dependencies: dict[str, Any]
) -> None:
    async with serving(tmp_path) as host:
        kind, path = await host.refusal("observe", **one(message(role, dependencies=dependencies)))

        assert kind == "invalid_params"
        assert path is not None
        assert path.startswith("$.messages[0].dependencies")
        assert (await host.call("query_interactions"))["turns"] == []


@pytest.mark.parametrize(
    "cursor", ["-1", "+1", "1_0", " 1", "\u0661", "1e9", "zzzzzzzzzzzzzz", "0", "é", "1\n"]
)
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("query_evidence", {"operation": "list"}),
        ("query_interactions", {}),
        ("query_world", {"operation": "list"}),
        ("query_receipts", {}),
    ],
)
async def test_a_cursor_we_never_gave_is_refused(
    tmp_path: Path, method: str, params: dict[str, Any], cursor: str
) -> None:
    is_ours = cursor == "1e9"
    async with serving(tmp_path) as host:
        answer = await host.ask(method, cursor=cursor, **params)

    assert ("result" in answer) is is_ours
    assert is_ours or answer["error"]["data"]["path"] == "$.cursor"


async def test_a_message_too_long_is_refused_by_the_limits_name(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        long = message(content="é" * (128 * 1024 + 1))
        answer = await host.ask("observe", **one(long))

    data = answer["error"]["data"]
    assert (data["kind"], data["path"]) == ("limit_exceeded", "$.messages[0].content")
    assert data["details"] == {"limit": "message_bytes", "maximum": 262_144}


async def test_evidence_needs_an_id_to_be_got(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        refused = await host.refusal("query_evidence", operation="get")

    assert refused == ("invalid_params", "$.evidence_id")
