"""Reading the world: everything explains itself, and nothing is told where it may not go."""

from __future__ import annotations

import pytest

from mnemod.accounts import Account
from mnemod.config import Tier
from mnemod.domain.evidence import Permissions
from mnemod.domain.world import ItemKind, ItemState
from mnemod.errors import AlreadyErased, NotFound, PermissionDenied
from mnemod.ids import EvidenceId, ItemId
from mnemod.services.forget import Target, forget, preview
from mnemod.services.observe import observe
from mnemod.services.world import Wanted, get_item, history, list_items, provenance
from tests.support import worlds
from tests.support.builders import command, observation, say, user

ALL = Wanted(after=0, limit=10, kind=None, state=None)


async def said(account: Account, text: str) -> EvidenceId:
    return (await say(account, text, event=text)).evidence[0].evidence_id


async def private_fact(account: Account) -> ItemId:
    row = user("p1", "My door code is 4711", permissions=Permissions(cloud_read=False))
    told = await observe(account, observation(row, event="private"))
    return await worlds.form(account, (told.evidence[0].evidence_id, "My door code is 4711"))


async def erase(account: Account, target: Target) -> None:
    found = await preview(account, [target], Tier.LOCAL)
    await forget(account, command("gone"), [target], found.scope)


async def test_an_item_shows_the_exact_words_it_is_made_of(account: Account) -> None:
    row = await said(account, "Well. I keep bees. It rained.")
    made = await worlds.form(account, (row, "I keep bees."))

    shown, _ = await get_item(account, made, None, Tier.LOCAL)

    (source,) = shown.support
    assert (source.quote, source.support.span.start, source.support.span.end) == (
        "I keep bees.",
        6,
        18,
    )
    assert source.row.content == "Well. I keep bees. It rained."


async def test_an_entity_shows_where_its_name_stands(account: Account) -> None:
    row = await said(account, "My dog is called Fen")
    fen = await worlds.name(account, "Fen", row)

    shown, _ = await get_item(account, fen, ItemKind.ENTITY, Tier.LOCAL)

    assert [source.quote for source in shown.support] == ["Fen"]
    assert shown.names == ("Fen",)


async def test_what_a_cloud_may_not_read_is_left_out_of_its_list(account: Account) -> None:
    await private_fact(account)
    open_row = await said(account, "I keep bees")
    bees = await worlds.form(account, (open_row, "I keep bees"))

    cloud = await list_items(account, ALL, Tier.CLOUD)
    local = await list_items(account, ALL, Tier.LOCAL)

    assert [row.item.item_id for row in cloud.rows] == [bees]
    assert len(local.rows) == 2


async def test_query_world_permission_denied(account: Account) -> None:
    secret = await private_fact(account)

    with pytest.raises(PermissionDenied):
        await get_item(account, secret, None, Tier.CLOUD)


async def test_query_provenance_permission_denied(account: Account) -> None:
    secret = await private_fact(account)

    with pytest.raises(PermissionDenied):
        await provenance(account, secret, ItemKind.COGNITION, Tier.CLOUD, blank=False)


async def test_the_model_projection_keeps_its_shape_and_blanks_the_words(
    account: Account,
) -> None:
    secret = await private_fact(account)

    found = await provenance(account, secret, ItemKind.COGNITION, Tier.CLOUD, blank=True)

    assert [source.quote for source in found.support] == [None]


async def test_a_list_is_paged_without_gap_or_double(account: Account) -> None:
    row = await said(account, "one two three four five")
    made = [
        await worlds.form(account, (row, word)) for word in ("one", "two", "three", "four", "five")
    ]

    first = await list_items(account, Wanted(0, 2, None, None), Tier.LOCAL)
    second = await list_items(account, Wanted(first.next_after or 0, 2, None, None), Tier.LOCAL)
    third = await list_items(account, Wanted(second.next_after or 0, 2, None, None), Tier.LOCAL)

    pages = [*first.rows, *second.rows, *third.rows]
    assert [shown.item.item_id for shown in pages] == made
    assert third.next_after is None


async def test_a_list_can_ask_for_one_state(account: Account) -> None:
    row = await said(account, "one two")
    old, new = [await worlds.form(account, (row, word)) for word in ("one", "two")]
    await worlds.replace(account, old, new, row)

    past = await list_items(account, Wanted(0, 9, None, ItemState.SUPERSEDED), Tier.LOCAL)

    assert [shown.item.item_id for shown in past.rows] == [old]


async def test_history_gives_the_whole_chain_from_any_of_its_items(account: Account) -> None:
    row = await said(account, "one two three")
    first, second, third = [
        await worlds.form(account, (row, word)) for word in ("one", "two", "three")
    ]
    await worlds.replace(account, first, second, row)
    await worlds.replace(account, second, third, row)

    found = await history(account, second, None, Tier.LOCAL)

    assert [shown.item.item_id for shown in found.items] == [first, second, third]
    assert [(s.prior_item_id, s.successor_item_id) for s in found.transitions] == [
        (first, second),
        (second, third),
    ]


async def test_a_replaced_item_explains_what_replaced_it(account: Account) -> None:
    before, after = await said(account, "I row"), await said(account, "I swim")
    old = await worlds.form(account, (before, "I row"))
    new = await worlds.form(account, (after, "I swim"))
    await worlds.replace(account, old, new, after)

    found = await provenance(account, old, ItemKind.COGNITION, Tier.LOCAL, blank=False)

    assert [source.quote for source in found.successor_support] == ["I swim"]


async def test_query_world_not_found(account: Account) -> None:
    with pytest.raises(NotFound):
        await get_item(account, ItemId("it_none"), None, Tier.LOCAL)


async def test_query_provenance_not_found(account: Account) -> None:
    row = await said(account, "I row")
    made = await worlds.form(account, (row, "I row"))

    with pytest.raises(NotFound):
        await provenance(account, made, ItemKind.EVENT, Tier.LOCAL, blank=False)


async def test_query_world_already_erased(account: Account) -> None:
    row = await said(account, "I row")
    made = await worlds.form(account, (row, "I row"))
    await erase(account, Target("cognition", made))

    with pytest.raises(AlreadyErased) as refused:
        await history(account, made, None, Tier.LOCAL)

    assert refused.value.details == {"command_id": "gone"}


async def test_query_provenance_already_erased(account: Account) -> None:
    row = await said(account, "I row")
    made = await worlds.form(account, (row, "I row"))
    await erase(account, Target("cognition", made))

    with pytest.raises(AlreadyErased):
        await provenance(account, made, ItemKind.COGNITION, Tier.LOCAL, blank=False)
