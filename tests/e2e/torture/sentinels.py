"""Words that stand nowhere else are put wherever a person's words are kept, then forgotten.

Promise: while the daemon runs, no byte of them is left under its data directory, in UTF-8, UTF-16
or as search terms; and no failing call ever wrote them anywhere. Each plant is looked for before
it is forgotten, so that a search that finds nothing proves something.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemod.domain.tokens import terms
from mnemod.store.lexical import encoded
from tests.support.processes import Place
from tests.support.rpc import Client, Json, RpcError, observe_params
from tests.support.torture import Checks, Round, forget, settle, unseen_word

RARE: Final = "鑫靐龘麤鱻犇猋骉羴飍灥燚"
"""Characters of which no other text here holds three in a row."""

DEBUG: Final = {"MNEMOD_LOG_LEVEL": "debug"}


@dataclass(frozen=True, slots=True)
class Plant:
    """Where a word was put, and what to forget to be rid of it."""

    kind: str
    target_id: str
    more: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tongue:
    """One script: how its word is made, and sentences that the rules form items of."""

    name: str
    word: Callable[[random.Random], str]
    likes: str
    aside: str
    asks: str
    person: str


LATIN: Final = Tongue(
    "latin",
    unseen_word,
    "I like {} tea.",
    "My bicycle is green.",
    "Did I tell you about {}?",
    "{} is my colleague, she plans shifts.",
)
HAN: Final = Tongue(
    "han",
    lambda chance: "".join(chance.sample(RARE, 6)),
    "我喜欢{}茶。",
    "我的自行车是绿色的。",
    "我跟你说过{}吗？",
    "我的同事叫{}。",
)

Planting = Callable[[Client, Tongue, str, str], Plant]
"""`(client, tongue, word, key)`: puts the word somewhere under ids that begin with `key`."""


def rounds(folder: Path, count: int, chance: random.Random) -> Iterator[Round]:
    """Each round on a fresh daemon: every planting, in Latin and in Han."""
    for number in range(count):
        home = folder / str(number)
        home.mkdir()
        place = Place(home)
        try:
            yield from _each(place, chance)
        finally:
            place.close()


def _each(place: Place, chance: random.Random) -> Iterator[Round]:
    client = place.spawn(env=DEBUG).client
    client.initialize()
    for name, planting in PLANTINGS.items():
        for tongue in (LATIN, HAN):
            yield forgotten(place, client, name, planting, tongue, tongue.word(chance))
    yield _failing_calls(place, client, chance)


def forgotten(
    place: Place, client: Client, name: str, planting: Planting, tongue: Tongue, word: str
) -> Round:
    """Plant it, find it, forget it, find nothing."""
    checks = Checks()
    key = f"{name}-{tongue.name}"
    plant = planting(client, tongue, word, key)
    before = found(place.data_dir, word)
    checks.hold("the search finds what is there", before != {})
    receipt = forget(client, f"forget-{key}", plant.kind, plant.target_id, *plant.more)["receipt"]
    checks.hold("the cleanup is complete", receipt["storage_cleanup"]["state"] == "complete")
    after = found(place.data_dir, word)
    checks.hold(f"no byte of it is left ({after})", after == {})
    recalled = str(client.call("recall_preview", query=f"what about {word}", history="always"))
    checks.hold("it is not recalled", word not in recalled)
    return checks.round(plant=name, script=tongue.name, before=_sum(before), after=_sum(after))


def needles(word: str) -> dict[str, bytes]:
    """What the word may look like on disk; of a search term its later half too.

    A full-text index keeps only what a term does not share with the one before it.
    """
    looks = {encoding: word.encode(encoding) for encoding in ("utf-8", "utf-16-le", "utf-16-be")}
    for term in terms(word):
        stored = encoded(term).encode()
        if len(stored) >= _TERM_BYTES_MIN:
            looks[f"term {len(looks)}"] = stored
            looks[f"half {len(looks)}"] = stored[len(stored) // 2 :]
    return looks


_TERM_BYTES_MIN: Final = 10
"""Shorter terms stand somewhere by chance."""


def found(folder: Path, word: str) -> dict[str, list[str]]:
    """Which looks of the word stand in which files."""
    looks = needles(word)
    files = [path for path in folder.rglob("*") if path.is_file()]
    hits: dict[str, list[str]] = {}
    for path in files:
        with suppress(FileNotFoundError):
            data = path.read_bytes()
            here = [look for look, needle in looks.items() if needle in data]
            if here:
                hits[path.name] = here
    return hits


def _sum(hits: dict[str, list[str]]) -> str:
    return " ".join(f"{name}:{len(looks)}" for name, looks in hits.items()) or "-"


def say(client: Client, key: str, text: str, conversation: str = "", **message: object) -> str:
    """One message in a conversation of its own, read and formed; its Evidence."""
    params = observe_params(text, key, conversation_id=conversation or key)
    params["messages"][0].update(message)
    evidence_id: str = client.call("observe", **params)["evidence"][0]["evidence_id"]
    settle(client)
    return evidence_id


def items_of(client: Client, evidence_id: str) -> list[Json]:
    """The items that stand on this Evidence."""
    items = client.call("query_world", operation="list", limit=500)["items"]
    return [i for i in items if any(s["evidence_id"] == evidence_id for s in i["support"])]


def item_of(client: Client, evidence_id: str) -> Plant:
    item = items_of(client, evidence_id)[0]
    return Plant(item["object_kind"], item["item_id"])


def _in_a_message(client: Client, tongue: Tongue, word: str, key: str) -> Plant:
    return Plant("evidence", say(client, key, tongue.likes.format(word)))


def _in_an_item(client: Client, tongue: Tongue, word: str, key: str) -> Plant:
    return item_of(client, say(client, key, tongue.likes.format(word)))


def _in_one_sentence(client: Client, tongue: Tongue, word: str, key: str) -> Plant:
    said = say(client, key, f"{tongue.likes.format(word)} {tongue.aside}")
    items = [item for item in items_of(client, said) if word in item["text"]]
    return Plant(items[0]["object_kind"], items[0]["item_id"])


def _in_a_question(client: Client, tongue: Tongue, word: str, key: str) -> Plant:
    return Plant("evidence", say(client, key, tongue.asks.format(word)))


def _as_a_speaker(client: Client, tongue: Tongue, word: str, key: str) -> Plant:
    speaker = {"id": f"id {word}", "name": word}
    return Plant("evidence", say(client, key, tongue.aside, speaker=speaker))


def _as_a_person(client: Client, tongue: Tongue, word: str, key: str) -> Plant:
    return Plant("evidence", say(client, key, tongue.person.format(word.capitalize())))


def _as_a_correction(client: Client, tongue: Tongue, word: str, key: str) -> Plant:
    plant = item_of(client, say(client, key, tongue.likes.format("rice")))
    target = {"target_kind": plant.kind, "target_id": plant.target_id}
    text = tongue.likes.format(word)
    done = client.call("correct_world_item", command_id=key, correction_text=text, **target)
    _, new, *_ = done["receipt"]["affected_ids"]
    return Plant(plant.kind, new)


def _as_what_was_corrected(client: Client, tongue: Tongue, word: str, key: str) -> Plant:
    plant = item_of(client, say(client, key, tongue.likes.format(word)))
    target = {"target_kind": plant.kind, "target_id": plant.target_id}
    text = tongue.likes.format("rice")
    done = client.call("correct_world_item", command_id=key, correction_text=text, **target)
    _, new, *_ = done["receipt"]["affected_ids"]
    return Plant(plant.kind, new)


def _in_a_reply_that_relied_on_it(client: Client, tongue: Tongue, word: str, key: str) -> Plant:
    said = say(client, key, tongue.aside)
    relied = {"capture": "complete", "evidence_ids": [said]}
    _answer(client, key, f"Yes, {word} goes there.", dependencies=relied)
    return Plant("evidence", said)


def _in_a_reply_that_repeats_it(client: Client, tongue: Tongue, word: str, key: str) -> Plant:
    said = say(client, key, tongue.likes.format(word))
    _answer(client, key, f"- {tongue.likes.format(word)}")
    return Plant("evidence", said)


def _answer(client: Client, key: str, text: str, **more: object) -> None:
    answer = {"message_id": f"{key}-a", "role": "assistant", "content": text, **more}
    client.call("observe", event_id=f"{key}-a", conversation_id=key, messages=[answer])


PLANTINGS: Final[dict[str, Planting]] = {
    "message": _in_a_message,
    "item": _in_an_item,
    "sentence": _in_one_sentence,
    "question": _in_a_question,
    "speaker": _as_a_speaker,
    "person": _as_a_person,
    "correction": _as_a_correction,
    "corrected": _as_what_was_corrected,
    "relied": _in_a_reply_that_relied_on_it,
    "repeated": _in_a_reply_that_repeats_it,
}


def _failing_calls(place: Place, client: Client, chance: random.Random) -> Round:
    """Calls that are refused, and questions: none of them leaves a byte, in the log neither."""
    checks = Checks()
    word = unseen_word(chance)
    known = observe_params("I like rye.", "known")
    client.call("observe", **known)
    refused = [_refusal(client, method, params) for method, params in _bad_calls(word)]
    checks.hold("each is refused by name", all(kind not in ("", "internal") for kind in refused))
    client.call("recall_preview", query=word)
    client.send(word.encode() + b"\n")
    checks.hold("garbage is answered", "error" in client.receive())
    after = found(place.data_dir, word)
    checks.hold(f"no byte of it was written ({after})", after == {})
    return checks.round(plant="refused", script=len(refused), before="-", after=_sum(after))


def _refusal(client: Client, method: str, params: Json) -> str:
    try:
        client.call(method, **params)
    except RpcError as error:
        return error.kind if "text" not in error.data else "told"
    return ""


def _bad_calls(word: str) -> list[tuple[str, Json]]:
    said = observe_params(f"I like {word}.", "fresh")
    conflict = observe_params(f"I like {word}.", "known")
    other_event = {**conflict, "event_id": "another"}
    both = {"target_kind": "cognition", "target_id": word}
    return [
        ("observe", {**said, "account": word}),
        ("observe", {**said, word: 1}),
        ("observe", {**said, "messages": [{**said["messages"][0], "role": word}]}),
        ("observe", {**said, "messages": [{**said["messages"][0], "at": word}]}),
        ("observe", {**said, "messages": [{**said["messages"][0], "content": f"{word}\0"}]}),
        ("observe", {**said, "messages": [{**said["messages"][0], "content": word * 20_000}]}),
        ("observe", conflict),
        ("observe", other_event),
        ("correct_world_item", {"command_id": "bad", "correction_text": word, **both}),
        ("correct_world_item", {"command_id": word, "correction_text": "", **both}),
        ("preview_forget", both),
        ("delete_world_item", {"command_id": "bad", "forget_scope": word, **both}),
        ("query_world", {"operation": word}),
        ("query_evidence", {"operation": "list", "cursor": word}),
        ("recall_preview", {"query": word, "time": word, "max_items": 0}),
        ("recall_preview", {"query": word * 400}),
        (word, {}),
    ]
