"""What a checkup finds, and that it mends the index and nothing else."""

from __future__ import annotations

import pytest

from mnemod.accounts import Account
from mnemod.services.checkup import Checkup, FindingState, look_over
from mnemod.services.health import of
from mnemod.services.observe import observe
from mnemod.store import assistant_sources, evidence, items, lexical
from mnemod.store.assistant_sources import AssistantSource
from mnemod.store.database import Tx
from mnemod.store.lexical import Shelf
from tests.support import worlds
from tests.support.builders import Clock, assistant, observation, say, user
from tests.support.work import claim


async def run(account: Account, *statements: str) -> None:
    """Something outside changes the file."""
    for statement in statements:
        await account.db.write(lambda tx, sql=statement: tx.execute(sql).rowcount)


def counts(found: Checkup) -> dict[str, int]:
    return {finding.check: finding.count for finding in found.findings if finding.count}


async def a_world(account: Account) -> None:
    told = await say(account, "I keep bees", "I row at dawn")
    await observe(account, observation(assistant("a1", "You keep bees."), event="e2"))
    await worlds.form(account, (told.evidence[0].evidence_id, "I keep bees"))


async def test_a_sound_account_has_nothing_wrong(account: Account) -> None:
    await a_world(account)

    found = await look_over(account, deep=True, repair=True)

    assert {finding.state for finding in found.findings} == {FindingState.OK}
    assert found.rebuilt is None


@pytest.mark.parametrize(
    ("damage", "check"),
    [
        ("DELETE FROM evidence_lexical", "index_gap"),
        ("DELETE FROM item_lexical", "index_gap"),
        ("INSERT INTO item_lexical (rowid, terms) VALUES (99, 'ghost')", "index_gap"),
        ("UPDATE item_lexical SET terms = 'goat'", "stale_index"),
        ("UPDATE evidence_lexical SET terms = 'goat' WHERE rowid = 2", "stale_index"),
        ("DELETE FROM turn_lexical", "index_gap"),
        ("INSERT INTO turn_lexical (rowid, terms) VALUES (99, 'ghost')", "index_gap"),
        ("UPDATE turn_lexical SET terms = 'goat'", "stale_index"),
    ],
)
async def test_an_index_that_disagrees_is_found_and_made_anew(
    account: Account, damage: str, check: str
) -> None:
    await a_world(account)
    await run(account, damage)

    dry = await look_over(account, deep=True, repair=False)
    mended = await look_over(account, deep=True, repair=True)
    after = await look_over(account, deep=True, repair=False)

    assert check in counts(dry)
    assert dry.rebuilt is None
    assert mended.rebuilt == 4
    assert counts(after) == {}
    assert await account.db.read(lambda tx: lexical.holders(tx, Shelf.EVIDENCE, "dawn")) == [2]


async def test_words_that_were_changed_in_the_file_are_found_and_left(account: Account) -> None:
    await a_world(account)
    await run(account, "UPDATE evidence SET content = 'I keep goats' WHERE seq = 1")

    found = await look_over(account, deep=True, repair=True)

    assert counts(found)["altered_words"] == 1
    assert counts(found)["unsourced_items"] == 1
    rows = await account.db.read(lambda tx: evidence.page(tx, after=0, limit=1))
    assert rows[0].content == "I keep goats"


async def test_a_claim_that_ran_out_is_a_warning(account: Account, clock: Clock) -> None:
    await say(account, "I keep bees")
    await claim(account)
    clock.forward(3_600_000)

    found = await look_over(account, deep=False, repair=False)

    states = {finding.check: finding.state for finding in found.findings}
    assert states["stuck_jobs"] is FindingState.WARNING


async def test_health_says_how_far_the_index_lags_behind(account: Account) -> None:
    await a_world(account)
    await run(account, "DELETE FROM evidence_lexical WHERE rowid = 1")

    found = await of(account)

    assert (found.evidence, found.items, found.indexed, found.index_gap) == (2, 1, 2, 1)
    assert found.file_bytes + found.wal_bytes > 0


async def test_what_a_yes_says_yes_to_is_found_by_before_and_after_a_rebuild(
    account: Account,
) -> None:
    asked = observation(assistant("a1", "Shall I water the ferns?"), user("m1", "Yes."))
    told = await observe(account, asked)
    made = await worlds.form(account, (told.evidence[0].evidence_id, "Yes."))

    def confirm(tx: Tx) -> None:
        assistant_sources.add(tx, AssistantSource(made, 1, 8, 23))
        item = items.by_id(tx, made)
        assert item is not None
        lexical.index_item(tx, item.seq, "Yes.\nwater the ferns")

    await account.db.write(confirm)
    sound = await look_over(account, deep=True, repair=True)
    await account.db.write(lexical.rebuild)

    assert counts(sound) == {}
    assert await account.db.read(lambda tx: lexical.holders(tx, Shelf.ITEM, "fern")) == [1]
