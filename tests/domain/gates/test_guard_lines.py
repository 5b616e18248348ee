"""What is an order to the assistant, what quotes one, and what only sounds like one."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from mnemod.domain.folded import fold
from mnemod.domain.gates.guard import inspect
from mnemod.domain.gates.verdict import Decision, Detector

LINES = {
    path.stem: tomllib.loads(path.read_text(encoding="utf-8"))
    for path in sorted(Path(__file__).with_name("guard_lines").glob("*.toml"))
}
ORDERS = [
    (Detector(name), text)
    for lines in LINES.values()
    for name, texts in lines["orders"].items()
    for text in texts
]
ALONE = [
    (Detector(name), text)
    for lines in LINES.values()
    for name, texts in lines.get("alone", {}).items()
    for text in texts
]
"""Orders only where nothing else is said."""
QUOTED = [
    (Detector(name), text)
    for lines in LINES.values()
    for name, texts in lines["quoted"].items()
    for text in texts
]
HARMLESS = [text for lines in LINES.values() for text in lines["harmless"]]


@pytest.mark.parametrize(("detector", "text"), [*ORDERS, *ALONE])
def test_an_order_is_held_and_called_by_what_it_claims(detector: Detector, text: str) -> None:
    verdict = inspect(text, fold(text))

    assert verdict is not None
    assert (verdict.decision, verdict.detector) == (Decision.HOLD, detector)


@pytest.mark.parametrize(("detector", "text"), QUOTED)
def test_an_order_that_is_quoted_is_flagged(detector: Detector, text: str) -> None:
    verdict = inspect(text, fold(text))

    assert verdict is not None
    assert (verdict.decision, verdict.detector) == (Decision.FLAG, detector)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_sounds_like_an_order_passes(text: str) -> None:
    assert inspect(text, fold(text)) is None
