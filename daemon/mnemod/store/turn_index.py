"""Finding assistant turns by their words, so that a forget reaches the copies in them.

Every turn is indexed, also one that says what it relied on: an answer may repeat the very message
it answers, which no recall had shown. The index narrows; `domain.copies` decides.
"""

from __future__ import annotations

from typing import Final

from mnemod.domain.copies import shared
from mnemod.domain.tokens import terms
from mnemod.store.database import Tx
from mnemod.store.lexical import encoded

_TERMS_MAX: Final = 24
"""So many of a text's terms find its copies; a query of all its terms may take seconds."""

_Q_ADD = "INSERT INTO turn_lexical (rowid, terms) VALUES (?, ?)"


def add(tx: Tx, turn_seq: int, text: str) -> None:
    """Make a turn findable."""
    tx.execute(_Q_ADD, (turn_seq, entry(text)))


def entry(text: str) -> str:
    """What stands in the index for a turn: the terms of what every copy of it has."""
    return " ".join(_terms(text))


_Q_DROP = "DELETE FROM turn_lexical WHERE rowid = ?"


def drop(tx: Tx, turn_seq: int) -> None:
    """Take an erased turn's words out of the index."""
    tx.execute(_Q_DROP, (turn_seq,))


_Q_FIND = "SELECT rowid FROM turn_lexical WHERE turn_lexical MATCH ? ORDER BY rowid"


def holding(tx: Tx, text: str) -> list[int]:
    """The turns that may hold a copy of `text`; none for a text without terms."""
    wanted = _terms(text)
    if not wanted:
        return []
    return [int(row[0]) for row in tx.execute(_Q_FIND, (_query(wanted),))]


def _query(wanted: list[str]) -> str:
    if all(term.isascii() and not term.startswith("_") for term in wanted):
        # Words in a row: a copy has them so, and few other turns do.
        return f'"{" ".join(wanted[:_TERMS_MAX])}"'
    # Of scripts without spaces a copy has the same characters, among pairs that may differ.
    longest = sorted(set(wanted), key=lambda term: (-len(term), term))[:_TERMS_MAX]
    return " AND ".join(f'"{term}"' for term in longest)


def _terms(text: str) -> list[str]:
    return [encoded(term) for term in terms(shared(text))]


_Q_CLEAR = "DELETE FROM turn_lexical"

_Q_WITH_WORDS = """
SELECT turn_seq, content
  FROM interaction_turn
 WHERE role = 'assistant' AND content <> ''
"""


def rebuild(tx: Tx) -> int:
    """Make the index anew from the turns; returns how many entries it holds."""
    tx.execute(_Q_CLEAR)
    found = tx.execute(_Q_WITH_WORDS).fetchall()
    for turn_seq, content in found:
        add(tx, turn_seq, content)
    return len(found)


_Q_GAP = f"""
WITH wanted AS (SELECT turn_seq FROM ({_Q_WITH_WORDS})),
     present AS (SELECT rowid FROM turn_lexical)
SELECT (SELECT count(*) FROM (SELECT * FROM wanted EXCEPT SELECT * FROM present))
     + (SELECT count(*) FROM (SELECT * FROM present EXCEPT SELECT * FROM wanted))
"""  # noqa: S608


def gap(tx: Tx) -> int:
    """How many turns ought to be in the index and are not, or are and ought not to be."""
    return int(tx.execute(_Q_GAP).fetchone()[0])
