"""A new account's file is whole or absent; one that is not ours to write is left as it is."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from mnemod.errors import AccountCorrupt, AccountForeign, AccountNewerSchema, MnemodError
from mnemod.ids import EpochMs
from mnemod.store import _sqlite
from mnemod.store.database import Database, Tx
from mnemod.store.migrate import Migration, Schema
from tests.support import faults
from tests.support.bytes_on_disk import fingerprint
from tests.support.small_schema import SMALL, add_note, notes

CHILD = "tests.support.writing_child"
NEWER = replace(
    SMALL, migrations=(*SMALL.migrations, Migration(2, "0002_next", "CREATE TABLE next (x);"))
)


async def _open(path: Path, schema: Schema = SMALL) -> Database:
    return await Database.open(path, now=EpochMs(1), schema=schema)


async def _make(path: Path, schema: Schema = SMALL) -> None:
    db = await _open(path, schema)
    await db.write(partial(add_note, text="tea"))
    await db.aclose()


def _pragma(name: str) -> Callable[[Tx], object]:
    return lambda tx: tx.execute(f"PRAGMA {name}").fetchone()[0]


@pytest.mark.parametrize(
    ("pragma", "value"),
    [
        ("journal_mode", "wal"),
        ("synchronous", 2),
        ("foreign_keys", 1),
        ("secure_delete", 1),
        ("temp_store", 2),
        ("trusted_schema", 0),
        ("cell_size_check", 1),
        ("wal_autocheckpoint", 0),
        ("application_id", 0x6D6E656D),
        ("user_version", 1),
        ("integrity_check", "ok"),
    ],
)
async def test_writer_and_readers_are_set_as_the_design_says(
    db: Database, pragma: str, value: object
) -> None:
    assert await db.write(_pragma(pragma)) == value
    assert await db.read(_pragma(pragma)) == value


async def test_nobody_else_can_read_an_accounts_files_whatever_the_umask(path: Path) -> None:
    umask = os.umask(0)
    try:
        db = await _open(path)
        await db.write(partial(add_note, text="tea"))
    finally:
        os.umask(umask)

    modes = {stat.S_IMODE(one.stat().st_mode) for one in path.parent.iterdir()}
    names = {one.name for one in path.parent.iterdir()}
    folder = stat.S_IMODE(path.parent.stat().st_mode)
    await db.aclose()

    assert names == {"memory.db", "memory.db-wal", "memory.db-shm", "memory.db.reserve"}
    assert (modes, folder) == ({0o600}, 0o700)


async def test_each_opening_raises_the_owner_epoch_by_one(path: Path) -> None:
    await _make(path)
    db = await _open(path)

    rows = await db.read(lambda tx: tx.execute("SELECT key, value FROM meta").fetchall())
    await db.aclose()

    assert rows == [("owner_epoch", 2)]


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def _half_a_header(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:60])


def _zero_page_two(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(bytes(4096))


def _text(path: Path) -> None:
    path.write_text("notes of my own\n" * 1000)


def _another_programs(path: Path) -> None:
    path.unlink()
    with closing(_sqlite.connect(path, mode="rwc")) as connection:
        connection.execute("CREATE TABLE theirs (x)")


def _newer(path: Path) -> None:
    with closing(_sqlite.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 2")


async def test_a_file_whose_search_index_has_lost_a_table_is_the_accounts_damage(
    tmp_path: Path,
) -> None:
    path = tmp_path / "memory.db"
    db = await Database.open(path, now=EpochMs(1))
    await db.aclose()
    with closing(_sqlite.connect(path)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("DELETE FROM sqlite_schema WHERE name = 'evidence_lexical_config'")

    with pytest.raises(AccountCorrupt):
        await Database.open(path, now=EpochMs(1))


@pytest.mark.parametrize(
    ("happen", "error"),
    [
        (_empty, AccountCorrupt),
        (_cut_short, AccountCorrupt),
        (_half_a_header, AccountCorrupt),
        (_zero_page_two, AccountCorrupt),
        (_text, AccountCorrupt),
        (_another_programs, AccountForeign),
        (_newer, AccountNewerSchema),
    ],
)
async def test_a_file_that_is_not_a_sound_account_is_refused_and_not_a_byte_changes(
    path: Path, happen: Callable[[Path], None], error: type[MnemodError]
) -> None:
    await _make(path)
    happen(path)
    before = fingerprint(path.parent)

    with pytest.raises(error):
        await _open(path)

    assert fingerprint(path.parent) == before


async def test_a_newer_schema_that_stands_in_the_log_alone_is_refused_too(path: Path) -> None:
    await _make(path)
    _leave_in_the_log(path, "PRAGMA user_version = 2")
    before = fingerprint(path.parent)

    with pytest.raises(AccountNewerSchema):
        await _open(path)

    assert fingerprint(path.parent) == before


def _leave_in_the_log(path: Path, statement: str) -> None:
    """Commit to the log and take the files away as a kill would leave them."""
    with closing(_sqlite.connect(path)) as connection:
        connection.execute(statement)
        log = path.with_name("memory.db-wal")
        kept = log.read_bytes(), path.read_bytes()
    log.write_bytes(kept[0])
    path.write_bytes(kept[1])


async def test_the_log_of_a_killed_process_is_recovered(path: Path) -> None:
    faults.run(CHILD, str(path), "20", "leave")
    left = {file.name for file in path.parent.iterdir()}

    db = await _open(path)
    found = await db.read(notes)
    await db.aclose()

    assert "memory.db-wal" in left
    assert found == [f"note {number}" for number in range(20)]


async def test_a_log_that_ends_in_half_a_page_gives_all_that_was_acknowledged(path: Path) -> None:
    faults.run(CHILD, str(path), "20", "leave")
    with path.with_name("memory.db-wal").open("ab") as log:
        log.write(b"torn" * 100)

    db = await _open(path)
    found = await db.read(notes)
    await db.aclose()

    assert found == [f"note {number}" for number in range(20)]


async def test_a_kill_while_a_new_file_is_built_leaves_no_account_and_the_next_start_makes_one(
    path: Path,
) -> None:
    faults.run_until_killed(CHILD, str(path), "1", fault="create.before_rename")
    was_there = path.exists()

    await _make(path)

    assert not was_there
    assert {file.name for file in path.parent.iterdir()} == {"memory.db", "memory.db.reserve"}


async def test_what_a_kill_left_of_a_file_being_built_is_not_read_into_the_next(path: Path) -> None:
    await _make(path)
    _leave_in_the_log(path, "INSERT INTO note (text) VALUES ('left over')")
    path.with_name("memory.db-wal").rename(path.with_name("memory.db.new-wal"))
    path.unlink()

    db = await _open(path)
    found = await db.read(notes)
    await db.aclose()

    assert found == []


@pytest.mark.parametrize("fault", ["write.before_begin:8", "write.before_commit:8"])
async def test_a_kill_before_a_commit_loses_that_write_and_none_before_it(
    path: Path, fault: str
) -> None:
    acknowledged = faults.run_until_killed(CHILD, str(path), "20", fault=fault)

    db = await _open(path)
    found = await db.read(notes)
    await db.aclose()

    assert len(acknowledged) == 7
    assert found == [f"note {number}" for number in range(7)]


async def test_a_kill_between_a_commit_and_its_answer_keeps_what_nobody_was_told_of(
    path: Path,
) -> None:
    acknowledged = faults.run_until_killed(CHILD, str(path), "20", fault="write.after_commit:8")

    db = await _open(path)
    found = await db.read(notes)
    await db.aclose()

    assert len(acknowledged) == 7
    assert found == [f"note {number}" for number in range(8)]


async def test_a_kill_at_a_checkpoint_loses_nothing(path: Path) -> None:
    acknowledged = faults.run_until_killed(CHILD, str(path), "5", fault="checkpoint:1")

    db = await _open(path)
    found = await db.read(notes)
    await db.aclose()

    assert [f"note {number}" for number in acknowledged] == found
    assert len(found) == 5
