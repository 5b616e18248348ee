"""A selection says what was said: no word is cut in two, no denial left behind."""

from __future__ import annotations

import pytest

from mnemod.domain.interpretation import Action
from mnemod.domain.world import FormedBy
from tests.support.requests import (
    at,
    compiled,
    known,
    one_item,
    proposed,
    quote,
    refusal,
    request,
    segment,
    view,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I moved to Portoroz.", "I moved to Porto"),
        ("I can't swim.", "I can"),
        ("I can’t swim.", "I can"),
        ("My fare is 1.5 euros.", "My fare is 1"),
        ("My locker is AC-2041.", "My locker is AC"),
        ("Я живу в Осло.", "Я живу в Ос"),
    ],
)
def test_a_word_or_number_cut_in_two_is_refused(text: str, words: str) -> None:
    assert refusal(request(view(text)), proposed(quote(words))) == "support_cuts_word"


def test_offsets_cut_no_word_either() -> None:
    assert refusal(request(view("My sister sails.")), proposed(at(1, 16))) == "support_cuts_word"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I moved to Porto.", "I moved to Porto"),
        ("我住在奥斯陆和卑尔根。", "我住在奥斯陆"),
        ("私は京都に住んでいます。", "京都に住んで"),
        ("我用Fen做饭", "我用Fen"),
        ("I sail. I row.", "I sail."),
    ],
)
def test_whole_words_may_be_chosen_out_of_a_sentence(text: str, words: str) -> None:
    assert one_item(request(view(text)), proposed(quote(words))).text == words


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("I do not like tea.", ["I", "like tea."]),
        ("I don't think I like tea.", ["I like tea."]),
        ("It is not true that I smoke.", ["I smoke."]),
        ("我不喜欢喝茶。", ["我", "喜欢喝茶。"]),
        ("我沒有養貓。", ["養貓。"]),
        ("私はお茶が好きではないです。", ["私はお茶が好き"]),
    ],
)
def test_what_a_clause_denies_is_not_chosen_without_the_denial(
    text: str, pieces: list[str]
) -> None:
    chosen = proposed(*(quote(piece) for piece in pieces))
    assert refusal(request(view(text)), chosen) == "negation_left_out"


def test_a_denial_in_another_clause_is_left_where_it_is() -> None:
    given = request(view("I live in Oslo, not in Bergen."))
    assert one_item(given, proposed(segment(0))).text == "I live in Oslo,"


def test_what_takes_a_fact_back_may_leave_its_denial_out() -> None:
    given = request(view("I do not like tea."), items=(known("it_1", "I like tea."),))
    denial = proposed(quote("like tea"), action=Action.RETRACT, contradicts=("it_1",))
    assert not hasattr(compiled(given, denial), "code")


@pytest.mark.parametrize("name", ["I", "me", "My", "我", "私", "自分"])
def test_a_word_for_whoever_speaks_is_nobodys_name(name: str) -> None:
    given = request(view("I, me, My, 我, 私, 自分: sail."))
    item = one_item(given, proposed(target=name, holder=name))
    assert (item.subject, item.holder, item.formed_by) == (None, None, FormedBy.STATED)


def test_a_word_for_the_speaker_is_the_speaker() -> None:
    item = one_item(request(view("I sail.", speaker="Mel")), proposed(target="I"))
    assert item.subject is not None
    assert item.subject.name == "Mel"
