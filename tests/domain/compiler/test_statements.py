"""Whether a message says anything at all, and how long messages are looked at."""

from __future__ import annotations

import time

import pytest

from mnemod.domain.compiler.statements import SENTENCES_ASKED_MAX, declares
from tests.support.requests import compiled, proposed, quote, request, view


@pytest.mark.parametrize(
    "text",
    [
        "What did I say about tea?",
        "我喜欢什么茶？",
        "私は何が好きですか？",
        "Do I like tea? Or cake?",
    ],
)
def test_questions_alone_declare_nothing(text: str) -> None:
    # C051
    assert not declares(view(text))


@pytest.mark.parametrize(
    "text", ["I like tea.", "I like tea. Do you?", "What a day! I won.", "ok", "好的"]
)
def test_anything_else_declares_something(text: str) -> None:
    assert declares(view(text))


def test_a_message_too_long_to_ask_through_is_read() -> None:
    assert declares(view("Do I like tea? " * (SENTENCES_ASKED_MAX + 1)))
    assert not declares(view("Do I like tea? " * SENTENCES_ASKED_MAX))


def test_a_choice_out_of_a_quarter_of_a_megabyte_is_cheap() -> None:
    long = view("Do you like tea, or not, or both? " * 7_000 + "I like cedar tea.")
    started = time.process_time()
    compiled(request(long), proposed(quote("I like cedar tea.")))
    # A pass over the whole text for each sentence takes minutes.
    assert time.process_time() - started < 2
