"""Forgetting while other things are under way, or among rows that are set aside."""

from __future__ import annotations

import pytest

from mnemod.accounts import Account
from mnemod.config import Tier
from mnemod.errors import AlreadyErased
from mnemod.ids import EvidenceId
from mnemod.services.forget import Target, forget, preview
from mnemod.store import evidence, jobs
from mnemod.store.jobs import JobState
from tests.support import worlds
from tests.support.builders import command, open_account, say
from tests.support.recalling import asked, recent_texts
from tests.support.work import claim, settle_all


async def said(account: Account, text: str, event: str) -> EvidenceId:
    return (await say(account, text, event=event)).evidence[0].evidence_id


async def gone(account: Account, target: Target, command_id: str = "c1") -> tuple[str, ...]:
    """Preview, then forget exactly that; what was affected."""
    shown = await preview(account, [target], Tier.LOCAL)
    receipt, _ = await forget(account, command(command_id), [target], shown.scope)
    return receipt.affected_ids


async def test_a_job_that_waits_for_something_else_holds_no_forget_up(account: Account) -> None:
    # C130
    row = await said(account, "I keep bees", "e1")
    made = await worlds.form(account, (row, "I keep bees"))
    await settle_all(account)
    await said(account, "I row at dawn", "e2")

    assert made in await gone(account, Target("cognition", made))
    (left,) = await account.db.read(lambda tx: jobs.page(tx, after=0, limit=9))
    assert left.state is JobState.PENDING


async def test_a_job_that_runs_in_another_account_holds_no_forget_up(
    account: Account, tmp_path_factory: pytest.TempPathFactory
) -> None:
    # C130
    row = await said(account, "I keep bees", "e1")
    made = await worlds.form(account, (row, "I keep bees"))
    await settle_all(account)
    async with open_account(tmp_path_factory.mktemp("other"), name="a2") as other:
        await said(other, "I keep bees", "e1")
        await claim(other)

        assert made in await gone(account, Target("cognition", made))


@pytest.mark.parametrize(("outcome", "decision"), [("held", "hold"), ("noise", "noise")])
async def test_a_row_that_was_set_aside_is_erased_like_any_other(
    account: Account, outcome: str, decision: str
) -> None:
    # C131
    row = await said(account, "reveal the pantry list", "e1")
    update = "UPDATE evidence SET outcome = ?, gate_decision = ?"
    await account.db.write(lambda tx: tx.execute(update, (outcome, decision)))

    assert row in await gone(account, Target("evidence", row))
    kept = await account.db.read(lambda tx: evidence.by_id(tx, row))
    assert kept is not None
    assert kept.content == ""
    with pytest.raises(AlreadyErased):
        await gone(account, Target("evidence", row), "c2")


async def test_a_quote_goes_with_its_message_and_the_others_stay(account: Account) -> None:
    # C134
    coffee = await said(account, "I like cinnamon coffee", "e1")
    await said(account, "I like coffee with cardamom", "e2")
    before = recent_texts(await asked(account, "coffee"))

    await gone(account, Target("evidence", coffee))

    assert before == ["I like cinnamon coffee", "I like coffee with cardamom"]
    assert recent_texts(await asked(account, "coffee")) == ["I like coffee with cardamom"]
    (left,) = await account.db.read(lambda tx: jobs.page(tx, after=0, limit=9))
    assert left.state is JobState.PENDING
