"""Which writings are one to the comparison, and which must never be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemod.domain import keys
from mnemod.domain.keys import comparison_key

SAME = [
    ("I like tea.", "i  LIKE tea"),
    ("I like tea.", "I like tea！"),
    ("ＡＢＣ　１２", "abc 12"),
    ("I don’t", "I don't"),
    ("我 喜欢 茶。", "我喜欢茶"),
    ("ﾊﾝｶｸ", "ハンカク"),
    ("te\u200ba", "tea"),
    ("\u202atea\u202c", "tea"),
    ("tea\ufe0f", "tea"),
    ("5\u2212" + "3", "5-3"),
    ("caf\u00e9", "cafe\u0301"),
    ("straße", "STRASSE"),
    ("“tea”", '"tea"'),
    ("a、b", "a,b"),
    ("我對花生過敏", "我对花生过敏"),
    ("週三開會", "周三开会"),
    ("か\u3099く", "がく"),
]

DIFFERENT = [
    ("-10 yen", "10 yen"),
    ("−10 yen", "10 yen"),
    ("locker 14", "locker 41"),
    ("I like tea", "I do not like tea"),
    ("1.5 units", "15 units"),
    ("10²", "102"),
    ("1½", "11/2"),
    ("H₂O", "H2 O"),
    ("茶", "茶茶"),
    ("tea, coffee", "tea coffee"),
    ("is it tea?", "is it tea"),
    ("re-sign", "resign"),
    ("~10", "10"),
    ("I sail", "I saíl"),
    ("周杰倫", "周傑"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_writings_of_the_same_words_are_equal(one: str, other: str) -> None:
    assert comparison_key(one) == comparison_key(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_facts_stay_different(one: str, other: str) -> None:
    assert comparison_key(one) != comparison_key(other)


@pytest.mark.parametrize("marks", ["", " ", "...", "。", "\u200b", '"'])
def test_marks_alone_have_no_key(marks: str) -> None:
    assert comparison_key(marks) == ""


@given(st.text())
def test_a_key_is_its_own_key(text: str) -> None:
    key = comparison_key(text)
    assert comparison_key(key) == key


@given(st.text(st.characters(max_codepoint=127)))
def test_the_short_way_for_plain_letters_leads_where_the_long_one_does(text: str) -> None:
    assert comparison_key(text) == keys._key_of_any(text)


def test_a_run_of_marks_without_end_costs_no_more_than_its_length() -> None:
    """Quadratic, this would take half a minute; the suite's own limit would end it."""
    assert len(comparison_key("e" + "\u0301\u0323" * 120_000)) < 100
