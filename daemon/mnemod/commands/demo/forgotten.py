"""Scene 5: a forget shows all that goes with it, and then the bytes are gone from the disk."""

from __future__ import annotations

from typing import Any, Final

from rich.text import Text

from mnemod.commands.demo.recalled import ask
from mnemod.commands.demo.scan import occurrences
from mnemod.commands.demo.scene import Scene, all_evidence, the_one
from mnemod.commands.forget import why

_WHAT: Final = {"evidence": "message", "turn": "answer", "entity": "entity"}


def play(scene: Scene) -> None:
    """Preview, erase, and look for the words everywhere."""
    forget = scene.script.forget
    scene.look.scene(5, "Forgotten, and all that came of it", forget.because)
    row = the_one(all_evidence(scene.client), "content", forget.said)
    target = {"target_kind": "evidence", "target_id": row["evidence_id"]}
    preview: Any = scene.client.call("preview_forget", target)
    scene.look.table(["what goes", "why", "words"], [_row(part) for part in preview["items"]])
    before = occurrences(scene.stage.data_dir, forget.words)
    command = {"command_id": "demo-forget", **target, "forget_scope": preview["forget_scope"]}
    receipt: Any = scene.client.call("delete_evidence", command)["receipt"]
    after = occurrences(scene.stage.data_dir, forget.words)
    del scene.said[row["evidence_id"]]
    _show(scene, receipt, before, after)
    _check(scene, preview, receipt)
    scene.look.claim(
        "the words were in the files before, and not a byte of them is after",
        all(before.values()) and not any(after.values()),
    )
    result, _ = ask(scene, forget.ask, history="always")
    scene.look.claim(
        f'asked "{forget.ask}", it knows nothing',
        not any(word in str(result).lower() for word in forget.words),
    )


def _row(part: Any) -> list[Text | str]:
    what = _WHAT.get(part["object_kind"], part["item_type"])
    style = "red" if part["effect"] == "erased" else "yellow"
    return [Text(what, style=style), why(part["reason"]), Text(part["name"] or "", style="dim")]


def _show(scene: Scene, receipt: Any, before: dict[str, int], after: dict[str, int]) -> None:
    found = ", ".join(f"{word} {before[word]} -> {after[word]}" for word in before)
    cleanup = receipt.get("storage_cleanup", {"state": "complete"})["state"]
    scene.look.grid(
        [
            ["receipt", f"{receipt['result_state']}, {len(receipt['affected_ids'])} ids, no words"],
            ["sha-256", f"{receipt['receipt_hash'][:32]}…"],
            ["disk", f"{found} (cleanup {cleanup})"],
        ],
        ["dim", ""],
    )
    scene.look.gap()


def _check(scene: Scene, preview: Any, receipt: Any) -> None:
    """What was shown is what went."""
    shown = {row["item_id"] for row in preview["items"] if row["effect"] == "erased"}
    left = {row["evidence_id"]: row["content"] for row in all_evidence(scene.client)}
    scene.look.claim(
        f"what went is what was shown: {len(shown)} things, and every other message is there",
        shown <= set(receipt["affected_ids"]) and left == scene.said,
    )
