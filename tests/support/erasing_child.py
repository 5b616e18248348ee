"""A process that writes a note to an account's file and erases it.

python -m tests.support.erasing_child PATH TEXT
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import trio

from mnemod.ids import EpochMs
from mnemod.store.database import Database
from tests.support.small_schema import SMALL, add_note


async def main(path: Path, text: str) -> None:
    db = await Database.open(path, now=EpochMs(1), schema=SMALL)
    await db.write(partial(add_note, text=text))
    await db.erase(lambda tx: tx.execute("DELETE FROM note").rowcount)
    await db.aclose()


if __name__ == "__main__":
    trio.run(main, Path(sys.argv[1]), sys.argv[2])
