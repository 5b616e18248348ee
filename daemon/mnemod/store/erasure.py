"""What makes an erased row leave the disk, beyond its DELETE.

`secure_delete` overwrites the row in its page; that page stands in the log until a checkpoint
copies it into the file; the log holds the page's earlier versions until it is emptied. So after
an erasing commit the log is copied and cut to nothing, which waits for readers of old snapshots.
A full-text index keeps the tokens of deleted rows unless told otherwise. Nothing here costs more
than what was erased: there is no VACUUM. Copies made before a migration are removed.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Final

from msgspec import Struct

from mnemod.errors import Busy, StorageFull
from mnemod.store import _sqlite
from mnemod.store.transaction import Tx

TRUNCATE_WAIT_MS: Final = 100
"""How long writes are held up for readers of old snapshots before a cleanup is put off."""

COPY_SUFFIX: Final = ".before-"
"""Between the account file's name and a migration's number: a copy made before it."""


class CleanupState(StrEnum):
    """Whether erased text has left the disk."""

    COMPLETE = "complete"
    PENDING = "pending"


class CleanupReason(StrEnum):
    """Why it has not yet. The daemon tries again by itself."""

    WAL_READER_BUSY = "wal_reader_busy"
    FILE_BUSY = "file_busy"
    STORAGE_FULL = "storage_full"
    STORAGE_ERROR = "storage_error"


class Cleanup(Struct, frozen=True):
    """`storage_cleanup` as a receipt shows it: complete, or pending with its reason."""

    state: CleanupState
    reason: CleanupReason | None = None


_PLAIN_INDEX_VERSION: Final = 4

CLEAN: Final = Cleanup(CleanupState.COMPLETE)
COPY_LEFT: Final = Cleanup(CleanupState.PENDING, CleanupReason.STORAGE_ERROR)
NOT_OURS: Final = Cleanup(CleanupState.PENDING, CleanupReason.FILE_BUSY)

_REASONS: Final[dict[type[BaseException], CleanupReason]] = {
    Busy: CleanupReason.FILE_BUSY,
    StorageFull: CleanupReason.STORAGE_FULL,
}

_Q_INDEXES = """
SELECT name
  FROM sqlite_schema
 WHERE type = 'table'
   AND sql LIKE 'CREATE VIRTUAL TABLE%USING fts5%'
"""


def truncate_log(connection: _sqlite.Connection) -> Cleanup:
    """Copy the log into the file and cut it to nothing. Waits TRUNCATE_WAIT_MS at most.

    Leaves the connection's busy timeout at that. No transaction may be open on the connection.
    """
    try:
        connection.execute(f"PRAGMA busy_timeout = {TRUNCATE_WAIT_MS}")
        busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except _sqlite.Error as error:
        reason = _REASONS.get(type(_sqlite.typed(error)), CleanupReason.STORAGE_ERROR)
        return Cleanup(CleanupState.PENDING, reason)
    return Cleanup(CleanupState.PENDING, CleanupReason.WAL_READER_BUSY) if busy else CLEAN


def guard_indexes(tx: Tx) -> None:
    """At each opening: every full-text index drops a row's tokens with the row, where SQLite can.

    One that has done so is written in a format that an SQLite before 3.42 cannot read; opened
    with such a one it is built anew, from the rows it keeps.
    """
    for name in _indexes(tx):
        config = _index_config(tx, name)
        if _sqlite.HAS_SECURE_DELETE_INDEX and not config.get("secure-delete"):
            tx.execute(f"INSERT INTO {name} ({name}, rank) VALUES ('secure-delete', 1)")  # noqa: S608
        if not _sqlite.HAS_SECURE_DELETE_INDEX and config["version"] > _PLAIN_INDEX_VERSION:
            _rebuild(tx, name)


def scrub_indexes(tx: Tx) -> None:
    """In an erasing transaction, last: do by hand what an SQLite before 3.42 cannot.

    Merging an index into one segment leaves the tokens of deleted rows behind; its cost follows
    the index's size, the one place where it does not follow what is erased.
    """
    if not _sqlite.HAS_SECURE_DELETE_INDEX:
        for name in _indexes(tx):
            tx.execute(f"INSERT INTO {name} ({name}) VALUES ('optimize')")  # noqa: S608


def remove_copies(path: Path) -> None:
    """Remove the copies of this account's file that migrations made: they hold what it held."""
    for copy in path.parent.glob(f"{path.name}{COPY_SUFFIX}*"):
        copy.unlink(missing_ok=True)


def _indexes(tx: Tx) -> list[str]:
    """The full-text indexes, quoted. Their names come from the schema, and so may stand in SQL."""
    return [_sqlite.quoted(name) for (name,) in tx.execute(_Q_INDEXES).fetchall()]


def _index_config(tx: Tx, name: str) -> dict[str, int]:
    return dict(tx.execute(f"SELECT k, v FROM {_config_table(name)}").fetchall())  # noqa: S608


def _rebuild(tx: Tx, name: str) -> None:
    # An index of a version it does not know takes no command, this one neither: so that first.
    tx.execute(
        f"UPDATE {_config_table(name)} SET v = :version WHERE k = 'version'",  # noqa: S608
        {"version": _PLAIN_INDEX_VERSION},
    )
    tx.execute(f"INSERT INTO {name} ({name}) VALUES ('rebuild')")  # noqa: S608


def _config_table(name: str) -> str:
    return f'{name[:-1]}_config"'
