"""What correcting promises: the owner's words stand, the old become history, nothing doubles."""

from __future__ import annotations

import pytest

from mnemod.accounts import Account
from mnemod.config import Tier
from mnemod.domain.evidence import EVERYTHING_ALLOWED, Permissions, SourceKind
from mnemod.domain.receipts import Receipt, ResultState
from mnemod.domain.world import FormedBy, Item, ItemKind, ItemState, TransitionKind
from mnemod.errors import (
    AlreadyErased,
    CommandIdConflict,
    Conflict,
    InvalidParams,
    NotCorrectable,
    NotFound,
    PermissionDenied,
)
from mnemod.ids import EvidenceId, ItemId
from mnemod.services.correct import Correction, correct
from mnemod.services.forget import Target, forget, preview
from mnemod.services.observe import observe
from mnemod.store import evidence, items, jobs, meta, supports, transitions
from tests.support import worlds
from tests.support.builders import HOST, command, observation, say, user


async def a_fact(account: Account, text: str = "I train on Wednesdays") -> ItemId:
    said = await say(account, text, event=text)
    return await worlds.form(account, (said.evidence[0].evidence_id, text))


def correction(
    item_id: ItemId,
    text: str,
    *,
    kind: ItemKind = ItemKind.COGNITION,
    tier: Tier = Tier.LOCAL,
    permissions: Permissions = EVERYTHING_ALLOWED,
) -> Correction:
    return Correction(HOST, tier, kind, item_id, text, None, permissions)


async def put_right(
    account: Account, item_id: ItemId, text: str, command_id: str = "c1"
) -> Receipt:
    return await correct(account, command(command_id, body=text), correction(item_id, text))


async def get(account: Account, item_id: str) -> Item:
    found = await account.db.read(lambda tx: items.by_id(tx, item_id))
    assert found is not None
    return found


async def test_the_new_words_stand_and_the_old_become_history(account: Account) -> None:
    old = await a_fact(account)

    receipt = await put_right(account, old, "I train on Fridays")

    prior, new, said = receipt.affected_ids
    assert prior == old
    assert (await get(account, old)).state is ItemState.SUPERSEDED
    successor = await get(account, new)
    assert (successor.text, successor.state) == ("I train on Fridays", ItemState.CURRENT)
    assert successor.formed_by is FormedBy.CORRECTED
    row = await account.db.read(lambda tx: evidence.by_id(tx, said))
    assert row is not None
    assert (row.content, row.source_kind) == ("I train on Fridays", SourceKind.CORRECTION)


async def test_the_transition_names_the_words_that_brought_it_about(account: Account) -> None:
    old = await a_fact(account)

    receipt = await put_right(account, old, "I train on Fridays")

    (step,) = await account.db.read(lambda tx: transitions.of(tx, old))
    assert step.kind is TransitionKind.CORRECTS
    assert (step.prior_item_id, step.successor_item_id, step.evidence_id) == receipt.affected_ids
    assert receipt.transition_ids == (step.transition_id,)
    assert step.revision == receipt.after_revision


async def test_the_span_is_the_words_without_the_space_around_them(account: Account) -> None:
    old = await a_fact(account)

    receipt = await put_right(account, old, "  I train on Fridays \n")

    new = ItemId(receipt.affected_ids[1])
    (support,) = await account.db.read(lambda tx: supports.of(tx, new))
    assert (support.span.start, support.span.end) == (2, 20)
    assert (await get(account, new)).text == "I train on Fridays"


async def test_a_replay_adds_nothing(account: Account) -> None:
    old = await a_fact(account)
    first = await put_right(account, old, "I train on Fridays")

    second = await put_right(account, old, "I train on Fridays")

    assert second == first
    assert await account.db.read(evidence.count) == 2
    assert await account.db.read(meta.world_revision) == first.after_revision


async def test_a_correction_makes_no_job(account: Account) -> None:
    old = await a_fact(account)
    before = await account.db.read(jobs.counts)

    await put_right(account, old, "I train on Fridays")

    assert await account.db.read(jobs.counts) == before


async def test_the_same_words_change_nothing(account: Account) -> None:
    old = await a_fact(account)

    receipt = await put_right(account, old, "i train on  wednesdays.")

    assert receipt.result_state is ResultState.NO_CHANGE
    assert receipt.after_revision == receipt.before_revision
    assert (await get(account, old)).state is ItemState.CURRENT


async def test_going_back_to_an_old_value_is_a_new_occurrence(account: Account) -> None:
    first = await a_fact(account, "I train on Wednesdays")
    second = ItemId((await put_right(account, first, "I train on Fridays")).affected_ids[1])

    receipt = await put_right(account, second, "I train on Wednesdays", "c2")

    third = await get(account, receipt.affected_ids[1])
    assert third.item_id not in (first, second)
    assert third.occurrence == 2
    assert third.state is ItemState.CURRENT
    assert (await get(account, first)).state is ItemState.SUPERSEDED
    (support,) = await account.db.read(lambda tx: supports.of(tx, third.item_id))
    assert support.span.evidence_id == EvidenceId(receipt.affected_ids[2])


async def test_a_correction_to_what_another_item_says_joins_it(account: Account) -> None:
    wrong = await a_fact(account, "I train on Wednesdays")
    right = await a_fact(account, "I train on Fridays")

    receipt = await put_right(account, wrong, "I train on Fridays")

    assert receipt.affected_ids[1] == right
    assert len(await account.db.read(lambda tx: supports.of(tx, right))) == 2


async def test_a_correction_is_readable_no_further_than_what_it_corrects(
    account: Account,
) -> None:
    private = user("m1", "I train on Wednesdays", permissions=Permissions(cloud_read=False))
    said = (await observe(account, observation(private))).evidence[0].evidence_id
    old = await worlds.form(account, (said, "I train on Wednesdays"))

    receipt = await put_right(account, old, "I train on Fridays")

    row = await account.db.read(lambda tx: evidence.by_id(tx, receipt.affected_ids[2]))
    assert row is not None
    assert row.permissions == Permissions(cloud_read=False)


async def test_forgetting_the_new_value_takes_the_old_and_its_source(account: Account) -> None:
    old = await a_fact(account)
    new = (await put_right(account, old, "I train on Fridays")).affected_ids[1]

    targets = [Target("cognition", new)]
    found = await preview(account, targets, Tier.LOCAL)
    await forget(account, command("c2"), targets, found.scope)

    assert await account.db.read(evidence.count) == 0
    assert await account.db.read(items.count) == 0


async def test_correct_world_item_permission_denied(account: Account) -> None:
    private = user("m1", "I train on Wednesdays", permissions=Permissions(cloud_read=False))
    said = (await observe(account, observation(private))).evidence[0].evidence_id
    old = await worlds.form(account, (said, "I train on Wednesdays"))

    with pytest.raises(PermissionDenied):
        await correct(account, command(), correction(old, "Fridays", tier=Tier.CLOUD))

    assert (await get(account, old)).state is ItemState.CURRENT


async def test_correct_world_item_not_correctable(account: Account) -> None:
    said = (await say(account, "Mira likes figs")).evidence[0].evidence_id
    mira = await worlds.name(account, "Mira", said)

    with pytest.raises(NotCorrectable) as refused:
        await correct(account, command(), correction(mira, "Myra", kind=ItemKind.ENTITY))

    assert refused.value.details == {"object_kind": "entity"}


async def test_an_item_that_is_history_cannot_be_corrected(account: Account) -> None:
    old = await a_fact(account)
    await put_right(account, old, "I train on Fridays")

    with pytest.raises(NotCorrectable) as refused:
        await put_right(account, old, "I train on Mondays", "c2")

    assert refused.value.details == {"state": "superseded"}


async def test_correct_world_item_not_found(account: Account) -> None:
    with pytest.raises(NotFound):
        await put_right(account, ItemId("it_none"), "I train on Fridays")


async def test_correct_world_item_already_erased(account: Account) -> None:
    old = await a_fact(account)
    targets = [Target("cognition", old)]
    found = await preview(account, targets, Tier.LOCAL)
    await forget(account, command("c9"), targets, found.scope)

    with pytest.raises(AlreadyErased):
        await put_right(account, old, "I train on Fridays")


async def test_correct_world_item_conflict(account: Account) -> None:
    old = await a_fact(account)

    with pytest.raises(Conflict) as refused:
        await correct(account, command(expected=7), correction(old, "I train on Fridays"))

    assert refused.value.details == {"world_revision": 1}
    assert (await get(account, old)).state is ItemState.CURRENT


async def test_correct_world_item_command_id_conflict(account: Account) -> None:
    old = await a_fact(account)
    await put_right(account, old, "I train on Fridays")

    with pytest.raises(CommandIdConflict):
        await put_right(account, old, "I train on Mondays")


async def test_blank_words_are_refused(account: Account) -> None:
    old = await a_fact(account)

    with pytest.raises(InvalidParams) as refused:
        await put_right(account, old, " \n")

    assert refused.value.path == "$.correction_text"


async def test_a_correction_that_joins_an_item_makes_it_surer(account: Account) -> None:
    wrong = await a_fact(account, "I train on Wednesdays")
    right = await a_fact(account, "I train on Fridays")
    before = (await get(account, right)).confidence

    await put_right(account, wrong, "I train on Fridays")

    assert (await get(account, right)).confidence > before


async def test_a_correction_does_not_join_what_its_host_may_not_read(account: Account) -> None:
    wrong = await a_fact(account, "I train on Wednesdays")
    private = user("m1", "I train on Fridays", permissions=Permissions(cloud_read=False))
    said = (await observe(account, observation(private))).evidence[0].evidence_id
    hidden = await worlds.form(account, (said, "I train on Fridays"))

    wanted = correction(wrong, "I train on Fridays", tier=Tier.CLOUD)
    receipt = await correct(account, command(), wanted)

    assert hidden not in receipt.affected_ids
    assert (await get(account, receipt.affected_ids[1])).text == "I train on Fridays"


async def test_a_private_correction_hides_nothing_that_was_said_to_all(account: Account) -> None:
    public = await a_fact(account, "I train on Fridays")
    wrong = await a_fact(account, "I train on Mondays")
    private = correction(wrong, "I train on Fridays", permissions=Permissions(cloud_read=False))

    await correct(account, command("c1", body="x"), private)

    under = await account.db.read(lambda tx: supports.of(tx, public))
    assert len(under) == 1


async def test_a_correction_ends_what_says_the_same_to_other_readers(account: Account) -> None:
    public = await a_fact(account, "I train on Mondays")
    said = await observe(
        account,
        observation(
            user("m9", "I train on Mondays", permissions=Permissions(cloud_read=False)), event="e9"
        ),
    )
    private = await worlds.form(account, (said.evidence[0].evidence_id, "I train on Mondays"))

    receipt = await put_right(account, public, "I train on Fridays")

    ended = [(await get(account, item_id)).state for item_id in (public, private)]
    assert ended == [ItemState.SUPERSEDED] * 2
    assert private not in receipt.affected_ids
