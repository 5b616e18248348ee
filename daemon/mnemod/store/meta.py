"""The account's own few facts: its id, its secret, its zone, its revision. One row a key."""

from __future__ import annotations

from typing import Final

from mnemod.domain.hashing import HashKey
from mnemod.ids import AccountId, WorldRevision
from mnemod.store.database import Tx

ACCOUNT_ID: Final = "account_id"
HASH_KEY: Final = "hash_key"
LAST_FORGET: Final = "last_forget"
LOCALE: Final = "locale"
TIME_ZONE: Final = "time_zone"
WORLD_REVISION: Final = "world_revision"

_Q_GET = "SELECT value FROM meta WHERE key = :key"

_Q_REVISION = "SELECT value FROM meta WHERE key = 'world_revision'"

_Q_SET_ONCE = "INSERT INTO meta (key, value) VALUES (:key, :value) ON CONFLICT (key) DO NOTHING"

_Q_RAISE_REVISION = """
UPDATE meta
   SET value = value + 1
 WHERE key = 'world_revision'
RETURNING value
"""


def get_text(tx: Tx, key: str) -> str | None:
    """The text kept under `key`, or None."""
    row = tx.execute(_Q_GET, {"key": key}).fetchone()
    return None if row is None else str(row[0])


def set_once(tx: Tx, key: str, value: str | bytes | int) -> None:
    """Keep `value` under `key` unless the key has one already."""
    tx.execute(_Q_SET_ONCE, {"key": key, "value": value})


def introduce(tx: Tx, account_id: AccountId, hash_key: HashKey) -> None:
    """Write what a new account starts with; changes nothing in one that has it."""
    set_once(tx, ACCOUNT_ID, account_id)
    set_once(tx, HASH_KEY, hash_key)
    set_once(tx, WORLD_REVISION, 0)


def hash_key(tx: Tx) -> HashKey:
    """The account's secret for keyed digests, 32 bytes."""
    return HashKey(bytes(tx.execute(_Q_GET, {"key": HASH_KEY}).fetchone()[0]))


def world_revision(tx: Tx) -> WorldRevision:
    """How many changes the world has seen."""
    return WorldRevision(int(tx.execute(_Q_REVISION).fetchone()[0]))


def raise_revision(tx: Tx) -> WorldRevision:
    """Count one more applied change and return the new revision."""
    return WorldRevision(int(tx.execute(_Q_RAISE_REVISION).fetchone()[0]))


_Q_NOTE_FORGET = """
INSERT INTO meta (key, value)
VALUES ('last_forget', :revision)
    ON CONFLICT (key) DO UPDATE
   SET value = :revision
"""


def note_forget(tx: Tx, revision: WorldRevision) -> None:
    """Remember that the change to this revision erased something."""
    tx.execute(_Q_NOTE_FORGET, {"revision": revision})


def last_forget(tx: Tx) -> WorldRevision:
    """The revision of the last change that erased something; 0 if none has."""
    row = tx.execute(_Q_GET, {"key": LAST_FORGET}).fetchone()
    return WorldRevision(0 if row is None else int(row[0]))
