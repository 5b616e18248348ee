"""Two hosts forget parts of one line of corrections at the same moment, and one thing each besides.

Promises: the line is erased once, by one of them, and the other is told so by name; what each
forgets besides is erased for each; nothing is half done, and no byte is left.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.e2e.torture.sentinels import found, items_of, say
from tests.support.processes import Place
from tests.support.rpc import Client, Json
from tests.support.torture import Checks, Round, everything, faults_of, unseen_word

CORRECTIONS: Final = 3
_TOO_LATE: Final = {"already_erased", "forget_scope_changed"}


def rounds(folder: Path, count: int, chance: random.Random) -> Iterator[Round]:
    """Each round one line of corrections in one shared account."""
    place = Place(folder)
    try:
        left, right = place.spawn().client, place.spawn().client
        left.initialize(host_id="left")
        right.initialize(host_id="right")
        for number in range(count):
            yield _round(place, (left, right), f"r{number}", chance)
    finally:
        place.close()


def _round(place: Place, rivals: tuple[Client, Client], key: str, chance: random.Random) -> Round:
    checks = Checks()
    words = [unseen_word(chance) for _ in range(CORRECTIONS + 3)]
    line = _line(rivals[0], key, words[: CORRECTIONS + 1])
    apart = [_item(rivals[0], f"{key}-{n}", word) for n, word in enumerate(words[-2:])]
    before = len(everything(rivals[0], "query_world", "items"))
    wishes = [_wish(rival, chance.choice(line)) for rival in rivals]
    wishes += [_wish(rival, one) for rival, one in zip(rivals, apart, strict=True)]
    commands = [f"{key}-forget-{n}" for n in range(len(wishes))]
    asked = [
        (rival, rival.ask("delete_world_item", command_id=command, **wish))
        for rival, command, wish in zip((*rivals, *rivals), commands, wishes, strict=True)
    ]
    answers = [_outcome(rival.answer_to(request_id)) for rival, request_id in asked]
    checks.hold("the line goes once", _one(answers))
    checks.hold("what is apart goes for each", answers[2:] == ["applied", "applied"])
    after = len(everything(rivals[1], "query_world", "items"))
    checks.hold("nothing else goes", before - after == len(line) + len(apart))
    for word in words:
        checks.hold("no byte is left", found(place.data_dir, word) == {})
    checks.hold("the file is sound", faults_of(rivals[0]) == [])
    return checks.round(line=len(line), left=answers[0], right=answers[1], apart=answers[2])


def _one(answers: list[str]) -> bool:
    """One applied, and the other told that it came too late."""
    first, second = sorted(answers[:2])
    return {first, second} - _TOO_LATE == {"applied"} and first != second


def _item(client: Client, key: str, word: str) -> str:
    said = say(client, key, f"I like {word} tea.")
    item_id: str = items_of(client, said)[0]["item_id"]
    return item_id


def _line(client: Client, key: str, words: list[str]) -> list[str]:
    """An item and what it was corrected to, again and again."""
    line = [_item(client, key, words[0])]
    for number, word in enumerate(words[1:]):
        told = client.call(
            "correct_world_item",
            command_id=f"{key}-correct-{number}",
            target_kind="cognition",
            target_id=line[-1],
            correction_text=f"I like {word} tea.",
        )
        line.append(told["receipt"]["affected_ids"][1])
    return line


def _wish(client: Client, item_id: str) -> Json:
    target = {"target_kind": "cognition", "target_id": item_id}
    scope = client.call("preview_forget", **target)["forget_scope"]
    return {**target, "forget_scope": scope}


def _outcome(answer: Json) -> str:
    if "error" in answer:
        kind: str = answer["error"]["data"]["kind"]
        return kind
    state: str = answer["result"]["receipt"]["result_state"]
    return state
