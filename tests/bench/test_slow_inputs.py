"""The search for slow inputs finds what is slow, and says no where it is."""

from __future__ import annotations

import random
import re
import sys

import pytest

from mnemod.domain.folded import Folded, fold
from tests.bench import slow_inputs, slow_inputs_patterns, slow_inputs_steps
from tests.bench.slow_inputs_recipes import Recipe, changed
from tests.bench.slow_inputs_search import Pool, search
from tests.bench.slow_inputs_steps import WHOLE, Step

QUADRATIC = re.compile(r"(?:[0-9]+ )*+x")
"""Slow over digits apart, and over nothing else here."""


@pytest.mark.parametrize("size", [1, 2, 64, 65_536])
def test_a_recipe_gives_no_more_than_its_size(size: int) -> None:
    recipe = Recipe("sizes", "天 é", before="「", after="」", numbered=True)

    assert len(recipe.text(size).encode()) <= size
    assert len(recipe.text(65_536).encode()) > 65_000


def test_changes_of_a_recipe_repeat_with_their_seed() -> None:
    others = [Recipe("a", "abc "), Recipe("b", "12-")]

    made = [changed(others[0], others, ["x", "<!--"], random.Random(7)) for _ in range(2)]

    assert made[0] == made[1] != others[0]


def test_near_misses_of_a_pattern_hold_its_words_and_gaps_past_its_bound() -> None:
    pattern = re.compile("ignore (?:the |all )?x{0,12}rules")

    made = list(slow_inputs_patterns.near_misses(pattern, 40, random.Random(1)))

    assert any(pattern.fullmatch(text) for text in made)
    assert any("x" * 13 in text for text in made)
    assert any(text.startswith("ignore") and not pattern.search(text) for text in made)


def test_the_search_finds_the_input_that_is_slow() -> None:
    pool = Pool(Step("digits", lambda text: QUADRATIC.search(text)), 4_096)
    seeds = [Recipe("letters", "abc "), Recipe("digits", "12 "), Recipe("marks", "!? ")]

    search([pool], None, seeds, ["y"], 0.0, random.Random(1), lambda _: None)
    pool.offer(seeds[1])

    assert pool.tried[0].recipe.name == "digits"


def test_each_run_meets_its_text_for_the_first_time() -> None:
    folds: list[Folded] = []

    Step("fold", lambda text: folds.append(fold(text))).cpu_ms("Ä" * 64 * 1024, rounds=2)

    assert folds[0].text == folds[1].text
    assert folds[0] is not folds[1]


def test_a_run_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow_inputs_steps, "LIMIT_S", 0.1)
    endless = re.compile(r"(?:a|a)*b")

    assert Step("endless", endless.search).cpu_ms("a" * 40) == 100


@pytest.mark.parametrize(("wait", "code"), [(0, 0), (200_000, 1)])
def test_the_command_fails_where_the_bound_is_passed(
    wait: int, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = Step(WHOLE, lambda _: sum(range(wait)), is_part=False)
    monkeypatch.setattr(slow_inputs, "BOUND_MS", 1.0)
    monkeypatch.setattr(slow_inputs, "steps", lambda: {WHOLE: step})
    monkeypatch.setattr(slow_inputs, "seeds", lambda *_: [Recipe("one", "x ")])
    monkeypatch.setattr(slow_inputs, "pieces", lambda *_: ["y"])
    arguments = ["slow_inputs", "--step", WHOLE, "--minutes", "0.001", "--bytes", "1024"]
    monkeypatch.setattr(sys, "argv", arguments)

    assert slow_inputs.main() == code
