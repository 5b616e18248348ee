"""Recall by time: the window is a filter, and comes before every limit."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path

import pytest

from mnemod.accounts import Account
from mnemod.domain.time_window import in_zone
from mnemod.ids import ItemId
from mnemod.store import lexical
from mnemod.store.database import Tx
from tests.support.builders import open_account
from tests.support.recalling import asked, item_texts, known, quote_texts, told


async def dated(account: Account, item_id: ItemId, when: str, precision: str) -> None:
    """The item says when it happened."""

    def write(tx: Tx) -> None:
        tx.execute(
            "UPDATE item SET occurred_at = ?, precision = ? WHERE item_id = ?",
            (when, precision, item_id),
        )

    await account.db.write(write)


async def test_one_match_inside_is_found_behind_thousands_outside(account: Account) -> None:
    await told(account, "the harbour crane broke", at="2030-01-15T10:00:00Z")

    def crowd(tx: Tx) -> None:
        for number in range(5_000):
            tx.execute(
                "INSERT INTO evidence (evidence_id, source_kind, host_id, conversation_id, "
                "message_id, origin_hash, content, content_hash, said_at_ms, said_offset_min, "
                "recorded_at_ms, local_read, cloud_read, inference, outcome, trust) "
                "VALUES (?, 'spoken', 'h', ?, ?, ?, 'harbour crane', 'x', 1900000000000, 0, "
                "1900000000000, 1, 1, 1, 'eligible', 1.0)",
                (f"ev_x{number}", f"c{number}", f"m{number}", f"o{number}"),
            )
            lexical.index_evidence(tx, number + 2, "harbour crane")

    await account.db.write(crowd)

    found = await asked(account, "harbour crane", time="2030-01-15", explain=True)

    assert quote_texts(found) == ["the harbour crane broke"]
    assert ("evidence", "outside_window", 5_000) in [
        (row.object_kind, row.reason, row.count) for row in found.withheld
    ]


async def test_an_exact_match_outside_the_window_is_absent(account: Account) -> None:
    await known(account, "the harbour crane broke", at="2030-01-15T10:00:00Z")

    found = await asked(account, "the harbour crane broke", time="2030-02")

    assert (found.items, found.quotes) == ((), ())


async def test_the_window_is_told_in_the_zone_of_the_account(tmp_path: Path) -> None:
    async with open_account(tmp_path, time_zone="Asia/Tokyo") as account:
        await told(account, "late tea", at="2031-05-03T23:30:00+09:00")
        await told(account, "early tea", at="2031-05-04T00:15:00+09:00")
        found = await asked(account, "tea", time="2031-05-04")

    assert quote_texts(found) == ["early tea"]
    assert found.window_bounds == (
        "2031-05-04T00:00:00.000+09:00",
        "2031-05-05T00:00:00.000+09:00",
    )
    assert found.time_zone == "Asia/Tokyo"


@pytest.mark.parametrize("time", ["yesterday", "昨日", "きのう", "昨天", "2030-03-17"])
async def test_a_day_is_one_window_in_whatever_words_it_is_asked_for(
    tmp_path: Path, time: str
) -> None:
    # B044: now is 2030-03-18T02:46+09:00
    async with open_account(tmp_path, time_zone="Asia/Tokyo") as account:
        await told(account, "late tea", at="2030-03-17T23:30:00+09:00")
        await told(account, "early tea", at="2030-03-18T00:15:00+09:00")
        found = await asked(account, "tea", time=time)
        both = await asked(account, "tea", time="last 2 days")

    assert quote_texts(found) == ["late tea"]
    assert found.window_bounds == (
        "2030-03-17T00:00:00.000+09:00",
        "2030-03-18T00:00:00.000+09:00",
    )
    assert set(quote_texts(both)) == {"late tea", "early tea"}


@pytest.mark.parametrize("time", ["过去三千年", "2500年前", "year 0", "Feb 30", "24:61", "0" * 200])
async def test_a_time_that_is_not_understood_is_told_and_the_words_still_answer(
    account: Account, time: str
) -> None:
    await told(account, "the harbour crane broke")

    with_words = await asked(account, "crane", time=time)
    alone = await asked(account, time=time)

    assert quote_texts(with_words) == ["the harbour crane broke"]
    assert with_words.degraded == alone.degraded == ("encoder", "time_unparsed")
    assert (alone.quotes, alone.window) == ((), None)


@pytest.mark.parametrize("time", ["0001", "9999", "0001..9999"])
async def test_a_time_at_the_ends_of_the_calendar_is_clamped(account: Account, time: str) -> None:
    await told(account, "the harbour crane broke")

    assert (await asked(account, "crane", time=time)).window is not None


async def test_a_time_alone_brings_what_is_inside_then_the_nearest_eight_at_most(
    account: Account,
) -> None:
    for day in range(1, 21):
        await told(account, f"entry {day}", at=f"2031-05-{day:02}T12:00:00Z")

    found = await asked(account, time="2031-05-10/2031-05-12", max_quotes=50)

    assert quote_texts(found)[:3] == ["entry 12", "entry 11", "entry 10"]
    assert len(found.quotes) == 8
    assert set(quote_texts(found)[3:]) == {"entry 13", "entry 9", "entry 14", "entry 8", "entry 15"}


async def test_a_question_without_content_asks_for_the_time_alone(account: Account) -> None:
    await told(account, "the kiln cracked", at="2031-05-10T12:00:00Z")

    assert quote_texts(await asked(account, "what was it?", time="2031-05-10")) == [
        "the kiln cracked"
    ]


async def test_a_fact_of_a_year_counts_as_the_whole_year(account: Account) -> None:
    conference = await known(account, "I attended the tide conference", at="2032-02-01T09:00:00Z")
    lamp = await known(account, "I switched the lamp to warm white", at="2031-05-12T09:00:00Z")
    await dated(account, conference, "2031", "year")
    await dated(account, lamp, "2031-05-12", "day")

    asked_for = await asked(account, "what conference did I attend in 2031")
    in_may = await asked(account, "conference", time="2031-05-20")
    in_2032 = await asked(account, "conference", time="2032-02")
    may_alone = await asked(account, time="2031-05-12")

    assert item_texts(asked_for)[0] == "I attended the tide conference"
    assert item_texts(in_may) == ["I attended the tide conference"]
    assert item_texts(in_2032) == []
    assert set(item_texts(may_alone)) == {
        "I attended the tide conference",
        "I switched the lamp to warm white",
    }


async def test_a_date_in_the_question_prefers_what_was_said_then(account: Account) -> None:
    for day in (3, 12, 24):
        await told(account, "I fixed the pump", at=f"2031-05-{day:02}T12:00:00Z")

    found = await asked(account, "what did I fix on 12 May 2031")

    assert in_zone(found.quotes[0].row.moment_ms, UTC).startswith("2031-05-12T12:00")
