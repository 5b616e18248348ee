"""A model that answers anything at all: made-up replies, prose, half replies, ids of nobody.

Promises: every job ends with a reason that is a word of ours and never `internal`; an item holds
nothing but words of its Evidence; the daemon lives and its account is sound.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.support.answering_model import answering_model, first_sentence
from tests.support.processes import Host, Place
from tests.support.rpc import Json, observe_params
from tests.support.torture import Checks, Round, difficult_text, everything, faults_of, settle

MESSAGES: Final = 60
_SAID: Final = (
    "I like {} tea.",
    "Mira is my colleague, she plans shifts at {}.",
    "Mira is also called {}. It rained.",
    "No, I live in {} now.",
    "I don't want you to remember that I like {} tea.",
    "On 2031-03-09 we opened {}.",
    "我喜欢{}茶。",
)
_WORDS: Final = ("barley", "Tarn", "Fen", "Lena", "mint", "靐龘")
_ACTIONS: Final = ("form", "correct", "contradict", "retract", "merge", "", None)
_KINDS: Final = (
    "attribute",
    "preference",
    "naming",
    "relationship",
    "alias",
    "event",
    "evaluation",
    "nothing",
    None,
)
_ODD: Final = (None, True, 0, -1, 2**70, 1.5, "", "x" * 3_000, [], {}, [None], {"id": 1}, "\ud800")


def rounds(folder: Path, count: int, chance: random.Random) -> Iterator[Round]:
    """Each round `MESSAGES` messages to a fresh daemon."""
    for number in range(count):
        home = folder / str(number)
        home.mkdir()
        place = Place(home)
        model = _WildModel(chance)
        with answering_model(model.answer) as stub:
            try:
                host = place.spawn("serve", "--stdio", "--alone", env=stub.env)
                yield _round(host, chance, len(stub.asked))
            finally:
                place.close()


def _round(host: Host, chance: random.Random, _: int) -> Round:
    checks = Checks()
    client = host.client
    client.initialize()
    for number in range(MESSAGES):
        text = chance.choice(_SAID).format(chance.choice(_WORDS))
        client.call("observe", **observe_params(text, f"m{number}"))
    settle(client, 60)
    jobs = everything(client, "query_jobs", "jobs")
    reasons = Counter(job.get("reason", job["state"]) for job in jobs)
    internal = [job for job in jobs if "internal" in (job.get("reason"), job.get("last_error"))]
    checks.hold("no job fails for a defect", internal == [])
    checks.hold("every job ends by itself", len(jobs) == MESSAGES)
    said = {row["evidence_id"]: row["content"] for row in everything(client, *_ROWS)}
    items = everything(client, "query_world", "items")
    checks.hold("an item is made of its words", all(_is_verbatim(item, said) for item in items))
    checks.hold("the file is sound", faults_of(client) == [])
    checks.hold("the daemon lives", host.process.poll() is None)
    common = " ".join(f"{reason}:{count}" for reason, count in reasons.most_common(6))
    return checks.round(jobs=len(jobs), items=len(items), ends=common)


_ROWS: Final = ("query_evidence", "evidence")


def _is_verbatim(item: Json, said: dict[str, str]) -> bool:
    if item["object_kind"] == "entity":
        return any(item["text"].casefold() in text.casefold() for text in said.values())
    quotes = [s["quote"] for s in item["support"]]
    spans = [said[s["evidence_id"]][s["start"] : s["end"]] for s in item["support"]]
    return quotes == spans and all(part in " ".join(quotes) for part in item["text"].split())


class _WildModel:
    """Replies that are sometimes right, mostly nearly right, and sometimes no replies."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def answer(self, data: Json) -> str:
        roll = self._chance.random()
        if roll < 0.05:
            return difficult_text(self._chance, 400)
        if roll > 0.6:
            return first_sentence(data)
        items = [self._proposal(data) for _ in range(self._chance.choice((1, 1, 1, 2, 7)))]
        text = json.dumps({"result": "items", "items": items})
        if roll < 0.1:
            return text[: self._chance.randrange(len(text))]
        if roll < 0.15:
            return f"```json\n{text}\n```"
        if roll < 0.25:
            result = self._chance.choice(("no_change", "out_of_scope", "what", None))
            return json.dumps({"result": result, "note": "n", "question": "q?"})
        return text

    def _proposal(self, data: Json) -> Json:
        proposal: Json = {
            "action": self._pick(_ACTIONS, "form"),
            "statement_kind": self._pick(_KINDS, "attribute"),
            "supports": [
                self._support(data) for _ in range(self._chance.choice((0, 1, 1, 1, 1, 1, 2)))
            ],
        }
        for name in ("target", "holder", "alias_of", "relation_type", "time_expression"):
            if self._chance.random() < 0.2:
                proposal[name] = self._chance.choice((*_WORDS, "Mira", "owner", "she", "today"))
        for name in ("corrects", "supersedes", "contradicts"):
            if self._chance.random() < 0.2:
                proposal[name] = self._ids(data)
        if self._chance.random() < 0.15:
            proposal[self._chance.choice(list(proposal))] = self._chance.choice(_ODD)
        return proposal

    def _pick(self, values: tuple[Any, ...], usual: str) -> Any:
        return usual if self._chance.random() < 0.85 else self._chance.choice(values)

    def _support(self, data: Json) -> Json:
        message = self._chance.choice(data["evidence"])
        text = message["text"]
        start = self._chance.randrange(len(text))
        selectors: tuple[Json, ...] = (
            {"sentence_id": "t0"},
            {"sentence_id": self._chance.choice(("t0", "t0", "t1", "t9"))},
            {"segment_id": self._chance.choice(("s0", "s1", "s9"))},
            {"quote": text[start : start + 9]},
            {"start": start, "end": start + self._chance.randint(-1, 20)},
        )
        return {"evidence_id": message["id"], **self._chance.choice(selectors)}

    def _ids(self, data: Json) -> list[str]:
        known = [item["id"] for item in data["current_items"]]
        return [
            self._chance.choice([*known, "it_0", ""]) for _ in range(self._chance.randint(0, 2))
        ]
