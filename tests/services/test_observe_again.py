"""Messages that come again, late, or twice at once."""

from __future__ import annotations

import pytest

from mnemod.accounts import Account
from mnemod.config import Tier
from mnemod.domain.evidence import Permissions
from mnemod.domain.turns import Capture, Dependency, DependencyKind
from mnemod.errors import EvidenceConflict
from mnemod.ids import EvidenceId
from mnemod.services.forget import Target, forget, preview
from mnemod.services.observe import observe
from mnemod.store import evidence, turns
from tests.support import worlds
from tests.support.builders import assistant, command, observation, say, user


async def forget_all(account: Account, target: Target) -> None:
    found = await preview(account, [target], Tier.LOCAL)
    await forget(account, command(), [target], found.scope)


async def spoken(account: Account) -> list[str | None]:
    found = await account.db.read(lambda tx: turns.page(tx, after=0, limit=99))
    return [turn.content for turn in found if turn.role == "assistant"]


async def permissions(account: Account, evidence_id: EvidenceId) -> Permissions:
    row = await account.db.read(lambda tx: evidence.by_id(tx, evidence_id))
    assert row is not None
    return row.permissions


async def test_an_assistants_message_twice_in_one_call_is_one_turn(account: Account) -> None:
    await observe(account, observation(assistant("a1", "Hello"), assistant("a1", "Hello")))

    assert await spoken(account) == ["Hello"]


async def test_one_id_for_two_texts_of_an_assistant_in_one_call_is_refused(
    account: Account,
) -> None:
    both = observation(assistant("a1", "Hello"), assistant("a1", "Good day"))

    with pytest.raises(EvidenceConflict) as refused:
        await observe(account, both)

    assert refused.value.path == "$.messages[1]"
    assert await spoken(account) == []


@pytest.mark.parametrize("kind", list(DependencyKind))
async def test_a_reply_that_comes_after_what_it_relied_on_was_forgotten_is_not_kept(
    account: Account, kind: DependencyKind
) -> None:
    told = await say(account, "I keep bees")
    said = told.evidence[0].evidence_id
    made = await worlds.form(account, (said, "I keep bees"))
    refs = {
        DependencyKind.ITEM: made,
        DependencyKind.EVIDENCE: said,
        DependencyKind.INTERACTION: told.interaction_id,
    }
    relied = (Dependency(kind, refs[kind]),)
    late = assistant("a1", "Your hives!", capture=Capture.COMPLETE, dependencies=relied)
    await forget_all(account, Target("evidence", said))

    await observe(account, observation(late, user("m2", "Thanks"), event="e2"))

    assert await spoken(account) == []


async def test_a_message_that_comes_again_for_fewer_readers_is_for_those(
    account: Account,
) -> None:
    told = await observe(account, observation(user("m1", "I keep bees")))
    said = told.evidence[0].evidence_id
    private = user("m1", "I keep bees", permissions=Permissions(cloud_read=False))

    again = await observe(account, observation(private, event="e2"))

    assert again.evidence[0].outcome == "duplicate"
    assert await permissions(account, said) == Permissions(cloud_read=False)


async def test_a_message_that_comes_again_for_more_readers_stays_as_it_was(
    account: Account,
) -> None:
    private = user("m1", "I keep bees", permissions=Permissions(inference=False))
    told = await observe(account, observation(private))

    await observe(account, observation(user("m1", "I keep bees"), event="e2"))

    assert await permissions(account, told.evidence[0].evidence_id) == Permissions(inference=False)


async def test_a_reply_that_relied_on_an_episode_of_which_an_answer_was_forgotten_is_not_kept(
    account: Account,
) -> None:
    told = await say(account, "I keep bees")
    answer = await observe(account, observation(assistant("a1", "You keep bees."), event="e2"))
    relied = (Dependency(DependencyKind.INTERACTION, answer.interaction_id),)
    late = assistant("a2", "As I said!", capture=Capture.COMPLETE, dependencies=relied)
    await forget_all(account, Target("evidence", told.evidence[0].evidence_id))

    await observe(account, observation(late, event="e3"))

    assert await spoken(account) == [None]
