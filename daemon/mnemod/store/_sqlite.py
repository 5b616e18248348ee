"""The one module that imports an SQLite driver, and what the rest of the store may ask of it.

Two copies of SQLite in one process do not see each other's POSIX locks: whichever closes a file
first drops the other's. So one driver is chosen here, once, and nothing else may import one:
`pysqlite3` where its wheel is installed, else the standard library's `sqlite3`.
`MNEMOD_SQLITE=stdlib|pysqlite3` forces the choice, for tests and for a machine with a bad wheel.

SQLite 3.7.0 to 3.51.2 can corrupt a file when two connections checkpoint at once. The store never
lets that happen, on any version: the writer alone checkpoints, and no connection does so by itself.
"""

from __future__ import annotations

import errno
import os
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final

from mnemod.errors import (
    Busy,
    DeadlineExceeded,
    MnemodError,
    ReadOnly,
    StorageCorrupt,
    StorageFull,
)

if TYPE_CHECKING:
    import sqlite3 as _driver
    from sqlite3 import Connection, DatabaseError, Error, OperationalError
else:

    def _chosen(wanted: str) -> ModuleType:
        """The driver module of that name; the best one installed if no name is given."""
        if wanted not in {"", "stdlib", "pysqlite3"}:
            raise ValueError("MNEMOD_SQLITE is neither stdlib nor pysqlite3")
        if wanted != "stdlib":
            try:
                from pysqlite3 import dbapi2

                return dbapi2
            except ImportError:
                if wanted == "pysqlite3":
                    raise
        import sqlite3

        return sqlite3

    _driver = _chosen(os.environ.get("MNEMOD_SQLITE", ""))
    Connection, DatabaseError, Error = _driver.Connection, _driver.DatabaseError, _driver.Error
    OperationalError = _driver.OperationalError

__all__ = ["Connection", "DatabaseError", "Error"]

# What is not plainly a number or a text, the driver asks how it wants to be kept, in vain and for
# longer than some statements take. Nothing says so sooner than an adapter that changes nothing.
_driver.register_adapter(type(None), {None: None}.get)
_driver.register_adapter(bool, int)

VERSION: Final = _driver.sqlite_version_info
"""SQLite's own version, as three integers."""

DRIVER: Final = "sqlite3" if _driver.__name__.startswith("sqlite3") else "pysqlite3"

VERSION_MIN: Final = (3, 40, 0)
HAS_SECURE_DELETE_INDEX: Final = VERSION >= (3, 42, 0)
"""Whether FTS5 can take a token out of its index when the row goes (`secure-delete`)."""

HAS_WAL_RESET_BUG: Final = (3, 7, 0) <= VERSION <= (3, 51, 2)
"""Whether two connections that checkpoint at once could corrupt a file. Shown by `doctor`."""

TELLS_LOG_PAGES: Final = VERSION >= (3, 51, 0)
"""Whether SQLite says how long its log is without copying it (`wal_checkpoint(NOOP)`)."""

_STATEMENTS_CACHED: Final = 256

_BUSY, _LOCKED = 5, 6
_PERM, _READONLY, _CANTOPEN = 3, 8, 14
_INTERRUPT, _IOERR, _CORRUPT, _FULL, _NOTADB = 9, 10, 11, 13, 26
# SQLite tells only ENOSPC from other failed writes. What is left is a quota or a size limit far
# more often than a dying disk, and the shared-memory file grows only where space is short.
_IOERR_WRITE, _IOERR_SHMSIZE = _IOERR | 3 << 8, _IOERR | 19 << 8

_BY_PRIMARY_CODE: Final[dict[int, type[MnemodError]]] = {
    _BUSY: Busy,
    _LOCKED: Busy,
    _PERM: ReadOnly,
    _READONLY: ReadOnly,
    _CANTOPEN: ReadOnly,
    _INTERRUPT: DeadlineExceeded,
    _IOERR: StorageCorrupt,
    _CORRUPT: StorageCorrupt,
    _FULL: StorageFull,
    _NOTADB: StorageCorrupt,
}
_BY_EXTENDED_CODE: Final[dict[int, type[MnemodError]]] = {
    _IOERR_WRITE: StorageFull,
    _IOERR_SHMSIZE: StorageFull,
}
_BY_ERRNO: Final[dict[int, type[MnemodError]]] = {
    errno.ENOSPC: StorageFull,
    errno.EDQUOT: StorageFull,
    errno.EFBIG: StorageFull,
    errno.EROFS: ReadOnly,
    errno.EACCES: ReadOnly,
    errno.EPERM: ReadOnly,
    errno.EIO: StorageCorrupt,
}


class DriverUnfit(RuntimeError):
    """The SQLite found here is older than 3.40 or lacks FTS5. Install pysqlite3."""


@cache
def require_fit() -> None:
    """Raise DriverUnfit if this SQLite cannot hold an account. Asked once at start."""
    if not _is_fit(VERSION, _has_fts5()):
        raise DriverUnfit(DriverUnfit.__doc__)


def _is_fit(version: tuple[int, ...], has_fts5: bool) -> bool:
    return version >= VERSION_MIN and has_fts5


def _has_fts5() -> bool:
    connection = _driver.connect(":memory:")
    try:
        modules = "SELECT 1 FROM pragma_module_list WHERE name = 'fts5'"
        return connection.execute(modules).fetchone() is not None
    finally:
        connection.close()


def connect(path: Path, *, mode: str = "rw", immutable: bool = False) -> Connection:
    """A connection in autocommit, for any one thread at a time. `mode` is SQLite's: ro, rw, rwc.

    `immutable` reads the file alone: no lock is taken, no `-wal` or `-shm` is looked for or made.
    Raises the driver's Error. Nothing is configured yet.
    """
    uri = f"{path.absolute().as_uri()}?mode={mode}{'&immutable=1' if immutable else ''}"
    return _driver.connect(
        uri,
        uri=True,
        timeout=0,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=_STATEMENTS_CACHED,
    )


def quoted(name: str) -> str:
    """A name out of a file's own schema, as it may stand in a statement."""
    return '"' + name.replace('"', '""') + '"'


def is_complete(script: str) -> bool:
    """Whether this text ends where an SQL statement does."""
    return _driver.complete_statement(script)


def typed(error: BaseException) -> BaseException:
    """The error a caller can act on, for one of the driver or the system; any other as it is.

    Only the number of the cause goes with it: its text may name a path or a column.
    """
    if isinstance(error, OperationalError) and not hasattr(error, "sqlite_errorcode"):
        # The driver's own and only complaint of this class: the file holds text that is not UTF-8.
        return StorageCorrupt()
    if isinstance(error, Error):
        code = getattr(error, "sqlite_errorcode", 0)
        cls = _BY_EXTENDED_CODE.get(code) or _BY_PRIMARY_CODE.get(code & 0xFF)
        return error if cls is None else cls(sqlite_code=code)
    if isinstance(error, OSError):
        cls = _BY_ERRNO.get(error.errno or 0)
        return error if cls is None else cls(errno=error.errno)
    return error


def is_busy(error: Error) -> bool:
    """Whether another connection holds what was asked for."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (_BUSY, _LOCKED)
