"""What `observe` promises: every word once, nothing acknowledged that is not kept, nothing back."""

from __future__ import annotations

from contextlib import closing

import pytest

from mnemod.accounts import Account
from mnemod.config import MESSAGE_BYTES_MAX, MESSAGES_MAX
from mnemod.domain.evidence import Permissions
from mnemod.errors import (
    EventIdConflict,
    EvidenceConflict,
    InvalidParams,
    LimitExceeded,
)
from mnemod.ids import ConversationId, HostId
from mnemod.services.observe import observe
from mnemod.store import evidence, jobs, lexical, turns
from mnemod.store.jobs import JobState
from tests.support.builders import assistant, observation, say, user


async def test_a_message_is_kept_word_for_word_with_its_job(account: Account) -> None:
    text = " I keep bees \u2605 \U0001f38f\u200d家族 \u202eabc\n"

    accepted = await observe(account, observation(user("m1", text)))

    row = await account.db.read(lambda tx: evidence.by_id(tx, accepted.evidence[0].evidence_id))
    assert row is not None
    assert row.content == text
    job_id = accepted.job_id
    assert job_id is not None
    job = await account.db.read(lambda tx: jobs.by_id(tx, job_id))
    assert job is not None
    assert job.state is JobState.PENDING


async def test_a_message_is_searchable_in_the_next_call(account: Account) -> None:
    await say(account, "The kiln shelf posts are 15 cm tall.")

    found = await account.db.read(lambda tx: lexical.holders(tx, lexical.Shelf.EVIDENCE, "kiln"))

    assert found == [1]


async def test_the_same_event_is_answered_and_not_done_again(account: Account) -> None:
    first = await say(account, "I keep bees")

    second = await say(account, "I keep bees")

    assert second.replayed
    assert (second.evidence, second.job_id) == (first.evidence, first.job_id)
    assert second.interaction_id == first.interaction_id
    assert second.accepted_at_ms == first.accepted_at_ms
    assert await account.db.read(evidence.count) == 1


async def test_observe_event_id_conflict(account: Account) -> None:
    await say(account, "I keep bees")

    with pytest.raises(EventIdConflict):
        await say(account, "I keep goats")

    assert await account.db.read(evidence.count) == 1


async def test_a_known_message_in_another_event_is_a_duplicate_without_a_job(
    account: Account,
) -> None:
    first = await observe(account, observation(user("m1", "I keep bees"), session="s1"))

    again = await observe(account, observation(user("m1", "I keep bees"), event="e2", session="s2"))

    assert again.evidence[0].outcome == "duplicate"
    assert again.evidence[0].evidence_id == first.evidence[0].evidence_id
    assert again.job_id is None


async def test_observe_evidence_conflict(account: Account) -> None:
    await observe(account, observation(user("m1", "I keep bees")))

    with pytest.raises(EvidenceConflict) as refused:
        await observe(
            account,
            observation(user("m2", "I like tea"), user("m1", "I keep goats"), event="e2"),
        )

    assert refused.value.path == "$.messages[1]"
    assert await account.db.read(evidence.count) == 1


async def test_a_host_that_resends_its_history_each_turn_ends_with_each_message_once(
    account: Account,
) -> None:
    history = []
    for turn in range(12):
        history.append(user(f"u{turn}", f"I planted tree number {turn}."))
        history.append(assistant(f"a{turn}", f"Tree {turn}, noted."))
        await observe(account, observation(*history, event=f"e{turn}"))

    assert await account.db.read(evidence.count) == 12
    stored = await account.db.read(lambda tx: turns.page(tx, after=0, limit=100))
    assert [turn.message_id for turn in stored] == [message.message_id for message in history]
    counts = await account.db.read(jobs.counts)
    assert counts[JobState.PENDING] == 12


async def test_assistant_text_is_context_and_never_evidence(account: Account) -> None:
    accepted = await observe(
        account,
        observation(assistant("a1", "The city is Harbor"), user("u1", "I like tea")),
    )

    assert len(accepted.evidence) == 1
    rows = await account.db.read(lambda tx: evidence.page(tx, after=0, limit=10))
    assert [row.content for row in rows] == ["I like tea"]


async def test_only_an_assistant_message_makes_no_evidence_and_no_job(account: Account) -> None:
    accepted = await observe(account, observation(assistant("a1", "Hello there")))

    assert accepted.evidence == ()
    assert accepted.job_id is None
    stored = await account.db.read(lambda tx: turns.page(tx, after=0, limit=10))
    assert [turn.content for turn in stored] == ["Hello there"]


async def test_words_that_nothing_may_be_inferred_from_get_no_job(account: Account) -> None:
    kept = user("m1", "I keep bees", permissions=Permissions(inference=False))

    accepted = await observe(account, observation(kept))

    assert accepted.evidence[0].outcome == "stored"
    assert accepted.job_id is None


async def test_two_hosts_may_use_the_same_message_id(account: Account) -> None:
    await observe(account, observation(user("m1", "I keep bees"), host=HostId("zed")))

    other = await observe(account, observation(user("m1", "I row"), host=HostId("vim")))

    assert other.evidence[0].outcome == "stored"


async def test_observe_limit_exceeded(account: Account) -> None:
    long = user("m2", "ü" * (MESSAGE_BYTES_MAX // 2 + 1))

    with pytest.raises(LimitExceeded) as refused:
        await observe(account, observation(user("m1", "I keep bees"), long))

    assert refused.value.path == "$.messages[1].content"
    assert refused.value.details == {"limit": "message_bytes", "maximum": MESSAGE_BYTES_MAX}
    assert await account.db.read(evidence.count) == 0


async def test_too_many_messages_are_refused_whole(account: Account) -> None:
    messages = [user(f"m{place}", "tea") for place in range(MESSAGES_MAX + 1)]

    with pytest.raises(LimitExceeded) as refused:
        await observe(account, observation(*messages))

    assert refused.value.details["limit"] == "messages"


async def test_an_empty_message_is_refused_with_its_place(account: Account) -> None:
    with pytest.raises(InvalidParams) as refused:
        await observe(account, observation(user("m1", "")))

    assert refused.value.path == "$.messages[0].content"


async def test_a_new_message_rings_the_bell_once_it_is_on_disk(account: Account) -> None:
    with closing(account.job_changes.subscribe()) as changes:
        accepted = await say(account, "I keep bees")

        _, change = await changes.take()

    assert change.value == accepted.job_id
    await account.bell.wait()


async def test_conversations_are_told_apart_exactly(account: Account) -> None:
    names = ["s_1", "sx1", "s%", "s[1]"]
    for place, name in enumerate(names):
        await observe(
            account,
            observation(
                user(f"m{place}", f"In {name}"),
                event=f"e{place}",
                conversation=ConversationId(name),
            ),
        )

    rows = await account.db.read(
        lambda tx: evidence.page(tx, after=0, limit=10, conversation_id=ConversationId("s_1"))
    )

    assert [row.content for row in rows] == ["In s_1"]
