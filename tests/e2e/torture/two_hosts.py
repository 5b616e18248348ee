"""Two hosts on one account at the same moment, each with twenty messages under the same ids.

Promises: forty rows every time, one daemon, and the ids of one host mean nothing to the other.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from tests.support.processes import Host, Place
from tests.support.rpc import initialize_params, observe_params, request
from tests.support.torture import Checks, Round, everything, faults_of

MESSAGES = 20
HOSTS = ("left", "right")


def rounds(folder: Path, count: int, chance: random.Random) -> Iterator[Round]:
    """Each round on an account of its own; the daemon is killed between rounds."""
    place = Place(folder)
    try:
        for number in range(count):
            yield _round(place, f"account-{number}", chance)
            place.kill_daemon()
    finally:
        place.close()


def _round(place: Place, account: str, chance: random.Random) -> Round:
    checks = Checks()
    hosts = {name: place.spawn() for name in HOSTS}
    for name in chance.sample(HOSTS, 2):
        _send(hosts[name], account, name)
    for host in hosts.values():
        answers = [host.client.receive() for _ in range(MESSAGES + 1)]
        checks.hold("every call is answered", all("result" in answer for answer in answers))
    reader = hosts["left"].client
    rows = everything(reader, "query_evidence", "evidence")
    contents = {(row["message_id"], row["content"]) for row in rows}
    wanted = {(f"m{n}", _text(name, n)) for name in HOSTS for n in range(MESSAGES)}
    checks.hold("forty rows", len(rows) == 2 * MESSAGES)
    checks.hold("each host's words under its own ids", contents == wanted)
    checks.hold("one daemon", len(place.daemons()) == 1)
    checks.hold("the file is sound", faults_of(reader) == [])
    for host in hosts.values():
        host.close()
    return checks.round(rows=len(rows), daemons=len(place.daemons()))


def _send(host: Host, account: str, name: str) -> None:
    lines = [request(0, "initialize", **initialize_params(account, host_id=name))]
    for n in range(MESSAGES):
        lines.append(request(n + 1, "observe", **observe_params(_text(name, n), f"m{n}")))
    host.client.send(b"".join(lines))


def _text(host: str, number: int) -> str:
    return f"I keep {number} bees, says {host}."
