"""What was said lately and is not formed yet: quoted whole, marked provisional, then gone."""

from __future__ import annotations

import pytest

from mnemod import config
from mnemod.accounts import Account
from mnemod.config import Tier
from mnemod.domain.evidence import Permissions
from mnemod.services.observe import observe
from tests.support.builders import Clock, observation, open_account, say, user
from tests.support.recalling import asked, end_job, quote_texts, recent_texts, told

COFFEE = "I like cinnamon coffee"
HOUR_MS = 3_600_000


async def test_a_message_of_a_second_ago_is_provisional(account: Account, clock: Clock) -> None:
    await told(account, COFFEE, formed=False)
    clock.forward(1_000)

    found = await asked(account, "what coffee do I like")

    assert recent_texts(found) == [COFFEE]
    assert COFFEE not in quote_texts(found)
    assert f'provisional, 2030-03-17 17:46 Z] "{COFFEE}"' in found.rendered
    assert found.evidence_ids == (found.recent[0].row.evidence_id,)


@pytest.mark.parametrize("state", ["done", "no_change", "out_of_scope"])
async def test_it_is_gone_once_its_job_has_settled(account: Account, state: str) -> None:
    accepted = await say(account, COFFEE)
    assert accepted.job_id is not None
    await end_job(account, accepted.job_id, state, "task_scoped_instruction")

    assert recent_texts(await asked(account, "coffee")) == []


@pytest.mark.parametrize("state", ["dead", "clarification"])
async def test_it_stays_while_nothing_was_made_of_it(account: Account, state: str) -> None:
    accepted = await say(account, COFFEE)
    assert accepted.job_id is not None
    await end_job(account, accepted.job_id, state)

    assert recent_texts(await asked(account, "coffee")) == [COFFEE]


async def test_it_is_absent_for_another_account(
    account: Account, tmp_path_factory: pytest.TempPathFactory
) -> None:
    await told(account, COFFEE, formed=False)
    async with open_account(tmp_path_factory.mktemp("other"), name="a2") as other:
        assert recent_texts(await asked(other, "coffee")) == []


async def test_it_is_absent_where_its_words_may_not_go(account: Account) -> None:
    await told(account, COFFEE, formed=False, permissions=Permissions(cloud_read=False))

    assert recent_texts(await asked(account, "coffee", tier=Tier.CLOUD)) == []
    assert recent_texts(await asked(account, "coffee")) == [COFFEE]


@pytest.mark.parametrize("query", ["hello", "hey there", "你好", "こんにちは", "what about kilns"])
async def test_it_is_absent_where_nothing_asks_for_it(account: Account, query: str) -> None:
    await told(account, COFFEE, formed=False)

    assert recent_texts(await asked(account, query)) == []


async def test_of_six_four_are_quoted_oldest_first_and_the_rest_are_counted(
    account: Account,
) -> None:
    for number in range(6):
        await told(account, f"coffee number {number}", formed=False)

    found = await asked(account, "coffee")

    assert len(found.recent) == config.RECALL_RECENT
    assert [one.row.seq for one in found.recent] == sorted(one.row.seq for one in found.recent)
    assert found.cut.recent == 2


async def test_a_quote_that_is_too_long_is_skipped_and_not_cut(account: Account) -> None:
    await told(account, "coffee " + "and more " * 111, formed=False)
    await told(account, COFFEE, formed=False)

    found = await asked(account, "coffee")

    assert recent_texts(found) == [COFFEE]
    assert found.cut.recent == 1


async def test_what_is_a_day_old_is_no_longer_recent(account: Account, clock: Clock) -> None:
    await told(account, COFFEE, formed=False)
    clock.forward(25 * HOUR_MS)

    found = await asked(account, "coffee")

    assert recent_texts(found) == []
    assert quote_texts(found) == [COFFEE]


async def test_only_the_last_turns_are_looked_at(account: Account) -> None:
    await told(account, COFFEE, formed=False)
    for number in range(config.RECALL_RECENT_TURNS):
        await told(account, f"snow {number}", formed=False)

    assert recent_texts(await asked(account, "coffee")) == []


async def test_a_question_is_not_quoted(account: Account) -> None:
    await told(account, "Do I like cinnamon coffee?", formed=False)

    assert recent_texts(await asked(account, "coffee")) == []


async def test_what_another_person_said_is_not_offered_for_a_question_about_oneself(
    account: Account,
) -> None:
    await told(account, COFFEE, formed=False, speaker="Mel")

    assert recent_texts(await asked(account, "what coffee do I like")) == []
    assert recent_texts(await asked(account, "what coffee does Mel like")) == [COFFEE]


async def test_what_may_not_be_formed_is_not_waiting_to_be(account: Account) -> None:
    row = user("m1", COFFEE, permissions=Permissions(inference=False))
    await observe(account, observation(row))

    found = await asked(account, "coffee")

    assert recent_texts(found) == []
    assert quote_texts(found) == [COFFEE]
