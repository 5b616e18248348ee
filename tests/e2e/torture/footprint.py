"""Two thousand mixed calls, good and bad: what the daemon holds must not grow with them.

Promises: descriptors and threads are what they were after the first calls; memory grows by less
than `GROWTH_KB`; nothing answered `internal`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.support.processes import Place, memory_kb
from tests.support.rpc import Client, RpcError, SocketClient, observe_params
from tests.support.torture import Checks, Round, faults_of, forget, settle, unseen_word

CALLS: Final = 2_000
WARM: Final = 200
GROWTH_KB: Final = 8 * 1024
"""Page caches of the account (2 MiB a connection) fill while the file grows; nothing else may."""


def rounds(folder: Path, count: int, chance: random.Random) -> Iterator[Round]:
    """Each round `CALLS` calls on a fresh daemon."""
    for number in range(count):
        home = folder / str(number)
        home.mkdir()
        place = Place(home)
        try:
            yield run(place, chance)
        finally:
            place.close()


@dataclass(frozen=True, slots=True)
class Held:
    """What a process holds."""

    memory_kb: int
    descriptors: int
    threads: int


def held(pid: int) -> Held:
    proc = Path(f"/proc/{pid}")
    return Held(
        memory_kb(pid), len(list((proc / "fd").iterdir())), len(list((proc / "task").iterdir()))
    )


def run(place: Place, chance: random.Random, calls: int = CALLS, warm: int = WARM) -> Round:
    """Compare what is held after `warm` calls with what is held after `calls`."""
    checks = Checks()
    client = place.spawn().client
    pid = client.initialize()["server"]["pid"]
    mix = _Mix(place, client, chance)
    for number in range(warm):
        mix.one(number)
    settle(client, 60)
    before = held(pid)
    for number in range(warm, calls):
        mix.one(number)
    settle(client, 60)
    after = held(pid)
    grown = after.memory_kb - before.memory_kb
    checks.hold("memory stays", grown < GROWTH_KB)
    checks.hold("descriptors stay", after.descriptors <= before.descriptors)
    checks.hold("threads stay", after.threads <= before.threads)
    checks.hold("nothing was internal", "internal" not in mix.refusals)
    checks.hold("the file is sound", faults_of(client) == [])
    return checks.round(
        calls=calls,
        rss_mb=f"{before.memory_kb / 1024:.1f} -> {after.memory_kb / 1024:.1f}",
        fds=f"{before.descriptors} -> {after.descriptors}",
        threads=f"{before.threads} -> {after.threads}",
        refusals=sum(mix.refusals.values()),
    )


@dataclass
class _Mix:
    """One call after another, of every sort in turn."""

    place: Place
    client: Client
    chance: random.Random
    refusals: dict[str, int] = field(default_factory=dict)
    rows: list[str] = field(default_factory=list)

    def one(self, number: int) -> None:
        sorts = (
            self._say,
            self._say,
            self._ask,
            self._correct,
            self._forget,
            self._bad,
            self._come,
        )
        try:
            sorts[number % len(sorts)](number)
        except RpcError as error:
            self.refusals[error.kind] = self.refusals.get(error.kind, 0) + 1

    def _say(self, number: int) -> None:
        text = f"I like {unseen_word(self.chance)} tea."
        told = self.client.call("observe", **observe_params(text, f"m{number}"))
        self.rows.append(told["evidence"][0]["evidence_id"])

    def _ask(self, _: int) -> None:
        self.client.call("recall_preview", query="which tea do I like")

    def _correct(self, number: int) -> None:
        items = self.client.call("query_world", operation="list", limit=1)["items"]
        if items:
            target = {"target_kind": items[0]["object_kind"], "target_id": items[0]["item_id"]}
            text = f"I like {unseen_word(self.chance)} milk."
            command = f"correct-{number}"
            self.client.call(
                "correct_world_item", command_id=command, correction_text=text, **target
            )

    def _forget(self, number: int) -> None:
        if self.rows:
            forget(self.client, f"forget-{number}", "evidence", self.rows.pop(0))

    def _bad(self, number: int) -> None:
        self.client.call("observe", event_id=f"bad-{number}", conversation_id="c", messages=[])

    def _come(self, number: int) -> None:
        """Another client comes, asks and goes without a word."""
        with SocketClient(self.place.record().socket) as other:
            other.initialize(f"other-{number % 3}")
            other.call("ping")
