"""The word indexes stay sound whatever one transaction takes out and puts back."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mnemod.ids import EpochMs
from mnemod.store import checkup, lexical
from mnemod.store.database import Database, Tx
from tests.support.inline_runner import inline_runner


@pytest.fixture
async def db(tmp_path: Path) -> AsyncIterator[Database]:
    db = await Database.open(tmp_path / "a" / "memory.db", now=EpochMs(1), runner=inline_runner)
    yield db
    await db.aclose()


def broken_pages(tx: Tx) -> int:
    return checkup.pages(tx, deep=True).count


async def test_a_row_put_back_in_the_transaction_that_took_it_out_is_found(db: Database) -> None:
    def write(tx: Tx) -> None:
        lexical.index_evidence(tx, 1, "I grow leeks and I grow figs")
        lexical.unindex_evidence(tx, 1)
        lexical.index_evidence(tx, 1, "I grow plums")
        lexical.index_evidence(tx, 2, "I grow pears and I grow quinces")

    await db.write(write)

    assert await db.read(broken_pages) == 0


@pytest.mark.parametrize("seed", range(6))
async def test_no_order_of_putting_in_and_taking_out_harms_an_index(
    db: Database, seed: int
) -> None:
    chance = random.Random(seed)

    def write(tx: Tx) -> None:
        for _ in range(chance.randint(1, 5)):
            seq = chance.randint(1, 12)
            words = chance.choices(("grow", "leeks", "figs", "plums", "茶", "★"), k=8)
            lexical.unindex_evidence(tx, seq)
            lexical.index_evidence(tx, seq, " ".join(words))
            lexical.index_item(tx, chance.randint(1, 12), " ".join(words))

    for _ in range(40):
        await db.write(write)

    assert await db.read(broken_pages) == 0
