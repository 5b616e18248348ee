"""The gates and the normaliser on lines that others labelled: no set falls below what is asked.

Asked: of what holds an order 97 % is held, and at most 1 % of what a person may say; noise is told
with F1 of .95; of all dates and quantities 90 % are found, and 98 % of what is found is right.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.bench import gates_score, normalise_score

LABELLED = Path(__file__).with_name("labelled")


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def named(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", sorted(LABELLED.glob("gates_*.jsonl")), ids=named)
def test_orders_are_held_and_what_people_say_is_not(path: Path) -> None:
    tally = gates_score.score(lines(path))["all"]
    held, asked = tally.pairs["hold", "hold"], tally.labelled("hold")
    wrongly = tally.pairs["pass", "hold"]

    assert held >= 0.97 * asked
    assert wrongly <= 0.01 * tally.labelled("pass")


@pytest.mark.parametrize("path", sorted(LABELLED.glob("gates_*.jsonl")), ids=named)
def test_noise_is_told_from_what_is_worth_keeping(path: Path) -> None:
    tally = gates_score.score(lines(path))["all"]
    right = tally.pairs["noise", "noise"]

    assert 2 * right >= 0.95 * (tally.labelled("noise") + tally.judged("noise"))


@pytest.mark.parametrize("path", sorted(LABELLED.glob("normalise_*.jsonl")), ids=named)
def test_dates_and_quantities_are_found_and_right(path: Path) -> None:
    tally = normalise_score.score(lines(path))["all", "all"]

    assert tally.right >= 0.90 * tally.expected
    assert tally.right >= 0.98 * tally.given
