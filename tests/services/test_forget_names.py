"""What an entity is called stays only while remaining words call it so."""

from __future__ import annotations

import pytest

from mnemod.accounts import Account
from mnemod.config import Tier
from mnemod.domain.keys import comparison_key
from mnemod.domain.world import ItemKind
from mnemod.ids import EvidenceId, ItemId
from mnemod.services.forget import Preview, Target, forget, preview
from mnemod.store import entity_names, items, lexical
from mnemod.store.database import Tx
from mnemod.store.entity_names import EntityName, NameKind
from tests.support import worlds
from tests.support.builders import command, say


async def only(account: Account, text: str, event: str) -> EvidenceId:
    return (await say(account, text, event=event)).evidence[0].evidence_id


async def also_called(account: Account, entity: ItemId, words: str, *said: EvidenceId) -> None:
    names = [
        EntityName(entity, comparison_key(words), words, NameKind.ALIAS, evidence_id)
        for evidence_id in said
    ]
    await account.db.write(lambda tx: [entity_names.add(tx, name) for name in names])


async def forget_all(account: Account, *targets: Target) -> Preview:
    found = await preview(account, targets, Tier.LOCAL)
    await forget(account, command(), targets, found.scope)
    return found


async def names(account: Account, entity: ItemId) -> list[tuple[str, str]]:
    def read(tx: Tx) -> list[tuple[str, str]]:
        return [(name.name, name.kind.value) for name in entity_names.of(tx, entity)]

    return await account.db.read(read)


async def text_of(account: Account, entity: ItemId) -> str | None:
    found = await account.db.read(lambda tx: items.by_id(tx, entity))
    return None if found is None else found.text


def row(evidence_id: EvidenceId) -> Target:
    return Target("evidence", evidence_id)


async def test_a_name_that_only_a_forgotten_sentence_gave_goes_with_it(account: Account) -> None:
    first = await only(account, "Mira plans shifts.", "e1")
    both = await only(account, "Mira is also called Zorb. It rained.", "e2")
    mira = await worlds.name(account, "Mira", first, both)
    await worlds.form(account, (first, "Mira plans shifts."), subject=mira)
    await also_called(account, mira, "Zorb", both)
    alias = await worlds.form(account, (both, "Mira is also called Zorb."), subject=mira)

    found = await forget_all(account, Target("cognition", alias))

    assert await names(account, mira) == [("Mira", "canonical")] * 2
    assert (mira, "changed") in [(r.id, r.effect.value) for r in found.rows]


async def test_an_entity_goes_by_its_other_name_once_the_words_with_its_first_are_gone(
    account: Account,
) -> None:
    first = await only(account, "Zorb plans shifts.", "e1")
    second = await only(account, "Lena rows at dawn.", "e2")
    entity = await worlds.name(account, "Zorb", first)
    await also_called(account, entity, "Lena", second)
    await worlds.form(account, (second, "Lena rows at dawn."), subject=entity)

    await forget_all(account, row(first))

    assert await names(account, entity) == [("Lena", "canonical")]
    assert await text_of(account, entity) == "Lena"
    assert await account.db.read(lexical.gap) == 0


async def test_a_name_that_words_elsewhere_still_hold_stays(account: Account) -> None:
    first = await only(account, "Mira plans shifts.", "e1")
    second = await only(account, "Mira rows at dawn.", "e2")
    mira = await worlds.name(account, "Mira", first, second)
    await worlds.form(account, (second, "Mira rows at dawn."), subject=mira)

    found = await forget_all(account, row(first))

    assert await names(account, mira) == [("Mira", "canonical")]
    assert [r.id for r in found.rows] == [first]


@pytest.mark.parametrize("where", ["message", "sentence"])
async def test_an_entity_that_is_only_pointed_at_elsewhere_goes_with_its_name(
    account: Account, where: str
) -> None:
    first = await only(account, "Zorb plans shifts. It rained.", "e1")
    second = await only(account, "She rows at dawn.", "e2")
    entity = await worlds.name(account, "Zorb", first, second)
    shifts = await worlds.form(account, (first, "Zorb plans shifts."), subject=entity)
    rows = await worlds.form(account, (second, "She rows at dawn."), subject=entity)
    target = row(first) if where == "message" else Target(ItemKind.COGNITION.value, shifts)

    await forget_all(account, target)

    assert await text_of(account, entity) is None
    assert await text_of(account, rows) is None


async def test_a_name_that_never_stood_in_any_words_stays_with_its_message(
    account: Account,
) -> None:
    first = await only(account, "My sister plans shifts. It rained.", "e1")
    second = await only(account, "My sister rows at dawn.", "e2")
    entity = await worlds.name(account, "the sister", first, second)
    await worlds.form(account, (second, "My sister rows at dawn."), subject=entity)

    await forget_all(account, row(first))

    assert await text_of(account, entity) == "the sister"
