"""The way back from a changed text: each place leads to the piece it was made of."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemod.domain import folded, way_back
from mnemod.domain.way_back import Lazy, by_character, by_match, by_text

_FORMS = {"a": "", "b": "B", "c": "123", "d": "d", "e": "55"}
_TABLE = {ord(char): form for char, form in _FORMS.items()}
_TEXTS = st.text(st.sampled_from("abcde"), max_size=40)


def _origins(text: str) -> list[int]:
    """For each character after the change, the place of the one it was made of."""
    return [at for at, char in enumerate(text) for _ in _FORMS[char]]


@given(_TEXTS)
def test_each_character_of_a_form_leads_to_its_own(text: str) -> None:
    ways = [
        by_character(text, _TABLE),
        by_text(text, "[abcde]", _FORMS.__getitem__),
        by_text(text, "[ace]", _FORMS.__getitem__),
        by_match(text, re.compile("[a-e]"), lambda found: _FORMS[found[0]]),
        Lazy(lambda: by_match(text, re.compile("[ace]"), lambda found: _FORMS[found[0]])),
    ]
    wanted = [(at, at + 1) for at in _origins(text)]

    for way in ways:
        assert [way(at, at + 1) for at in range(len(wanted))] == wanted


@pytest.mark.parametrize("text", ["abcde" * 900, "a" * 3_000 + "c" * 3_000 + "a" * 2_000 + "d"])
def test_a_long_text_leads_back_too(text: str) -> None:
    way = by_character(text, _TABLE)
    assert [way(at, at + 1)[0] for at in range(len(_origins(text)))] == _origins(text)


@given(_TEXTS, st.integers(0, 40), st.integers(0, 40))
def test_a_span_leads_from_the_first_piece_to_the_last(text: str, one: int, other: int) -> None:
    origins = _origins(text)
    start, end = sorted((min(one, len(origins)), min(other, len(origins))))
    wanted = (origins[start], origins[end - 1] + 1) if start < end else None

    for way in (by_character(text, _TABLE), by_text(text, "[ace]", _FORMS.__getitem__)):
        found = way(start, end)
        assert found == wanted if wanted else found[0] == found[1]


@given(st.text(st.sampled_from("xy-"), max_size=30))
def test_a_replaced_piece_is_one_whatever_its_length(text: str) -> None:
    way = by_text(text, "x+", lambda piece: "z" * (len(piece) % 3))
    changed = re.sub("x+", lambda found: "z" * (len(found[0]) % 3), text)
    found = [way(at, at + 1) for at in range(len(changed))]

    assert all(
        text[start:end] == char or set(text[start:end]) == {"x"}
        for char, (start, end) in zip(changed, found, strict=True)
    )
    assert found == sorted(found)


def test_a_way_is_worked_out_once_and_only_when_asked_for() -> None:
    asked = []

    def work_out() -> way_back.Layer:
        asked.append(1)
        return way_back.unchanged

    lazy = Lazy(work_out)
    assert asked == []
    assert [lazy(2, 5), lazy(0, 1)] == [(2, 5), (0, 1)]
    assert asked == [1]


@pytest.mark.parametrize("text", ["plain", "\u00c9cole \u2014 \uff21"])
def test_a_character_for_a_character_needs_no_way(text: str) -> None:
    assert by_character(text, folded._TABLE) is way_back.unchanged
