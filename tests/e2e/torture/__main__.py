"""Try to break real daemons, for as long as you like.

    python -m tests.e2e.torture                    every scenario, with its usual rounds
    python -m tests.e2e.torture fuzz --rounds 50   one of them, longer
    python -m tests.e2e.torture fuzz --seed 7      the same again, as far as chance goes

Prints a row a round. Exits 1 if any promise was broken, and says which.
"""

from __future__ import annotations

import argparse
import random
import secrets
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from tests.e2e.torture import (
    damaged,
    fault_points,
    footprint,
    full_disk,
    fuzz,
    killed_observers,
    outsiders,
    quoted_answers,
    remembered,
    rivals,
    sentinels,
    two_hosts,
    wild_answers,
)
from tests.support.torture import Round, Scenario

SCENARIOS: Final[dict[str, tuple[Scenario, int]]] = {
    "killed_observers": (killed_observers.rounds, 30),
    "two_hosts": (two_hosts.rounds, 5),
    "rivals": (rivals.rounds, 20),
    "fault_points": (fault_points.rounds, 2 * len(fault_points.FAULTS)),
    "sentinels": (sentinels.rounds, 3),
    "quoted_answers": (quoted_answers.rounds, 3),
    "full_disk": (full_disk.rounds, 3),
    "outsiders": (outsiders.rounds, 1),
    "damaged": (damaged.rounds, 60),
    "footprint": (footprint.rounds, 1),
    "fuzz": (fuzz.rounds, 10),
    "wild_answers": (wild_answers.rounds, 5),
    "remembered": (remembered.rounds, 10),
}
"""Each scenario with its usual number of rounds."""


def run(name: str, count: int, seed: int, console: Console) -> list[Round]:
    """All rounds of a scenario, shown as they go."""
    scenario, _ = SCENARIOS[name]
    chance = random.Random(f"{name} {seed}")
    found: list[Round] = []
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task(name, total=count)
        with tempfile.TemporaryDirectory() as folder:
            for one in scenario(Path(folder), count, chance):
                found.append(one)
                progress.update(task, advance=1, description=f"{name}, {len(found)} shown")
    return found


def table(name: str, rounds: Sequence[Round], seconds: float) -> Table:
    """A row a round: its figures, and what it broke."""
    columns = list(rounds[0].figures) if rounds else []
    broken = sum(bool(one.broken) for one in rounds)
    shown = Table(
        title=f"{name}: {len(rounds)} rounds in {seconds:.0f} s, {broken} broken",
        title_justify="left",
    )
    for column in ("#", *columns, "broken"):
        shown.add_column(column)
    for number, one in enumerate(rounds, start=1):
        figures = (str(one.figures.get(column, "")) for column in columns)
        shown.add_row(str(number), *figures, "; ".join(one.broken) or "-")
    return shown


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.torture", description=__doc__)
    parser.add_argument("name", nargs="?", choices=sorted(SCENARIOS))
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    options = parser.parse_args(arguments)
    console = Console()
    console.print(f"seed {options.seed}")
    was_broken = False
    for name in [options.name] if options.name else list(SCENARIOS):
        began = time.monotonic()
        rounds = run(name, options.rounds or SCENARIOS[name][1], options.seed, console)
        console.print(table(name, rounds, time.monotonic() - began))
        was_broken = was_broken or not rounds or any(one.broken for one in rounds)
    return int(was_broken)


if __name__ == "__main__":
    sys.exit(main())
