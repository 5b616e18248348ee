"""The index of turns narrows and never hides: what repeats a text is among what it finds."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from mnemod.domain.copies import repeats
from mnemod.store import _sqlite, turn_index

PIECES = (
    "I", "you", "am", "I'm", "you're", "my", "your", "like", "Cedar", "tea", "teas", "10,000",
    "1.5", "10\u00b2", "AC-2041", "well-known", "don't", "Mira's", "the", "C++", "\u96ea\u677e",
    "\u6211\u559c\u6b22", "\u8336", "\u79c1\u306f", "th\u00e9", "\u041c\u0438\u0440\u0430", ",",
    ".", "!", "\u3002", "\u2026", "a@b.de", "\U0001f41d",
)  # fmt: skip
words = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map(" ".join)
tight = st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join)
CREATE = """
CREATE VIRTUAL TABLE turn_lexical USING fts5 (
    terms,
    tokenize = "unicode61 remove_diacritics 0 tokenchars '_'"
)
"""


@settings(max_examples=300, deadline=None)
@given(words | tight, words, words)
def test_a_turn_that_repeats_a_text_is_found_by_it(text: str, before: str, after: str) -> None:
    turn = f"{before} {text} {after}"
    db = _sqlite._driver.connect(":memory:")
    db.execute(CREATE)
    turn_index.add(db, 7, turn)

    found = turn_index.holding(db, text)

    db.close()
    has_terms = bool(turn_index.entry(text))
    assert found == [7] or not has_terms or not repeats(turn, text)
