"""The word indexes: every term goes in and comes out, and what is taken out is gone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemod.domain.tokens import terms
from mnemod.ids import EpochMs
from mnemod.store import _sqlite, lexical
from mnemod.store.candidates import ROWS_BUDGET, candidates
from mnemod.store.database import Database, Tx
from mnemod.store.lexical import Shelf, encoded
from tests.support.inline_runner import inline_runner

ODD = [
    "c++", "c#", "gb/s", "a:b", "9:1", "ac-2041", "foo_bar", "3.5kg", "dont", "★", "👍🏽", "🇯🇵",
    "👨‍👩‍👧", "茶", "烏龍", "コー", "ー", "ガ", "ぐ", "한국", "㐀", "𠮷", "々", "สว", "שלום",
    "привет", "ελλασ", "हिन्दी", "near", "and", "or", "not", "_", "e\u0301", "²",
]  # fmt: skip


@pytest.fixture
async def db(tmp_path: Path) -> AsyncIterator[Database]:
    db = await Database.open(tmp_path / "a" / "memory.db", now=EpochMs(1), runner=inline_runner)
    yield db
    await db.aclose()


def held(tx: Tx, term: str) -> list[int]:
    return lexical.holders(tx, Shelf.EVIDENCE, term)


def put(tx: Tx, *texts: str) -> None:
    for seq, text in enumerate(texts, 1):
        lexical.index_evidence(tx, seq, text)


async def test_every_term_comes_out_of_the_index_as_it_went_in(db: Database) -> None:
    def write(tx: Tx) -> dict[str, list[int]]:
        for seq, term in enumerate(ODD, 1):
            tx.execute(
                "INSERT INTO evidence_lexical (rowid, terms) VALUES (?, ?)", (seq, encoded(term))
            )
        return {term: held(tx, term) for term in ODD}

    assert await db.write(write) == {term: [seq] for seq, term in enumerate(ODD, 1)}


@given(st.characters(codec="utf-8"), st.characters(codec="utf-8"))
def test_encoding_is_one_to_one_and_plain(one: str, other: str) -> None:
    assert (encoded(one) == encoded(other)) == (one == other)
    assert not set(encoded(one)) & set(" \"'*()+-^:{}")


async def test_any_character_survives_the_tokenizer(db: Database) -> None:
    # One of every block of 61 code points of the basic plane, as the terms they give.
    signs = [chr(code) for code in range(0x21, 0xFFFF, 61) if not 0xD800 <= code <= 0xDFFF]
    found = [term for sign in signs for term in terms(sign)]

    def write(tx: Tx) -> list[str]:
        for seq, term in enumerate(found, 1):
            tx.execute(
                "INSERT INTO evidence_lexical (rowid, terms) VALUES (?, ?)", (seq, encoded(term))
            )
        return [term for seq, term in enumerate(found, 1) if seq not in held(tx, term)]

    assert len(found) > 500
    assert await db.write(write) == []


async def test_a_row_is_found_in_the_same_transaction(db: Database) -> None:
    def write(tx: Tx) -> list[int]:
        put(tx, "the harbour crane", "a crane fly")
        return held(tx, "crane")

    assert await db.write(write) == [1, 2]


async def test_words_are_counted_as_often_as_said(db: Database) -> None:
    def write(tx: Tx) -> lexical.Words:
        put(tx, "crane, crane and harbour: a crane")
        return lexical.words_of(tx, Shelf.EVIDENCE, [1, 7], ("crane", "kiln"))[1]

    words = await db.write(write)

    assert (words.length, dict(words.counts)) == (4.0, {"crane": 3.0})


async def test_what_is_taken_out_is_found_no_more(db: Database) -> None:
    def write(tx: Tx) -> tuple[list[int], int]:
        put(tx, "harbour crane", "harbour pump")
        lexical.unindex_evidence(tx, 1)
        lexical.unindex_evidence(tx, 99)
        return held(tx, "harbour"), lexical.frequencies(tx, Shelf.EVIDENCE, ["crane"])["crane"]

    assert await db.write(write) == ([2], 0)


async def test_an_item_is_found_by_its_latest_words_alone(db: Database) -> None:
    def write(tx: Tx) -> dict[str, int]:
        lexical.index_item(tx, 1, "I keep bees")
        lexical.index_item(tx, 1, "I keep figs")
        return lexical.frequencies(tx, Shelf.ITEM, ["bee", "fig"])

    assert await db.write(write) == {"bee": 0, "fig": 1}


async def test_items_and_turns_do_not_stand_in_each_others_index(db: Database) -> None:
    def write(tx: Tx) -> tuple[list[int], list[int]]:
        lexical.index_item(tx, 5, "kiln")
        lexical.index_evidence(tx, 6, "kiln")
        return (
            lexical.holders(tx, Shelf.ITEM, "kiln"),
            lexical.holders(tx, Shelf.EVIDENCE, "kiln"),
        )

    assert await db.write(write) == ([5], [6])


@pytest.mark.skipif(not _sqlite.HAS_SECURE_DELETE_INDEX, reason="an SQLite before 3.42")
@pytest.mark.parametrize("word", ["zyxwvutsentinel", "鑰匙圈"])
async def test_no_byte_of_a_deleted_term_stays_in_the_file(
    db: Database, tmp_path: Path, word: str
) -> None:
    path = tmp_path / "a" / "memory.db"
    code = encoded(terms(word)[-1]).encode()
    await db.write(lambda tx: put(tx, *(f"row {n} {word}" for n in range(300))))
    await db.checkpoint_truncate()
    there_before = code in path.read_bytes()

    def erase(tx: Tx) -> None:
        for seq in range(1, 301):
            lexical.unindex_evidence(tx, seq)

    await db.erase(erase)

    assert there_before
    assert not any(code in file.read_bytes() for file in path.parent.iterdir() if file.is_file())


async def test_a_gap_is_seen_and_a_rebuild_closes_it(db: Database) -> None:
    def tear(tx: Tx) -> int:
        tx.execute("INSERT INTO evidence_lexical (rowid, terms) VALUES (7, 'ghost')")
        return lexical.gap(tx)

    assert await db.write(tear) == 1
    assert await db.write(lexical.rebuild) == 0
    assert await db.read(lexical.gap) == 0
    assert await db.read(lexical.count) == 0


async def test_the_rarest_term_is_reached_whole_however_many_hold_it(db: Database) -> None:
    rows = ROWS_BUDGET + 500

    def write(tx: Tx) -> list[int]:
        put(tx, *("harbour harbour" for _ in range(rows)))
        return candidates(tx, Shelf.EVIDENCE, {"harbour": 1.0}, {"harbour": rows})

    assert await db.write(write) == list(range(rows, 0, -1))


async def test_common_terms_order_the_rows_of_the_rare_ones(db: Database) -> None:
    common = ROWS_BUDGET + 500

    def write(tx: Tx) -> list[int]:
        put(tx, "oolong", "oolong harbour", *("harbour" for _ in range(common)), "oolong")
        frequencies = lexical.frequencies(tx, Shelf.EVIDENCE, ["oolong", "harbour"])
        return candidates(tx, Shelf.EVIDENCE, {"oolong": 5.0, "harbour": 1.0}, frequencies)

    assert await db.write(write) == [2, common + 3, 1]


async def test_rows_of_several_rare_terms_come_by_what_these_are_worth_then_newest_first(
    db: Database,
) -> None:
    def write(tx: Tx) -> list[int]:
        put(tx, "kiln", "oolong", "oolong kiln", "snow", "kiln")
        frequencies = lexical.frequencies(tx, Shelf.EVIDENCE, ["oolong", "kiln"])
        return candidates(tx, Shelf.EVIDENCE, {"oolong": 5.0, "kiln": 1.0}, frequencies)

    assert await db.write(write) == [3, 2, 5, 1]


async def test_unknown_terms_have_no_candidates(db: Database) -> None:
    assert (
        await db.read(lambda tx: candidates(tx, Shelf.EVIDENCE, {"zzqx": 9.0}, {"zzqx": 0})) == []
    )
