"""What a destination may not read is told it nowhere: not as a subject, a name or a blank's rim."""

from __future__ import annotations

import pytest

from mnemod.accounts import Account
from mnemod.config import Tier
from mnemod.domain.evidence import Permissions, Speaker
from mnemod.domain.keys import comparison_key
from mnemod.domain.turns import Capture, Dependency, DependencyKind
from mnemod.domain.world import ItemKind
from mnemod.errors import PermissionDenied
from mnemod.ids import EvidenceId, ItemId
from mnemod.rpc.methods import shapes
from mnemod.services.forget import Target, preview
from mnemod.services.observe import observe
from mnemod.services.said import WantedRows, get_evidence, list_turns
from mnemod.services.world import Wanted, get_item, list_items, provenance
from mnemod.store import entity_names
from mnemod.store.entity_names import EntityName, NameKind
from tests.support import worlds
from tests.support.builders import assistant, observation, user
from tests.support.recalling import derive

ALL = Wanted(after=0, limit=10, kind=None, state=None)
NOT_CLOUD = Permissions(cloud_read=False)


async def said(
    account: Account, text: str, *, cloud: bool = True, speaker: Speaker | None = None
) -> EvidenceId:
    allowed = Permissions(cloud_read=cloud)
    message = user(text, text, permissions=allowed, speaker=speaker)
    return (await observe(account, observation(message, event=text))).evidence[0].evidence_id


async def also_called(account: Account, entity: ItemId, words: str, row: EvidenceId) -> None:
    name = EntityName(entity, comparison_key(words), words, NameKind.ALIAS, row)
    await account.db.write(lambda tx: entity_names.add(tx, name))


async def test_a_subject_is_called_by_a_name_the_reader_may_see(account: Account) -> None:
    private = await said(account, "Mira is my doctor", cloud=False)
    public = await said(account, "Mimi likes figs")
    mira = await worlds.name(account, "Mira", private)
    await also_called(account, mira, "Mimi", public)
    figs = await worlds.form(account, (public, "Mimi likes figs"), subject=mira)

    cloud, _ = await get_item(account, figs, None, Tier.CLOUD)
    local, _ = await get_item(account, figs, None, Tier.LOCAL)

    assert (cloud.subject, local.subject) == ("Mimi", "Mira")


async def test_an_item_about_somebody_the_reader_may_not_know_of_is_not_told(
    account: Account,
) -> None:
    private = await said(account, "Mira is my doctor", cloud=False)
    public = await said(account, "She likes figs")
    mira = await worlds.name(account, "Mira", private)
    figs = await worlds.form(account, (public, "She likes figs"), subject=mira)

    with pytest.raises(PermissionDenied):
        await get_item(account, figs, None, Tier.CLOUD)
    found = await list_items(account, ALL, Tier.CLOUD)

    assert found.rows == ()


async def test_the_model_projection_blanks_all_that_is_made_of_the_words(
    account: Account,
) -> None:
    private = await said(
        account, "Mira saw a doctor", cloud=False, speaker=Speaker("p1", "Aunt Ada")
    )
    mira = await worlds.name(account, "Mira", private)
    secret = await worlds.form(account, (private, "Mira saw a doctor"), subject=mira)

    found = await provenance(account, secret, ItemKind.COGNITION, Tier.CLOUD, blank=True)
    entity = await provenance(account, mira, ItemKind.ENTITY, Tier.CLOUD, blank=True)

    told = repr((shapes.item_row(found.shown), shapes.item_row(entity.shown)))
    assert "Mira" not in told
    assert "doctor" not in told
    assert found.shown.item.item_id == secret


async def test_who_said_what_may_not_be_read_is_not_told(account: Account) -> None:
    private = await said(account, "I row", cloud=False, speaker=Speaker("p1", "Aunt Ada"))

    cloud, _ = await get_evidence(account, private, Tier.CLOUD)
    local, _ = await get_evidence(account, private, Tier.LOCAL)

    assert "speaker" not in shapes.evidence_row(cloud)
    assert shapes.evidence_row(local)["speaker"]["name"] == "Aunt Ada"


async def test_an_inference_is_readable_where_what_it_came_from_is(account: Account) -> None:
    private = await said(account, "I see a doctor", cloud=False)
    secret = await worlds.form(account, (private, "I see a doctor"))
    derived = await derive(account, secret, "Is ill")

    cloud = await list_items(account, ALL, Tier.CLOUD)
    local = await list_items(account, ALL, Tier.LOCAL)
    shown = await preview(account, [Target("cognition", secret)], Tier.CLOUD)

    assert cloud.rows == ()
    assert [row.item.item_id for row in local.rows] == [secret, derived]
    assert [row.name for row in shown.rows] == [None, None, None]


async def test_an_answer_is_shown_only_where_what_it_relied_on_may_be_read(
    account: Account,
) -> None:
    message = user("m1", "I see a doctor", permissions=Permissions(local_read=False))
    row = (await observe(account, observation(message))).evidence[0].evidence_id
    relied = (Dependency(DependencyKind.EVIDENCE, row),)
    reply = assistant("a1", "Get well!", capture=Capture.COMPLETE, dependencies=relied)
    await observe(account, observation(reply, event="e2"))

    found = await list_turns(account, WantedRows(after=0, limit=9), Tier.LOCAL)

    assert [shown.content for shown in found.rows] == [None, None]
