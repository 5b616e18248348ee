"""The daemon kills itself at every named point of its work, at its first pass and at a later one.

Promises, seen after a restart: acknowledged messages are there, others whole or absent; each job is
done at once, its attempt given back; a stored reply is used and not bought again; one item a
message; what was forgotten is in no byte, even if the cleanup never ran.
"""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.support.answering_model import AnsweringModel, answering_model, first_sentence
from tests.support.bytes_on_disk import holding
from tests.support.processes import Host, Place
from tests.support.rpc import ConnectionEnded, Json, RpcError, observe_params
from tests.support.torture import (
    Checks,
    Round,
    everything,
    faults_of,
    forget,
    settle,
    unseen_word,
)

FAULTS: Final = (
    "create.before_rename:1",
    "write.before_begin:1",
    "write.before_begin:7",
    "write.before_commit:2",
    "write.before_commit:9",
    "write.after_commit:2",
    "write.after_commit:12",
    "formation.after_claim:1",
    "formation.after_claim:3",
    "formation.after_reply_stored:1",
    "formation.after_reply_stored:4",
    "formation.before_apply_commit:1",
    "formation.before_apply_commit:3",
    "erase.before_cleanup:1",
    "checkpoint:1",
)
POINTS: Final = tuple(dict.fromkeys(fault.partition(":")[0] for fault in FAULTS[1:]))
MESSAGES = 5
BACK_WITHIN_S = 10.0
"""Far below a lease: a job that waited for its lease to run out would take five minutes."""

_STORED_FIRST: Final = ("formation.after_reply_stored", "formation.before_apply_commit")
_IN_A_JOB: Final = ("formation.after_claim", *_STORED_FIRST)


def rounds(folder: Path, count: int, chance: random.Random) -> Iterator[Round]:
    """Each of the faults once; then points at random, at a random pass."""
    for number in range(count):
        known = number < len(FAULTS)
        fault = FAULTS[number] if known else f"{chance.choice(POINTS)}:{chance.randint(1, 30)}"
        home = folder / str(number)
        home.mkdir()
        place = Place(home)
        with answering_model(first_sentence) as model:
            try:
                yield _Life(place, model, fault, chance, must_strike=known).round()
            finally:
                place.close()


def some(faults: tuple[str, ...], folder: Path, chance: random.Random) -> list[Round]:
    """One round for each of these faults."""
    found = []
    for number, fault in enumerate(faults):
        home = folder / str(number)
        home.mkdir()
        place = Place(home)
        with answering_model(first_sentence) as model:
            found.append(_Life(place, model, fault, chance).round())
        place.close()
    return found


@dataclass
class _Life:
    """One daemon's life up to the fault, and what its successor finds."""

    place: Place
    model: AnsweringModel
    fault: str
    chance: random.Random
    must_strike: bool = True
    told: dict[str, Json] = field(default_factory=dict)
    forgot: str = ""
    checks: Checks = field(default_factory=Checks)

    def __post_init__(self) -> None:
        words = [unseen_word(self.chance) for _ in range(MESSAGES)]
        self.texts = {f"m{n}": f"I grow {word} here." for n, word in enumerate(words)}
        self.secret = words[0]

    def round(self) -> Round:
        self._live()
        began = time.monotonic()
        after = self._spawn("")
        after.client.initialize()
        counts = settle(after.client, BACK_WITHIN_S)
        settled_ms = round((time.monotonic() - began) * 1000)
        self._check_messages(after)
        self._check_jobs(after, counts)
        self._check_secret(after)
        self.checks.hold("the file is sound", faults_of(after.client) == [])
        return self.checks.round(
            fault=self.fault,
            struck=self.struck,
            acknowledged=len(self.told),
            erased=self.erased,
            model_calls=len(self.model.asked),
            settled_ms=settled_ms,
        )

    def _spawn(self, fault: str) -> Host:
        env = {**self.model.env, "MNEMOD_TEST_BUILD": "1", "MNEMOD_FAULT": fault}
        return self.place.spawn("serve", "--stdio", "--alone", env=env)

    def _live(self) -> None:
        """Observe, form, forget one, until the fault strikes."""
        host = self._spawn(f"{self.fault}:kill")
        with suppress(ConnectionEnded, BrokenPipeError):
            host.client.initialize()
            self._observe(host)
            settle(host.client)
            self._forget(host)
            host.end()  # a checkpoint is met at the latest when the file is closed
        host.process.wait(10)
        struck = host.process.returncode == -signal.SIGKILL
        self.checks.hold("the fault struck", struck or not self.must_strike)
        self.struck = struck

    def _observe(self, host: Host) -> None:
        asked = {
            host.client.ask("observe", **observe_params(text, key)): key
            for key, text in self.texts.items()
        }
        for request_id, key in asked.items():
            self.told[key] = host.client.answer_to(request_id)["result"]

    def _forget(self, host: Host) -> None:
        self.forgot = "asked"
        forget(host.client, "forget-0", "evidence", self.told["m0"]["evidence"][0]["evidence_id"])
        self.forgot = "told"

    def _check_messages(self, after: Host) -> None:
        rows = everything(after.client, "query_evidence", "evidence")
        there = {row["message_id"]: row["content"] for row in rows if row["content"]}
        self.erased = self.forgot != "" and _is_erased(after, self.told["m0"])
        for key in self.told:
            is_there = there.get(key) == self.texts[key] or (key == "m0" and self.erased)
            self.checks.hold("acknowledged messages are there", is_there)
        whole = all(self.texts[key] == text for key, text in there.items())
        self.checks.hold("what was not acknowledged is whole or absent", whole)
        self.kept = there

    def _check_jobs(self, after: Host, counts: Json) -> None:
        jobs = everything(after.client, "query_jobs", "jobs")
        items = everything(after.client, "query_world", "items")
        self.checks.hold("every message has its job", len(jobs) == len(self.kept))
        self.checks.hold("every job is done", counts["done"] == len(self.kept))
        texts = sorted(item["text"] for item in items)
        self.checks.hold("exactly one item a message", texts == sorted(self.kept.values()))
        self.checks.hold("no attempt is lost", all(job["attempts"] == 1 for job in jobs))
        calls = [self.model.calls_about(text) for text in self.kept.values()]
        self.checks.hold("no reply is bought three times", max(calls, default=1) <= 2)
        point = self.fault.partition(":")[0]
        if point in _IN_A_JOB and self.struck:
            recovered = [job for job in jobs if job.get("recovery") == "restart_recovered"]
            self.checks.hold("the cut off job says so", len(recovered) == 1)
        if point in _STORED_FIRST and self.struck:
            self.checks.hold("a stored reply is not bought again", set(calls) == {1})

    def _check_secret(self, after: Host) -> None:
        """Either it was never forgotten and is readable, or it is in no byte."""
        if self.forgot == "told":
            self.checks.hold("an acknowledged forget is done", self.erased)
        if self.erased:
            found = holding(self.place.data_dir, self.secret)
            self.checks.hold("what is forgotten is in no byte", found == set())
            recalled = after.client.call("recall_preview", query=self.secret)
            self.checks.hold("what is forgotten is not recalled", self.secret not in str(recalled))


def _is_erased(after: Host, told: Json) -> bool:
    evidence_id = told["evidence"][0]["evidence_id"]
    try:
        row = after.client.call("query_evidence", operation="get", evidence_id=evidence_id)
    except RpcError as error:
        return error.kind == "already_erased"
    return row["evidence_row"]["content"] == ""
