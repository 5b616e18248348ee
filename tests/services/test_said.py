"""Reading what was said: in order, whole, and only where it may go."""

from __future__ import annotations

import pytest

from mnemod.accounts import Account
from mnemod.config import Tier
from mnemod.domain.evidence import Permissions
from mnemod.errors import AlreadyErased, NotFound
from mnemod.ids import ConversationId, EvidenceId
from mnemod.services.forget import Target, forget, preview
from mnemod.services.observe import observe
from mnemod.services.receipts import get, page, retry_cleanup
from mnemod.services.said import WantedRows, get_evidence, list_evidence, list_turns
from mnemod.store.database import CleanupState
from tests.support.builders import assistant, command, observation, say, user

EVERYTHING = WantedRows(after=0, limit=10)


async def erase(account: Account, evidence_id: EvidenceId, command_id: str = "gone") -> None:
    targets = [Target("evidence", evidence_id)]
    found = await preview(account, targets, Tier.LOCAL)
    await forget(account, command(command_id), targets, found.scope)


async def test_a_conversation_reads_back_as_it_went(account: Account) -> None:
    await observe(
        account, observation(user("u1", "Hi"), assistant("a1", "Hello"), user("u2", "I row"))
    )

    found = await list_turns(account, EVERYTHING, Tier.LOCAL)

    assert [(row.turn.role.value, row.content) for row in found.rows] == [
        ("user", "Hi"),
        ("assistant", "Hello"),
        ("user", "I row"),
    ]


async def test_an_assistants_words_are_shown_on_this_machine_only(account: Account) -> None:
    await observe(account, observation(user("u1", "Hi"), assistant("a1", "Hello")))

    found = await list_turns(account, EVERYTHING, Tier.CLOUD)

    assert [row.content for row in found.rows] == ["Hi", None]


async def test_words_a_cloud_may_not_read_are_blank_there(account: Account) -> None:
    private = user("m1", "My door code is 4711", permissions=Permissions(cloud_read=False))
    told = await observe(account, observation(private))

    shown, _ = await get_evidence(account, told.evidence[0].evidence_id, Tier.CLOUD)

    assert shown.content is None
    assert shown.row.evidence_id == told.evidence[0].evidence_id


async def test_only_the_rows_of_a_conversation_are_listed(account: Account) -> None:
    await observe(account, observation(user("m1", "here"), conversation=ConversationId("s_1")))
    there = observation(user("m2", "there"), event="e2", conversation=ConversationId("sx1"))
    await observe(account, there)

    wanted = WantedRows(0, 10, conversation_id=ConversationId("s_1"))
    found = await list_evidence(account, wanted, Tier.LOCAL)

    assert [row.content for row in found.rows] == ["here"]


async def test_query_evidence_not_found(account: Account) -> None:
    with pytest.raises(NotFound):
        await get_evidence(account, EvidenceId("ev_none"), Tier.LOCAL)


async def test_query_evidence_already_erased(account: Account) -> None:
    told = await say(account, "I row")
    await erase(account, told.evidence[0].evidence_id)

    with pytest.raises(AlreadyErased) as refused:
        await get_evidence(account, told.evidence[0].evidence_id, Tier.LOCAL)

    assert refused.value.details == {"command_id": "gone"}


async def test_an_erased_turn_keeps_its_place_and_no_words(account: Account) -> None:
    told = await say(account, "I row", "I swim")
    await erase(account, told.evidence[0].evidence_id)

    found = await list_turns(account, EVERYTHING, Tier.LOCAL)

    assert [row.content for row in found.rows] == [None, "I swim"]
    assert found.rows[0].turn.message_id == ""


async def test_receipts_are_listed_newest_first_and_paged(account: Account) -> None:
    told = await say(account, "one", "two", "three")
    for row in told.evidence:
        await erase(account, row.evidence_id, f"forget-{row.message_id}")

    first = await page(account, 0, 2)
    second = await page(account, first.next_after or 0, 2)

    assert [receipt.command_id for receipt in (*first.rows, *second.rows)] == [
        "forget-e1-m2",
        "forget-e1-m1",
        "forget-e1-m0",
    ]


async def test_query_receipts_not_found(account: Account) -> None:
    with pytest.raises(NotFound):
        await get(account, command("never").command_id)


async def test_retry_storage_cleanup_not_found(account: Account) -> None:
    with pytest.raises(NotFound):
        await retry_cleanup(account, command("never").command_id)


async def test_a_cleanup_can_be_asked_for_again(account: Account) -> None:
    told = await say(account, "I row")
    await erase(account, told.evidence[0].evidence_id)

    _, cleanup = await retry_cleanup(account, command("gone").command_id)

    assert cleanup.state is CleanupState.COMPLETE
