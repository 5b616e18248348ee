"""What is shown of what matches: no echo, within the budget, exact words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemod.domain.excerpts import asking_share, excerpt
from mnemod.domain.recall_windows import diverse, fitting, scaled
from mnemod.domain.tokens import terms


def of(text: str) -> frozenset[str]:
    return frozenset(terms(text))


def test_what_is_new_is_shown_before_what_repeats() -> None:
    echoes = [f"the harbour crane is red {'!' * n}" for n in range(30)]

    shown = diverse([*echoes, "the crane needs oil"], of, 5)

    assert shown == [*echoes[:4], "the crane needs oil"]


def test_without_echoes_the_order_stands() -> None:
    rows = ["kiln", "bees", "tarn", "ferry"]

    assert diverse(rows, of, 3) == rows[:3]


def test_a_row_that_is_too_long_is_passed_over_and_not_cut() -> None:
    assert fitting(["aa", "b" * 9, "cc"], len, 4, 5) == ["aa", "cc"]


def test_more_rows_asked_for_get_a_larger_budget() -> None:
    assert [scaled(600, limit, 5) for limit in (1, 5, 50)] == [600, 600, 6_000]


def test_a_short_message_is_quoted_whole() -> None:
    assert excerpt("  It rained.\nI left. ", {"rain"}, 100) == "  It rained.\nI left. "


def test_a_long_message_is_quoted_around_what_was_asked() -> None:
    text = "Snow fell. " * 40 + "The kiln cracked at noon. " + "Wind rose. " * 40

    quote = excerpt(text, {"kiln", "crack"}, 80)

    assert "The kiln cracked at noon." in quote
    assert quote in text
    assert len(quote) <= 80


def test_one_endless_sentence_is_cut_between_graphemes() -> None:
    assert excerpt("👍🏽" * 300, {"x"}, 101) == "👍🏽" * 50


@given(st.text(max_size=300), st.integers(5, 60))
def test_an_excerpt_is_a_piece_of_the_message(text: str, chars: int) -> None:
    assert excerpt(text, of(text), chars) in text


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("Is it hot?", 1.0),
        ("It is hot.", 0.0),
        ("It is hot. Is yours?", 0.5),
        ("元気？はい。", 0.5),
        ("Really?! Wow", 0.5),
        ("Look at this? [shares a photo: a kiln. hot]", 1.0),
        ("", 0.0),
        ("?", 1.0),
    ],
)
def test_a_message_asks_as_far_as_its_sentences_do(text: str, share: float) -> None:
    assert asking_share(text) == share
