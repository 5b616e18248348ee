"""What counts as a reply: one whole JSON object, and nothing taken out of prose."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemod.domain.compiler.parse import parse
from mnemod.domain.compiler.refusal import CompileError
from mnemod.domain.compiler.reply import dump
from mnemod.domain.interpretation import (
    Action,
    Interpretation,
    ProposedItem,
    Result,
    Selector,
)
from mnemod.domain.world import FormedBy, StatementKind

ITEM = {
    "action": "form",
    "statement_kind": "attribute",
    "supports": [{"evidence_id": "ev_1", "sentence_id": "t0"}],
}
BARE = json.dumps({"result": "items", "items": [ITEM]})
PARSED = Interpretation(
    Result.ITEMS,
    (ProposedItem(Action.FORM, StatementKind.ATTRIBUTE, (Selector("ev_1", sentence_id="t0"),)),),
)


def code(reply: str, finish_reason: str | None = None) -> str:
    error = parse(reply, finish_reason)
    assert isinstance(error, CompileError), error
    return error.code


def item_code(**members: Any) -> str:
    return code(json.dumps({"result": "items", "items": [{**ITEM, **members}]}))


@pytest.mark.parametrize(
    "reply",
    [
        BARE,
        f"\n  {BARE}\n",
        f"```json\n{BARE}\n```",
        f"```\n{BARE}\n```",
        f"~~~\n{BARE}\n~~~",
        f"````json\n{BARE}\n````\n",
        f"```json\n{BARE}",
        f"```json\n{BARE}```",
        f"<think>I see {{one}}.</think>\n{BARE}",
        f"<think></think>```json\n{BARE}\n```",
    ],
)
def test_a_fence_or_thinking_around_the_whole_is_taken_off(reply: str) -> None:
    # B062, C062
    assert parse(reply) == PARSED


@pytest.mark.parametrize(
    "reply",
    [
        f"Here you are: {BARE}",
        f"{BARE}\nHope this helps!",
        f"```json\n{BARE}\n```\nHope this helps!",
        f"{BARE}\n{BARE}",
        f"- {BARE}",
        f"Example:\n```\n{BARE}\n```",
        "I like pears.",
        "",
        "[]",
        "null",
        '"items"',
        f"[{BARE}]",
        BARE.replace("{", "[").replace("}", "]"),
        "[" * 5_000,
        '{"a":' * 100 + "1" + "}" * 100,
    ],
)
def test_nothing_is_taken_out_of_prose(reply: str) -> None:
    # B064, C062
    assert code(reply) == "invalid_model_result"


@pytest.mark.parametrize("cut", range(1, len(BARE)))
def test_a_reply_cut_anywhere_is_truncated_and_never_used(cut: int) -> None:
    # B001, B066
    assert code(BARE[:cut]) == "model_output_truncated"


def test_a_whole_reply_that_the_provider_calls_cut_off_is_not_used() -> None:
    # C063
    assert code(BARE, "length") == "model_output_truncated"
    assert parse(BARE, "stop") == PARSED


def test_thinking_without_an_end_is_a_truncated_reply() -> None:
    assert code(f"<think>{BARE}") == "model_output_truncated"


@pytest.mark.parametrize(
    "reply",
    [
        '{"result": "no_change", "result": "no_change"}',
        BARE.replace('"action": "form"', '"action": "form", "action": "retract"'),
        BARE.replace("ev_1", r"ev_\d"),
        BARE.replace("ev_1", "ev\n1"),
        BARE.replace("}]", "},]"),
        BARE.replace('"', "'"),
        BARE.replace('"t0"', "NaN"),
        BARE.replace('"t0"', "1e400"),
        BARE.replace('"t0"', "-Infinity"),
        BARE.replace('"t0"', "1" * 5_000),
    ],
)
def test_json_that_is_not_quite_json_is_refused(reply: str) -> None:
    # B067
    assert code(reply) == "invalid_model_result"


def test_a_fence_inside_a_string_is_left_whole() -> None:
    # B063
    words = "```json\n{}\n```"
    reply = json.dumps(
        {
            "result": "items",
            "items": [{**ITEM, "supports": [{"evidence_id": "ev_1", "quote": words}]}],
        }
    )
    parsed = parse(f"```json\n{reply}\n```")
    assert isinstance(parsed, Interpretation)
    assert parsed.items[0].supports[0].quote == words


@pytest.mark.parametrize("action", [" Correct ", "CORRECT", "correct"])
def test_an_action_is_read_past_case_and_spaces(action: str) -> None:
    # B068
    parsed = parse(json.dumps({"result": "items", "items": [{**ITEM, "action": action}]}))
    assert isinstance(parsed, Interpretation)
    assert parsed.items[0].action is Action.CORRECT


@pytest.mark.parametrize("action", ["SKIP", "purge", "", None, ["form"], 1, True, {"a": 1}])
def test_an_action_nobody_knows_is_refused(action: object) -> None:
    # B068
    assert item_code(action=action) == "invalid_action"


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"statement_kind": "mood"}, "unsupported_statement_kind"),
        ({"formed_by": "derived"}, "invalid_formed_by"),
        ({"formed_by": "guessed"}, "invalid_formed_by"),
        ({"importance": 0}, "invalid_importance"),
        ({"importance": 11}, "invalid_importance"),
        ({"importance": True}, "invalid_item"),
        ({"importance": 5.5}, "invalid_item"),
        ({"target": 7}, "invalid_item"),
        ({"corrects": 7}, "invalid_item"),
        ({"corrects": [7]}, "invalid_item"),
        ({"supersede": ["it_1"]}, "unexpected_member"),
        ({"supports": []}, "no_support_span"),
        ({"supports": [ITEM["supports"][0]] * 17}, "no_support_span"),
        ({"supports": "t0"}, "invalid_item"),
        ({"supports": ["t0"]}, "invalid_item"),
    ],
)
def test_a_member_of_the_wrong_kind_is_refused(members: dict[str, Any], expected: str) -> None:
    assert item_code(**members) == expected


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ({}, "invalid_support_span"),
        ({"sentence_id": "t0", "segment_id": "s0"}, "invalid_support_span"),
        ({"sentence_id": "t0", "quote": "x"}, "invalid_support_span"),
        ({"start": 0}, "invalid_support_span"),
        ({"end": 3}, "invalid_support_span"),
        ({"start": 0, "end": 3, "quote": "x"}, "invalid_support_span"),
        ({"start": False, "end": 3}, "invalid_support_span"),
        ({"start": 0.0, "end": 3}, "invalid_support_span"),
        ({"sentence_id": 0}, "invalid_support_span"),
        ({"sentence": "t0"}, "unexpected_member"),
    ],
)
def test_a_support_chooses_in_exactly_one_way(selector: dict[str, Any], expected: str) -> None:
    # C054
    assert item_code(supports=[{"evidence_id": "ev_1", **selector}]) == expected


def test_six_items_are_one_too_many_and_the_limit_is_named() -> None:
    # C060
    error = parse(json.dumps({"result": "items", "items": [ITEM] * 6}))
    assert isinstance(error, CompileError)
    assert (error.code, "5" in error.hint) == ("too_many_items", True)
    assert code('{"result":"items","items":[]}') == "invalid_item_batch"


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"result": "no_change"}', Interpretation(Result.NO_CHANGE)),
        ('{"result": " No_Change ", "schema_version": 8}', Interpretation(Result.NO_CHANGE)),
        (
            '{"result": "clarification_required", "question": " Which Sam? "}',
            Interpretation(Result.CLARIFICATION, note="Which Sam?"),
        ),
        (
            '{"result": "out_of_scope", "note": "Later."}',
            Interpretation(Result.OUT_OF_SCOPE, note="Later."),
        ),
    ],
)
def test_the_results_without_items(reply: str, expected: Interpretation) -> None:
    assert parse(reply) == expected


@pytest.mark.parametrize(
    "reply",
    [
        "{}",
        '{"result": null}',
        '{"result": "maybe"}',
        '{"result": "clarification_required"}',
        '{"result": "clarification_required", "question": " "}',
        json.dumps({"result": "out_of_scope", "note": "x" * 501}),
        '{"result": "items"}',
    ],
)
def test_an_envelope_that_says_too_little_is_refused(reply: str) -> None:
    assert code(reply) == "invalid_model_result"


def test_a_single_id_stands_for_a_list_of_one() -> None:
    parsed = parse(json.dumps({"result": "items", "items": [{**ITEM, "corrects": "it_1"}]}))
    assert isinstance(parsed, Interpretation)
    assert parsed.items[0].corrects == ("it_1",)


_WORDS = (
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
    .map(str.strip)
    .filter(bool)
)
_IDS = st.lists(_WORDS, max_size=2).map(tuple)
_SELECTORS = st.one_of(
    st.builds(Selector, _WORDS, sentence_id=_WORDS),
    st.builds(Selector, _WORDS, segment_id=_WORDS),
    st.builds(Selector, _WORDS, quote=_WORDS),
    st.builds(Selector, _WORDS, start=st.integers(0, 9), end=st.integers(0, 9)),
)
_ITEMS = st.builds(
    ProposedItem,
    st.sampled_from(Action),
    st.sampled_from(StatementKind),
    st.lists(_SELECTORS, min_size=1, max_size=3).map(tuple),
    st.sampled_from([FormedBy.STATED, FormedBy.CONFIRMED]),
    _IDS,
    _IDS,
    _IDS,
    *[st.none() | _WORDS] * 6,
    st.integers(1, 10),
    st.none() | _WORDS,
)


@given(st.lists(_ITEMS, min_size=1, max_size=5).map(tuple))
def test_what_is_dumped_is_parsed_back_equal(items: tuple[ProposedItem, ...]) -> None:
    interpretation = Interpretation(Result.ITEMS, items)
    assert parse(dump(interpretation)) == interpretation


@given(st.text())
def test_no_text_is_more_than_a_reply_or_a_refusal(reply: str) -> None:
    assert isinstance(parse(reply), Interpretation | CompileError)
