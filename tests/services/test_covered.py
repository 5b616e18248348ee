"""Secrets covered by one setting or rule, met again under another: nothing tells what they were."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from mnemod.accounts import Account
from mnemod.domain.evidence import Outcome
from mnemod.domain.gates.chain import Judgement, SecretPolicy
from mnemod.domain.gates.verdict import Decision, Verdict
from mnemod.domain.observation import Observation
from mnemod.gating import Gates
from mnemod.ids import EventId
from mnemod.services.observe import observe
from mnemod.store import evidence, interactions, noted
from tests.support.builders import HOST, assistant, observation, open_account, say, user
from tests.support.rules import scripted

SECRET = "the harbour gate opens with hunter2 at night"


@pytest.fixture
async def redacting(tmp_path: Path) -> AsyncIterator[Account]:
    async with open_account(tmp_path, rules=scripted(), secrets=SecretPolicy.REDACT) as opened:
        yield opened


def under(account: Account, policy: SecretPolicy) -> Account:
    """The same account after another start with this setting."""
    return replace(account, gates=Gates(account.hash_key, secrets=policy, rules=scripted()))


async def digest_of(account: Account, event: str) -> str:
    found = await account.db.read(lambda tx: interactions.find_event(tx, HOST, EventId(event)))
    assert found is not None
    return found[0]


def told_in(secret: str, event: str) -> Observation:
    said = SECRET.replace("hunter2", secret)
    return observation(user("m1", said), assistant("a1", f"So {said}"), event=event)


@pytest.mark.parametrize("policy", [SecretPolicy.HOLD, SecretPolicy.ALLOW])
async def test_no_digest_of_a_covered_secret_is_kept_when_it_comes_again_under_another_setting(
    redacting: Account, policy: SecretPolicy
) -> None:
    await observe(redacting, told_in("hunter2", "e1"))
    later = under(redacting, policy)

    await observe(later, told_in("hunter2", "e2"))
    await observe(later, told_in("hunter7", "e3"))

    # Nothing but the event differs in what is kept of the two: the secret has no part in it.
    second = await digest_of(later, "e2")
    assert second != told_in("hunter2", "e2").request_hash
    again = await observe(later, told_in("hunter7", "e2"))
    assert again.replayed


async def test_a_call_over_a_row_that_was_never_covered_is_known_when_it_comes_again(
    tmp_path: Path,
) -> None:
    async with open_account(tmp_path, rules=scripted(), secrets=SecretPolicy.ALLOW) as account:
        await observe(account, told_in("hunter2", "e1"))
        later = under(account, SecretPolicy.REDACT)

        first = await observe(later, told_in("hunter2", "e2"))
        again = await observe(later, told_in("hunter2", "e2"))

        assert again == replace(first, replayed=True)


async def test_a_readable_copy_of_broken_text_brings_no_covered_secret_back(
    tmp_path: Path,
) -> None:
    def judge(text: str, secrets: SecretPolicy) -> Judgement:
        covered = text.replace("hunter2", "\u2588" * 7)
        return Judgement(Verdict(Decision.NOISE, "mojibake"), covered, 1, f"repaired {text}")

    rules = scripted(judge=judge)
    async with open_account(tmp_path, rules=rules, secrets=SecretPolicy.REDACT) as account:
        accepted = await say(account, SECRET)

        row_id = accepted.evidence[0].evidence_id
        row = await account.db.read(lambda tx: evidence.by_id(tx, row_id))
        assert row is not None
        assert row.outcome is Outcome.NOISE
        assert await account.db.read(lambda tx: noted.of(tx, [row.seq])) == {}
