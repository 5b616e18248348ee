"""The gates as an account asks them: a first use costs no loop its time and no text its dates."""

from __future__ import annotations

from datetime import datetime

import pytest

from mnemod.domain.annotation import Annotation
from mnemod.domain.gates.chain import RULES_VERSION, judge
from mnemod.domain.hashing import HashKey
from mnemod.domain.intake import Rules
from mnemod.gating import Gates, Said, packaged_rules

KEY = HashKey(bytes(32))


def late(
    text: str, anchor: datetime | None, locale: str, *, out_of_time: object = None
) -> tuple[Annotation, ...]:
    """A normaliser that is out of time wherever it has any."""
    if out_of_time is not None:
        raise TimeoutError
    return ()


@pytest.mark.parametrize("text", ["I moved.", "我搬家了。", "引っ越した。"])
def test_the_first_text_of_a_script_is_a_threads_work_and_the_next_is_not(text: str) -> None:
    gates = Gates(KEY)
    first = gates.take_long([Said(text)])

    gates.judge_all([Said(text)])

    assert (first, gates.take_long([Said(f"{text} {text}")])) == (True, False)


def test_one_script_says_nothing_of_another() -> None:
    gates = Gates(KEY)
    gates.judge_all([Said("I moved.")])

    assert gates.take_long([Said("I moved."), Said("引っ越した。")])


def test_a_history_that_was_judged_before_is_no_threads_work_unless_it_is_very_long() -> None:
    page = "I row. " * 4_000
    gates = Gates(KEY, rules=packaged_rules())
    gates.judge_all([Said(page)])

    assert (gates.take_long([Said(page)] * 2), gates.take_long([Said(page)] * 20)) == (False, True)


def test_the_first_text_of_a_script_has_the_time_it_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mnemod.gating.packaged_rules", lambda: Rules(judge, late, RULES_VERSION))
    gates = Gates(KEY)

    first, second = gates.judge_all([Said("I moved.")]) + gates.judge_all([Said("I ran.")])

    assert (first.noted.failed, second.noted.failed) == (False, True)


def test_the_rules_of_this_mnemod_are_loaded_once() -> None:
    assert packaged_rules() is packaged_rules()
