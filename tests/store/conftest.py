"""An open database in a real file, with its threads, over the smallest schema that works."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mnemod.ids import EpochMs
from mnemod.store.database import Database
from tests.support.small_schema import SMALL


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "account" / "memory.db"


@pytest.fixture
async def db(path: Path) -> AsyncIterator[Database]:
    db = await Database.open(path, now=EpochMs(1), schema=SMALL)
    yield db
    await db.aclose()
