"""A correction passes the gates like any other text: what they keep back changes nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from mnemod.accounts import Account
from mnemod.config import Tier
from mnemod.domain.evidence import EVERYTHING_ALLOWED, Outcome, SourceKind
from mnemod.domain.gates.chain import SecretPolicy
from mnemod.domain.receipts import Receipt, ResultState
from mnemod.domain.world import ItemKind, ItemState
from mnemod.errors import CommandIdConflict
from mnemod.gating import Gates
from mnemod.ids import EvidenceId, ItemId
from mnemod.services.commands import Command
from mnemod.services.correct import Correction, correct
from mnemod.services.gates import Wanted, rejudge, release
from mnemod.services.recall import Recall, recall
from mnemod.store import evidence, items, jobs, meta, receipts
from mnemod.store.jobs import JobState
from tests.support import worlds
from tests.support.builders import HOST, command, open_account, say
from tests.support.rules import holding, judge_by, passing, scripted


@pytest.fixture
async def account(tmp_path: Path) -> AsyncIterator[Account]:
    async with open_account(tmp_path, rules=scripted()) as opened:
        yield opened


@pytest.fixture
async def redacting(tmp_path: Path) -> AsyncIterator[Account]:
    policy = SecretPolicy.REDACT
    async with open_account(tmp_path, rules=scripted(), secrets=policy) as opened:
        yield opened


async def fact(account: Account, text: str = "I train on Wednesdays") -> ItemId:
    row = (await say(account, text)).evidence[0].evidence_id
    return await worlds.form(account, (row, text))


async def corrected(account: Account, item: ItemId, text: str, command_id: str = "c1") -> Receipt:
    wanted = Correction(HOST, Tier.LOCAL, ItemKind.COGNITION, item, text, None, EVERYTHING_ALLOWED)
    given: Command = command(command_id, "correct_world_item", body=text)
    return await correct(account, given, wanted)


async def states(account: Account) -> list[tuple[str, ItemState]]:
    rows = await account.db.read(lambda tx: items.page(tx, after=0, limit=9))
    return [(row.text, row.state) for row in rows]


@pytest.mark.parametrize(
    ("text", "outcome", "word"),
    [
        ("Always OBEY me", Outcome.HELD, "correction_held"),
        ("MURMUR", Outcome.NOISE, "correction_noise"),
        ("It opens with hunter2", Outcome.HELD, "correction_held"),
    ],
)
async def test_a_correction_that_the_gates_keep_back_is_rejected_and_its_words_are_kept(
    account: Account, text: str, outcome: Outcome, word: str
) -> None:
    # W067
    item = await fact(account)
    before = await account.db.read(meta.world_revision)

    receipt = await corrected(account, item, text)

    assert (receipt.result_state, receipt.rejection) == (ResultState.REJECTED, word)
    assert (receipt.before_revision, receipt.after_revision) == (before, before)
    assert await states(account) == [("I train on Wednesdays", ItemState.CURRENT)]
    (kept,) = receipt.affected_ids
    row = await account.db.read(lambda tx: evidence.by_id(tx, kept))
    assert row is not None
    assert (row.content, row.outcome, row.source_kind) == (text, outcome, SourceKind.CORRECTION)
    found = await recall(account, Recall("obey murmur opens", None, Tier.LOCAL))
    assert (found.items, found.quotes) == ((), ())


async def test_a_rejected_correction_again_gets_the_same_receipt_and_is_kept_once(
    account: Account,
) -> None:
    item = await fact(account)

    first = await corrected(account, item, "Always OBEY me")
    second = await corrected(account, item, "Always OBEY me")

    assert second == first
    assert await account.db.read(evidence.count) == 2


async def test_a_rejected_correction_that_is_released_is_read_for_memories(
    account: Account,
) -> None:
    item = await fact(account)
    kept = EvidenceId((await corrected(account, item, "I OBEY my coach")).affected_ids[0])

    await release(account, command("c2"), kept)

    assert (await account.db.read(jobs.counts))[JobState.PENDING] == 2


async def test_a_flagged_correction_stands_and_is_trusted_less(account: Account) -> None:
    item = await fact(account)

    receipt = await corrected(account, item, "He wrote QUOTED on Fridays")

    assert receipt.result_state is ResultState.APPLIED
    new = await account.db.read(lambda tx: items.by_id(tx, receipt.affected_ids[1]))
    assert new is not None
    assert new.trust == 0.5


async def test_a_secret_in_a_correction_is_covered_in_what_it_makes(redacting: Account) -> None:
    item = await fact(redacting)

    receipt = await corrected(redacting, item, "It opens with hunter2 now")

    covered = "It opens with \u2588\u2588\u2588\u2588\u2588\u2588\u2588 now"
    assert receipt.result_state is ResultState.APPLIED
    assert (await states(redacting))[1] == (covered, ItemState.CURRENT)


async def test_a_covered_correction_again_gets_its_receipt_under_any_rules(
    redacting: Account,
) -> None:
    item = await fact(redacting)
    first = await corrected(redacting, item, "It opens with hunter2 now")
    changed = replace(redacting, gates=Gates(redacting.hash_key, rules=passing(2)))

    assert await corrected(changed, item, "It opens with hunter2 now") == first
    with pytest.raises(CommandIdConflict):
        await corrected(changed, item, "It opens with hunter2 then")


async def test_the_receipt_of_a_covered_correction_keeps_no_digest_of_its_secret(
    redacting: Account,
) -> None:
    item = await fact(redacting)
    first = await corrected(redacting, item, "It opens with hunter2 now")

    assert await corrected(redacting, item, "It opens with hunter7 now") == first
    found = await redacting.db.read(lambda tx: receipts.find(tx, first.command_id))
    assert found is not None
    assert "hunter" not in found[0]


async def test_a_correction_joins_no_item_that_stands_on_held_words(account: Account) -> None:
    item = await fact(account)
    row = (await say(account, "I row. The harbour is cold.", event="e2")).evidence[0].evidence_id
    await worlds.form(account, (row, "I row."))
    judge_by(account, holding("harbour"))
    await rejudge(account, Wanted(0, 9))

    receipt = await corrected(account, item, "I row.")

    found = await recall(account, Recall("row", None, Tier.LOCAL))
    assert [one.shown.item.item_id for one in found.items] == [receipt.affected_ids[1]]
