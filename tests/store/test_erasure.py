"""No byte of an erased text stays in the account's folder."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from mnemod.ids import EpochMs
from mnemod.store import _sqlite
from mnemod.store.database import Cleanup, CleanupReason, CleanupState, Database, Tx
from mnemod.store.erasure import CLEAN
from tests.support import faults
from tests.support.bytes_on_disk import holding
from tests.support.held import Held
from tests.support.small_schema import SMALL, add_note, notes

SENTINEL = "zanzibarquokka"
_READER_BUSY = Cleanup(CleanupState.PENDING, CleanupReason.WAL_READER_BUSY)


def _write(tx: Tx, text: str) -> None:
    """One note, and its words in the index."""
    seq = add_note(tx, f"I keep a {text} at home")
    tx.execute("INSERT INTO word (rowid, terms) VALUES (?, ?)", [seq, f"keep {text} home"])


def _delete(tx: Tx) -> None:
    tx.execute("DELETE FROM note WHERE text LIKE ?", [f"%{SENTINEL}%"])
    tx.execute("DELETE FROM word WHERE word MATCH ?", [SENTINEL])


def _overwrite(tx: Tx) -> None:
    tx.execute("UPDATE word SET terms = '' WHERE word MATCH ?", [SENTINEL])
    tx.execute("UPDATE note SET text = 'erased' WHERE text LIKE ?", [f"%{SENTINEL}%"])


async def _fill(db: Database) -> None:
    for number in range(200):
        await db.write(partial(_write, text=f"ordinary{number}"))
    await db.write(partial(_write, text=SENTINEL))
    for number in range(200, 400):
        await db.write(partial(_write, text=f"ordinary{number}"))


async def test_a_text_that_was_not_erased_is_found(db: Database, path: Path) -> None:
    await _fill(db)

    assert holding(path.parent, SENTINEL) == {"memory.db-wal"} | holding(path.parent, SENTINEL)
    assert await db.checkpoint_truncate() == CLEAN
    assert holding(path.parent, SENTINEL) == {"memory.db"}


async def test_a_text_deleted_by_a_plain_write_is_still_found(db: Database, path: Path) -> None:
    await _fill(db)

    await db.write(_delete)

    assert "memory.db-wal" in holding(path.parent, SENTINEL)


@pytest.mark.parametrize("erase", [_delete, _overwrite])
async def test_an_erased_text_is_in_no_byte_of_the_folder(
    db: Database, path: Path, erase: object
) -> None:
    await _fill(db)

    _, cleanup = await db.erase(_delete if erase is _delete else _overwrite)

    assert cleanup == CLEAN
    assert holding(path.parent, SENTINEL) == set()


async def test_an_erased_text_is_in_no_byte_of_the_folder_after_a_restart(path: Path) -> None:
    db = await Database.open(path, now=EpochMs(1), schema=SMALL)
    await _fill(db)
    await db.erase(_delete)
    await db.aclose()

    again = await Database.open(path, now=EpochMs(1), schema=SMALL)
    found = holding(path.parent, SENTINEL)
    await again.aclose()

    assert found == set()


async def test_words_that_stand_beside_an_erased_one_are_still_found(db: Database) -> None:
    await _fill(db)
    await db.erase(_delete)

    rows = await db.read(
        lambda tx: tx.execute("SELECT count(*) FROM word WHERE word MATCH 'keep'").fetchone()
    )

    assert rows == (400,)


async def test_a_reader_of_an_old_snapshot_puts_the_cleanup_off_and_it_ends_by_itself(
    db: Database, path: Path
) -> None:
    await _fill(db)
    held = Held()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(db.read, held)
        await held.begun()
        _, cleanup = await db.erase(_delete)
        pending = db.cleanup
        held.let_go()

    with trio.fail_after(5):
        while db.cleanup != CLEAN:  # the daemon's own retry, in its own thread
            await trio.sleep(0.01)

    assert (cleanup, pending) == (_READER_BUSY, _READER_BUSY)
    assert holding(path.parent, SENTINEL) == set()


async def test_a_cleanup_that_was_put_off_can_be_asked_for(db: Database, path: Path) -> None:
    await _fill(db)
    held = Held()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(db.read, held)
        await held.begun()
        await db.erase(_delete)
        held.let_go()

    assert await db.checkpoint_truncate() == CLEAN
    assert holding(path.parent, SENTINEL) == set()


async def test_an_erasure_whose_caller_was_cancelled_is_cleaned_up_all_the_same(
    db: Database, path: Path
) -> None:
    await _fill(db)
    held = Held()

    def erase(tx: Tx) -> None:
        held(tx)
        _delete(tx)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(db.erase, erase)
        await held.begun()
        nursery.cancel_scope.cancel()
        await wait_all_tasks_blocked_and_let_go(held)
    await db.write(lambda tx: None)
    with trio.fail_after(5):
        while holding(path.parent, SENTINEL):
            await trio.sleep(0.01)

    assert len(await db.read(notes)) == 400


async def wait_all_tasks_blocked_and_let_go(held: Held) -> None:
    with trio.CancelScope(shield=True):
        await wait_all_tasks_blocked()
    held.let_go()


async def test_a_kill_between_the_commit_and_the_cleanup_is_made_good_at_the_next_start(
    path: Path,
) -> None:
    faults.run_until_killed(
        "tests.support.erasing_child", str(path), SENTINEL, fault="erase.before_cleanup"
    )
    left = holding(path.parent, SENTINEL)

    db = await Database.open(path, now=EpochMs(1), schema=SMALL)
    found = holding(path.parent, SENTINEL)
    await db.aclose()

    assert left != set()
    assert found == set()


@pytest.mark.parametrize("then", ["stdlib", "pysqlite3"])
def test_a_file_that_one_sqlite_erased_from_another_goes_on_with(path: Path, then: str) -> None:
    pytest.importorskip("pysqlite3")
    child = "tests.support.erasing_child"
    faults.run(child, str(path), "quagga", MNEMOD_SQLITE="pysqlite3")

    went_on = faults.run(child, str(path), "bilby", MNEMOD_SQLITE=then)

    assert (went_on.returncode, went_on.stderr) == (0, "")
    assert holding(path.parent, "quagga") | holding(path.parent, "bilby") == set()


@pytest.mark.skipif(not _sqlite.HAS_SECURE_DELETE_INDEX, reason="before 3.42 an index is merged")
async def test_the_cost_of_a_cleanup_follows_what_is_erased_and_not_the_file(
    db: Database, path: Path
) -> None:
    await _fill(db)
    await db.write(lambda tx: add_note(tx, "x" * 8_000_000))
    await db.checkpoint_truncate()
    before = path.stat().st_size
    changes = await db.write(_total_changes)

    await db.erase(_delete)

    assert await db.write(_total_changes) - changes < 100
    assert path.stat().st_size == before


def _total_changes(tx: Tx) -> int:
    (changes,) = tx.execute("SELECT total_changes()").fetchone()
    return int(changes)
