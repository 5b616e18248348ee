"""The gates as an account asks them: a first use costs no loop its time and no text its dates."""

from __future__ import annotations

from datetime import datetime

import pytest

from mnemod.domain.annotation import Annotation
from mnemod.domain.gates import directive_rules
from mnemod.domain.gates.chain import RULES_VERSION, judge, prepare
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
def test_texts_of_a_new_script_are_a_threads_work_until_its_rules_are_ready(text: str) -> None:
    gates = Gates(KEY)
    first = gates.take_long([Said(text)])
    asked_for = gates.wanted.is_set()

    gates.prepare()

    assert (first, asked_for, gates.take_long([Said(f"{text} {text}")])) == (True, True, False)
    assert not gates.wanted.is_set()


def test_one_script_says_nothing_of_another() -> None:
    gates = Gates(KEY)
    gates.take_long([Said("I moved.")])
    gates.prepare()

    assert gates.take_long([Said("I moved."), Said("引っ越した。")])
    assert gates.wanted.is_set()


@pytest.mark.parametrize("locale", ["en", "zh", "ja"])
def test_rules_that_are_ready_have_nothing_left_to_compile(locale: str) -> None:
    prepare(locale)

    language = directive_rules.language(locale)
    left = [one.name for one in (*language.rules, *language.frames) if not one.pattern._compiled]
    assert left == []


def test_the_first_text_of_a_script_has_the_time_it_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mnemod.gating.packaged_rules", lambda: Rules(judge, late, RULES_VERSION))
    gates = Gates(KEY)

    (first,) = gates.judge_all([Said("I moved.")])
    gates.take_long([Said("I moved.")])
    gates.prepare()
    (second,) = gates.judge_all([Said("I ran.")])

    assert (first.noted.failed, second.noted.failed) == (False, True)


def test_words_are_kept_out_of_reach_where_no_rules_can_be_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken() -> Rules:
        raise ImportError

    monkeypatch.setattr("mnemod.gating.packaged_rules", broken)

    (found,) = Gates(KEY).judge_all([Said("I moved.")])

    assert (found.content, found.outcome, found.gate.reason) == ("I moved.", "held", "gate_failed")


def test_the_rules_of_this_mnemod_are_loaded_once() -> None:
    assert packaged_rules() is packaged_rules()
