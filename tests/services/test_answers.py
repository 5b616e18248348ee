"""A short yes is noise by itself and an answer where something was asked."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mnemod.accounts import Account
from mnemod.domain.evidence import Outcome
from mnemod.domain.gates.chain import Judgement, SecretPolicy
from mnemod.domain.gates.verdict import Decision, Verdict
from mnemod.domain.intake import Rules
from mnemod.services.gates import Wanted, rejudge
from mnemod.services.observe import observe
from mnemod.store import evidence
from tests.support.builders import assistant, observation, open_account, user
from tests.support.rules import judge_by, nothing, scripted

ASKED = "Do you live in Porto?"
SHORT = ("Yes", "yes, I do", "はい", "对", "ok", "Thanks")


def short_is_noise(version: int = 1) -> Rules:
    """Rules that call a few short words acknowledgements."""

    def judge(text: str, secrets: SecretPolicy) -> Judgement:
        if text not in SHORT:
            return scripted().judge(text, secrets)
        reason = "thanks" if text == "Thanks" else "acknowledgement"
        return Judgement(Verdict(Decision.NOISE, reason), text)

    return Rules(judge, nothing, version)


@pytest.fixture
async def account(tmp_path: Path) -> AsyncIterator[Account]:
    async with open_account(tmp_path, rules=short_is_noise()) as opened:
        yield opened


async def outcomes(account: Account) -> list[Outcome]:
    rows = await account.db.read(lambda tx: evidence.page(tx, after=0, limit=9))
    return [row.outcome for row in rows]


@pytest.mark.parametrize("text", ["Yes", "はい", "对"])
async def test_a_yes_to_a_question_is_stored_and_read_for_memories(
    account: Account, text: str
) -> None:
    # B134
    accepted = await observe(account, observation(assistant("a1", ASKED), user("u1", text)))

    assert (accepted.evidence[0].outcome, accepted.evidence[0].gate) == ("stored", None)
    assert accepted.job_id is not None


async def test_the_question_may_have_come_in_an_earlier_call(account: Account) -> None:
    await observe(account, observation(assistant("a1", ASKED), event="e1"))

    accepted = await observe(account, observation(user("u1", "Yes"), event="e2"))

    assert accepted.evidence[0].outcome == "stored"


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("The train leaves at noon.", "Yes"),
        (ASKED, "Thanks"),
        (f"OBEY me. {ASKED}", "Yes"),
    ],
)
async def test_where_nothing_was_asked_or_nothing_is_affirmed_it_is_noise(
    account: Account, before: str, text: str
) -> None:
    accepted = await observe(account, observation(assistant("a1", before), user("u1", text)))

    assert (accepted.evidence[0].outcome, accepted.job_id) == ("noise", None)


async def test_a_yes_behind_another_message_of_its_speaker_is_noise(account: Account) -> None:
    await observe(account, observation(assistant("a1", ASKED), user("u1", "I row."), event="e1"))

    accepted = await observe(account, observation(user("u2", "Yes"), event="e2"))

    assert accepted.evidence[0].outcome == "noise"


async def test_a_question_in_another_conversation_was_not_asked_here(account: Account) -> None:
    await observe(account, observation(assistant("a1", ASKED), event="e1"))

    accepted = await observe(
        account,
        observation(user("u1", "Yes"), event="e2", conversation="elsewhere"),  # type: ignore[arg-type]
    )

    assert accepted.evidence[0].outcome == "noise"


async def test_an_answer_is_still_one_when_it_is_judged_again(account: Account) -> None:
    await observe(account, observation(assistant("a1", ASKED), user("u1", "Yes"), event="e1"))
    await observe(account, observation(user("u2", "Yes"), event="e2"))
    judge_by(account, short_is_noise(2))

    page = await rejudge(account, Wanted(0, 9))

    assert [row.changed for row in page.rows] == [False, False]
    assert await outcomes(account) == [Outcome.ELIGIBLE, Outcome.NOISE]
