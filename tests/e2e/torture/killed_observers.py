"""Two hundred messages pipelined, the daemon killed at a random acknowledgement.

Promises: what was acknowledged is there byte for byte; sending everything again ends with exactly
one row and one job a message; the file is sound.
"""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tests.support.processes import Host, Place
from tests.support.rpc import ConnectionEnded, Json, observe_params, request
from tests.support.torture import Checks, Round, difficult_text, everything, faults_of

MESSAGES = 200
WAYS = (("serve", "--stdio", "--alone"), ("serve", "--stdio"))
"""The host's own process is killed, or the daemon behind the proxy."""


def rounds(folder: Path, count: int, chance: random.Random) -> Iterator[Round]:
    """One kill a round, each on a data directory of its own."""
    for number in range(count):
        home = folder / str(number)
        home.mkdir()
        place = Place(home)
        try:
            yield _round(place, WAYS[number % 2], chance)
        finally:
            place.close()


def _round(place: Place, way: tuple[str, ...], chance: random.Random) -> Round:
    checks = Checks()
    # With plain words behind them: by themselves some are noise, which gets no job.
    texts = {f"m{n}": f"{difficult_text(chance)} I keep {n} bees." for n in range(MESSAGES)}
    host = place.spawn(*way)
    host.client.initialize()
    stop_at = chance.randrange(MESSAGES)
    told = _pipeline(place, host, texts, stop_at)
    host.close()
    place.wait_until_gone()
    began = time.monotonic()
    again = place.spawn(*way)
    again.client.initialize()
    back_ms = round((time.monotonic() - began) * 1000)
    found = {row["message_id"]: row for row in everything(again.client, *_ROWS)}
    _check_kept(checks, texts, told, found)
    _send_again(checks, again, texts, told)
    rows = everything(again.client, *_ROWS)
    jobs = everything(again.client, "query_jobs", "jobs")
    checks.hold("exactly one row a message", len(rows) == MESSAGES)
    checks.hold("exactly one job a message", len(jobs) == MESSAGES)
    same = {row["message_id"]: row["content"] for row in rows} == texts
    checks.hold("every message is whole after sending again", same)
    checks.hold("the file is sound", faults_of(again.client) == [])
    return checks.round(
        way="alone" if len(way) > 2 else "daemon",
        killed_at=stop_at,
        acknowledged=len(told),
        found=len(found),
        rows=len(rows),
        jobs=len(jobs),
        back_ms=back_ms,
    )


_ROWS = ("query_evidence", "evidence")


def _pipeline(place: Place, host: Host, texts: dict[str, str], stop_at: int) -> dict[str, Json]:
    """The replies by message id: those read before the kill, and those already under way."""
    victim = host.process.pid if not place.daemons() else place.record().pid
    sender = threading.Thread(target=_send_all, args=(host, texts), daemon=True)
    sender.start()
    told: dict[str, Json] = {}
    with suppress(ConnectionEnded):
        for _ in range(MESSAGES):
            answer = host.client.receive()
            # The proxy answers what a dead daemon left open: with an error, which promises nothing.
            if "result" in answer:
                told[answer["id"]] = answer["result"]
            if "result" in answer and len(told) == stop_at + 1:
                os.kill(victim, signal.SIGKILL)
    sender.join()
    return told


def _send_all(host: Host, texts: dict[str, str]) -> None:
    lines = [request(key, "observe", **observe_params(text, key)) for key, text in texts.items()]
    with suppress(BrokenPipeError):  # it is dead, as it should be
        for line in lines:
            host.client.send(line)


def _check_kept(
    checks: Checks, texts: dict[str, str], told: dict[str, Json], found: dict[str, Json]
) -> None:
    for key, reply in told.items():
        row = found.get(key)
        checks.hold("acknowledged messages are there", row is not None)
        if row is not None:
            checks.hold("acknowledged messages are whole", row["content"] == texts[key])
            checks.hold("ids stay", row["evidence_id"] == reply["evidence"][0]["evidence_id"])
    for key, row in found.items():
        checks.hold("what was not acknowledged is whole or absent", row["content"] == texts[key])


def _send_again(checks: Checks, host: Host, texts: dict[str, str], told: dict[str, Json]) -> None:
    for key, text in texts.items():
        answer = host.client.call("observe", **observe_params(text, key))
        if key in told:
            checks.hold("a known event is replayed", answer["replayed"])
            checks.hold("a known event gets its job", _job(answer) == _job(told[key]))


def _job(answer: Json) -> str:
    job_id: str = answer["job"]["job_id"]
    return job_id
