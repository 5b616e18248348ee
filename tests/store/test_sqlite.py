"""The driver: which one, whether it will do, and what its errors become."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from mnemod.errors import (
    Busy,
    DeadlineExceeded,
    MnemodError,
    ReadOnly,
    StorageCorrupt,
    StorageFull,
)
from mnemod.store import _sqlite
from mnemod.store._sqlite import Connection
from tests.support import faults

WHICH = "tests.support.which_driver"


@pytest.mark.parametrize(("forced", "driver"), [("stdlib", "sqlite3"), ("pysqlite3", "pysqlite3")])
def test_the_environment_forces_one_driver_and_the_other_is_never_loaded(
    forced: str, driver: str
) -> None:
    pytest.importorskip(driver)

    said = faults.run(WHICH, MNEMOD_SQLITE=forced)

    assert said.stdout.split() == [driver, f"loaded={driver}"]


def test_a_driver_nobody_knows_is_refused_at_start() -> None:
    assert "MNEMOD_SQLITE" in faults.run(WHICH, MNEMOD_SQLITE="sqlcipher").stderr


def test_this_sqlite_can_hold_an_account() -> None:
    _sqlite.require_fit()


@pytest.mark.parametrize(
    ("version", "has_fts5", "fit"),
    [((3, 39, 9), True, False), ((3, 40, 0), True, True), ((3, 53, 4), False, False)],
)
def test_an_old_sqlite_or_one_without_fts5_is_unfit(
    version: tuple[int, ...], has_fts5: bool, fit: bool
) -> None:
    assert _sqlite._is_fit(version, has_fts5) is fit


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    connection = _sqlite.connect(tmp_path / "one.db", mode="rwc")
    connection.execute("CREATE TABLE t (x)")
    yield connection
    connection.close()


def _meet_a_busy_file(connection: Connection, folder: Path) -> None:
    connection.execute("BEGIN IMMEDIATE")
    with closing(_sqlite.connect(folder / "one.db")) as other:
        other.execute("BEGIN IMMEDIATE")


def _fill_the_file(connection: Connection, folder: Path) -> None:
    connection.execute("PRAGMA max_page_count = 2")
    connection.execute("INSERT INTO t VALUES (zeroblob(100000))")


def _write_where_one_may_not(connection: Connection, folder: Path) -> None:
    connection.execute("PRAGMA query_only = ON")
    connection.execute("INSERT INTO t VALUES (1)")


def _open_what_is_not_there(connection: Connection, folder: Path) -> None:
    _sqlite.connect(folder / "absent.db")


def _read_what_is_no_database(connection: Connection, folder: Path) -> None:
    (folder / "text.db").write_text("not a database at all" * 100)
    with closing(_sqlite.connect(folder / "text.db")) as other:
        other.execute("SELECT * FROM t")


def _read_a_damaged_page(connection: Connection, folder: Path) -> None:
    connection.close()
    with (folder / "one.db").open("r+b") as file:
        file.seek(4096)
        file.write(bytes(4096))
    with closing(_sqlite.connect(folder / "one.db")) as again:
        again.execute("SELECT * FROM t").fetchall()


def _read_text_that_is_none(connection: Connection, folder: Path) -> None:
    connection.execute("SELECT CAST(x'ff41' AS TEXT)").fetchone()


def _be_interrupted(connection: Connection, folder: Path) -> None:
    connection.set_progress_handler(lambda: 1, 1)
    connection.execute("SELECT 1").fetchall()


@pytest.mark.parametrize(
    ("meet", "error"),
    [
        (_meet_a_busy_file, Busy),
        (_fill_the_file, StorageFull),
        (_write_where_one_may_not, ReadOnly),
        (_open_what_is_not_there, ReadOnly),
        (_read_what_is_no_database, StorageCorrupt),
        (_read_a_damaged_page, StorageCorrupt),
        (_read_text_that_is_none, StorageCorrupt),
        (_be_interrupted, DeadlineExceeded),
    ],
)
def test_what_sqlite_meets_becomes_an_error_a_caller_can_act_on(
    connection: Connection,
    tmp_path: Path,
    meet: Callable[[Connection, Path], None],
    error: type[MnemodError],
) -> None:
    with pytest.raises(_sqlite.Error) as met:
        meet(connection, tmp_path)

    typed = _sqlite.typed(met.value)

    assert type(typed) is error


def test_a_typed_error_carries_a_number_and_no_text(connection: Connection, tmp_path: Path) -> None:
    with pytest.raises(_sqlite.Error) as met:
        _write_where_one_may_not(connection, tmp_path)

    typed = _sqlite.typed(met.value)

    assert isinstance(typed, ReadOnly)
    assert (str(typed), dict(typed.details)) == ("read_only", {"sqlite_code": 8})


def test_an_error_in_the_statement_itself_stays_what_it_is(connection: Connection) -> None:
    with pytest.raises(_sqlite.Error) as met:
        connection.execute("SELECT nonsense")

    assert _sqlite.typed(met.value) is met.value


@pytest.mark.parametrize(
    ("number", "error"),
    [
        (errno.ENOSPC, StorageFull),
        (errno.EDQUOT, StorageFull),
        (errno.EROFS, ReadOnly),
        (errno.EACCES, ReadOnly),
        (errno.EIO, StorageCorrupt),
    ],
)
def test_what_the_system_says_of_a_disk_becomes_the_same_errors(
    number: int, error: type[MnemodError]
) -> None:
    assert type(_sqlite.typed(OSError(number, "text"))) is error


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (266, StorageCorrupt),  # IOERR_READ
        (1034, StorageCorrupt),  # IOERR_FSYNC
        (778, StorageFull),  # IOERR_WRITE: a quota or a size limit
        (4874, StorageFull),  # IOERR_SHMSIZE
        (517, Busy),  # BUSY_SNAPSHOT
    ],
)
def test_the_kinds_of_a_failure_that_no_test_can_bring_about_are_told_apart_by_number(
    code: int, error: type[MnemodError]
) -> None:
    met = _sqlite.Error()
    met.sqlite_errorcode = code

    assert type(_sqlite.typed(met)) is error


def test_a_name_out_of_a_schema_cannot_end_its_quotes() -> None:
    assert _sqlite.quoted('a" b') == '"a"" b"'
