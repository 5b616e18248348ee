"""Terms: the same for a text and a question, in every script, and never a surprise."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemod.domain.han import simplified
from mnemod.domain.recall_vocabulary import CARRIER, STOP
from mnemod.domain.redaction import COVER
from mnemod.domain.tokens import TERM_CHARS_MAX, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AC-2041", ["ac-2041", "ac", "2041"]),
        ("ＡＣ－２０４１", ["ac-2041", "ac", "2041"]),
        ("AC2041", ["ac2041", "ac", "2041"]),
        ("9:1", ["9:1", "9", "1"]),
        ("GB/s", ["gb/s", "gb", "s"]),
        ("C++", ["c++", "c"]),
        ("C#", ["c#", "c"]),
        ("foo_bar", ["foo_bar", "foo", "bar"]),
        ("pre-edit", ["pre-edit", "pre", "edit"]),
        ("a:b", ["a:b", "b"]),
        ("don't", ["dont"]),
        ("don’t", ["dont"]),
        ("1,000", ["1000"]),
        ("3.5kg", ["3.5kg", "3", "5", "kg"]),
        ("9981", ["9981"]),
    ],
)
def test_an_identifier_stands_whole_and_in_parts(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("agencies", "agency"),
        ("Bees", "bee"),
        ("painting", "painted"),
        ("Caroline's", "caroline"),
        ("CAFÉ", "cafe"),
        ("Ａ５", "a5"),
        ("ガク", "ｶﾞｸ"),
        ("がく", "か\u3099く"),
        ("Straße", "strasse"),
        ("９８７", "987"),
        ("記憶", "记忆"),
        ("週末", "周末"),
        ("pea\u200bnut", "peanut"),
        ("pea\u00adnut", "peanut"),
    ],
)
def test_forms_of_one_word_are_one_term(one: str, other: str) -> None:
    assert terms(one) == terms(other) != []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("烏龍茶", ["乌", "龙", "茶", "乌龙", "龙茶"]),
        ("茶", ["茶"]),
        ("コーヒー", ["コ", "ー", "ヒ", "ー", "コー", "ーヒ", "ヒー"]),
        ("한국", ["한", "국", "한국"]),
        ("鍵AC1番", ["键", "ac1", "ac", "1", "番"]),
    ],
)
def test_scripts_without_spaces_give_characters_and_pairs(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("★", ["★"]),
        ("❤️", ["❤"]),
        ("👍🏽", ["👍🏽", "👍"]),
        ("👨‍👩‍👧", ["👨‍👩‍👧", "👨", "👩", "👧"]),
        ("🇯🇵🇵🇹", ["🇯🇵", "🇵🇹"]),
        ("😀😀", ["😀", "😀"]),
    ],
)
def test_an_emoji_is_a_term(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize("text", ["Привет", "Ελλάς", "हिन्दी", "שלום", "مرحبا", "สวัสดี"])
def test_any_script_gives_terms(text: str) -> None:
    assert terms(text) != []


@pytest.mark.parametrize(
    "text", ["what is it?", "Where have you been", "什么", "それは何ですか", "…!?", "", "\u200b"]
)
def test_words_that_only_ask_give_nothing(text: str) -> None:
    assert terms(text) == []


def test_words_that_are_treated_apart_are_written_as_terms_are() -> None:
    apart = STOP | CARRIER
    assert {simplified(word) for word in apart} == apart


def test_a_run_of_marks_without_end_costs_no_more_than_its_length() -> None:
    """Quadratic, this would take half a minute; the suite's own limit would end it."""
    assert len(terms("e" + "\u0301\u0323" * 120_000)) == 1


def test_covered_words_give_nothing() -> None:
    assert terms(f"{COVER * 9} barley {COVER}") == terms("barley")


def test_a_name_is_not_the_beginning_of_another() -> None:
    assert set(terms("Alex")).isdisjoint(terms("Alexandra"))


def test_a_blob_makes_no_term_longer_than_the_limit() -> None:
    assert max(map(len, terms("x9" * 5_000 + " " + "y" * 5_000))) <= TERM_CHARS_MAX


@given(st.text(max_size=200))
def test_terms_are_never_empty_never_stop_words_and_never_split_by_spaces(text: str) -> None:
    found = terms(text)

    assert STOP.isdisjoint(found)
    assert all(term and not any(char.isspace() for char in term) for term in found)


@given(st.text(max_size=100), st.text(max_size=100))
def test_the_terms_of_two_lines_are_those_of_each(one: str, other: str) -> None:
    assert terms(f"{one}\n{other}") == terms(one) + terms(other)


@given(st.text(st.characters(max_codepoint=127), max_size=100))
def test_a_picture_beside_plain_words_changes_none_of_their_terms(text: str) -> None:
    assert terms(f"{text} \u2603") == [*terms(text), "\u2603"]
