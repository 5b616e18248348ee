"""Short runs of `tests.e2e.torture`: what was forgotten is in no byte, and nothing else is gone."""

from __future__ import annotations

import random
from pathlib import Path

from tests.e2e.torture import quoted_answers, remembered, sentinels
from tests.support.torture import broken

SEED = 20310203


def test_no_byte_of_what_was_forgotten_is_left_wherever_it_stood(tmp_path: Path) -> None:
    assert broken(sentinels.rounds(tmp_path, 1, random.Random(SEED))) == []


def test_answers_that_quote_what_was_forgotten_go_too(tmp_path: Path) -> None:
    assert broken(quoted_answers.rounds(tmp_path, 1, random.Random(SEED))) == []


def test_a_history_of_saying_correcting_forgetting_and_restarting_is_that_of_a_plain_model(
    tmp_path: Path,
) -> None:
    found = remembered.history(tmp_path / "life", random.Random(SEED), steps=20)

    assert broken([found]) == []
