"""The log stays short, and a reader cannot make it grow for ever."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
import trio

from mnemod.config import WAL_BYTES_MAX, WAL_CHECKPOINT_PAGES
from mnemod.errors import DeadlineExceeded
from mnemod.ids import EpochMs
from mnemod.store import _sqlite, writer
from mnemod.store.database import Database, Tx
from tests.support.held import Held
from tests.support.small_schema import SMALL, add_note

_PAGE = 4096


def _bulk(tx: Tx, number: int) -> None:
    """About 100 pages of log, half of them the index's."""
    add_note(tx, f"{number} " + "x" * 50 * _PAGE)


def _stuck(tx: Tx) -> None:
    """Takes a snapshot, and would keep it for ever."""
    tx.execute("SELECT count(*) FROM note").fetchone()
    tx.execute(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    ).fetchone()


def _log_bytes(path: Path) -> int:
    return path.with_name("memory.db-wal").stat().st_size


async def _write_bulk(db: Database, count: int) -> None:
    for number in range(count):
        await db.write(partial(_bulk, number=number))


async def test_the_log_is_copied_and_reused_while_nobody_reads(db: Database, path: Path) -> None:
    await _write_bulk(db, 200)

    # 20,000 pages went through a log that is copied now and then, and written from its start.
    assert _log_bytes(path) < WAL_BYTES_MAX / 2


async def test_small_writes_are_copied_too_though_the_log_no_longer_grows(
    db: Database, path: Path
) -> None:
    await _write_bulk(db, 40)
    before = path.stat().st_size
    for number in range(6):
        await db.write(partial(_many_small, start=1_000_000 + number * 1_000))

    assert path.stat().st_size > before


@pytest.mark.skipif(not _sqlite.TELLS_LOG_PAGES, reason="this SQLite cannot tell")
async def test_what_was_changed_on_the_same_few_pages_is_not_copied_yet(
    db: Database, path: Path
) -> None:
    await db.write(partial(add_note, text="a"))
    before = path.stat().st_mtime_ns
    for _ in range(3):
        await db.write(_change_often)

    assert path.stat().st_mtime_ns == before


def _change_often(tx: Tx) -> None:
    """As many changes as fill the log of old, on one page."""
    tx.executemany("UPDATE note SET text = ?", [(f"{n}",) for n in range(WAL_CHECKPOINT_PAGES)])


def _many_small(tx: Tx, start: int) -> None:
    tx.executemany(
        "INSERT INTO note (text) VALUES (?)",
        [(f"{n} " + "y" * 900,) for n in range(start, start + 1_000)],
    )


async def test_a_stuck_reader_is_broken_off_and_the_log_is_short_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "WAL_BYTES_MAX", 1_000 * _PAGE)
    db = await Database.open(path, now=EpochMs(1), schema=SMALL, read_deadline_s=0.5)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_expect_deadline, db)
        await _write_bulk(db, 15)
        while_stuck = _log_bytes(path)

    await _write_bulk_from(db, 100, 140)

    assert while_stuck > 1_000 * _PAGE
    assert _log_bytes(path) < 3_000 * _PAGE
    await db.aclose()


async def _expect_deadline(db: Database) -> None:
    with pytest.raises(DeadlineExceeded):
        await db.read(_stuck)


async def _write_bulk_from(db: Database, start: int, end: int) -> None:
    for number in range(start, end):
        await db.write(partial(_bulk, number=number))


async def test_a_reader_that_holds_its_snapshot_delays_the_copy_and_loses_nothing(
    db: Database, path: Path
) -> None:
    held = Held()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(db.read, held)
        await held.begun()
        await _write_bulk(db, 60)
        while_held = _log_bytes(path)
        held.let_go()
    await _write_bulk_from(db, 60, 120)
    after = _log_bytes(path)

    assert while_held > 2_500 * _PAGE
    assert after <= while_held
    assert await db.read(lambda tx: tx.execute("SELECT count(*) FROM note").fetchone()) == (120,)
