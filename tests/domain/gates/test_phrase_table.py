"""A table of phrases answers as a dict of them does."""

from __future__ import annotations

import pytest

from mnemod.domain.gates.phrase_grammar import Kind
from mnemod.domain.gates.phrase_table import PhraseTable

PHRASES = {
    "hi": Kind.GREETING,
    "ho": Kind.LAUGHTER | Kind.GREETING,
    "hm": Kind.FILLER,
    "bye": Kind.FAREWELL,
    "おは": Kind.GREETING,
    "再见": Kind.FAREWELL,
}


def test_each_phrase_has_its_kinds() -> None:
    table = PhraseTable(PHRASES)

    assert {phrase: table.get(phrase) for phrase in PHRASES} == PHRASES
    assert len(table) == len(PHRASES)


@pytest.mark.parametrize(
    "other", ["", "h", "hn", "aa", "zz", "hihm", "mh", "byes", "ye", "再", "は再"]
)
def test_what_is_no_phrase_has_none(other: str) -> None:
    table = PhraseTable(PHRASES)

    assert (table.get(other), other in table) == (None, False)
    with pytest.raises(KeyError):
        table[other]


def test_a_filler_is_a_phrase_though_its_kind_says_nothing() -> None:
    assert "hm" in PhraseTable(PHRASES)


def test_no_phrases_are_a_table_too() -> None:
    assert PhraseTable[Kind]({}).get("hi") is None
