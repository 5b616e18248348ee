"""Scene 1: what is said is kept word for word, and is on disk before the reply comes."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from statistics import median
from typing import Any

from rich.text import Text

from mnemod.commands.demo.scan import occurrences
from mnemod.commands.demo.scene import Scene, all_evidence
from mnemod.commands.demo.script import Exchange
from mnemod.commands.terminal.words import day

CONVERSATION = "demo"


def play(scene: Scene) -> None:
    """Say everything, then read it back."""
    scene.look.scene(1, "Kept, word for word", "A conversation in three languages, read back.")
    said = [_say(scene, number, exchange) for number, exchange in enumerate(scene.script.exchanges)]
    turns: Any = scene.client.call("query_interactions", {"conversation_id": CONVERSATION})
    _show(scene, turns["turns"])
    scene.look.gap()
    rows = all_evidence(scene.client)
    read_back = {row["evidence_id"]: row["content"] for row in rows}
    scene.look.claim(
        f"{len(rows)} messages came back as they were sent, byte for byte",
        read_back == scene.said and len(rows) == len(scene.script.exchanges),
    )
    usual_ms = median(took_s for took_s, _ in said) * 1000
    scene.look.claim(
        f"each was in the account's file when its reply came (median {usual_ms:.1f} ms)",
        all(in_file for _, in_file in said),
    )


def _say(scene: Scene, number: int, exchange: Exchange) -> tuple[float, bool]:
    """The owner's message, and then the host's answer, which may have relied on it.

    Returns how long the message took, and whether a file held its words when the reply was there.
    """
    message = {"message_id": f"said-{number}", "role": "user", "content": exchange.said}
    at = exchange.at(datetime.now(UTC))
    began = time.perf_counter()
    stored = _observe(scene, f"said-{number}", {**message, "at": at})
    took_s = time.perf_counter() - began
    in_file = all(occurrences(scene.stage.data_dir, [exchange.said]).values())
    evidence_id = stored["evidence"][0]["evidence_id"]
    scene.said[evidence_id] = exchange.said
    answer = {"message_id": f"answer-{number}", "role": "assistant", "content": exchange.answered}
    relied = [evidence_id] if exchange.answer_relies_on_it else []
    capture = "complete" if relied else "complete_empty"
    dependencies = {"capture": capture, "evidence_ids": relied}
    _observe(scene, f"answer-{number}", {**answer, "at": at, "dependencies": dependencies})
    return took_s, in_file


def _observe(scene: Scene, event_id: str, message: dict[str, Any]) -> Any:
    params = {"event_id": event_id, "conversation_id": CONVERSATION, "messages": [message]}
    return scene.client.call("observe", params)


def _show(scene: Scene, turns: list[Any]) -> None:
    rows: list[list[Text | str]] = []
    for turn in turns:
        is_owner = turn["role"] == "user"
        who = Text(scene.script.owner if is_owner else "host", style="bold" if is_owner else "dim")
        words = Text(turn["content"], style="" if is_owner else "dim")
        rows.append([day(turn["at"]) if is_owner else "", who, words])
    scene.look.grid(rows, ["dim", "", ""])
