"""`python -m tests.bench.slow_inputs [--minutes N] [--seed N] [--bytes N ...] [--step NAME]`.

Looks for texts that keep the gates and the normaliser busy: first known trouble and near misses of
every rule, then changes of the slowest. Each step is searched alone and the whole (`chain.judge`
and `normalise.annotate`) too, at each size in turn: what is read run by run in a short text may
take longer than what is read as a whole in a long one. The table shows recipes, not texts; `--keep`
writes them to a file, `--replay` times those of a file again, `--blame` says where the time of the
slowest goes. Exits 1 if the whole, or the one step asked for, takes longer than 50 ms of CPU for
any input.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.bench.slow_inputs_blame import busiest, patterns_of_rules, suspects
from tests.bench.slow_inputs_recipes import Recipe
from tests.bench.slow_inputs_search import Pool, search, slowest
from tests.bench.slow_inputs_seeds import SENTENCES, pieces, seeds
from tests.bench.slow_inputs_steps import BOUND_MS, WHOLE, Step, steps

SIZES = (256 * 1024, 8 * 1024)
"""Bytes: the most that is taken, and what the gates still read run by run."""
LONG = 40 * 1024
"""Characters of a text that is read as a long one."""
SHOWN = 16
"""Inputs of the whole in the table; a third of it of every step."""
ALPHABET = r"alphabet U\+[0-9A-F]+"
SUPERLINEAR = 1.5
"""Growth from a quarter of the size to all of it, by that of a linear function."""


@dataclass(frozen=True, slots=True)
class Row:
    """One input: milliseconds at a quarter, a half and all of the size, and of each step at all."""

    recipe: Recipe
    ms: tuple[float, float, float]
    shares: dict[str, float]

    @property
    def growth(self) -> float:
        """1 where time grows with the size, 4 where with its square."""
        return self.ms[2] / max(4 * self.ms[0], 0.1)


def main() -> int:
    asked = _arguments()
    console = Console(stderr=True, width=None if sys.stderr.isatty() else 150)
    known = steps() if asked.step is None else {asked.step: steps()[asked.step]}
    for sentence in (*SENTENCES, *(each * (LONG // len(each)) for each in SENTENCES)):
        # First use reads vocabularies and compiles patterns: no input's fault. A long text has
        # some of its own.
        for step in known.values():
            step.cpu_ms(sentence, rounds=1)
    judged = known[asked.step or WHOLE]
    found = {size: _slowest_of(size, asked, judged, known, console) for size in asked.bytes}
    if asked.keep:
        kept = dict.fromkeys(row.recipe for rows in found.values() for row in rows)
        asked.keep.write_text(json.dumps([asdict(recipe) for recipe in kept]), "utf-8")
    return 1 if any(row.ms[2] > BOUND_MS for rows in found.values() for row in rows) else 0


def _slowest_of(
    size: int,
    asked: argparse.Namespace,
    judged: Step,
    known: dict[str, Step],
    console: Console,
) -> list[Row]:
    """The slowest inputs of one size, shown."""
    if asked.replay:
        recipes = [Recipe(**each) for each in json.loads(asked.replay.read_text("utf-8"))]
    else:
        recipes = _searched(size, asked, known, console)
    rows = sorted((_row(each, judged, known, size) for each in recipes), key=_slowness)
    _show(rows, judged, known, size)
    if asked.blame:
        _show_suspects(rows[: asked.blame], judged, size)
    over = [row for row in rows if row.ms[2] > BOUND_MS]
    print(f"{len(over)} of {len(rows)} inputs pass {BOUND_MS:g} ms for {size:,} bytes")
    return rows


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.slow_inputs", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bytes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--step", choices=list(steps()))
    parser.add_argument("--blame", type=int, default=0, metavar="N",
                        help="say where the time of the N slowest goes")  # fmt: skip
    parser.add_argument("--keep", type=Path, metavar="FILE", help="write the recipes found as JSON")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="time kept recipes, no search")
    return parser.parse_args()


def _searched(
    size: int, asked: argparse.Namespace, known: dict[str, Step], console: Console
) -> list[Recipe]:
    chance = random.Random(asked.seed)
    found = list(patterns_of_rules())
    first = seeds(found, chance)
    _show_first_sight(first, known[asked.step or WHOLE], size)
    parts = [Pool(step, size) for step in known.values() if step.is_part or asked.step == step.name]
    whole = Pool(known[WHOLE], size) if asked.step is None else None
    until = time.monotonic() + asked.minutes * 60 / len(asked.bytes)
    with console.status("starting") as status:
        search(parts, whole, first, pieces(found, chance), until, chance, status.update)
    pools = parts if whole is None else [*parts, whole]
    tried = sum(pool.runs for pool in pools)
    console.print(f"{len(found)} patterns, {len(first)} seeds, {tried} inputs tried")
    return _once(slowest(pools[-1:], SHOWN) + slowest(pools[:-1], SHOWN // 4))


def _once(recipes: Sequence[Recipe]) -> list[Recipe]:
    return list(dict.fromkeys(recipes))


def _show_first_sight(first: Sequence[Recipe], judged: Step, size: int) -> None:
    """Characters never met before cost more, once: for information."""
    alphabets = [each for each in first if re.fullmatch(ALPHABET, each.name)]
    took = sorted((judged.first_ms(each.text(size)), each.name) for each in alphabets)
    worst = ", ".join(f"{name} {ms:.0f} ms" for ms, name in reversed(took[-3:]))
    print(f"characters met for the first time, {judged.name}: {worst}")


def _row(recipe: Recipe, judged: Step, known: dict[str, Step], size: int) -> Row:
    text = recipe.text(size)
    quarter, half = (judged.cpu_ms(recipe.text(part)) for part in (size // 4, size // 2))
    shares = {step.name: step.cpu_ms(text) for step in known.values() if step is not judged}
    whole = judged.cpu_ms(text)
    return Row(recipe, (quarter, half, whole), shares)


def _slowness(row: Row) -> float:
    return -row.ms[2]


def _show(rows: Sequence[Row], judged: Step, known: dict[str, Step], size: int) -> None:
    title = f"{judged.name}: the slowest inputs found, CPU ms, best of 3; bound {BOUND_MS:g} ms"
    table = Table(title=title, title_justify="left")
    for part in (size // 4, size // 2, size):
        table.add_column(f"{part / 1024:g} KiB", justify="right")
    table.add_column("growth", justify="right")
    alone = [name for name in known if name not in (WHOLE, judged.name)]
    for name in alone:
        table.add_column(name, justify="right")
    table.add_column("input", overflow="fold", min_width=40)
    for row in rows:
        steep = row.growth > SUPERLINEAR and row.ms[2] > 5
        growth = f"[bold]{row.growth:.1f}[/]" if steep else f"{row.growth:.1f}"
        times = [*(f"{ms:.1f}" for ms in row.ms), growth]
        from_steps = [f"{row.shares[name]:.1f}" for name in alone]
        described = row.recipe.described().replace("[", "\\[")
        table.add_row(*times, *from_steps, described)
    Console(width=190).print(table)


def _show_suspects(rows: Sequence[Row], judged: Step, size: int) -> None:
    for row in rows:
        text = row.recipe.text(size)
        print(f"\n{row.ms[2]:.1f} ms: {row.recipe.described()}")
        for ms, place in busiest(judged, text):
            print(f"  {ms:8.1f} ms in {place}")
        for ms, place, source in suspects(text):
            print(f"  {ms:8.1f} ms for {place}  {source[:120]!a}")


if __name__ == "__main__":
    sys.exit(main())
