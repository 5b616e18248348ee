"""A process that writes numbered notes to an account's file and says which are acknowledged.

    python -m tests.support.writing_child PATH COUNT [LEAVE]

With LEAVE it ends by SIGKILL once all are written, so that the log stays behind.
"""

from __future__ import annotations

import os
import signal
import sys
from functools import partial
from pathlib import Path

import trio

from mnemod.ids import EpochMs
from mnemod.store.database import Database
from tests.support.small_schema import SMALL, add_note


async def main(path: Path, count: int, leave: bool) -> None:
    db = await Database.open(path, now=EpochMs(1), schema=SMALL)
    for number in range(count):
        await db.write(partial(add_note, text=f"note {number}"))
        print(number, flush=True)
    if leave:
        os.kill(os.getpid(), signal.SIGKILL)
    await db.aclose()


if __name__ == "__main__":
    trio.run(main, Path(sys.argv[1]), int(sys.argv[2]), len(sys.argv) > 3)
