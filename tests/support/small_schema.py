"""An account's file with as little in it as the store itself needs, and a table to write to."""

from __future__ import annotations

from typing import Final

from mnemod.store.database import Tx
from mnemod.store.migrate import Migration, Schema

_FIRST: Final = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE migration (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE note (seq INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
CREATE VIRTUAL TABLE word USING fts5 (terms);
"""

_MOOD: Final = "ALTER TABLE note ADD COLUMN mood TEXT;"
_RENAME: Final = "ALTER TABLE note RENAME COLUMN mood TO feeling;"

SMALL: Final = Schema(_FIRST, (Migration(1, "0001_first", _FIRST),))

GROWN: Final = Schema(
    _FIRST + _MOOD + _RENAME,
    (
        *SMALL.migrations,
        Migration(2, "0002_mood", _MOOD),
        Migration(3, "0003_rename", _RENAME),
    ),
)
"""What SMALL became, two steps later."""


def add_note(tx: Tx, text: str) -> int:
    """Write one note; its text must be new. Returns its number."""
    seq = tx.execute("INSERT INTO note (text) VALUES (?)", [text]).lastrowid
    assert seq is not None
    return seq


def notes(tx: Tx) -> list[str]:
    """The texts of all notes, oldest first."""
    return [text for (text,) in tx.execute("SELECT text FROM note ORDER BY seq").fetchall()]
