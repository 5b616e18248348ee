"""What the torture runs share: rounds with their figures, difficult text, whole lists, waiting.

A scenario yields a `Round` each time it has tried to break something. `broken` names every promise
that did not hold, in words without the text it is about.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.rpc import Client

Json = dict[str, Any]
Figures = Mapping[str, object]
SETTLE_S = 20.0
PAGE = 500

_RANGES = (
    (0x20, 0x7E),
    (0x01, 0x1F),
    (0x80, 0x9F),
    (0x300, 0x36F),
    (0x590, 0x6FF),
    (0x3040, 0x30FF),
    (0x4E00, 0x9FFF),
    (0x1F300, 0x1FAFF),
    (0x20000, 0x2A6DF),
    (0xE0001, 0xE007F),
    (0xFFF0, 0xFFFF),
)
_JOINED = (
    "\u200d",
    "\u202e",
    "\u2066",
    "\ufeff",
    "\ufe0f",
    "\r\n",
    "\u2028",
    "'; --",
    '"',
    "\\u0000",
)


@dataclass(frozen=True, slots=True)
class Round:
    """What one round showed, and the promises it saw broken."""

    figures: Figures
    broken: tuple[str, ...] = ()


@dataclass(slots=True)
class Checks:
    """Collects the promises that did not hold, so that one round shows them all."""

    broken: list[str] = field(default_factory=list)

    def hold(self, promise: str, kept: bool) -> None:
        """Say whether a promise was kept."""
        if not kept:
            self.broken.append(promise)

    def round(self, **figures: object) -> Round:
        """The round as it stands."""
        return Round(figures, tuple(dict.fromkeys(self.broken)))


def difficult_text(chance: random.Random, chars_max: int = 120) -> str:
    """A message nobody types: astral and right-to-left characters, joiners, controls but NUL."""
    pieces = [_piece(chance) for _ in range(chance.randint(1, chars_max))]
    return "".join(pieces).strip() or "."


def _piece(chance: random.Random) -> str:
    if chance.random() < 0.1:
        return chance.choice(_JOINED)
    first, last = chance.choice(_RANGES)
    return chr(chance.randint(first, last))


def unseen_word(chance: random.Random, letters: int = 14) -> str:
    """A word that stands nowhere by chance, and that no stemmer shortens."""
    return "".join(chance.choice("bcdfghjkmpqvwxz") for _ in range(letters))


def everything(client: Client, method: str, rows: str, **params: object) -> list[Json]:
    """All rows of a list, over as many pages as it has."""
    found: list[Json] = []
    cursor: Json = {}
    while True:
        page = client.call(method, operation="list", limit=PAGE, **params, **cursor)
        found += page[rows]
        if "next_cursor" not in page:
            return found
        cursor = {"cursor": page["next_cursor"]}


def settle(client: Client, within_s: float = SETTLE_S) -> Json:
    """Wait until no job waits or runs; the counts by state."""
    deadline = time.monotonic() + within_s
    while True:
        counts: Json = client.call("query_jobs", operation="summary")["counts"]
        if not counts["pending"] + counts["processing"] + counts["retry"]:
            return counts
        if time.monotonic() > deadline:
            raise TimeoutError(f"jobs still open: {counts}")
        time.sleep(0.02)


def faults_of(client: Client) -> list[str]:
    """The checks of the whole account file that found damage, or rows that disagree."""
    findings = client.call("check_account", deep=True)["findings"]
    wrong = (row for row in findings if row["state"] != "ok" and row["check"] != "dead_jobs")
    return [f"{row['check']} {row['count']}" for row in wrong]


def forget(client: Client, command_id: str, kind: str, target_id: str, *more: str) -> Json:
    """Preview, then erase exactly that; `more` are ids of the same kind. The result."""
    targets: Json = {"target_kind": kind, "target_id": target_id}
    if more:
        targets["additional_targets"] = [{"target_kind": kind, "target_id": one} for one in more]
    scope = client.call("preview_forget", **targets)["forget_scope"]
    method = "delete_evidence" if kind == "evidence" else "delete_world_item"
    return client.call(method, command_id=command_id, forget_scope=scope, **targets)


def broken(rounds: Iterable[Round]) -> list[tuple[str, ...]]:
    """What each round that broke something broke. Fails if there was no round."""
    seen = list(rounds)
    assert seen, "the scenario had no round"
    return [one.broken for one in seen if one.broken]


Scenario = Callable[[Path, int, random.Random], Iterator[Round]]
"""`(folder, rounds, chance)`: the folder is empty and the scenario's own."""
