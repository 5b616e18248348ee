"""Messages handed over together are read as if they had come one after another."""

from __future__ import annotations

import pytest

from mnemod.accounts import Account
from mnemod.config import Tier
from mnemod.domain.evidence import Permissions
from mnemod.domain.interpretation import FormationInput
from mnemod.domain.world import TransitionKind
from mnemod.formation.interpret import Again, Outcome, Reply
from mnemod.formation.interpreters.rules import RulesInterpreter
from mnemod.formation.worker import work
from mnemod.services.observe import observe
from mnemod.store import meta, transitions
from mnemod.store.jobs import JobState
from tests.support.builders import assistant, observation, say, user
from tests.support.formation import (
    ScriptedInterpreter,
    claimed,
    formation,
    proposal,
    reply,
    texts,
    work_once,
)
from tests.support.inline_runner import in_place


class Correcting(ScriptedInterpreter):
    """Makes the first message an item, and each later one end the newest item it is shown."""

    def __init__(self, way: str, action: str = "form") -> None:
        super().__init__("{}", tier=None, rewrites=False, messages_a_call=1)
        self.way = way
        self.action = action

    async def interpret(self, request: FormationInput, again: Again | None) -> Outcome:
        self.asked.append((request, again))
        evidence_id = request.evidence[0].evidence_id
        if len(self.asked) == 1:
            return Reply(reply(proposal(evidence_id)))
        newest = request.items[0].item_id
        ending = {"action": self.action, self.way: [newest]}
        return Reply(reply(proposal(evidence_id, **ending)))


async def test_a_later_message_corrects_an_earlier_one_of_the_same_call(
    account: Account,
) -> None:
    await say(account, "I live in Oslo.", "No, I live in Bergen.", "No, I live in Tarn.")

    done = await work_once(account, Correcting("corrects"))

    assert done.job.state is JobState.DONE
    assert await texts(account) == ["No, I live in Tarn."]
    assert await texts(account, "superseded") == ["I live in Oslo.", "No, I live in Bergen."]
    chain = await account.db.read(lambda tx: transitions.of(tx, done.item_ids[1]))
    assert [step.kind for step in chain] == [TransitionKind.CORRECTS] * 2
    assert await account.db.read(meta.world_revision) == 1


async def test_what_an_earlier_message_ended_is_not_offered_to_a_later_one(
    account: Account,
) -> None:
    await say(account, "I live in Oslo.", "No, I live in Bergen.", "I sail.")
    model = Correcting("corrects")

    await work_once(account, model)

    offered = [[item.text for item in request.items] for request, _ in model.asked]
    assert offered == [[], ["I live in Oslo."], ["No, I live in Bergen."]]


@pytest.mark.parametrize(("action", "left"), [("retract", []), ("contradict", ["I like tea."])])
async def test_a_later_message_denies_an_earlier_one_of_the_same_call(
    account: Account, action: str, left: list[str]
) -> None:
    await say(account, "I like tea.", "I do not like tea.")

    await work_once(account, Correcting("contradicts", action))

    assert await texts(account) == left


async def test_a_doubted_item_stays_in_sight(account: Account) -> None:
    await say(account, "I like tea.", "I am unsure about tea.", "Tea again?! I doubt it.")
    model = Correcting("contradicts", "contradict")

    await work_once(account, model)

    assert [item.text for item in model.asked[2][0].items] == ["I like tea."]


async def test_an_item_nobody_may_see_is_still_the_one_that_is_meant(account: Account) -> None:
    hidden = user("m0", "I live in Oslo.", permissions=Permissions(cloud_read=False))
    await observe(account, observation(hidden, event="e0"))
    await work_once(account, Correcting("corrects"))
    await say(account, "I live in Oslo.", "No, I live in Bergen.", event="e1")
    cloud = Correcting("corrects")
    cloud.tier = Tier.CLOUD

    done = await work_once(account, cloud)

    assert done.job.state is JobState.DONE
    assert await texts(account) == ["No, I live in Bergen."]


async def test_an_earlier_message_that_was_known_stands_for_what_is_known(
    account: Account,
) -> None:
    await say(account, "I live in Oslo.", event="e0")
    known = await work_once(account, Correcting("corrects"))
    await say(account, "I live in Oslo.", "No, I live in Bergen.", event="e1")

    again = Correcting("corrects")
    await work_once(account, again)

    assert [item.text for item in again.asked[1][0].items] == ["I live in Oslo."]
    assert await texts(account) == ["No, I live in Bergen."]
    (step,) = await account.db.read(lambda tx: transitions.of(tx, known.item_ids[0]))
    assert step.prior_item_id == known.item_ids[0]


async def test_a_stored_reply_still_names_the_new_items_after_a_restart(
    account: Account,
) -> None:
    await say(account, "I live in Oslo.", "No, I live in Bergen.")
    first = Correcting("corrects")
    await account.db.write(lambda tx: tx.execute(_NO_ITEMS))
    await work_once(account, first)
    await account.db.write(lambda tx: tx.execute("DROP TRIGGER none"))
    await account.db.write(lambda tx: tx.execute("UPDATE job SET next_attempt_at_ms = 0"))
    second = ScriptedInterpreter("{}", tier=None, rewrites=False, messages_a_call=1)

    done = await work_once(account, second)

    assert (first.calls, second.calls, done.job.state) == (2, 0, JobState.DONE)
    assert await texts(account) == ["No, I live in Bergen."]


_NO_ITEMS = "CREATE TRIGGER none BEFORE INSERT ON item BEGIN SELECT raise(ABORT, 'no'); END"


async def test_the_rules_correct_within_a_conversation_handed_over_at_once(
    account: Account,
) -> None:
    await observe(
        account,
        observation(
            user("m1", "My birthday is 14 June."),
            assistant("a1", "Noted, 14 June."),
            user("m2", "Actually, my birthday is 4 June, not 14 June."),
        ),
    )
    claim = await claimed(account)

    await work(formation(account, RulesInterpreter(run=in_place)), claim)

    assert await texts(account) == ["Actually, my birthday is 4 June, not 14 June."]
    assert await texts(account, "superseded") == ["My birthday is 14 June."]
