"""How an account's file is opened: made whole, or looked at before anything is written to it.

A file that is not there is built under another name and renamed, so a kill leaves a whole file or
none. A file that is there is first read without writing: one that is not an account's, or a newer
mnemod's, or damaged where every account has a table, is refused, and neither it nor its folder
has changed by a byte. The caller holds the account's lock, so nobody else opens the file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

from mnemod import faults
from mnemod.config import BUSY_TIMEOUT_MS, JOURNAL_SIZE_LIMIT_BYTES
from mnemod.errors import (
    AccountCorrupt,
    AccountForeign,
    AccountNewerSchema,
    MnemodError,
    StorageCorrupt,
)
from mnemod.ids import EpochMs
from mnemod.store import _sqlite, files, migrate
from mnemod.store.erasure import CLEAN, Cleanup, guard_indexes, remove_copies, truncate_log

APPLICATION_ID: Final = int.from_bytes(b"mnem", "big")
PAGE_BYTES: Final = 4096

_HEADER_BYTES: Final = 100
_MAGIC: Final = b"SQLite format 3\x00"

_CONFIGURE: Final = (
    f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}",
    "PRAGMA synchronous = FULL",
    # On a Mac a plain fsync leaves the words in the drive's cache. Elsewhere this does nothing.
    "PRAGMA fullfsync = ON",
    "PRAGMA checkpoint_fullfsync = ON",
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",
    "PRAGMA temp_store = MEMORY",  # a temporary file would hold text no erasure reaches
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA wal_autocheckpoint = 0",  # the writer checkpoints, and nobody else
    f"PRAGMA journal_size_limit = {JOURNAL_SIZE_LIMIT_BYTES}",
)

_Q_RAISE_EPOCH = """
INSERT INTO meta (key, value)
VALUES ('owner_epoch', 1)
ON CONFLICT (key) DO UPDATE
   SET value = value + 1
RETURNING value
"""

_Q_ROOTS = """
SELECT name
  FROM sqlite_schema
 WHERE type = 'table'
   AND rootpage > 0
"""


class Opened(Struct, frozen=True):
    """An account's file, ours to write."""

    connection: _sqlite.Connection
    owner_epoch: int
    """What opening it raised its owner epoch to. Another's opening raises it on."""
    cleanup: Cleanup
    """Whether what a killed process left in the log is out of it, erased text included."""


def open_file(path: Path, schema: migrate.Schema, now: EpochMs) -> Opened:
    """The writer's connection to an account's file, whose owner this process now is.

    Builds the file if there is none, migrates an older one. Raises AccountCorrupt, AccountForeign
    or AccountNewerSchema for a file that is left as it is, and the store's other errors.
    """
    _sqlite.require_fit()
    if path.exists():
        _probe(path, schema.version)
    else:
        _create(path, schema, now)
    was_killed = files.log_bytes(path) > 0
    with _typed(), _closed_on_error(_sqlite.connect(path)) as connection:
        configure(connection)
        if was_killed:
            remove_copies(path)  # an erasure may have been cut off before it could
        migrate.upgrade(connection, path, schema, now)
        # What no statement of ours can be to blame for is the file's fault.
        with _typed(at_open=True):
            epoch = _take_over(connection)
        return Opened(connection, epoch, truncate_log(connection) if was_killed else CLEAN)


def configure(connection: _sqlite.Connection) -> None:
    """What holds for every connection to an account's file, the writer's and the readers'."""
    for pragma in _CONFIGURE:
        connection.execute(pragma)


@contextmanager
def looking_at(path: Path) -> Iterator[_sqlite.Connection]:
    """A connection that only reads a file nobody here has open, and changes no byte of it.

    It sees the log of a killed process if there is one, else the file alone.
    """
    immutable = files.log_bytes(path) == 0
    with closing(_sqlite.connect(path, mode="ro", immutable=immutable)) as connection:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
        yield connection


def _create(path: Path, schema: migrate.Schema, now: EpochMs) -> None:
    """Build a new account's file beside its place, put it on disk, and only then name it."""
    files.make_private_folder(path.parent)
    building = path.with_name(path.name + ".new")
    # What a kill left. A log of it, SQLite removes by itself when the file is empty.
    building.unlink(missing_ok=True)
    with _typed():
        files.create_private(building)
        with closing(_sqlite.connect(building)) as connection:
            _build(connection, schema, now)
        _sync(building)
        faults.hit("create.before_rename")
        building.rename(path)
        files.sync_folder(path.parent)


def _build(connection: _sqlite.Connection, schema: migrate.Schema, now: EpochMs) -> None:
    # Nobody sees this file until it is whole and synced: it needs no journal of its own.
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    migrate.build(connection, schema, now)
    connection.execute("PRAGMA journal_mode = WAL")


def _take_over(connection: _sqlite.Connection) -> int:
    """Raise the owner epoch: whoever had the file open before can write no more."""
    connection.execute("BEGIN IMMEDIATE")
    guard_indexes(connection)
    (epoch,) = connection.execute(_Q_RAISE_EPOCH).fetchone()
    connection.execute("COMMIT")
    return int(epoch)


def _probe(path: Path, version: int) -> None:
    """Refuse what is not a sound account of ours, reading only."""
    _require_header(path)
    shared = path.with_name(path.name + "-shm")
    had_shared = shared.exists()
    try:
        _require_account(path, version)
    except (AccountCorrupt, AccountForeign, AccountNewerSchema):
        if not had_shared:
            shared.unlink(missing_ok=True)
        raise


def _require_header(path: Path) -> None:
    with _typed(), path.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    if len(header) < _HEADER_BYTES or not header.startswith(_MAGIC):
        raise AccountCorrupt()
    if header[68:72] != APPLICATION_ID.to_bytes(4, "big"):
        raise AccountForeign()


def _require_account(path: Path, version: int) -> None:
    with _typed(at_open=True):
        with looking_at(path) as connection:
            (found,) = connection.execute("PRAGMA user_version").fetchone()
            if not 0 < found <= version:
                raise AccountNewerSchema(found=found, known=version) if found else AccountForeign()
            for (name,) in connection.execute(_Q_ROOTS).fetchall():
                # One row of each table shows whether its first pages can be read.
                connection.execute(f"SELECT * FROM {_sqlite.quoted(name)} LIMIT 1").fetchone()  # noqa: S608


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


@contextmanager
def _typed(*, at_open: bool = False) -> Iterator[None]:
    """Driver and system errors as typed ones; damage found `at_open` is the account's."""
    try:
        yield
    except (_sqlite.Error, OSError, UnicodeDecodeError) as error:
        # The last is how the driver fails to tell of a damaged name in a schema.
        cause = _sqlite.typed(error)
        if at_open and not isinstance(cause, MnemodError | OSError):
            raise AccountCorrupt() from None
        if at_open and isinstance(cause, StorageCorrupt):
            raise AccountCorrupt(None, **cause.details) from None
        raise cause from None


@contextmanager
def _closed_on_error(connection: _sqlite.Connection) -> Iterator[_sqlite.Connection]:
    kept = False
    try:
        yield connection
        kept = True
    finally:
        if not kept:
            connection.close()
