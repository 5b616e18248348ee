"""Thirty hosts at once, the daemon killed between rounds.

python -m tests.e2e.storm --rounds 8
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support.processes import Host, Place
from tests.support.rpc import initialize_params, request


@dataclass(frozen=True, slots=True)
class Round:
    """How one round ended. Times are seconds from the first spawn."""

    answered: int
    daemons: int
    first_s: float
    last_s: float


def storm(place: Place, rounds: int, hosts: int) -> list[Round]:
    """Each round: `hosts` proxies at once, each initialized; then one SIGKILL to the daemon."""
    return [_round(place, hosts) for _ in range(rounds)]


def _round(place: Place, count: int) -> Round:
    began = time.monotonic()
    hosts = [_ask(place) for _ in range(count)]
    times = [_answer(host, began) for host in hosts]
    daemons = len(place.daemons())
    place.kill_daemon()
    for host in hosts:
        host.close()
    return Round(len(times), daemons, min(times), max(times))


def _ask(place: Place) -> Host:
    host = place.spawn()
    host.client.send(request(1, "initialize", **initialize_params()))
    return host


def _answer(host: Host, began: float) -> float:
    """Seconds until the answer. Raises RpcError, ConnectionEnded or TimeoutError without one."""
    assert "result" in host.client.answer_to(1)
    return time.monotonic() - began


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table, a line a round."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--hosts", type=int, default=30)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder))
        print(f"{'round':>5} {'answered':>8} {'daemons':>7} {'first s':>8} {'last s':>8}")
        try:
            for number, one in enumerate(storm(place, options.rounds, options.hosts), start=1):
                print(
                    f"{number:>5} {one.answered:>8} {one.daemons:>7}"
                    f" {one.first_s:>8.2f} {one.last_s:>8.2f}"
                )
        finally:
            place.close()


if __name__ == "__main__":
    main()
