"""The word indexes: which rows hold a term. Rebuildable from the rows; never the truth.

`evidence_lexical` and `item_lexical` are FTS5 tables whose rowid is the row's `seq` and whose one
column holds our own terms (see `domain.tokens`), joined by spaces. They keep no positions and no
lengths: scores are worked out from the terms themselves, so FTS5's own ranking, which must visit
every row that holds any term, is never asked.

A term goes in as `unicode61` passes it through unchanged: plain letters, digits, common Han, kana
and Hangul as they are, everything else as `_` and the hexadecimal of its UTF-8. So no term can be
read as query syntax, and none is split or folded a second time.

A row's own words alone stand in its entry: what is erased leaves nothing in another's. The index
drops tokens with the row (`store.erasure`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final

import orjson

from mnemod.domain.bm25 import Words
from mnemod.domain.tokens import terms
from mnemod.store.database import Tx

_PLAIN: Final = re.compile(r"[a-z0-9\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fa5\uac00-\ud7a3]+")
_HEX: Final = "_"
_ENCODED_CACHE: Final = 4_096


class Shelf(StrEnum):
    """Which rows are searched."""

    EVIDENCE = "evidence"
    ITEM = "item"


@lru_cache(_ENCODED_CACHE)
def encoded(term: str) -> str:
    """`term` as it stands in an index. One to one; never empty for a term."""
    return term if _PLAIN.fullmatch(term) else _HEX + term.encode().hex()


_Q_INSERT: Final = {
    Shelf.EVIDENCE: "INSERT INTO evidence_lexical (rowid, terms) VALUES (?, ?)",
    Shelf.ITEM: "INSERT INTO item_lexical (rowid, terms) VALUES (?, ?)",
}

_Q_DELETE: Final = {
    Shelf.EVIDENCE: "DELETE FROM evidence_lexical WHERE rowid = ?",
    Shelf.ITEM: "DELETE FROM item_lexical WHERE rowid = ?",
}


def index_evidence(tx: Tx, seq: int, text: str) -> None:
    """Make a new Evidence row findable from the next statement on."""
    _insert(tx, Shelf.EVIDENCE, seq, text)


def index_item(tx: Tx, seq: int, text: str) -> None:
    """Make an item findable by these words and no others."""
    tx.execute(_Q_DELETE[Shelf.ITEM], (seq,))
    _insert(tx, Shelf.ITEM, seq, text)


def unindex_evidence(tx: Tx, seq: int) -> None:
    """Take an Evidence row out. Nothing happens if it is not in."""
    tx.execute(_Q_DELETE[Shelf.EVIDENCE], (seq,))


def unindex_item(tx: Tx, seq: int) -> None:
    """Take an item out. Nothing happens if it is not in."""
    tx.execute(_Q_DELETE[Shelf.ITEM], (seq,))


def _insert(tx: Tx, shelf: Shelf, seq: int, text: str) -> None:
    tx.execute(_Q_INSERT[shelf], (seq, " ".join(map(encoded, terms(text)))))


_Q_FREQUENCY: Final = {
    Shelf.EVIDENCE: "SELECT count(*) FROM evidence_lexical WHERE evidence_lexical MATCH ?",
    Shelf.ITEM: "SELECT count(*) FROM item_lexical WHERE item_lexical MATCH ?",
}


def frequencies(tx: Tx, shelf: Shelf, wanted: Iterable[str]) -> dict[str, int]:
    """How many rows hold each term. About 30 ns a holder: exact is cheap."""
    query = _Q_FREQUENCY[shelf]
    return {term: int(tx.execute(query, (_quoted(term),)).fetchone()[0]) for term in wanted}


# One JSON array costs a tenth of as many rows through the driver.
_Q_HOLDERS: Final = {
    Shelf.EVIDENCE: """
SELECT json_group_array(rowid) FROM evidence_lexical WHERE evidence_lexical MATCH ?
""",
    Shelf.ITEM: """
SELECT json_group_array(rowid) FROM item_lexical WHERE item_lexical MATCH ?
""",
}


def holders(tx: Tx, shelf: Shelf, term: str, among: Sequence[str] = ()) -> list[int]:
    """The `seq` of every row that holds `term` (and, if given, one of `among`), oldest first."""
    query = _quoted(term)
    if among:
        query = f"{query} AND ({' OR '.join(map(_quoted, among))})"
    found: list[int] = orjson.loads(tx.execute(_Q_HOLDERS[shelf], (query,)).fetchone()[0])
    return found


_Q_TERMS: Final = {
    Shelf.EVIDENCE: """
SELECT rowid, terms FROM evidence_lexical WHERE rowid IN (SELECT value FROM json_each(?))
""",
    Shelf.ITEM: """
SELECT rowid, terms FROM item_lexical WHERE rowid IN (SELECT value FROM json_each(?))
""",
}


def words_of(tx: Tx, shelf: Shelf, seqs: Iterable[int], wanted: Sequence[str]) -> dict[int, Words]:
    """How long these rows are and how often they hold each wanted term.

    Rows that are not in the index are left out.
    """
    by_entry = {encoded(term): term for term in wanted}
    found: dict[int, Words] = {}
    for seq, line in tx.execute(_Q_TERMS[shelf], (orjson.dumps(sorted(seqs)).decode(),)):
        entries = line.split()
        counts: dict[str, float] = {}
        for entry in entries:
            if entry in by_entry:
                term = by_entry[entry]
                counts[term] = counts.get(term, 0.0) + 1.0
        found[seq] = Words(float(len(entries)), counts)
    return found


_Q_CLEAR: Final = ("DELETE FROM evidence_lexical", "DELETE FROM item_lexical")

# An item is found by its own words, and by the proposal that a bare "yes" says yes to.
ITEM_WORDS: Final = """
i.text || coalesce((
    SELECT group_concat(char(10) || substr(t.content, a.start + 1, a."end" - a.start), '')
      FROM assistant_source a
      JOIN interaction_turn t ON t.turn_seq = a.turn_seq
     WHERE a.item_id = i.item_id), '')
"""

# What ought to be in each index.
_SEARCHABLE: Final = {
    Shelf.EVIDENCE: """
SELECT seq, content
  FROM evidence
 WHERE erased_at_ms IS NULL AND outcome IN ('eligible', 'released')
""",
    Shelf.ITEM: f"SELECT i.seq AS seq, {ITEM_WORDS} FROM item i",  # noqa: S608
}

_Q_ITEM_WORDS: Final = f"SELECT {ITEM_WORDS} FROM item i WHERE i.seq = ?"  # noqa: S608


def reindex_item(tx: Tx, seq: int) -> None:
    """Make an item findable by the words it has now."""
    index_item(tx, seq, tx.execute(_Q_ITEM_WORDS, (seq,)).fetchone()[0])


def rebuild(tx: Tx) -> int:
    """Make both indexes anew from the rows; returns how many entries they hold."""
    for query in _Q_CLEAR:
        tx.execute(query)
    total = 0
    for shelf in Shelf:
        for seq, text in tx.execute(_SEARCHABLE[shelf]).fetchall():
            _insert(tx, shelf, int(seq), text)
            total += 1
    return total


_INDEXED: Final = {
    Shelf.EVIDENCE: "SELECT rowid FROM evidence_lexical",
    Shelf.ITEM: "SELECT rowid FROM item_lexical",
}


def count(tx: Tx) -> int:
    """How many entries both indexes hold."""
    return sum(_count(tx, f"SELECT count(*) FROM ({_INDEXED[shelf]})") for shelf in Shelf)  # noqa: S608


def gap(tx: Tx) -> int:
    """How many rows ought to be in an index and are not, or are and ought not to be."""
    return sum(_gap(tx, f"SELECT seq FROM ({_SEARCHABLE[s]})", _INDEXED[s]) for s in Shelf)  # noqa: S608


def _gap(tx: Tx, wanted: str, present: str) -> int:
    missing = f"SELECT count(*) FROM ({wanted} EXCEPT {present})"  # noqa: S608
    surplus = f"SELECT count(*) FROM ({present} EXCEPT {wanted})"  # noqa: S608
    return _count(tx, missing) + _count(tx, surplus)


def _count(tx: Tx, query: str) -> int:
    return int(tx.execute(query).fetchone()[0])


def _quoted(term: str) -> str:
    return f'"{encoded(term)}"'
