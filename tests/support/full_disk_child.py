"""A process that fills the small disk it is given, forgets, makes room and goes on.

python -m tests.support.full_disk_child DISK
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import trio

from mnemod.errors import StorageFull
from mnemod.ids import EpochMs
from mnemod.store.database import Database, Tx
from mnemod.store.erasure import CLEAN
from tests.support.small_schema import SMALL, add_note, notes

_KIB = 1024


def _text(number: int) -> str:
    return f"{number} " + "x" * 20 * _KIB


async def _fill(db: Database) -> list[str]:
    """Write until refused; the texts that were acknowledged."""
    acknowledged: list[str] = []
    try:
        while True:
            await db.write(partial(add_note, text=_text(len(acknowledged))))
            acknowledged.append(_text(len(acknowledged)))
    except StorageFull as full:
        print("refused", full.kind)
    return acknowledged


def _forget_one(tx: Tx) -> int:
    return tx.execute("DELETE FROM note WHERE seq = 3").rowcount


async def main(disk: Path) -> None:
    ballast = disk / "ballast"
    ballast.write_bytes(bytes(2_500 * _KIB))
    path = disk / "account" / "memory.db"
    db = await Database.open(path, now=EpochMs(1), schema=SMALL)
    acknowledged = await _fill(db)
    print("missing", len(set(acknowledged) - set(await db.read(notes))))
    forgotten, cleanup = await db.erase(_forget_one)
    print("forgot", forgotten, cleanup.reason)
    ballast.unlink()
    await db.write(partial(add_note, text="after"))
    print("written")
    with trio.fail_after(10):
        while db.cleanup != CLEAN:
            await trio.sleep(0.01)
    print("integrity", *await db.read(lambda tx: tx.execute("PRAGMA integrity_check").fetchone()))
    await db.aclose()
    print("reserve", path.with_name("memory.db.reserve").exists())


if __name__ == "__main__":
    trio.run(main, Path(sys.argv[1]))
