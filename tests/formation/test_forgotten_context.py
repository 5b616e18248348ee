"""What a job was shown besides its own Evidence is remembered, so that a forget reaches answers."""

from __future__ import annotations

import pytest

from mnemod.accounts import Account
from mnemod.config import INTERPRET_ITEMS, Tier
from mnemod.domain.interpretation import FormationInput
from mnemod.errors import FormationInProgress
from mnemod.formation.interpret import Again, Outcome
from mnemod.formation.worker import work
from mnemod.ids import EvidenceId, ItemId
from mnemod.services.forget import Target, forget, preview
from mnemod.services.observe import observe
from mnemod.store.database import Tx
from mnemod.store.jobs import JobState
from tests.support import worlds
from tests.support.builders import ConversationId, assistant, command, observation, say, user
from tests.support.formation import (
    NO_CHANGE,
    ScriptedInterpreter,
    all_jobs,
    claimed,
    formation,
    job,
    proposal,
    reply,
    texts,
    work_once,
)

QUOTING = '{"result": "out_of_scope", "note": "They said before: I grow leeks."}'


async def said(account: Account, text: str, event: str) -> EvidenceId:
    """One message in a conversation of its own, so that no turn precedes it."""
    apart = observation(user(event, text), event=event, conversation=ConversationId(event))
    return (await observe(account, apart)).evidence[0].evidence_id


async def leeks(account: Account) -> tuple[EvidenceId, ItemId]:
    """A formed fact, and where it was said."""
    evidence_id = await said(account, "I grow leeks.", "e1")
    done = await work_once(account, ScriptedInterpreter(reply(proposal(evidence_id))))
    return evidence_id, done.item_ids[0]


async def answers(account: Account) -> list[str]:
    def read(tx: Tx) -> list[str]:
        return [str(row[0]) for row in tx.execute("SELECT reply FROM checkpoint ORDER BY at_ms")]

    return await account.db.read(read)


async def forget_it(account: Account, target: Target) -> None:
    found = await preview(account, [target], Tier.LOCAL)
    await forget(account, command(), [target], found.scope)


def item(item_id: ItemId) -> Target:
    return Target("cognition", item_id)


def row(evidence_id: EvidenceId) -> Target:
    return Target("evidence", evidence_id)


class During(ScriptedInterpreter):
    """At its first call, before it answers, somebody forgets `target`."""

    def __init__(self, account: Account, target: Target, *outcomes: str, size: int = 4) -> None:
        super().__init__(*outcomes, messages_a_call=size)
        self._account = account
        self._target = target

    async def interpret(self, request: FormationInput, again: Again | None) -> Outcome:
        if not self.asked:
            await forget_it(self._account, self._target)
        return await super().interpret(request, again)


async def test_a_forget_takes_the_answer_of_another_job_that_was_shown_the_item(
    account: Account,
) -> None:
    _, made = await leeks(account)
    await said(account, "My leeks are tall.", "e2")
    await work_once(account, ScriptedInterpreter(QUOTING))
    assert QUOTING in await answers(account)

    await forget_it(account, item(made))

    assert await answers(account) == []
    assert [shown.job.state for shown in await all_jobs(account)] == [JobState.OUT_OF_SCOPE]


async def test_an_answer_that_was_shown_nothing_of_it_stays(account: Account) -> None:
    await said(account, "It rained.", "e2")
    await work_once(account, ScriptedInterpreter(QUOTING))
    _, made = await leeks(account)

    await forget_it(account, item(made))

    assert await answers(account) == [QUOTING]


async def test_a_forget_of_a_message_takes_the_answers_that_had_it_as_an_earlier_turn(
    account: Account,
) -> None:
    first = (await say(account, "I grow leeks.", event="e1")).evidence[0].evidence_id
    await work_once(account, ScriptedInterpreter(NO_CHANGE))
    await say(account, "I row at dawn.", event="e2")
    await work_once(account, ScriptedInterpreter(QUOTING))

    await forget_it(account, row(first))

    assert await answers(account) == []


async def test_an_answer_goes_with_the_assistant_turn_it_was_shown(account: Account) -> None:
    evidence_id, _ = await leeks(account)
    repeat = assistant("a1", "You grow leeks.")
    await observe(account, observation(repeat, user("m2", "I row at dawn."), event="e2"))
    await work_once(account, ScriptedInterpreter(QUOTING))

    await forget_it(account, row(evidence_id))

    assert await answers(account) == []


async def test_only_a_worker_that_was_shown_the_item_holds_a_forget_up(account: Account) -> None:
    _, made = await leeks(account)
    await said(account, "I row at dawn.", "e2")
    await claimed(account)

    assert (await preview(account, [item(made)], Tier.LOCAL)).item_count == 1


async def test_a_worker_that_was_shown_the_item_holds_a_forget_up(account: Account) -> None:
    _, made = await leeks(account)
    await said(account, "My leeks are tall.", "e2")
    model = During(account, item(made), NO_CHANGE)

    done = await work_once(account, model)

    assert done.job.last_error == FormationInProgress.kind
    assert await texts(account) == ["I grow leeks."]


async def test_a_message_can_go_while_it_is_read_as_context_and_the_late_answer_is_nobodys(
    account: Account,
) -> None:
    evidence_id, _ = await leeks(account)
    await said(account, "My leeks are tall.", "e2")
    claim = await claimed(account)

    await work(formation(account, During(account, row(evidence_id), QUOTING)), claim)

    after = (await job(account, claim.job_id)).job
    assert (after.state, after.attempts) == (JobState.RETRY, 0)
    assert await answers(account) == []


async def test_what_was_forgotten_after_a_request_was_put_together_is_not_sent(
    account: Account,
) -> None:
    evidence_id, _ = await leeks(account)
    rain = await said(account, "It rained.", "e3")
    await work_once(account, ScriptedInterpreter(QUOTING))
    # So many newer facts that only the message about leeks is shown the one about leeks.
    [await worlds.form(account, (rain, "It rained.")) for _ in range(INTERPRET_ITEMS)]
    messages = (user("m2", "I row at dawn."), user("m3", "My leeks are tall."))
    apart = observation(*messages, event="e2", conversation=ConversationId("e2"))
    await observe(account, apart)
    model = During(account, row(evidence_id), NO_CHANGE, size=1)

    await work_once(account, model)

    asked = [(request.evidence[0].text, _is_offered_leeks(request)) for request, _ in model.asked]
    assert ("My leeks are tall.", False) in asked
    assert ("My leeks are tall.", True) not in asked


def _is_offered_leeks(request: FormationInput) -> bool:
    return any("leeks" in item.text for item in request.items)


@pytest.mark.parametrize("outcome", [QUOTING, NO_CHANGE])
async def test_answers_that_cost_nothing_are_not_kept_once_their_job_has_ended(
    account: Account, outcome: str
) -> None:
    evidence_id = await said(account, "I grow leeks.", "e1")
    formed = reply(proposal(evidence_id))
    await work_once(account, ScriptedInterpreter(formed, tier=None, rewrites=False))
    await said(account, "My leeks are tall.", "e2")

    await work_once(account, ScriptedInterpreter(outcome, tier=None, rewrites=False))

    assert await answers(account) == []
    context = "SELECT count(*) FROM job_context"
    assert await account.db.read(lambda tx: tx.execute(context).fetchone()) == (0,)


@pytest.mark.parametrize("column", ["kind", "job_seq"])
async def test_a_job_that_goes_leaves_no_context_behind(account: Account, column: str) -> None:
    await leeks(account)
    second = await said(account, "My leeks are tall.", "e2")
    await work_once(account, ScriptedInterpreter(NO_CHANGE))

    await forget_it(account, row(second))

    count = f"SELECT count({column}) FROM job_context"
    assert await account.db.read(lambda tx: tx.execute(count).fetchone()) == (0,)
