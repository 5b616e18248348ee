"""Scene 4: the owner puts something right; what was believed before becomes history."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from mnemod.commands.demo.recalled import ask
from mnemod.commands.demo.scene import Scene, current_items, the_one


def play(scene: Scene) -> None:
    """Correct one memory, then read its history and ask again."""
    correction = scene.script.correction
    scene.look.scene(4, "Corrected, with its history", f"Lin says: {correction.text}")
    wrong = the_one(current_items(scene.client), "text", correction.wrong)
    params = {
        "command_id": "demo-correction",
        "target_kind": wrong["object_kind"],
        "target_id": wrong["item_id"],
        "correction_text": correction.text,
    }
    receipt: Any = scene.client.call("correct_world_item", params)["receipt"]
    history: Any = scene.client.call(
        "query_world", {"operation": "history", "item_id": wrong["item_id"]}
    )
    scene.look.table(["state", "formed by", "memory"], [_row(item) for item in history["items"]])
    scene.said.update(_own_words(history["items"], correction.text))
    now = [item["text"] for item in history["items"] if item["state"] == "current"]
    then = [item["text"] for item in history["items"] if item["state"] != "current"]
    scene.look.claim(
        f"what is true now is what was said now, revision {receipt['before_revision']} -> "
        f"{receipt['after_revision']}",
        receipt["result_state"] == "applied" and now == [correction.text],
    )
    result, took_ms = ask(scene, correction.ask, history="never")
    found = [row["item"]["text"] for row in result["items"]]
    scene.look.claim(
        f"a recall gives the new answer and not the old one ({took_ms:.1f} ms)",
        correction.text in found and not set(then) & set(found),
    )


def _own_words(items: list[Any], text: str) -> dict[str, str]:
    """The correction is something the owner said, and is kept as that too."""
    corrected = (item for item in items if item["formed_by"] == "corrected")
    return {part["evidence_id"]: text for item in corrected for part in item["support"]}


def _row(item: Any) -> list[Text | str]:
    is_current = item["state"] == "current"
    style = "bold green" if is_current else "dim strike"
    state = Text(item["state"], style="green" if is_current else "dim")
    return [state, item["formed_by"], Text(item["text"], style=style)]
