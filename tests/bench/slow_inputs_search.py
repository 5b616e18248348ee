"""The search: every seed is tried, then the slowest are changed, and what is slower is kept.

An input is scored by its time at full size. Trying is cheaper at a quarter of it: only what is
slow there, or grows faster than its size, is run in full.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from typing import Final

from tests.bench.slow_inputs_recipes import Recipe, changed
from tests.bench.slow_inputs_steps import Step

KEPT: Final = 48
"""Inputs kept a step."""
KEPT_OF_ONE_SEED: Final = 4
STEEP: Final = 1.7
"""Growth is suspect where four times the size takes this much more than four times the time."""

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Tried:
    """A recipe and its milliseconds at full size."""

    recipe: Recipe
    ms: float


@dataclass(slots=True)
class Pool:
    """The slowest inputs of one step so far."""

    step: Step
    size: int
    tried: list[Tried] = field(default_factory=list)
    runs: int = 0

    def offer(self, recipe: Recipe) -> None:
        """Try `recipe`, and keep it if it is among the slowest."""
        self.runs += 1
        quarter = self.step.cpu_ms(recipe.text(self.size // 4), rounds=1)
        if quarter * 4 < self._least() and not self._is_steep(recipe, quarter):
            return
        text = recipe.text(self.size)
        ms = self.step.cpu_ms(text, rounds=1)
        if ms > self._least():
            ms = self.step.cpu_ms(text, rounds=2)
        if ms > self._least():
            self._keep(Tried(recipe, ms))

    def parent(self, chance: random.Random) -> Recipe:
        """One of the kept, the slower the likelier."""
        at = min(int(chance.expovariate(6 / len(self.tried))), len(self.tried) - 1)
        return self.tried[at].recipe

    def _is_steep(self, recipe: Recipe, quarter: float) -> bool:
        sixteenth = self.step.cpu_ms(recipe.text(self.size // 16), rounds=1)
        return quarter > 1 and quarter > sixteenth * 4 * STEEP

    def _least(self) -> float:
        return self.tried[-1].ms if len(self.tried) >= KEPT else 0.0

    def _keep(self, new: Tried) -> None:
        family = [each for each in self.tried if each.recipe.name == new.recipe.name]
        if len(family) >= KEPT_OF_ONE_SEED:
            if family[-1].ms >= new.ms:
                return
            self.tried.remove(family[-1])
        self.tried.append(new)
        self.tried.sort(key=lambda each: -each.ms)
        del self.tried[KEPT:]


def search(
    parts: Sequence[Pool],
    whole: Pool | None,
    seeds: Iterable[Recipe],
    pieces: Sequence[str],
    until: float,
    chance: random.Random,
    tell: Tell,
) -> None:
    """Fill the pools until the clock (`time.monotonic`) says `until`.

    `whole` begins with what was slow in the `parts`. Seeds take half of the time at most.
    """
    began = time.monotonic()
    queue = list(seeds)
    chance.shuffle(queue)
    for number, seed in enumerate(queue):
        if time.monotonic() > (began + until) / 2:
            break
        for pool in parts:
            pool.offer(seed)
        tell(f"seed {number + 1}/{len(queue)}: {_slowest(parts)}")
    pools = [*parts]
    if whole is not None:
        pools.append(whole)
        for recipe in slowest(parts, KEPT // len(parts)):
            whole.offer(recipe)
    while time.monotonic() < until:
        for pool in pools:
            others = [each.recipe for each in pool.tried]
            pool.offer(changed(pool.parent(chance), others, pieces, chance))
        tell(f"changing, {until - time.monotonic():.0f} s left: {_slowest(pools)}")


def slowest(pools: Iterable[Pool], count: int) -> list[Recipe]:
    """The slowest recipes of every pool, each once."""
    found = {tried.recipe for pool in pools for tried in nlargest(count, pool.tried, _ms)}
    return sorted(found, key=lambda recipe: recipe.name)


def _ms(tried: Tried) -> float:
    return tried.ms


def _slowest(pools: Sequence[Pool]) -> str:
    return ", ".join(f"{pool.step.name} {pool.tried[0].ms:.0f} ms" for pool in pools if pool.tried)
