"""A model's stored answers quote what was said elsewhere; then that is forgotten.

Promise: answers that other jobs were given go too, first ones and rewrites, whether they quote an
item, a name, an earlier turn or an assistant's reply. Names that only a forgotten sentence gave go
with it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.e2e.torture.sentinels import (
    HAN,
    LATIN,
    Plant,
    Planting,
    Tongue,
    forgotten,
    items_of,
    say,
)
from tests.support.answering_model import answering_model
from tests.support.processes import Place
from tests.support.rpc import Client, Json
from tests.support.torture import Round

QUOTES: Final = "It rained."
"""A message to which the model answers by repeating all that it was shown."""
RAMBLES: Final = "It snowed."
"""The same, in prose that cannot be used, so that it is asked again."""


def rounds(folder: Path, count: int, chance: random.Random) -> Iterator[Round]:
    """Each round on a fresh daemon: every planting, in Latin and in Han."""
    for number in range(count):
        home = folder / str(number)
        home.mkdir()
        place = Place(home)
        with answering_model(_answer) as model:
            try:
                yield from _each(place, model.env, chance)
            finally:
                place.close()


def _each(place: Place, env: dict[str, str], chance: random.Random) -> Iterator[Round]:
    client = place.spawn("serve", "--stdio", "--alone", env=env).client
    client.initialize()
    for name, planting in PLANTINGS.items():
        for tongue in (LATIN, HAN):
            yield forgotten(place, client, name, planting, tongue, tongue.word(chance))


def _answer(data: Json) -> str:
    """What the stub says to a request: repeats it, or forms an item of each message."""
    text = data["evidence"][0]["text"]
    if text.startswith(QUOTES):
        return json.dumps({"result": "out_of_scope", "note": _shown(data)}, ensure_ascii=False)
    if text.startswith(RAMBLES):
        return f"Well, I know: {_shown(data)}"
    return json.dumps({"result": "items", "items": [_proposal(data["evidence"][0])]})


def _shown(data: Json) -> str:
    """All that was shown besides the message."""
    parts = {key: data[key] for key in ("current_items", "entities", "preceding_turns")}
    return json.dumps(parts, ensure_ascii=False)


def _proposal(message: Json) -> dict[str, Any]:
    support = {"evidence_id": message["id"], "sentence_id": "t0"}
    made: dict[str, Any] = {"action": "form", "supports": [support]}
    words = message["text"].partition(".")[0].split()
    if words[1:4] == ["is", "also", "called"]:
        return {**made, "statement_kind": "alias", "target": words[4], "alias_of": words[0]}
    if words[1:4] == ["is", "my", "colleague,"]:
        tied = {"target": words[0], "relation_type": "colleague"}
        return {**made, "statement_kind": "relationship", **tied}
    return {**made, "statement_kind": "attribute"}


def _item_and_answers(client: Client, tongue: Tongue, word: str, key: str) -> Plant:
    said = say(client, key, tongue.likes.format(word))
    say(client, f"{key}-q", QUOTES)
    say(client, f"{key}-r", RAMBLES)
    item = items_of(client, said)[0]
    return Plant(item["object_kind"], item["item_id"])


def _message_and_answers(client: Client, tongue: Tongue, word: str, key: str) -> Plant:
    said = say(client, key, tongue.likes.format(word))
    say(client, f"{key}-q", QUOTES)
    say(client, f"{key}-r", RAMBLES)
    return Plant("evidence", said)


def _earlier_turn(client: Client, tongue: Tongue, word: str, key: str) -> Plant:
    said = say(client, key, f"{QUOTES} {word}.")
    say(client, f"{key}-q", QUOTES, conversation=key)
    return Plant("evidence", said)


def _person(client: Client, tongue: Tongue, word: str, key: str) -> Plant:
    name = word.capitalize()
    said = say(client, key, f"{name} is my colleague, she plans shifts.")
    say(client, f"{key}-q", QUOTES)
    return Plant("evidence", said)


def _other_name(client: Client, tongue: Tongue, word: str, key: str) -> Plant:
    """Somebody's other name, of which only one sentence tells."""
    name = f"Mira{tongue.name}"
    say(client, f"{key}-p", f"{name} is my colleague, she plans shifts.")
    said = say(client, key, f"{name} is also called {word.capitalize()}. My bicycle is green.")
    say(client, f"{key}-q", f"{QUOTES} {name} too.")
    item = next(item for item in items_of(client, said) if item["object_kind"] != "entity")
    return Plant(item["object_kind"], item["item_id"])


def _first_name(client: Client, tongue: Tongue, word: str, key: str) -> Plant:
    """What somebody was called first, whom later messages know by another name."""
    name, other = word.capitalize(), f"Lena{tongue.name}"
    first = say(client, f"{key}-p", f"{name} is my colleague, she plans shifts.")
    both = say(client, f"{key}-b", f"{name} is also called {other}.")
    say(client, f"{key}-l", f"{other} is my colleague, she rows at dawn.")
    return Plant("evidence", first, (both,))


PLANTINGS: Final[dict[str, Planting]] = {
    "item": _item_and_answers,
    "message": _message_and_answers,
    "turn": _earlier_turn,
    "person": _person,
    "other name": _other_name,
    "first name": _first_name,
}
