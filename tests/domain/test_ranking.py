"""Ranking: what bears on a question comes first, and what does not is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from mnemod.domain.bm25 import Words, is_match
from mnemod.domain.question import TERMS_MAX, Question, ask, wanted_terms
from mnemod.domain.ranking import Said, best_first, rank_turns
from mnemod.domain.tokens import terms

DAY_MS = 86_400_000
MAY_7 = 1_935_878_400_000
"""2031-05-07, midnight UTC."""


def words(question: Question, text: str) -> Words:
    held = Counter(terms(text))
    counts = {term: float(held[term]) for term in question.weights if held[term]}
    return Words(float(held.total()), counts)


def talk(
    question: Question,
    *texts: str,
    speakers: Sequence[str] = (),
    days: Sequence[int] = (),
) -> dict[int, Said]:
    """A conversation of these turns, numbered from 1."""
    last = len(texts)
    return {
        seq: Said(
            seq=seq,
            before=seq - 1 if seq > 1 else None,
            after=seq + 1 if seq < last else None,
            words=words(question, text),
            session=("talk", ""),
            speaker=speakers[seq - 1] if speakers else "",
            head=text,
            moment_ms=MAY_7 + DAY_MS * (days[seq - 1] if days else 0),
            offset_min=0,
        )
        for seq, text in enumerate(texts, 1)
    }


def asking(query: str, *texts: str, rows: int = 0) -> Question:
    """The question to a store of these texts."""
    frequencies = Counter(term for text in texts for term in set(terms(text)))
    return ask(query, wanted_terms(query), frequencies, rows or len(texts))


def order(query: str, *texts: str, named: str = "", **talk_is: Sequence[str]) -> list[int]:
    question = asking(query, *texts)
    names = {named} if named else set[str]()
    return list(best_first(rank_turns(question, talk(question, *texts, **talk_is), names)))


def test_the_turn_with_more_of_the_question_is_first() -> None:
    assert order("copper bridge", "a bridge at dawn", "snow", "ice", "the copper bridge")[0] == 4


def test_a_rare_term_tells_more_than_a_common_one() -> None:
    common = ["the harbour was full", "snow", "ice", "wind", "the harbour was dark", "rain", "fog"]

    assert order("harbour oolong", *common, "hail", "the oolong was cold", "we left")[0] == 9


def test_an_answer_is_found_by_the_question_before_it() -> None:
    found = order(
        "where did Mel adopt the greyhound",
        "it rained", "Where did you adopt the greyhound?", "At the shelter on Mill Road.",
        "nice", "it snowed",
    )  # fmt: skip

    assert found[0] == 3


def test_a_turn_two_steps_off_is_not_a_match() -> None:
    assert 4 not in order("greyhound", "x", "the greyhound", "we left", "we ate", "we slept")


def test_a_turn_without_a_word_of_it_needs_a_question_or_a_strong_match_beside_it() -> None:
    weak = "copper kiln glaze ferry tarn"

    assert 2 not in order(weak, "I have copper.", "It snowed.", "ice", "wind", "rain")
    assert 2 in order(weak, "Do you have copper?", "It snowed.", "ice", "wind", "rain")
    assert 2 in order(weak, "copper kiln glaze ferry", "It snowed.", "ice", "wind", "rain")


def test_questions_come_after_statements() -> None:
    found = order("kiln", "Is the kiln hot?", "snow", "ice", "wind", "The kiln is hot.")

    assert found.index(5) < found.index(1)


def test_who_is_asked_about_comes_first_among_equals() -> None:
    texts = ["I paint lupins", "snow", "ice", "wind", "I paint lupins"]
    speakers = ["Ann", "Ann", "Bo", "Bo", "Bo"]

    assert order("paints lupins", *texts, named="Ann", speakers=speakers)[0] == 1
    assert order("paints lupins", *texts, named="Bo", speakers=speakers)[0] == 5


def test_a_date_that_is_asked_for_comes_first_among_equals() -> None:
    texts = ["I fixed the pump", "snow", "ice", "wind", "I fixed the pump"]
    question = asking("who fixed the pump on 7 May 2031", *texts)
    told = talk(question, *texts, days=[0, 9, 9, 9, 9])

    assert best_first(rank_turns(question, told, set()))[0] == 1


@pytest.mark.parametrize("code", ["AC-2041", "9981", "9:1"])
def test_an_exact_rare_code_cannot_be_outranked(code: str) -> None:
    vague = ["the gate keypad code for the harbour shed"] * 3

    found = order(
        f"the gate keypad code for the harbour shed {code}", *vague, "snow", "ice", "wind", code,
    )  # fmt: skip

    assert found[0] == 7


def test_equal_rows_come_newest_first() -> None:
    texts = ["rain", "the kiln", "snow", "ice", "the kiln", "wind"]

    assert order("kiln", *texts)[:2] == [5, 2]


@pytest.mark.parametrize("query", ["likes", "what do I like", "好き", "喜欢"])
def test_carrier_words_alone_are_no_match(query: str) -> None:
    texts = ["she likes corn", "he likes to learn", "コーンが好き", "我喜欢玉米"]

    assert order(query, *texts) == []


def test_a_sliver_of_a_long_statement_is_no_match() -> None:
    statement = (
        "Ms Hale founded the botanical archive, edited its quarterly bulletin, catalogued mosses, "
        "lectured widely, mentored students, restored herbarium specimens and grew some corn"
    )

    assert order(statement, "likes corn", "learns Rust") == []


def test_a_question_of_unknown_words_has_no_answer() -> None:
    assert order("zzqx flargle 9981", *(f"item {n} about tides" for n in range(60))) == []


def test_one_character_is_enough_to_ask_for() -> None:
    assert order("茶", "雪が降った", "寒い", "私は烏龍茶が好きです")[0] == 3


def test_the_floor_is_a_share_of_what_was_asked() -> None:
    question = asking("copper bridge shelf server", "copper bridge", "shelf", rows=50)

    assert is_match(question, words(question, "copper bridge"))
    assert not is_match(question, words(question, "snow"))


def test_a_long_question_keeps_its_longest_terms_in_order() -> None:
    query = " ".join(f"w{n:03}x" for n in range(100)) + " a1 extraordinarily"

    wanted = wanted_terms(query)

    assert len(wanted) == TERMS_MAX
    assert "extraordinarili" in wanted
    assert "a1" not in wanted
