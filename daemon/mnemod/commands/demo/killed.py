"""Scene 6: kill -9 while memories are being formed, and nothing is lost and nothing is double.

The daemon is killed when it has just said that it is at work. It may have finished that piece in
the instant between; whether it was cut off is known from the restarted daemon, which names the
jobs it found half done. If there is none, the scene says so and kills again over the work that is
left. Where none is left it sends the same messages under new names first, which is a fair try, for
a repeated sentence has to be read like any other.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mnemod.commands.demo.scene import (
    Scene,
    all_evidence,
    current_items,
    job_counts,
    unfinished,
    wait_until_formed,
)

if TYPE_CHECKING:
    from mnemod.rpc.generated import JobCounts, JobRow

_TRIES: Final = 12
_TAKEN_UP_WITHIN_S: Final = 10.0


class Crash(NamedTuple):
    """What was seen just before the kill, and right after the restart."""

    pid: int
    sent: list[str]
    before: JobCounts
    after: JobCounts
    back_s: float
    cut_off: int
    """How many of its jobs the daemon found half done when it came back."""


def play(scene: Scene) -> None:
    """Send many messages, kill, start again, and count."""
    count = len(scene.script.crash)
    scene.look.scene(6, "Killed, and nothing is lost", f"{count} messages at once, then kill -9.")
    crash = _crash(scene, _send(scene, 0))
    for number in range(1, _TRIES):
        if crash.cut_off:
            break
        scene.look.note("It died between two pieces of work; once more.")
        more = [] if unfinished(job_counts(scene.client)) else _send(scene, number)
        crash = _crash(scene, [*crash.sent, *more])
    took_s = wait_until_formed(scene.client)
    jobs = _jobs(scene, crash.sent)
    _show(scene, crash, jobs, took_s)
    _check(scene, crash, jobs)


def _crash(scene: Scene, sent: list[str]) -> Crash:
    """Kill it at its work over what was sent, whichever time, and start it again."""
    before = _at_work(scene)
    pid = scene.stage.kill()
    back_s = scene.stage.spawn()
    after = job_counts(scene.client)
    return Crash(pid, sent, before, after, back_s, _cut_off(scene, sent, after))


def _cut_off(scene: Scene, sent: list[str], after: JobCounts) -> int:
    """How many it found half done. It takes those up before it ends any, so an end tells."""
    began = time.perf_counter()
    while time.perf_counter() - began < _TAKEN_UP_WITHIN_S:
        counts = job_counts(scene.client)
        if recovered := _recovered(_jobs(scene, sent)):
            return recovered
        if unfinished(counts) < unfinished(after) or not unfinished(counts):
            break
    return 0


def _at_work(scene: Scene) -> JobCounts:
    """The counts, as soon as something is being worked on, or nothing is left to."""
    while True:
        counts = job_counts(scene.client)
        if counts["processing"] or not unfinished(counts):
            return counts


def _send(scene: Scene, number: int) -> list[str]:
    """Every message acknowledged; the evidence ids, in order."""
    calls = []
    for place, content in enumerate(scene.script.crash):
        name = f"crash-{number}-{place}"
        message = {"message_id": name, "role": "user", "content": content}
        params = {"event_id": name, "conversation_id": f"crash-{number}", "messages": [message]}
        calls.append(("observe", params))
    answers: Any = list(scene.client.calls(calls))
    ids = [answer["evidence"][0]["evidence_id"] for answer in answers]
    scene.said.update(zip(ids, scene.script.crash, strict=True))
    return ids


def _jobs(scene: Scene, sent: list[str]) -> list[JobRow]:
    """The jobs over what was sent before the kill."""
    listed: Any = scene.client.call("query_jobs", {"operation": "list", "limit": 500})
    return [job for job in listed["jobs"] if set(sent) & set(job["evidence_ids"])]


def _recovered(jobs: list[JobRow]) -> int:
    return sum(job.get("recovery") == "restart_recovered" for job in jobs)


def _show(scene: Scene, crash: Crash, jobs: list[JobRow], took_s: float) -> None:
    ended = Counter(job["state"] for job in jobs)
    states = ", ".join(f"{number} {state}" for state, number in ended.items())
    scene.look.table(
        ["", "jobs", ""],
        [
            ["before", _counted(crash.before), f"kill -9 {crash.pid}"],
            ["restarted", _counted(crash.after), f"answers again after {crash.back_s:.2f} s"],
            ["later", states, f"after {took_s:.2f} s; {_recovered(jobs)} restart_recovered"],
        ],
    )


def _counted(counts: JobCounts) -> str:
    waiting = counts["pending"] + counts["retry"]
    return f"{counts['processing']} at work, {waiting} waiting"


def _check(scene: Scene, crash: Crash, jobs: list[JobRow]) -> None:
    rows = all_evidence(scene.client)
    there = {row["evidence_id"]: row["content"] for row in rows}
    scene.look.claim("it died in the middle of its work", crash.cut_off > 0)
    scene.look.claim(
        f"every acknowledged word is there, once: {len(rows)} messages",
        there == scene.said and len(rows) == len(there),
    )
    scene.look.claim(
        "every job ended well, the one that was cut off included",
        len(jobs) == len(crash.sent) and all(job["state"] in ("done", "no_change") for job in jobs),
    )
    made = Counter(
        (part["evidence_id"], part["start"], part["end"], item["object_kind"])
        for item in current_items(scene.client)
        for part in item["support"]
        if item["object_kind"] != "entity"
    )
    scene.look.claim("no memory was formed twice", max(made.values(), default=0) == 1)
