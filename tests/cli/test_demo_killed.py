"""The demo's crash: a kill that cuts nothing off is tried again, and fairly."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from rich.console import Console

from mnemod.commands.demo import killed, script
from mnemod.commands.demo.look import Look
from mnemod.commands.demo.scene import Scene

STATES = ("pending", "processing", "retry", "done", "no_change")


class Stage:
    """A daemon whose lives end `done_a_life` jobs each; kill number `cuts_at` cuts one off."""

    def __init__(self, *, cuts_at: int, done_a_life: int) -> None:
        self.client = self
        self.jobs: list[dict[str, Any]] = []
        self.sent: list[str] = []
        self._cuts_at, self._done_a_life, self._kills = cuts_at, done_a_life, 0
        self._half_done: dict[str, Any] = {}
        self._looks = 0

    def kill(self) -> int:
        self._kills += 1
        waiting = [job for job in self.jobs if job["state"] != "done"]
        for job in waiting[: self._done_a_life]:
            job["state"] = "done"
        self._half_done = waiting[-1] if self._kills == self._cuts_at else {}
        return 1

    def _work_on(self) -> None:
        """Once it is started again: nothing yet, then take up what was half done, then end one."""
        self._looks += 1
        if self._kills and self._looks == 3:
            self._half_done["recovery"] = "restart_recovered"
        if self._kills and self._looks == 5:
            next((job for job in self.jobs if job["state"] != "done"), {})["state"] = "done"

    def spawn(self) -> float:
        self._looks = 0
        return 0.1

    def calls(self, calls: list[tuple[str, dict[str, Any]]]) -> Iterator[dict[str, Any]]:
        for _, params in calls:
            name = params["event_id"]
            self.sent.append(name)
            self.jobs.append({"evidence_ids": [name], "state": "processing"})
            yield {"evidence": [{"evidence_id": name}]}

    def call(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        if method == "query_jobs":
            self._work_on()
        counts = Counter(job["state"] for job in self.jobs)
        jobs = {"jobs": self.jobs, "counts": {state: counts[state] for state in STATES}}
        return {"query_jobs": jobs, "query_evidence": {"evidence": []}}.get(method, {"items": []})


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(killed, "wait_until_formed", lambda _client: 0.1)


def play(stage: Stage) -> tuple[list[str], str]:
    """The claims that broke, and what was shown."""
    out = io.StringIO()
    look = Look(Console(file=out, width=80, color_system=None), plain=True, pause_s=0.0)
    killed.play(Scene(stage, script.load(), look))  # type: ignore[arg-type]
    return [claim.sentence for claim in look.claims.broken], out.getvalue()


DIED = "it died in the middle of its work"


def test_a_kill_between_two_pieces_is_tried_again_on_the_work_that_is_left() -> None:
    stage = Stage(cuts_at=3, done_a_life=1)

    broken, shown = play(stage)

    assert DIED not in broken
    assert shown.count("once more") == 2
    assert len(stage.sent) == len(script.load().crash)


def test_where_no_work_is_left_the_messages_are_sent_again_under_new_names() -> None:
    stage = Stage(cuts_at=2, done_a_life=1_000)

    broken, _ = play(stage)

    assert DIED not in broken
    assert len(set(stage.sent)) == len(stage.sent) == 2 * len(script.load().crash)


def test_a_daemon_never_caught_at_work_is_owned_up_to() -> None:
    broken, _ = play(Stage(cuts_at=0, done_a_life=1))

    assert DIED in broken
