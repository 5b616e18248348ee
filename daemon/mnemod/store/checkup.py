"""Whether an account's file is whole, and agrees with itself. Reads only; `lexical.rebuild` mends.

Each check counts what is wrong, so that a person sees numbers before anything is changed.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from mnemod.domain.hashing import HashKey, keyed
from mnemod.domain.tokens import terms
from mnemod.domain.wording import worded
from mnemod.ids import EpochMs
from mnemod.store import turn_index
from mnemod.store.database import Tx
from mnemod.store.lexical import ITEM_WORDS, encoded

_CHUNK_ROWS = 500


class Wrong(Struct, frozen=True):
    """One check and how many rows failed it."""

    check: str
    count: int


# FTS5 checks its index against what this connection last saw of it, and calls what another one has
# written since damage. A search makes it look again (seen with SQLite 3.53.4).
_Q_LOOK_AGAIN = (
    "SELECT rowid FROM evidence_lexical WHERE evidence_lexical MATCH 'a' LIMIT 1",
    "SELECT rowid FROM item_lexical WHERE item_lexical MATCH 'a' LIMIT 1",
    "SELECT rowid FROM turn_lexical WHERE turn_lexical MATCH 'a' LIMIT 1",
)

_Q_QUICK = "PRAGMA quick_check(100)"
_Q_WHOLE = "PRAGMA integrity_check(100)"
_Q_KEYS = "PRAGMA foreign_key_check"


def pages(tx: Tx, *, deep: bool) -> Wrong:
    """Damage in the file itself: pages, indexes, and in depth every row against its CHECKs."""
    for query in _Q_LOOK_AGAIN:
        tx.execute(query).fetchall()
    rows = tx.execute(_Q_WHOLE if deep else _Q_QUICK).fetchall()
    return Wrong("file", sum(row[0] != "ok" for row in rows))


def keys(tx: Tx) -> Wrong:
    """Rows that point at rows that are not there."""
    return Wrong("foreign_keys", len(tx.execute(_Q_KEYS).fetchall()))


_Q_ORPHANED_CLAIMS = """
SELECT count(*)
  FROM job
 WHERE state = 'processing' AND lease_expires_at_ms < :now
"""

_Q_DEAD = "SELECT count(*) FROM job WHERE state = 'dead'"


def stuck_jobs(tx: Tx, now: EpochMs) -> Wrong:
    """Jobs whose claim ran out and that nobody has taken back."""
    count = tx.execute(_Q_ORPHANED_CLAIMS, {"now": now}).fetchone()[0]
    return Wrong("stuck_jobs", int(count))


def dead_jobs(tx: Tx) -> Wrong:
    """Jobs that ended without forming what they were about."""
    return Wrong("dead_jobs", int(tx.execute(_Q_DEAD).fetchone()[0]))


_Q_WORDS = """
SELECT seq, content, content_hash
  FROM evidence
 WHERE erased_at_ms IS NULL AND seq > ?
 ORDER BY seq
 LIMIT ?
"""


def altered_words(tx: Tx, key: HashKey) -> Wrong:
    """Evidence whose words are not the ones that were stored."""
    wrong = 0
    for _, content, content_hash in _chunks(tx, _Q_WORDS):
        wrong += keyed(key, content) != content_hash
    return Wrong("altered_words", wrong)


_Q_ITEM_TEXTS = """
SELECT i.seq, i.item_id, i.text
  FROM item i
 WHERE i.layer = 'fact' AND i.kind <> 'entity' AND i.seq > ?
 ORDER BY i.seq
 LIMIT ?
"""

_Q_GROUPS = """
SELECT s.grp, substr(e.content, s.start + 1, s."end" - s.start)
  FROM support s
  JOIN evidence e ON e.evidence_id = s.evidence_id
 WHERE s.item_id = ? AND s.relation = 'support'
 ORDER BY s.grp, s.position
"""


def unsourced_items(tx: Tx) -> Wrong:
    """Facts whose text is not the words of any group of their spans."""
    wrong = 0
    for _, item_id, text in _chunks(tx, _Q_ITEM_TEXTS):
        groups: dict[int, list[str]] = {}
        for group, words in tx.execute(_Q_GROUPS, (item_id,)):
            groups.setdefault(group, []).append(words)
        wrong += text not in [worded(words) for words in groups.values()]
    return Wrong("unsourced_items", wrong)


_Q_INDEXED = (
    """
SELECT e.seq, e.content, l.terms
  FROM evidence e
  JOIN evidence_lexical l ON l.rowid = e.seq
 WHERE e.seq > ?
 ORDER BY e.seq
 LIMIT ?
""",
    f"""
SELECT i.seq, {ITEM_WORDS}, l.terms
  FROM item i
  JOIN item_lexical l ON l.rowid = i.seq
 WHERE i.seq > ?
 ORDER BY i.seq
 LIMIT ?
""",  # noqa: S608
)


_Q_INDEXED_TURNS = """
SELECT t.turn_seq, t.content, l.terms
  FROM interaction_turn t
  JOIN turn_lexical l ON l.rowid = t.turn_seq
 WHERE t.turn_seq > ?
 ORDER BY t.turn_seq
 LIMIT ?
"""


def stale_index(tx: Tx) -> Wrong:
    """Entries of an index that hold other words than their rows."""
    wrong = 0
    for query in _Q_INDEXED:
        for _, text, entry in _chunks(tx, query):
            wrong += entry != " ".join(map(encoded, terms(text)))
    for _, text, entry in _chunks(tx, _Q_INDEXED_TURNS):
        wrong += entry != turn_index.entry(text)
    return Wrong("stale_index", wrong)


def _chunks(tx: Tx, query: str) -> Iterator[tuple[int, str, str]]:
    after = 0
    while rows := tx.execute(query, (after, _CHUNK_ROWS)).fetchall():
        yield from rows
        after = rows[-1][0]
