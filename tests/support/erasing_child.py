"""A process that writes a note and its words to an account's file and erases both.

python -m tests.support.erasing_child PATH TEXT
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import trio

from mnemod.ids import EpochMs
from mnemod.store.database import Database, Tx
from tests.support.small_schema import SMALL, add_note


def _add(tx: Tx, text: str) -> None:
    add_note(tx, text)
    tx.execute("INSERT INTO word (terms) VALUES (?)", [f"{text} beside"])
    tx.execute("INSERT INTO word (terms) VALUES ('beside')")


def _erase(tx: Tx) -> None:
    tx.execute("DELETE FROM note")
    tx.execute("DELETE FROM word WHERE rowid IN (SELECT rowid FROM word WHERE terms <> 'beside')")


async def main(path: Path, text: str) -> None:
    db = await Database.open(path, now=EpochMs(1), schema=SMALL)
    await db.write(partial(_add, text=text))
    await db.erase(_erase)
    await db.aclose()


if __name__ == "__main__":
    trio.run(main, Path(sys.argv[1]), sys.argv[2])
