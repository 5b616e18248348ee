"""A process that opens an account's file with a schema two steps newer.

python -m tests.support.migrating_child PATH
"""

from __future__ import annotations

import sys
from pathlib import Path

import trio

from mnemod.ids import EpochMs
from mnemod.store.database import Database
from tests.support.small_schema import GROWN


async def main(path: Path) -> None:
    db = await Database.open(path, now=EpochMs(9), schema=GROWN)
    await db.aclose()


if __name__ == "__main__":
    trio.run(main, Path(sys.argv[1]))
