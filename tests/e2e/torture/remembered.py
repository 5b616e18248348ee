"""A person's history against a tiny model of it in memory: said, corrected, forgotten, killed.

Promises, after every step: the rows and the current items are those of the model; what was erased
is in no byte and no recall; what was not is recalled; a preview is exactly what its forget erases;
a message said again changes nothing.
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.e2e.torture.sentinels import found
from tests.support.answering_model import AnsweringModel, answering_model
from tests.support.processes import Host, Place
from tests.support.rpc import Json, RpcError, observe_params
from tests.support.torture import Checks, Round, everything, faults_of, settle, unseen_word

STEPS: Final = 40
TARGETS_MAX: Final = 3
KILLED_WITHIN_S: Final = 0.03
COVER: Final = "\u2588"


def rounds(folder: Path, count: int, chance: random.Random) -> Iterator[Round]:
    """Each round one history of `STEPS` steps."""
    for number in range(count):
        yield history(folder / str(number), chance, STEPS)


def history(folder: Path, chance: random.Random, steps: int) -> Round:
    """One account from its first message on."""
    folder.mkdir()
    place = Place(folder)
    with answering_model(_every_sentence) as model:
        life = _Life(place, model, chance)
        try:
            for _ in range(steps):
                life.step()
            wrong = faults_of(life.host.client)
            life.checks.hold(f"the file is sound {wrong}", wrong == [])
        finally:
            place.close()
    return life.checks.round(steps=steps, **life.done)


def _every_sentence(data: Json) -> str:
    """Each sentence of each message is a fact of its speaker."""
    proposals = [
        {
            "action": "form",
            "statement_kind": "attribute",
            "supports": [{"evidence_id": message["id"], "sentence_id": sentence["id"]}],
        }
        for message in data["evidence"]
        for sentence in message["sentences"]
    ]
    return json.dumps({"result": "items", "items": proposals})


@dataclass(eq=False)
class _Sentence:
    """What a person said in one sentence, and the item it became."""

    word: str
    said: _Said
    item_id: str = ""
    is_gone: bool = False
    chain: list[_Sentence] = field(default_factory=list)

    @property
    def text(self) -> str:
        return f"I like {self.word} tea."

    @property
    def shown(self) -> str:
        return COVER * len(self.text) if self.is_gone else self.text


@dataclass(eq=False)
class _Said:
    """One row of Evidence. A correction has no message id to send again."""

    message_id: str
    evidence_id: str = ""
    sentences: list[_Sentence] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join(sentence.text for sentence in self.sentences)

    @property
    def shown(self) -> str:
        return " ".join(sentence.shown for sentence in self.sentences)

    @property
    def is_gone(self) -> bool:
        return all(sentence.is_gone for sentence in self.sentences)


class _Life:
    """The daemon and the model of it, step by step."""

    def __init__(self, place: Place, model: AnsweringModel, chance: random.Random) -> None:
        self.place, self.model, self.chance = place, model, chance
        self.checks = Checks()
        self.done: Counter[str] = Counter()
        self.all: list[_Said] = []
        self.count = 0
        self.host = self._start()

    def step(self) -> None:
        """Do one thing, then compare everything."""
        steps = (self._say, self._say, self._resend, self._correct, self._forget, self._restart)
        one = self.chance.choices(steps, weights=(3, 3, 2, 3, 4, 1))[0]
        one()
        self.done[one.__name__.strip("_")] += 1
        self._compare()

    def _start(self) -> Host:
        host = self.place.spawn("serve", "--stdio", "--alone", env=self.model.env)
        host.client.initialize()
        return host

    def _restart(self) -> None:
        if self.chance.random() < 0.5:
            self.host.end()
        self.host.close()
        self.host = self._start()

    def _next(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def _sentence(self, said: _Said) -> _Sentence:
        sentence = _Sentence(unseen_word(self.chance), said)
        sentence.chain = [sentence]
        said.sentences.append(sentence)
        return sentence

    def _say(self) -> None:
        said = _Said(self._next("m"))
        for _ in range(self.chance.randint(1, 3)):
            self._sentence(said)
        params = observe_params(said.text, said.message_id)
        if self.chance.random() < 0.2:
            self._kill_during("observe", **params)
        told = self.host.client.call("observe", **params)
        said.evidence_id = told["evidence"][0]["evidence_id"]
        settle(self.host.client)
        by_text = {item["text"]: item["item_id"] for item in self._items()}
        for sentence in said.sentences:
            sentence.item_id = by_text.get(sentence.text, "")
            self.checks.hold("every sentence is formed", sentence.item_id != "")
        self.all.append(said)

    def _resend(self) -> None:
        """The same message in another event, word for word or not."""
        spoken = [said for said in self.all if said.message_id]
        if not spoken:
            return
        said = self.chance.choice(spoken)
        altered = self.chance.random() < 0.3
        text = said.text + " And more." if altered else said.text
        params = observe_params(text, said.message_id, event_id=self._next("again"))
        try:
            told = self.host.client.call("observe", **params)
            outcome = told["evidence"][0]["outcome"]
        except RpcError as error:
            outcome = error.kind
        whole = all(not sentence.is_gone for sentence in said.sentences)
        wanted = ("evidence_conflict" if altered else "duplicate") if whole else _DELETED
        self.checks.hold(f"said again: {wanted}, not {outcome}", outcome == wanted)

    def _correct(self) -> None:
        current = self._current()
        if not current:
            return
        prior = self.chance.choice(current)
        said = _Said("")
        new = self._sentence(said)
        target = {"target_kind": "cognition", "target_id": prior.item_id}
        command = {"command_id": self._next("correct"), "correction_text": new.text, **target}
        if self.chance.random() < 0.3:
            self._kill_during("correct_world_item", **command)
        told = self.host.client.call("correct_world_item", **command)
        old_id, new.item_id, said.evidence_id = told["receipt"]["affected_ids"]
        self.checks.hold("the corrected item is named", old_id == prior.item_id)
        prior.chain.append(new)
        new.chain = prior.chain
        self.all.append(said)

    def _forget(self) -> None:
        """Some items, or some messages, in one command; then the same command again."""
        alive = [s for said in self.all for s in said.sentences if not s.is_gone]
        if not alive:
            return
        chosen = self.chance.sample(alive, min(len(alive), self.chance.randint(1, TARGETS_MAX)))
        by_item = self.chance.random() < 0.5
        kind = "cognition" if by_item else "evidence"
        ids = [s.item_id if by_item else s.said.evidence_id for s in chosen]
        gone = _closure(chosen if by_item else [s for c in chosen for s in c.said.sentences])
        self._erase(kind, list(dict.fromkeys(ids)), gone)

    def _erase(self, kind: str, ids: list[str], gone: list[_Sentence]) -> None:
        client = self.host.client
        first, *more = ids
        targets: Json = {"target_kind": kind, "target_id": first}
        if more:
            targets["additional_targets"] = [{"target_kind": kind, "target_id": i} for i in more]
        shown = client.call("preview_forget", **targets)
        method = "delete_evidence" if kind == "evidence" else "delete_world_item"
        command = {"command_id": self._next("forget"), "forget_scope": shown["forget_scope"]}
        if self.chance.random() < 0.3:
            self._kill_during(method, **command, **targets)
        told = self.host.client.call(method, **command, **targets)
        again = self.host.client.call(method, **command, **targets)
        for sentence in gone:
            sentence.is_gone = True
        self._check_preview(shown, told["receipt"], gone)
        self.checks.hold("the same command, the same receipt", again["receipt"] == told["receipt"])
        for sentence in gone:
            self.checks.hold("no byte is left", found(self.place.data_dir, sentence.word) == {})
            self._check_recalled(sentence)

    def _kill_during(self, method: str, **params: object) -> None:
        """Ask, and kill before, while or after it is done. Sent again, it is done once."""
        self.host.client.ask(method, **params)
        time.sleep(self.chance.uniform(0.0, KILLED_WITHIN_S))
        self.host.close()
        self.done["killed"] += 1
        self.host = self._start()

    def _check_preview(self, shown: Json, receipt: Json, gone: list[_Sentence]) -> None:
        rows = {row["item_id"]: (row["object_kind"], row["effect"]) for row in shown["items"]}
        wanted = {s.item_id: ("cognition", "erased") for s in gone} | {
            s.said.evidence_id: ("evidence", "erased" if s.said.is_gone else "changed")
            for s in gone
        }
        self.checks.hold("the preview shows exactly what goes", rows == wanted)
        affected = set(receipt["affected_ids"])
        self.checks.hold("what went is what was shown", affected == set(rows))

    def _alive(self) -> list[_Said]:
        return [said for said in self.all if not said.is_gone]

    def _current(self) -> list[_Sentence]:
        ends = {id(s.chain): s.chain[-1] for said in self._alive() for s in said.sentences}
        return [sentence for sentence in ends.values() if not sentence.is_gone]

    def _items(self) -> list[Json]:
        return everything(self.host.client, "query_world", "items")

    def _compare(self) -> None:
        settle(self.host.client)
        rows = everything(self.host.client, "query_evidence", "evidence")
        there = {row["evidence_id"]: _legible(row["content"]) for row in rows if row["content"]}
        wanted = {said.evidence_id: _legible(said.shown) for said in self._alive()}
        self.checks.hold("the rows are the model's", there == wanted)
        items = self._items()
        current = sorted(item["text"] for item in items if item["state"] == "current")
        self.checks.hold(
            "the current items are the model's", current == sorted(s.text for s in self._current())
        )
        alive = [s for said in self._alive() for s in said.sentences if not s.is_gone]
        ids = {item["item_id"] for item in items}
        self.checks.hold("the items are the model's", ids == {s.item_id for s in alive})
        everybody = [sentence for said in self.all for sentence in said.sentences]
        for sentence in self.chance.sample(everybody, min(2, len(everybody))):
            self._check_recalled(sentence)

    def _check_recalled(self, sentence: _Sentence) -> None:
        query = f"what about {sentence.word}"
        recalled = self.host.client.call("recall_preview", query=query, history="always")
        is_there = sentence.word in json.dumps(recalled)
        promise = "what is erased is not recalled" if sentence.is_gone else "the rest is recalled"
        self.checks.hold(promise, is_there is not sentence.is_gone)


def _legible(text: str) -> tuple[int, list[str]]:
    """The length, and the words between covers; a space between two covers may be covered."""
    return len(text), [part.strip() for part in text.split(COVER) if part.strip()]


_DELETED: Final = "hard_deleted_source"


def _closure(first: list[_Sentence]) -> list[_Sentence]:
    """All that goes with these: what replaced them and what they replaced."""
    found = {id(s): s for one in first for s in one.chain}
    return [sentence for sentence in found.values() if not sentence.is_gone]
