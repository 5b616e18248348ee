"""A time that names no moment is refused where it stands; every time told has its offset."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.served import Json, Served, serving

NO_MOMENT = ["2031-02-03T04:05:06", "2031-02-03", "04:05", "2031-02-03 04:05:06Z", "1931539200"]
CLOCK = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")
WITH_OFFSET = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)? ?(Z|UTC|[+-]\d\d:\d\d)")


def message(message_id: str, content: str, **members: object) -> Json:
    return {"message_id": message_id, "role": "user", "content": content, **members}


def call(*messages: Json) -> dict[str, Any]:
    return {"event_id": "e1", "conversation_id": "talk", "messages": list(messages)}


@pytest.mark.parametrize("text", NO_MOMENT)
async def test_a_naive_or_date_only_time_is_refused_where_it_stands(
    tmp_path: Path, text: str
) -> None:
    # B041
    async with serving(tmp_path) as host:
        _, item = await host.fact("I train on Wednesdays", event="e0")
        good = message("m1", "a", at="2031-02-03T04:05:06Z")
        said = await host.refusal("observe", **call(good, message("m2", "b", at=text)))
        reply = {"message_id": "a1", "role": "assistant", "content": "c", "at": text}
        told = await host.refusal("observe", **call(reply))
        corrected = await host.refusal(
            "correct_world_item",
            command_id="c1",
            target_kind="cognition",
            target_id=item,
            correction_text="I train on Fridays",
            valid_from=text,
        )
        rows = (await host.call("query_evidence", operation="list"))["evidence"]

    assert said == ("invalid_params", "$.messages[1].at")
    assert told == ("invalid_params", "$.messages[0].at")
    assert corrected == ("invalid_params", "$.valid_from")
    assert [row["content"] for row in rows] == ["I train on Wednesdays"]


async def test_times_in_any_offset_and_none_stand_side_by_side(tmp_path: Path) -> None:
    # B041
    async with serving(tmp_path) as host:
        await host.call(
            "observe",
            **call(
                message("m1", "The kiln is hot", at="2031-02-03T04:05:06Z"),
                message("m2", "The kiln is red", at="2031-02-03T04:05:06+05:45"),
                message("m3", "The kiln is old"),
            ),
        )
        rows = (await host.call("query_evidence", operation="list"))["evidence"]
        found = await host.call("recall_preview", query="kiln", time="2031-02-03")

    assert [row.get("said_at") for row in rows] == [
        "2031-02-03T04:05:06.000Z",
        "2031-02-03T04:05:06.000+05:45",
        None,
    ]
    assert {row["text"] for row in found["recent_evidence"] + found["quotes"]} >= {
        "The kiln is hot"
    }


async def test_every_time_in_every_reply_has_its_offset(tmp_path: Path) -> None:
    # B048
    async with serving(tmp_path, time_zone="Asia/Tokyo") as host:
        told = [text async for text in _all_that_is_told(host)]

    naive = [text for text in told for found in _clocks(text) if not WITH_OFFSET.fullmatch(found)]
    assert sum(bool(CLOCK.search(text)) for text in told) > 20
    assert naive == []
    assert any("2031-05-04T20:45:00.000+09:00" in text for text in told)
    assert any("2031-05-04 20:45 +09:00" in text for text in told)


async def _all_that_is_told(host: Served) -> Any:
    """Every string of the replies of all methods that show something."""
    said = await host.observe("I sing in the choir", at="2031-05-04T20:45:00+09:00")
    _, item = await host.fact("I train on Wednesdays", event="e2")
    await host.call(
        "correct_world_item",
        command_id="c1",
        target_kind="cognition",
        target_id=item,
        correction_text="I train on Fridays",
        valid_from="2031-05-04T20:45:00+09:00",
    )
    yield str(said["accepted_at"])
    replies = [
        await host.call("recall_preview", query="choir train", time="2031-05-04", history="always"),
        await host.call("query_evidence", operation="list"),
        await host.call("query_interactions"),
        await host.call("query_world", operation="list"),
        await host.call("query_world", operation="history", item_id=item),
        await host.call("query_provenance", object_kind="cognition", item_id=item),
        await host.call("query_jobs", operation="list"),
        await host.call("query_receipts"),
        await host.call("preview_forget", target_kind="cognition", target_id=item),
        await host.call("health"),
    ]
    for text in _strings(replies):
        yield text


def _clocks(text: str) -> Iterator[str]:
    """Each clock time in a text, with whatever stands where an offset would."""
    for found in CLOCK.finditer(text):
        rest = re.match(r"(:\d\d(\.\d+)?)? ?(Z|UTC|[+-]\d\d:\d\d)?", text[found.end() :])
        yield found.group() + (rest.group() if rest else "")


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)
