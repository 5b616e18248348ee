"""A file gets today's schema whole or step by step, and a step is taken whole or not at all."""

from __future__ import annotations

import logging
import stat
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from mnemod.errors import AccountCorrupt
from mnemod.ids import EpochMs
from mnemod.store import _sqlite, migrate, opening
from mnemod.store.database import Database, Tx
from mnemod.store.migrate import Migration, Schema
from tests.support import faults
from tests.support.bytes_on_disk import fingerprint, holding
from tests.support.small_schema import GROWN, SMALL, add_note, notes

CHILD = "tests.support.migrating_child"
_BROKEN = Migration(2, "0002_broken", "CREATE TABLE half (x); INSERT INTO nowhere VALUES (1);")
_ORPHAN = Migration(
    2,
    "0002_orphan",
    "CREATE TABLE child (note INTEGER REFERENCES note (seq)); INSERT INTO child VALUES (77);",
)


def _with(step: Migration) -> Schema:
    return Schema(SMALL.whole, (*SMALL.migrations, step))


async def _make(path: Path) -> None:
    db = await Database.open(path, now=EpochMs(1), schema=SMALL)
    await db.write(partial(add_note, text="tea"))
    await db.aclose()


def _tables(tx: Tx) -> list[tuple[str, ...]]:
    return tx.execute(
        "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name"
    ).fetchall()


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[_sqlite.Connection]:
    with closing(_sqlite.connect(tmp_path / "bare.db", mode="rwc")) as connection:
        yield connection


def test_the_whole_schema_and_the_migrations_build_the_same_file(
    tmp_path: Path, bare: _sqlite.Connection
) -> None:
    schema = migrate.packaged()
    with closing(_sqlite.connect(tmp_path / "whole.db", mode="rwc")) as whole:
        migrate.build(whole, schema, EpochMs(7))
        expected = _tables(whole), whole.execute("SELECT * FROM migration").fetchall()

    for step in schema.migrations:
        migrate._apply(bare, step, EpochMs(7))

    assert (_tables(bare), bare.execute("SELECT * FROM migration").fetchall()) == expected


async def test_the_packaged_schema_opens_and_is_sound(path: Path) -> None:
    db = await Database.open(path, now=EpochMs(1))

    sound = await db.read(lambda tx: tx.execute("PRAGMA integrity_check").fetchall())
    links = await db.read(lambda tx: tx.execute("PRAGMA foreign_key_check").fetchall())
    await db.aclose()

    assert (sound, links) == ([("ok",)], [])


async def test_an_older_file_takes_the_steps_it_lacks_and_keeps_its_rows(path: Path) -> None:
    await _make(path)

    db = await Database.open(path, now=EpochMs(9), schema=GROWN)
    record = await db.read(lambda tx: tx.execute("SELECT * FROM migration").fetchall())
    version = await db.read(lambda tx: tx.execute("PRAGMA user_version").fetchone())
    found = await db.read(notes)
    await db.aclose()

    assert record == [(1, "0001_first", 1), (2, "0002_mood", 9), (3, "0003_rename", 9)]
    assert (version, found) == ((3,), ["tea"])


async def test_a_file_is_copied_before_its_first_step_and_the_log_names_the_copy(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await _make(path)

    with caplog.at_level(logging.INFO, "mnemod"):
        db = await Database.open(path, now=EpochMs(9), schema=GROWN)
    await db.aclose()

    copy = path.with_name("memory.db.before-0002")
    with closing(_sqlite.connect(copy, mode="ro", immutable=True)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        assert notes(connection) == ["tea"]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert copy.name in caplog.text
    assert str(path.parent) not in caplog.text


async def test_a_file_that_lacks_no_step_is_not_copied(path: Path) -> None:
    await _make(path)
    await _make_again(path)

    assert {file.name for file in path.parent.iterdir()} == {"memory.db", "memory.db.reserve"}


async def _make_again(path: Path) -> None:
    db = await Database.open(path, now=EpochMs(1), schema=SMALL)
    await db.aclose()


@pytest.mark.parametrize(("step", "error"), [(_BROKEN, _sqlite.Error), (_ORPHAN, AccountCorrupt)])
async def test_a_step_that_fails_leaves_the_file_as_it_was(
    path: Path, step: Migration, error: type[Exception]
) -> None:
    await _make(path)
    before = fingerprint(path.parent)["memory.db"]

    with pytest.raises(error):
        await Database.open(path, now=EpochMs(9), schema=_with(step))

    assert fingerprint(path.parent)["memory.db"] == before
    assert not path.with_name("memory.db-wal").exists()


@pytest.mark.parametrize(
    ("fault", "version"),
    [("migrate.before_commit:1", 1), ("migrate.after_commit:1", 2), ("migrate.before_commit:2", 2)],
)
async def test_a_kill_during_a_migration_leaves_whole_steps_and_the_next_start_ends_it(
    path: Path, fault: str, version: int
) -> None:
    await _make(path)
    faults.run_until_killed(CHILD, str(path), fault=fault)
    with closing(_sqlite.connect(path)) as connection:
        left = connection.execute("PRAGMA user_version").fetchone()
        steps = connection.execute("SELECT max(number) FROM migration").fetchone()

    db = await Database.open(path, now=EpochMs(9), schema=GROWN)
    after = await db.read(lambda tx: tx.execute("SELECT max(number) FROM migration").fetchone())
    found = await db.read(notes)
    await db.aclose()

    assert (left, steps) == ((version,), (version,))
    assert (after, found) == ((3,), ["tea"])


async def test_an_erasure_removes_the_copies_made_before_it(path: Path) -> None:
    await _make(path)
    db = await Database.open(path, now=EpochMs(9), schema=GROWN)
    before = holding(path.parent, "tea")

    await db.erase(lambda tx: tx.execute("DELETE FROM note").rowcount)

    assert "memory.db.before-0002" in before
    assert holding(path.parent, "tea") == set()
    await db.aclose()


def test_a_script_is_cut_where_its_statements_end_and_nowhere_else() -> None:
    script = """
    CREATE TABLE t (x TEXT DEFAULT ';'); -- a comment; with one
    CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; SELECT 2; END;
    -- the end
    """

    assert [one.strip()[-5:] for one in migrate.statements(script)] == ["';');", " END;"]


def test_a_script_that_ends_inside_a_statement_is_refused() -> None:
    with pytest.raises(ValueError):
        list(migrate.statements("CREATE TABLE t (x); CREATE TABLE u (x)"))


def test_steps_that_are_not_numbered_without_a_gap_are_refused() -> None:
    with pytest.raises(ValueError):
        migrate.numbered([_BROKEN])


def test_the_application_id_spells_the_name() -> None:
    assert opening.APPLICATION_ID.to_bytes(4, "big") == b"mnem"
