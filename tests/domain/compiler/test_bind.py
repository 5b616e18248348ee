"""Selectors become exact spans: joined where they touch, never across words, never twice."""

from __future__ import annotations

import pytest

from mnemod.domain.interpretation import Selector
from mnemod.domain.world import Span
from mnemod.ids import EvidenceId
from tests.support.requests import (
    at,
    one_item,
    proposed,
    quote,
    refusal,
    request,
    segment,
    sentence,
    view,
)

COATS = "For coats, no wool, I only wear linen. My door code is stored elsewhere."


def test_a_sentence_brings_its_words_and_no_others() -> None:
    # C052
    item = one_item(request(view(COATS)), proposed(sentence(0)))
    assert item.text == "For coats, no wool, I only wear linen."
    assert item.spans == (Span(EvidenceId("ev_1"), 0, 38),)


def test_a_segment_leaves_the_later_clauses_out() -> None:
    # C053
    item = one_item(request(view(COATS)), proposed(segment(0)))
    assert item.text == "For coats,"


def test_a_decimal_point_ends_no_sentence() -> None:
    # C055
    given = request(view("I use 1.5 units every time. Next."))
    assert one_item(given, proposed(sentence(0))).text == "I use 1.5 units every time."
    assert one_item(given, proposed(sentence(1))).text == "Next."


def test_ranges_that_touch_become_one_span_whatever_their_order() -> None:
    given = request(view("I sail. I row. I swim."))
    item = one_item(given, proposed(sentence(1), sentence(0)))
    assert item.text == "I sail. I row."
    assert len(item.spans) == 1


def test_a_gap_is_never_bridged() -> None:
    given = request(view("I sail. I row. I swim."))
    item = one_item(given, proposed(sentence(0), sentence(2)))
    assert item.text == "I sail. I swim."
    assert [(span.start, span.end) for span in item.spans] == [(0, 7), (15, 22)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我划船。我跑步。我游泳。", "我划船。我游泳。"),
        ("I sail. 我跑步。I swim.", "I sail. I swim."),
        ("私は走る。I row. 泳ぐ。", "私は走る。泳ぐ。"),
    ],
)
def test_pieces_meet_as_their_scripts_are_written(text: str, expected: str) -> None:
    assert one_item(request(view(text)), proposed(sentence(0), sentence(2))).text == expected


@pytest.mark.parametrize(
    "supports",
    [
        (sentence(0), sentence(0)),
        (sentence(0), segment(0)),
        (at(0, 6), at(5, 9)),
        (sentence(0), quote("no wool")),
    ],
)
def test_words_chosen_twice_are_refused(supports: tuple[Selector, ...]) -> None:
    # C054
    assert refusal(request(view(COATS)), proposed(*supports)) == "overlapping_spans"


@pytest.mark.parametrize(
    ("selector", "code"),
    [
        (sentence(99), "support_sentence_not_found"),
        (segment(99), "support_segment_not_found"),
        (Selector("ev_1", sentence_id="s0"), "support_sentence_not_found"),
        (Selector("ev_1", sentence_id=" t0"), "support_sentence_not_found"),
        (quote("wear silk"), "support_quote_not_found"),
        (quote(" "), "support_quote_not_found"),
        (quote("o"), "support_quote_ambiguous"),
        (at(0, 999), "span_out_of_range"),
        (at(-1, 3), "span_out_of_range"),
        (at(5, 2), "span_out_of_range"),
        (at(3, 3), "empty_span"),
        (at(3, 4), "empty_span"),
        (sentence(0, "ev_2"), "evidence_out_of_batch"),
        (sentence(0, "ev"), "evidence_out_of_batch"),
    ],
)
def test_what_was_not_offered_cannot_be_chosen(selector: Selector, code: str) -> None:
    # C054, C064
    assert refusal(request(view(COATS)), proposed(selector)) == code


def test_a_span_is_trimmed_to_its_words() -> None:
    item = one_item(request(view("Well,  I sail  daily.")), proposed(at(5, 15)))
    assert (item.text, item.spans[0].start, item.spans[0].end) == ("I sail", 7, 13)


def test_marks_alone_are_no_words() -> None:
    assert refusal(request(view("I sail ...")), proposed(at(7, 10))) == "empty_span"


def test_offsets_count_code_points() -> None:
    item = one_item(request(view("👩‍👧 I sail.")), proposed(quote("I sail.")))
    assert item.spans[0].start == len("👩‍👧 ")


def test_words_of_two_speakers_make_no_item() -> None:
    given = request(view("I sail."), view("I row.", evidence_id="ev_2", speaker="Ben"))
    both = proposed(sentence(0), sentence(0, "ev_2"))
    assert refusal(given, both) == "mixed_speakers"


def test_one_item_may_rest_on_two_messages_in_order() -> None:
    given = request(view("I sail."), view("I row.", evidence_id="ev_2"))
    item = one_item(given, proposed(sentence(0, "ev_2"), sentence(0)))
    assert item.text == "I sail. I row."
    assert [span.evidence_id for span in item.spans] == ["ev_1", "ev_2"]
