"""What every scene gets, and the reading they share."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from mnemod.commands.demo.look import Look
from mnemod.commands.demo.script import Script
from mnemod.commands.demo.stage import Stage
from mnemod.exits import Exit, Refused
from mnemod.transport.client import Client

if TYPE_CHECKING:
    from mnemod.rpc.generated import EvidenceRow, ItemRow, JobCounts

_FORMED_WITHIN_S: Final = 15.0
_LOOK_AGAIN_S: Final = 0.005


@dataclass(slots=True)
class Scene:
    """The stage, the script, how it is shown, and what was said so far."""

    stage: Stage
    script: Script
    look: Look
    said: dict[str, str] = field(default_factory=dict)
    """What was sent, by the id the daemon gave it."""

    @property
    def client(self) -> Client:
        """The present connection: it is another one after the crash."""
        return self.stage.client


def all_evidence(client: Client) -> list[EvidenceRow]:
    """Every message the account holds, in the order they came."""
    return _all(client, "query_evidence", {"operation": "list"}, "evidence")


def current_items(client: Client) -> list[ItemRow]:
    """Every memory that holds, in the order they were made."""
    return _all(client, "query_world", {"operation": "list", "state": "current"}, "items")


def job_counts(client: Client) -> JobCounts:
    """How many jobs stand in each state now."""
    counts: JobCounts = client.call("query_jobs", {"operation": "summary"})["counts"]
    return counts


def unfinished(counts: JobCounts) -> int:
    """How many jobs have not ended."""
    return counts["pending"] + counts["processing"] + counts["retry"]


def wait_until_formed(client: Client) -> float:
    """Seconds until every job has ended. Raises Refused (1) if they do not."""
    began = time.perf_counter()
    while unfinished(job_counts(client)):
        if time.perf_counter() - began > _FORMED_WITHIN_S:
            raise Refused(Exit.FAILED, "memories are not formed in time; `mnemod doctor`")
        time.sleep(_LOOK_AGAIN_S)
    return time.perf_counter() - began


def the_one(rows: Sequence[Any], member: str, words: str) -> Any:
    """The first row that holds these words there. Raises Refused (1) if none does."""
    for row in rows:
        if words in row[member]:
            return row
    raise Refused(Exit.FAILED, f"the demo finds nothing that says {words!r}")


def _all(client: Client, method: str, params: dict[str, Any], member: str) -> list[Any]:
    rows: list[Any] = []
    cursor: dict[str, Any] = {}
    while True:
        page = client.call(method, {**params, **cursor})
        rows += page[member]
        if page.get("next_cursor") is None:
            return rows
        cursor = {"cursor": page["next_cursor"]}
