"""Calls that come twice: after a restart, after a forget, at the same moment, or many in one go."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import trio

from mnemod.store import jobs
from tests.support.replies import check_response
from tests.support.served import Json, Served, serving, serving_two
from tests.support.session_host import request
from tests.support.work import settle_all

Call = tuple[str, Json]


def said(key: str, text: str) -> Call:
    message = {"message_id": key, "role": "user", "content": text}
    return "observe", {"event_id": key, "conversation_id": "talk", "messages": [message]}


def corrected(command_id: str, item: str, text: str, **more: object) -> Call:
    target = {"target_kind": "cognition", "target_id": item}
    params = {"command_id": command_id, "correction_text": text, **target, **more}
    return "correct_world_item", params


async def forgotten(host: Served, command_id: str, kind: str, target_id: str) -> Call:
    target = {"target_kind": kind, "target_id": target_id}
    scope = (await host.call("preview_forget", **target))["forget_scope"]
    method = "delete_evidence" if kind == "evidence" else "delete_world_item"
    return method, {"command_id": command_id, "forget_scope": scope, **target}


async def test_after_a_restart_a_question_has_the_same_answer_in_the_same_order(
    tmp_path: Path,
) -> None:
    # W108
    async with serving(tmp_path) as host:
        for place, text in enumerate(["The kiln cracked", "I fire the kiln", "The kiln is blue"]):
            await host.fact(text, event=f"e{place}")
        await host.observe("The kiln stands by the oak.", "Who has the kiln key?", event="e9")
        await settle_all(host.account)
        before = await host.call("recall_preview", query="kiln", explain=True)

    async with serving(tmp_path) as host:
        after = await host.call("recall_preview", query="kiln", explain=True)

    assert len(before["items"]) == 3
    assert len(before["quotes"]) > 0
    assert _kept(after) == _kept(before)


async def test_after_a_restart_the_same_calls_have_the_same_answers(tmp_path: Path) -> None:
    # C013
    async with serving(tmp_path) as host:
        _, item = await host.fact("I train on Wednesdays", event="e0")
        await settle_all(host.account)
        (job,) = await host.account.db.read(lambda tx: jobs.page(tx, after=0, limit=1))
        calls = [
            said("m1", "I keep bees"),
            corrected("c1", item, "I train on Fridays"),
            ("retry_formation", {"job_id": job.job_id, "request_id": "r1"}),
        ]
        before = [await host.call(method, **params) for method, params in calls]
        gone = await forgotten(host, "c2", "evidence", before[0]["evidence"][0]["evidence_id"])
        before.append(await host.call(gone[0], **gone[1]))
        revision = (await host.call("query_receipts"))["world_revision"]

    async with serving(tmp_path) as host:
        after = [await host.call(method, **params) for method, params in (*calls[1:], gone)]
        unchanged = (await host.call("query_receipts"))["world_revision"]

    assert [_kept(each) for each in after] == [_kept(each) for each in before[1:]]
    assert unchanged == revision


def _kept(reply: Json) -> Json:
    """A reply without what says that it is one, and where the world stands by now."""
    return {name: reply[name] for name in reply.keys() - {"replayed", "world_revision"}}


async def test_an_observation_is_answered_the_same_after_a_restart(tmp_path: Path) -> None:
    # C013
    method, params = said("m1", "I keep bees")
    async with serving(tmp_path) as host:
        before = await host.call(method, **params)
        await host.observe("I sail")

    async with serving(tmp_path) as host:
        after = await host.call(method, **params)

    assert after == {**before, "replayed": True}


async def test_a_quote_that_was_recalled_is_gone_for_the_same_request_again(
    tmp_path: Path,
) -> None:
    # C010
    async with serving(tmp_path) as host:
        told = await host.observe("The kiln cracked at dawn")
        asked = request("recall_preview", 77, query="kiln dawn")
        await host.host.say(asked)
        before = await host.host.hear()
        gone = await forgotten(host, "c1", "evidence", told["evidence"][0]["evidence_id"])
        await host.call(gone[0], **gone[1])
        await host.host.say(asked)
        after = await host.host.hear()

    assert "The kiln cracked at dawn" in repr(before)
    assert (after["id"], "kiln" in repr(after["result"])) == (77, False)


async def test_of_two_commands_on_one_revision_one_is_done_and_the_others_id_stays_free(
    tmp_path: Path,
) -> None:
    # C170
    async with serving(tmp_path) as host:
        _, left = await host.fact("I train on Wednesdays", event="e1")
        _, right = await host.fact("I row on Mondays", event="e2")
        now = (await host.call("query_receipts"))["world_revision"]
        pair = [
            corrected("c1", left, "I train on Fridays", expected_world_revision=now),
            corrected("c2", right, "I row on Sundays", expected_world_revision=now),
        ]
        first, second = await in_one_go(host, pair)
        receipts = (await host.call("query_receipts"))["receipts"]
        free = await host.call(*pair[1][:1], **{**pair[1][1], "expected_world_revision": now + 1})

    assert first["result"]["receipt"]["result_state"] == "applied"
    data = second["error"]["data"]
    assert (data["kind"], data["details"]) == ("conflict", {"world_revision": now + 1})
    assert [receipt["command_id"] for receipt in receipts] == ["c1"]
    assert free["receipt"]["result_state"] == "applied"


async def test_sixty_mixed_calls_in_one_go_end_like_the_same_ones_one_by_one(
    tmp_path: Path,
) -> None:
    # B008
    async with (
        serving(tmp_path / "pipelined") as pipelined,
        serving(tmp_path / "serial") as serial,
    ):
        answers = await in_one_go(pipelined, await sixty(pipelined))
        for method, params in await sixty(serial):
            await serial.call(method, **params)

        assert ["result" in answer for answer in answers] == [True] * 60
        assert await _state(pipelined) == await _state(serial)
        checked = await pipelined.call("check_account", deep=True)
    assert {finding["state"] for finding in checked["findings"]} == {"ok"}


async def sixty(host: Served) -> list[Call]:
    """Observations, corrections, forgets and recalls in turn; the facts they are about exist."""
    items = [(await host.fact(f"I own {n} boats", event=f"f{n}"))[1] for n in range(30)]
    calls: list[Call] = []
    for n in range(15):
        calls += [
            said(f"m{n}", f"I keep {n} hens"),
            corrected(f"fix-{n}", items[n], f"I own {n + 100} boats"),
            ("recall_preview", {"query": "boats hens"}),
            await forgotten(host, f"gone-{n}", "cognition", items[15 + n]),
        ]
    return calls


async def _state(host: Served) -> Any:
    """All that stands at the end, without the ids and times that differ by nature."""
    rows = (await host.call("query_evidence", operation="list", limit=500))["evidence"]
    items = (await host.call("query_world", operation="list", limit=500))["items"]
    receipts = (await host.call("query_receipts", limit=500))["receipts"]
    return (
        [row["content"] for row in rows],
        [(item["text"], item["state"]) for item in items],
        [(one["command_id"], one["result_state"], one["after_revision"]) for one in receipts],
        (await host.call("recall_preview", query="boats hens"))["rendered"].count("\n"),
    )


async def in_one_go(host: Served, calls: Sequence[Call]) -> list[Json]:
    """Send all before any is answered; the answers in the order of the calls."""
    messages = [
        {"jsonrpc": "2.0", "id": f"go-{n}", "method": method, "params": params}
        for n, (method, params) in enumerate(calls)
    ]
    answers: dict[str, Json] = {}
    async with trio.open_nursery() as nursery:
        nursery.start_soon(host.host.say, *messages)
        for _ in calls:
            answer = await host.host.hear()
            answers[answer["id"]] = answer
    for n, (method, _) in enumerate(calls):
        check_response(method, answers[f"go-{n}"])
    return [answers[f"go-{n}"] for n in range(len(calls))]


async def test_a_forget_is_seen_at_once_and_in_its_own_account_alone(tmp_path: Path) -> None:
    # B024
    async with serving_two(tmp_path) as (ours, theirs):
        told = await ours.observe("The kiln cracked")
        await theirs.observe("The kiln cracked")
        for host in (ours, theirs):
            assert "kiln cracked" in repr(await host.call("recall_preview", query="kiln"))

        gone = await forgotten(ours, "c1", "evidence", told["evidence"][0]["evidence_id"])
        await ours.call(gone[0], **gone[1])

        assert "kiln cracked" not in repr(await ours.call("recall_preview", query="kiln"))
        assert "kiln cracked" in repr(await theirs.call("recall_preview", query="kiln"))


async def test_a_cleanup_asked_for_behind_its_forget_finds_the_receipt(tmp_path: Path) -> None:
    async with serving(tmp_path) as host:
        told = await host.observe(*(f"I own {n} boats" for n in range(20)))
        calls: list[Call] = []
        for n, row in enumerate(told["evidence"]):
            calls += [
                await forgotten(host, f"c{n}", "evidence", row["evidence_id"]),
                ("retry_storage_cleanup", {"command_id": f"c{n}"}),
            ]
        answers = await in_one_go(host, calls)

    assert ["result" in answer for answer in answers] == [True] * 40
