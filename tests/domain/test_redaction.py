"""What is covered of a message: whole sentences, every copy, and nothing else."""

from __future__ import annotations

import time

import pytest

from mnemod.domain.copies import repeats_part
from mnemod.domain.names import standing
from mnemod.domain.redaction import Cover, covered, says_nothing

TEXT = "I like cedar tea. It rained. As I said: I like CEDAR tea! I row."


def cover(text: str, *spans: tuple[int, int], copies: str = "") -> Cover:
    made = Cover(text)
    for span in spans:
        made.take(span)
    if copies:
        made.take_copies(copies)
    return made


def test_a_span_takes_its_whole_sentence() -> None:
    assert cover(TEXT, (7, 12)).text == "█" * 17 + TEXT[17:]


def test_a_span_over_two_sentences_takes_both_and_the_gap() -> None:
    assert cover(TEXT, (13, 20)).cuts == ((0, 28),)


def test_another_sentence_that_says_the_same_goes_however_it_is_written() -> None:
    left = cover(TEXT, (0, 17), copies="I like cedar tea.").text

    assert left.replace("█", "").split() == ["It", "rained.", "I", "row."]


def test_a_copy_over_two_sentences_takes_both() -> None:
    text = "It rained. I row. At dawn. It rained again."

    assert cover(text, copies="I row. At dawn.").cuts == ((11, 17), (18, 26))


def test_a_copy_inside_longer_words_is_none() -> None:
    assert cover("I like cedar teabags.", copies="I like cedar tea").cuts == ()


def test_a_text_too_short_to_say_anything_is_a_copy_only_as_a_whole_sentence() -> None:
    assert cover("Bees. I keep bees well.", copies="bees").cuts == ((0, 5),)


def test_every_offset_of_what_stays_is_as_before() -> None:
    left = cover(TEXT, (0, 17)).text

    assert len(left) == len(TEXT)
    assert left[18:28] == "It rained."


def test_what_is_covered_touches_the_spans_of_its_sentences_and_no_others() -> None:
    made = cover(TEXT, (7, 12))

    assert made.touches((0, 6))
    assert not made.touches((18, 28))


def test_ranges_are_covered_in_order() -> None:
    assert covered("abcdef", [(0, 1), (3, 5)]) == "█bc██f"


@pytest.mark.parametrize("text", ["", "███ - ?!", "… 。"])
def test_marks_alone_say_nothing(text: str) -> None:
    assert says_nothing(text)


@pytest.mark.parametrize(
    ("name", "text", "places"),
    [
        ("Ann", "Ann met Annual Ann's.", [(0, 3), (15, 18)]),
        ("美緒", "彼女は美緒です", [(3, 5)]),
        ("Мира", "Мира и Мираж", [(0, 4)]),
        ("", "anything", []),
    ],
)
def test_a_name_stands_where_it_is_a_whole_word(
    name: str, text: str, places: list[tuple[int, int]]
) -> None:
    assert standing(name, text) == places


def test_an_answer_that_repeats_one_sentence_of_a_message_repeats_a_part_of_it() -> None:
    assert repeats_part("Noted: you like cedar tea.", "It rained. I like cedar tea.")
    assert not repeats_part("Noted, thank you.", "It rained. I like cedar tea.")


def test_the_longest_message_with_a_thousand_facts_is_covered_in_a_moment() -> None:
    sentence = "Fact {:05d} is kept in here. "
    text = "".join(sentence.format(number) for number in range(9_000))
    length = len(sentence.format(0))
    began = time.perf_counter()

    made = Cover(text)
    for number in range(0, 9_000, 9):
        start = number * length
        made.take((start, start + length - 1))
        made.take_copies(text[start : start + length - 1])
        assert made.touches((start, start + 4))

    assert len(made.cuts) == 1_000
    assert time.perf_counter() - began < 4.0
