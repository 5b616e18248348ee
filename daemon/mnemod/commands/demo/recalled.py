"""Scene 3: a question brings back the right memory, its source, and no guess."""

from __future__ import annotations

import time
from typing import Any

from rich.text import Text

from mnemod.commands.demo.look import MARK
from mnemod.commands.demo.scene import Scene
from mnemod.commands.demo.script import Question
from mnemod.commands.terminal.words import day


def play(scene: Scene) -> None:
    """Ask in each language."""
    scene.look.scene(3, "Recalled, with its source", "Questions nobody prepared an answer to.")
    sourced, writes, calls = True, 0, 0
    for question in scene.script.questions:
        result, took_ms = ask(scene, question.ask)
        _show(scene, question.ask, result, took_ms)
        sourced &= _is_answered(scene, question, result)
        writes += result["world_write_count"]
        calls += result["model_call_count"]
    scene.look.claim("each question was answered by the message that says so", sourced)
    scene.look.claim("no model was called and nothing was written", writes == calls == 0)


def ask(scene: Scene, query: str, **more: str) -> tuple[Any, float]:
    """The answer, and the milliseconds from asking to having it read."""
    began = time.perf_counter()
    result = scene.client.call("recall_preview", {"query": query, **more})
    return result, (time.perf_counter() - began) * 1000


def _is_answered(scene: Scene, question: Question, result: Any) -> bool:
    """Whether the first answer, and a message it names as its source, hold what we know."""
    answers = [row["item"] for row in result["items"][:1]]
    sources = [scene.said[part["evidence_id"]] for item in answers for part in item["support"]]
    texts = [item["text"] for item in answers]
    return any(question.expect in t for t in texts) and any(question.expect in s for s in sources)


def _show(scene: Scene, query: str, result: Any, took_ms: float) -> None:
    scene.look.show(Text.assemble((query, "bold"), (f"   {took_ms:.1f} ms", "dim")))
    for row in result["items"][:1]:
        item = row["item"]
        source = item["support"][0]["evidence_id"]
        when = day(row.get("said_at") or item["recorded_at"])
        scene.look.show(Text.assemble("  ", (item["text"], MARK)))
        scene.look.show(Text(f"  said {when}, {source}", style="dim"))
    scene.look.gap()
