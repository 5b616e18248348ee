"""Scene 2: memories form, and each is exactly some words of some message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from mnemod.commands.demo.scene import Scene, current_items, job_counts, wait_until_formed

if TYPE_CHECKING:
    from mnemod.rpc.generated import ItemRow

_WORDS_ROOM = 60


def play(scene: Scene) -> None:
    """Wait for the workers, then show each memory inside the words it is made of."""
    scene.look.scene(
        2,
        "Formed, and from which words",
        "No model is called: the built-in rules choose the words.",
    )
    wait_until_formed(scene.client)
    items = [row for row in current_items(scene.client) if row["object_kind"] != "entity"]
    rows: list[list[Text | str]] = [
        [Text(_kind(item), style="cyan"), _words(scene, item)] for item in items
    ]
    scene.look.grid(rows, ["", ""])
    scene.look.gap()
    scene.look.claim(
        f"{len(items)} memories formed in three languages, and no work is left over",
        bool(items) and job_counts(scene.client)["dead"] == 0,
    )
    scene.look.claim(
        "each is made of exact words of a message that is named, and of no others",
        all(_is_made_of_its_words(scene, item) for item in items),
    )


def _kind(item: ItemRow) -> str:
    return item.get("statement_kind", item["object_kind"])


def _words(scene: Scene, item: ItemRow) -> Text:
    """The words highlighted in their message, as provenance tells of both."""
    wanted = {"object_kind": item["object_kind"], "item_id": item["item_id"]}
    provenance: Any = scene.client.call("query_provenance", wanted)
    support = [row["support"] for row in provenance["support"]]
    content = provenance["support"][0]["evidence"]["content"]
    spans = [(part["start"], part["end"]) for part in support]
    return scene.look.marked(content, sorted(spans), _WORDS_ROOM)


def _is_made_of_its_words(scene: Scene, item: ItemRow) -> bool:
    """Cut the spans out of what we sent ourselves, and nothing else is left to say."""
    parts = [
        scene.said[part["evidence_id"]][part["start"] : part["end"]] for part in item["support"]
    ]
    return bool(parts) and " ".join(parts) == item["text"]
