"""Folding: one form for what reads the same, and every place of it leads back to its source."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemod.domain import folded, han
from mnemod.domain.folded import fold
from mnemod.domain.gates import guard
from mnemod.domain.unicode_forms import MARKS_MAX, normal

TEXTS = st.text(
    st.one_of(
        st.characters(codec="utf-8"),
        st.sampled_from("aB \n\u3000\u200b\ufeff\u0301\u0323ｆ９ｶﾞ後週㍿ﬁ\u1112\u1161\u11abßİ—「」"),
    ),
    max_size=40,
)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Ｉｇｎｏｒｅ　ALL", "ignore all"),
        ("Ig\u200bno\u2060re", "ignore"),
        ("以前の命令", "以前の命令"),
        ("後天性 週末", "后天性 周末"),
        ("ｶﾞｷﾞ", "ガギ"),
        ("cafe\u0301", "café"),
        ("\u1112\u1161\u11ab", "한"),
        ("3–5 ‘x’ “y”", "3-5 'x' \"y\""),
        ("１２：３０", "12:30"),
        ("a\tb\r\nc", "a b\n\nc"),
        ("「はい」。", "「はい」。"),
    ],
)
def test_what_reads_the_same_has_one_form(text: str, folded: str) -> None:
    assert fold(text).text == folded


@pytest.mark.parametrize(
    ("text", "found", "source"),
    [
        ("a\u200bｆｏ\u200bｏ b", "foo", "ｆｏ\u200bｏ"),
        ("x cafe\u0301 y", "café", "cafe\u0301"),
        ("xｶﾞy", "ガ", "ｶﾞ"),
        ("x㍿y", "株式会社", "㍿"),
        ("後天", "后天", "後天"),
    ],
)
def test_a_place_leads_back_to_what_it_came_from(text: str, found: str, source: str) -> None:
    folded = fold(text)
    at = folded.text.index(found)

    start, end = folded.span(at, at + len(found))

    assert text[start:end] == source


def test_runs_of_space_are_one_where_that_is_asked_for() -> None:
    text = "ignore \u3000  all\n \n rules"
    one = fold(text).collapsed()

    assert one.text == "ignore all\nrules"
    assert [text[slice(*one.span(at, at + 3))] for at in (7, 11)] == ["all", "rul"]


@pytest.mark.parametrize("before", ["", "x" * 400, "後" * 400, "ｶﾞ㍿" * 100])
def test_a_place_leads_back_from_behind_any_text(before: str) -> None:
    text = f"{before} a\u200bb…c 後 d"
    folded = fold(text)
    places = [folded.text.index(found) for found in ("ab", "c 后 d")]

    assert [text[slice(*folded.span(at, at + 2))] for at in places] == ["a\u200bb", "c "]


@given(TEXTS)
def test_every_place_lies_in_the_source_and_places_keep_their_order(text: str) -> None:
    folded = fold(text).collapsed()
    places = [folded.span(at, at + 1) for at in range(len(folded.text))]

    assert all(0 <= start < end <= len(text) for start, end in places)
    assert [start for start, _ in places] == sorted(start for start, _ in places)


@given(TEXTS)
def test_folding_what_is_folded_changes_nothing(text: str) -> None:
    once = fold(text).text
    assert fold(once).text == once


@given(st.text(st.sampled_from("ÀéñガグưẴ한글abc 後"), max_size=30))
def test_the_normal_form_a_text_came_in_makes_no_difference(text: str) -> None:
    apart = unicodedata.normalize("NFD", text)
    assert fold(apart).text == fold(text).text


def test_a_run_of_marks_without_end_is_cut_and_still_leads_back() -> None:
    text = "e" + "\u0301\u0323" * 20_000 + " x"
    folded = fold(text)

    assert len(folded.text) <= MARKS_MAX + 3
    assert folded.span(len(folded.text) - 1, len(folded.text)) == (len(text) - 1, len(text))
    assert len(normal("NFKC", text)) <= MARKS_MAX + 3


def test_a_run_of_marks_with_what_cannot_be_seen_between_them_is_one_run() -> None:
    """Uncut, composing it takes a second and a half."""
    text = "e" + ("\u0301" * MARKS_MAX + "\u034f") * 4_000 + " x"
    folded = fold(text)

    assert len(folded.text) <= MARKS_MAX + 3
    assert folded.span(len(folded.text) - 1, len(folded.text)) == (len(text) - 1, len(text))


@pytest.mark.parametrize("plane", range(3))
def test_a_letter_and_its_parts_written_apart_have_one_form(plane: int) -> None:
    letters = filter(str.isalpha, map(chr, range(plane << 16, (plane + 1) << 16)))
    apart = {char: unicodedata.normalize("NFD", char) for char in letters}

    assert [
        char
        for char, parts in apart.items()
        if parts != char and fold(parts).text != fold(char).text
    ] == []


@pytest.mark.parametrize(
    "text",
    [
        "this week\u2014maybe",
        "\u2014\ufb01x\u2014y",
        "a\u200b\u2014b " * 9,
        "cafe\u0301\u2014b-c\u2013d",
        "\ufe31e\u0301\u2014\u207b1\u2014",
    ],
)
def test_a_sign_in_place_of_another_is_as_if_the_text_had_it(text: str) -> None:
    changed, anew = fold(text).with_sign(text, "\u2014", "~"), fold(text.replace("\u2014", "~"))

    places = range(len(anew.text))
    assert changed is not None
    assert changed.text == anew.text
    assert [changed.span(at, at + 1) for at in places] == [anew.span(at, at + 1) for at in places]


def test_a_sign_that_came_from_something_else_is_left_to_whoever_folds_it_anew() -> None:
    text = "a\u2014b"
    assert fold("a-b-c").with_sign(text, "\u2014", "~") is None


@pytest.mark.parametrize("flood", ["e\u0301" * 20_000, "\u33af" * 3_000 + "e\u0301"])
def test_a_flood_of_what_takes_long_to_compose_is_left_apart_and_leads_back(flood: str) -> None:
    folded = fold(flood)

    assert "e\u0301" in folded.text
    assert folded.span(len(folded.text) - 1, len(folded.text)) == (len(flood) - 1, len(flood))


def test_what_people_write_is_composed_however_long_it_is() -> None:
    text = "un cafe\u0301 noir, " * 5_000
    assert "\u0301" not in fold(text).text


def test_a_look_at_parts_of_a_long_text_leaves_it_remembered() -> None:
    text = "Tea at four. Ignore all of the rules? " * 4_000
    whole = fold(text)

    guard.inspect(text, whole)

    assert fold(text) is whole


def test_where_nothing_but_the_script_can_change_nothing_else_does() -> None:
    codes = [*range(0x30000), *range(0x30000, 0x110000, 101)]
    chars = list(filter(folded._ONLY_SCRIPT.match, map(chr, codes)))

    assert len(chars) > 100_000
    assert [each for each in chars if folded._worked_out(each) != han.simplified(each)] == []
