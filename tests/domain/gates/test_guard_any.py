"""What holds of any text around an order, and of any way to write one."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemod.domain.folded import fold
from mnemod.domain.gates.directive_rules import language, languages, near
from mnemod.domain.gates.directives import frames, tries
from mnemod.domain.gates.disguises import undisguised
from mnemod.domain.gates.guard import inspect
from mnemod.domain.gates.verdict import Decision
from tests.domain.gates.test_guard_lines import HARMLESS, ORDERS

PLAIN = [text for _, text in ORDERS if "\n" not in text and "<" not in text and "{" not in text]
CALM = [text for text in HARMLESS if text[-1] in ".。!！" and "<" not in text]
INVISIBLE = "\u200b\u2060\u00ad\ufeff\u200d"


# The first text of a kind has its rules compiled, which is not what takes time later.
UNTIMED = settings(deadline=None)


def decision(text: str) -> Decision:
    verdict = inspect(text, fold(text))
    return Decision.PASS if verdict is None else verdict.decision


@UNTIMED
@given(st.sampled_from(PLAIN), st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_a_normal_form_hides_no_order(text: str, form: str) -> None:
    assert decision(unicodedata.normalize(form, text)) is Decision.HOLD  # type: ignore[arg-type]


@UNTIMED
@given(st.sampled_from(PLAIN), st.data())
def test_an_invisible_character_hides_no_order(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))

    assert decision(text[:at] + data.draw(st.sampled_from(INVISIBLE)) + text[at:]) is Decision.HOLD


@UNTIMED
@given(st.sampled_from(PLAIN))
def test_full_width_letters_hide_no_order(text: str) -> None:
    wide = "".join(chr(ord(c) + 0xFEE0) if "a" <= c.lower() <= "z" else c for c in text)

    assert decision(wide) is Decision.HOLD


@UNTIMED
@given(
    st.sampled_from(PLAIN),
    st.lists(st.sampled_from(CALM), max_size=12),
    st.lists(st.sampled_from(CALM), max_size=12),
)
def test_sentences_around_an_order_do_not_hide_it(
    order: str, before: list[str], after: list[str]
) -> None:
    assert decision("\n".join([*before, order, *after])) is Decision.HOLD


@UNTIMED
@given(st.text(max_size=400))
def test_any_text_has_a_verdict_with_its_place_in_it(text: str) -> None:
    verdict = inspect(text, fold(text))

    assert verdict is None or 0 <= (verdict.start or 0) <= (verdict.end or 0) <= len(text)


@pytest.mark.parametrize("locale", ["en", "zh", "ja"])
def test_a_rule_is_tried_wherever_its_pattern_matches(locale: str) -> None:
    known = language(locale)
    missed = [
        (rule.name, text)
        for _, order in ORDERS
        for text in [undisguised(fold(order)).text]
        if known in languages(text)
        for number, rule in enumerate(known.rules)
        for match in rule.pattern.compiled().finditer(text)
        if (number, match.start())
        not in {
            place
            for each, stretch in near(text, languages(text), [(0, len(text))])
            if each is known
            for place in tries(stretch)
        }
    ]

    assert missed == []


@pytest.mark.parametrize("locale", ["en", "zh", "ja"])
def test_a_frame_is_found_wherever_its_pattern_matches(locale: str) -> None:
    known = language(locale)
    missed = [
        (frame.pattern.source[:40], text)
        for _, order in [*ORDERS, *((None, text) for text in HARMLESS)]
        for text in [undisguised(fold(order)).text]
        for frame in known.frames
        for match in frame.pattern.compiled().finditer(text)
        if match.span()
        not in {(each.start, each.end) for each in frames(text, 0, len(text), known)}
    ]

    assert missed == []
