"""What forgetting promises: what was shown goes, all of it and nothing else, and stays gone."""

from __future__ import annotations

import pytest

from mnemod.accounts import Account
from mnemod.config import FORGET_TARGETS_MAX, Tier
from mnemod.domain.evidence import Permissions
from mnemod.domain.receipts import Receipt, ResultState
from mnemod.domain.turns import Capture, Dependency, DependencyKind
from mnemod.domain.world import ItemKind
from mnemod.errors import (
    AlreadyErased,
    CommandIdConflict,
    Conflict,
    ForgetScopeChanged,
    ForgetScopeRequired,
    FormationInProgress,
    HardDeletedSource,
    InvalidForgetTargets,
    NotFound,
)
from mnemod.ids import EvidenceId, ItemId
from mnemod.services.forget import Preview, Target, forget, preview
from mnemod.services.observe import observe
from mnemod.store import (
    evidence,
    items,
    job_contexts,
    jobs,
    lexical,
    meta,
    receipts,
    supports,
    turns,
)
from mnemod.store.job_contexts import Shown
from tests.support import worlds
from tests.support.builders import assistant, command, observation, say, user
from tests.support.work import claim, settle_all


async def only(account: Account, text: str, event: str = "e1") -> EvidenceId:
    """The owner says one thing; its row."""
    return (await say(account, text, event=event)).evidence[0].evidence_id


def item(item_id: ItemId, kind: ItemKind = ItemKind.COGNITION) -> Target:
    return Target(kind.value, item_id)


def row(evidence_id: EvidenceId) -> Target:
    return Target("evidence", evidence_id)


async def shown(account: Account, *targets: Target) -> Preview:
    return await preview(account, targets, Tier.LOCAL)


async def forget_all(account: Account, *targets: Target, command_id: str = "c1") -> Receipt:
    """Preview, then forget exactly that."""
    found = await shown(account, *targets)
    receipt, _ = await forget(account, command(command_id), targets, found.scope)
    return receipt


async def content(account: Account, evidence_id: EvidenceId) -> str:
    found = await account.db.read(lambda tx: evidence.by_id(tx, evidence_id))
    assert found is not None
    return found.content


async def text_of(account: Account, item_id: ItemId) -> str | None:
    found = await account.db.read(lambda tx: items.by_id(tx, item_id))
    return None if found is None else found.text


async def test_forgetting_a_message_takes_what_was_made_of_it(account: Account) -> None:
    said = await only(account, "I keep bees")
    made = await worlds.form(account, (said, "I keep bees"))

    receipt = await forget_all(account, row(said))

    assert receipt.result_state is ResultState.APPLIED
    assert set(receipt.affected_ids) == {said, made}
    assert await content(account, said) == ""
    assert await text_of(account, made) is None
    assert await account.db.read(lambda tx: lexical.gap(tx)) == 0


async def test_the_preview_names_exactly_what_goes(account: Account) -> None:
    said = await only(account, "I keep bees")
    made = await worlds.form(account, (said, "I keep bees"))

    found = await shown(account, item(made))

    assert [(r.id, r.reason.value, r.effect.value) for r in found.rows] == [
        (made, "target", "erased"),
        (said, "source", "erased"),
    ]
    assert found.item_count == 1
    assert found.evidence_ids == (said,)


async def test_a_preview_changes_nothing(account: Account) -> None:
    said = await only(account, "I keep bees")
    made = await worlds.form(account, (said, "I keep bees"))
    before = await account.db.read(meta.world_revision)

    await shown(account, item(made))

    assert await account.db.read(meta.world_revision) == before
    assert await text_of(account, made) == "I keep bees"
    assert await account.db.read(lambda tx: receipts.page(tx, before=0, limit=9)) == []


async def test_independent_facts_and_other_words_of_the_message_stay(account: Account) -> None:
    said = await only(account, "I like cedar tea. My dog is called Fen. It rained.")
    tea = await worlds.form(account, (said, "I like cedar tea."))
    dog = await worlds.form(account, (said, "My dog is called Fen."))

    await forget_all(account, item(tea))

    assert await content(account, said) == "█" * 17 + " My dog is called Fen. It rained."
    assert await text_of(account, tea) is None
    assert await text_of(account, dog) == "My dog is called Fen."
    assert (
        await account.db.read(lambda tx: lexical.holders(tx, lexical.Shelf.EVIDENCE, "cedar")) == []
    )
    assert await account.db.read(lambda tx: lexical.holders(tx, lexical.Shelf.EVIDENCE, "fen")) == [
        1
    ]


async def test_the_same_words_in_the_rest_of_the_message_go_too(account: Account) -> None:
    said = await only(account, "I like cedar tea. It rained. As I said: I like cedar tea.")
    tea = await worlds.form(account, (said, "I like cedar tea."))

    await forget_all(account, item(tea))

    assert "cedar" not in await content(account, said)
    assert "It rained." in await content(account, said)


async def test_an_item_said_twice_keeps_its_other_support(account: Account) -> None:
    first = await only(account, "I keep bees")
    second = await only(account, "I keep bees!", event="e2")
    made = await worlds.form(account, (first, "I keep bees"))
    await worlds.support(account, made, second, "I keep bees!")

    found = await shown(account, row(first))
    await forget(account, command(), [row(first)], found.scope)

    assert ("keeps_other_support", "changed") in [
        (r.reason.value, r.effect.value) for r in found.rows
    ]
    assert await text_of(account, made) == "I keep bees!"
    left = await account.db.read(lambda tx: supports.of(tx, made))
    assert [support.span.evidence_id for support in left] == [second]


async def test_an_item_made_of_two_spans_goes_with_either_and_the_other_message_stays(
    account: Account,
) -> None:
    first = await only(account, "I row")
    second = await only(account, "at dawn", event="e2")
    made = await worlds.form(account, (first, "I row"), (second, "at dawn"))

    await forget_all(account, row(second))

    assert await text_of(account, made) is None
    assert await content(account, first) == "I row"


async def test_forgetting_a_value_takes_its_whole_revision_chain(account: Account) -> None:
    old = await only(account, "I live in Tarn")
    new = await only(account, "I live in Ordo now", event="e2")
    before = await worlds.form(account, (old, "I live in Tarn"))
    after = await worlds.form(account, (new, "I live in Ordo now"))
    await worlds.replace(account, before, after, new)

    found = await shown(account, item(after))
    await forget(account, command(), [item(after)], found.scope)

    assert {r.id for r in found.rows} == {before, after, old, new}
    assert await content(account, old) == ""
    assert await text_of(account, before) is None


async def test_a_person_known_only_through_what_goes_goes_too(account: Account) -> None:
    said = await only(account, "Mira is my colleague")
    mira = await worlds.name(account, "Mira", said)
    tie = await worlds.form(
        account, (said, "Mira is my colleague"), kind=ItemKind.RELATIONSHIP, target=mira
    )

    found = await shown(account, item(tie, ItemKind.RELATIONSHIP))
    await forget(account, command(), [item(tie, ItemKind.RELATIONSHIP)], found.scope)

    assert (mira, "orphaned") in [(r.id, r.reason.value) for r in found.rows]
    assert await text_of(account, mira) is None


async def test_a_person_somebody_still_speaks_of_stays(account: Account) -> None:
    first = await only(account, "Mira is my colleague")
    second = await only(account, "Mira likes figs", event="e2")
    mira = await worlds.name(account, "Mira", first, second)
    tie = await worlds.form(
        account, (first, "Mira is my colleague"), kind=ItemKind.RELATIONSHIP, target=mira
    )
    figs = await worlds.form(account, (second, "Mira likes figs"), subject=mira)

    await forget_all(account, item(tie, ItemKind.RELATIONSHIP))

    assert await text_of(account, mira) == "Mira"
    assert await text_of(account, figs) == "Mira likes figs"


async def test_forgetting_a_person_takes_all_that_is_said_of_them(account: Account) -> None:
    said = await only(account, "Mira likes figs")
    mira = await worlds.name(account, "Mira", said)
    figs = await worlds.form(account, (said, "Mira likes figs"), subject=mira)

    await forget_all(account, item(mira, ItemKind.ENTITY))

    assert await text_of(account, figs) is None
    assert await content(account, said) == ""


async def test_a_reply_that_relied_on_it_goes(account: Account) -> None:
    said = await only(account, "I keep bees")
    made = await worlds.form(account, (said, "I keep bees"))
    relied = Dependency(DependencyKind.ITEM, made)
    reply = assistant(
        "a1", "Your hives need feeding.", capture=Capture.COMPLETE, dependencies=(relied,)
    )
    await observe(account, observation(reply, event="e2"))

    found = await shown(account, row(said))
    await forget(account, command(), [row(said)], found.scope)

    assert ("turn", "relied") in [(r.object_kind, r.reason.value) for r in found.rows]
    left = await account.db.read(lambda tx: turns.page(tx, after=0, limit=9))
    assert [turn.content for turn in left] == [None, None]


@pytest.mark.parametrize(
    ("said", "copy"),
    [
        ("I like cedar tea", "Sure - since you like cedar tea, I will add some."),
        ("I'm allergic to lupin flour.", "You're allergic to lupin flour, so no."),
        ("我喜欢雪松茶。", "好的,你喜欢雪松茶。"),
        ("私は杉茶が好きです。", "あなたは杉茶が好きです。覚えました。"),
    ],
)
async def test_a_reply_without_captured_dependencies_that_repeats_it_goes(
    account: Account, said: str, copy: str
) -> None:
    told = await only(account, said)
    await observe(account, observation(assistant("a1", copy), event="e2"))
    await observe(account, observation(assistant("a2", "It rained in Tarn."), event="e3"))

    await forget_all(account, row(told))

    left = await account.db.read(lambda tx: turns.page(tx, after=0, limit=9))
    assert [turn.content for turn in left] == [None, None, "It rained in Tarn."]


async def test_an_erased_reply_does_not_come_back_when_the_host_resends_it(
    account: Account,
) -> None:
    told = await only(account, "I like cedar tea")
    reply = assistant("a1", "You like cedar tea, noted.")
    await observe(account, observation(reply, event="e2"))
    await forget_all(account, row(told))

    await observe(account, observation(reply, user("m9", "Hello again"), event="e3"))

    left = await account.db.read(lambda tx: turns.page(tx, after=0, limit=9))
    assert [turn.content for turn in left] == [None, None, "Hello again"]


async def test_observe_hard_deleted_source(account: Account) -> None:
    told = await observe(account, observation(user("m1", "I keep bees")))
    await forget_all(account, row(told.evidence[0].evidence_id))

    with pytest.raises(HardDeletedSource) as refused:
        await observe(
            account, observation(user("m2", "I row"), user("m1", "I keep bees"), event="e2")
        )

    assert refused.value.path == "$.messages[1]"
    assert await account.db.read(evidence.count) == 0


async def test_a_message_that_was_redacted_does_not_come_back_whole(account: Account) -> None:
    told = await observe(account, observation(user("m1", "I like cedar tea. It rained.")))
    said = told.evidence[0].evidence_id
    tea = await worlds.form(account, (said, "I like cedar tea."))
    await forget_all(account, item(tea))

    with pytest.raises(HardDeletedSource):
        await observe(account, observation(user("m1", "I like cedar tea. It rained."), event="e2"))


async def test_the_same_words_in_a_new_message_are_new(account: Account) -> None:
    said = await only(account, "My desk is by the window")
    await forget_all(account, row(said))

    again = await say(account, "My desk is by the window", event="e2")

    assert again.evidence[0].outcome == "stored"
    assert again.job_id is not None


async def test_delete_evidence_forget_scope_required(account: Account) -> None:
    said = await only(account, "I keep bees")

    with pytest.raises(ForgetScopeRequired):
        await forget(account, command(), [row(said)], None)

    assert await content(account, said) == "I keep bees"


async def test_delete_world_item_forget_scope_required(account: Account) -> None:
    said = await only(account, "I keep bees")
    made = await worlds.form(account, (said, "I keep bees"))

    with pytest.raises(ForgetScopeRequired):
        await forget(account, command(), [item(made)], None)

    assert await text_of(account, made) == "I keep bees"


async def test_delete_evidence_forget_scope_changed(account: Account) -> None:
    said = await only(account, "I keep bees")
    found = await shown(account, row(said))
    await worlds.form(account, (said, "I keep bees"))

    with pytest.raises(ForgetScopeChanged):
        await forget(account, command(), [row(said)], found.scope)

    assert await content(account, said) == "I keep bees"


async def test_delete_world_item_forget_scope_changed(account: Account) -> None:
    said = await only(account, "I keep bees")
    again = await only(account, "I keep bees!", event="e2")
    made = await worlds.form(account, (said, "I keep bees"))
    found = await shown(account, item(made))
    await worlds.support(account, made, again, "I keep bees!")

    with pytest.raises(ForgetScopeChanged):
        await forget(account, command(), [item(made)], found.scope)


async def test_unrelated_additions_leave_the_token_valid(account: Account) -> None:
    said = await only(account, "I keep bees")
    made = await worlds.form(account, (said, "I keep bees"))
    found = await shown(account, item(made))
    other = await only(account, "I row at dawn", event="e2")
    await worlds.form(account, (other, "I row at dawn"))

    receipt, _ = await forget(account, command(), [item(made)], found.scope)

    assert receipt.result_state is ResultState.APPLIED


async def test_the_token_binds_the_order_of_the_targets(account: Account) -> None:
    first, second = await only(account, "I keep bees"), await only(account, "I row", event="e2")
    found = await shown(account, row(first), row(second))

    with pytest.raises(ForgetScopeChanged):
        await forget(account, command(), [row(second), row(first)], found.scope)


async def test_a_batch_with_one_refused_target_erases_nothing(account: Account) -> None:
    said = await only(account, "I keep bees")
    found = await shown(account, row(said))

    with pytest.raises(NotFound) as refused:
        await forget(account, command(), [row(said), item(ItemId("it_x"))], found.scope)

    assert refused.value.path == "$.additional_targets[0].target_id"
    assert await content(account, said) == "I keep bees"
    assert await account.db.read(lambda tx: receipts.page(tx, before=0, limit=9)) == []


async def test_the_same_command_again_gives_the_same_receipt(account: Account) -> None:
    said = await only(account, "I keep bees")
    found = await shown(account, row(said))
    first, _ = await forget(account, command(), [row(said)], found.scope)

    second, _ = await forget(account, command(), [row(said)], found.scope)

    assert second == first


async def test_delete_evidence_command_id_conflict(account: Account) -> None:
    said = await only(account, "I keep bees")
    await forget_all(account, row(said))

    with pytest.raises(CommandIdConflict):
        await forget(account, command(body="other"), [row(said)], "fs1_x")


async def test_delete_evidence_already_erased(account: Account) -> None:
    said = await only(account, "I keep bees")
    await forget_all(account, row(said))

    with pytest.raises(AlreadyErased) as refused:
        await forget(account, command("c2"), [row(said)], "fs1_x")

    assert refused.value.details == {"command_id": "c1"}


async def test_delete_world_item_already_erased(account: Account) -> None:
    said = await only(account, "I keep bees")
    made = await worlds.form(account, (said, "I keep bees"))
    await forget_all(account, item(made))

    with pytest.raises(AlreadyErased):
        await shown(account, item(made))


async def test_preview_forget_not_found_for_another_kind_of_the_same_id(
    account: Account,
) -> None:
    said = await only(account, "I keep bees")
    made = await worlds.form(account, (said, "I keep bees"))

    with pytest.raises(NotFound):
        await shown(account, item(made, ItemKind.EVENT))


async def test_delete_evidence_conflict(account: Account) -> None:
    said = await only(account, "I keep bees")
    found = await shown(account, row(said))

    with pytest.raises(Conflict) as refused:
        await forget(account, command(expected=7), [row(said)], found.scope)

    assert refused.value.details == {"world_revision": 0}
    receipt = await forget_all(account, row(said))
    assert receipt.after_revision == 1


async def test_preview_forget_invalid_forget_targets(account: Account) -> None:
    many = [row(EvidenceId(f"ev_{n}")) for n in range(FORGET_TARGETS_MAX + 1)]

    with pytest.raises(InvalidForgetTargets):
        await shown(account, *many)
    with pytest.raises(InvalidForgetTargets):
        await shown(account, many[0], many[0])


async def test_preview_forget_formation_in_progress(account: Account) -> None:
    said = await only(account, "I keep bees")
    made = await worlds.form(account, (said, "I keep bees"))
    await settle_all(account)
    other = await only(account, "I row at dawn", event="e2")
    held = await claim(account)
    shown_it = Shown(item_ids=[made])
    await account.db.write(lambda tx: job_contexts.record(tx, held.job_id, shown_it))

    with pytest.raises(FormationInProgress):
        await shown(account, item(made))
    assert (await shown(account, item(made), row(other))).item_count == 1


async def test_a_worker_that_reads_what_is_being_forgotten_loses_its_claim(
    account: Account,
) -> None:
    said = await only(account, "I keep bees")
    held = await claim(account)

    await forget_all(account, row(said))

    assert await account.db.read(lambda tx: jobs.by_id(tx, held.job_id)) is None


async def test_what_a_cloud_may_not_read_is_counted_but_not_shown(account: Account) -> None:
    private = user("m1", "I keep bees", permissions=Permissions(cloud_read=False))
    told = await observe(account, observation(private))
    said = told.evidence[0].evidence_id
    made = await worlds.form(account, (said, "I keep bees"))

    found = await preview(account, [item(made)], Tier.CLOUD)

    assert [r.name for r in found.rows] == [None, None]
