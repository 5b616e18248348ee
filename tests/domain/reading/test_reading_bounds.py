"""Hostile and odd messages: bounded work, and a reply that the compiler takes, whatever is said."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemod.domain.reading import read
from mnemod.domain.reading.clauses import SENTENCES_READ_MAX
from tests.domain.reading.conversation import formed, item, request
from tests.domain.reading.test_reading_left_alone import NOTHING
from tests.domain.reading.test_reading_statements import CHINESE, ENGLISH, JAPANESE

MESSAGE_CHARS = 256 * 1024
UNITS = [
    *("I ", "my my ", '"', "'a ", "```", "「", "“", ":", "a:\n", "\n", "http://", "(((", "a, ?"),
    *("I like tea. ", "I no longer ", "yes ", "on 2024-05-02 ", "Anna Maria is "),
    "I am " + "a" * 230 + ". ",
    *(head + body * 115 + "。" for head, body in (("我", "的人"), ("私は", "のが"), ("", "もう"))),
]
SENTENCES = [*(text for text, *_ in [*ENGLISH, *CHINESE, *JAPANESE]), *NOTHING]
ITEMS = tuple(item(text, f"i{at}") for at, (text, *_) in enumerate(ENGLISH))


@pytest.mark.parametrize("unit", UNITS)
def test_the_longest_message_is_read_without_a_wait(unit: str) -> None:
    asked = request((unit * MESSAGE_CHARS)[:MESSAGE_CHARS])

    started = time.process_time()
    read(asked)

    assert time.process_time() - started < 0.5


def test_a_document_is_read_only_at_its_beginning() -> None:
    filler = "The river is wide. " * SENTENCES_READ_MAX

    assert formed(request(f"{filler}I keep bees.")) == ()
    assert formed(request(f"I keep bees. {filler}")) != ()


@settings(max_examples=150, deadline=None)
@given(
    parts=st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=8),
    gap=st.sampled_from([" ", "\n", ""]),
    speaker=st.sampled_from([None, "Melanie"]),
)
def test_whatever_is_said_the_compiler_takes_the_reply(
    parts: list[str], gap: str, speaker: str | None
) -> None:
    asked = request(gap.join(parts), items=ITEMS, speaker=speaker)

    assert len(formed(asked)) <= 5


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=80))
def test_any_text_at_all_is_read(text: str) -> None:
    assert read(request(text)) == read(request(text))
