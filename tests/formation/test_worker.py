"""One job from its claim to its end, with an interpreter that says what the test wants."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from mnemod.accounts import Account
from mnemod.config import JOB_ATTEMPTS, LEASE_MS, Tier
from mnemod.domain.evidence import Permissions
from mnemod.domain.interpretation import FormationInput
from mnemod.formation.interpret import Again, Malformed, Outage, Outcome, Reply
from mnemod.formation.prepare import prepare
from mnemod.formation.reading import Reading
from mnemod.formation.worker import work
from mnemod.ids import EvidenceId, JobId, OwnerId
from mnemod.services.jobs import ShownJob
from mnemod.services.observe import observe
from mnemod.store import checkpoints, claims, items, meta
from mnemod.store.checkpoints import Checkpoint, Step
from mnemod.store.jobs import JobState, Recovery
from tests.support.builders import observation, say, user
from tests.support.formation import (
    NO_CHANGE,
    HangingInterpreter,
    ScriptedInterpreter,
    claimed,
    formation,
    job,
    proposal,
    reply,
    states,
    texts,
    work_once,
)

PROSE = "Sure! I will remember that."
DEAD = OwnerId("d" * 32)


async def said(account: Account, text: str, event: str = "e1") -> EvidenceId:
    return (await say(account, text, event=event)).evidence[0].evidence_id


async def kept(account: Account, job_id: JobId, step: Step) -> Checkpoint:
    found = await account.db.read(lambda tx: checkpoints.find(tx, job_id, step))
    assert found is not None
    return found


async def test_an_item_is_made_of_the_chosen_words(account: Account) -> None:
    evidence_id = await said(account, "Call me Rowan from now on. Bye.")
    robin = proposal(evidence_id, statement_kind="naming", proposition="They are called Robin.")

    done = await work_once(account, ScriptedInterpreter(reply(robin)))

    # C046: the proposition is read past.
    assert done.job.state is JobState.DONE
    assert await texts(account) == ["Call me Rowan from now on."]
    assert len(done.item_ids) == 1


async def test_applying_raises_the_revision_by_one(account: Account) -> None:
    evidence_id = await said(account, "I grow leeks. I keep bees.")
    both = reply(proposal(evidence_id), proposal(evidence_id, sentence="t1"))

    await work_once(account, ScriptedInterpreter(both))

    assert await account.db.read(meta.world_revision) == 1
    assert await texts(account) == ["I grow leeks.", "I keep bees."]


async def test_an_unreadable_first_reply_is_rewritten_once(account: Account) -> None:
    # C048
    evidence_id = await said(account, "I grow leeks.")
    model = ScriptedInterpreter(PROSE, reply(proposal(evidence_id)))

    done = await work_once(account, model)

    assert (done.job.state, model.calls) == (JobState.DONE, 2)
    first = await kept(account, done.job.job_id, Step.FIRST)
    assert (first.reply, first.error) == (PROSE, "invalid_model_result")
    again = model.asked[1][1]
    assert again is not None
    assert (again.reply, again.code) == (PROSE, "invalid_model_result")


async def test_an_unreadable_reply_twice_ends_the_job_with_that_error(account: Account) -> None:
    # B003, B073, C049
    await said(account, "I like pears.")
    model = ScriptedInterpreter(PROSE)

    ended = await work_once(account, model)

    assert (ended.job.state, ended.job.reason) == (JobState.DEAD, "invalid_model_result")
    assert model.calls == 2
    assert await texts(account) == []
    assert (await kept(account, ended.job.job_id, Step.FIRST)).reply == PROSE
    assert (await kept(account, ended.job.job_id, Step.REWRITE)).reply == PROSE


async def test_a_reply_that_was_cut_off_is_never_applied(account: Account) -> None:
    # B001, B066, C063
    evidence_id = await said(account, "The kiln shelf posts are 15 cm tall.")
    whole = Reply(reply(proposal(evidence_id)), finish_reason="length")
    model = ScriptedInterpreter(whole)

    ended = await work_once(account, model)

    assert (ended.job.state, ended.job.reason) == (JobState.DEAD, "model_output_truncated")
    assert (model.calls, await texts(account)) == (2, [])


async def test_no_change_over_a_plain_statement_is_reconsidered_once(account: Account) -> None:
    # C050
    evidence_id = await said(account, "I like cedar tea.")
    model = ScriptedInterpreter(NO_CHANGE, reply(proposal(evidence_id)))

    done = await work_once(account, model)

    assert (done.job.state, model.calls) == (JobState.DONE, 2)
    first = await kept(account, done.job.job_id, Step.FIRST)
    assert (first.reply, first.error) == (NO_CHANGE, "model_no_change")


async def test_no_change_said_twice_is_no_change(account: Account) -> None:
    await said(account, "I like cedar tea.")
    model = ScriptedInterpreter(NO_CHANGE)

    ended = await work_once(account, model)

    assert (ended.job.state, ended.job.reason) == (JobState.NO_CHANGE, "no_world_mutation")
    assert model.calls == 2


async def test_no_change_over_small_talk_is_taken_at_its_word(account: Account) -> None:
    await said(account, "Hello there!")
    model = ScriptedInterpreter(NO_CHANGE)

    ended = await work_once(account, model)

    assert (ended.job.state, model.calls) == (JobState.NO_CHANGE, 1)


async def test_a_question_alone_costs_no_call(account: Account) -> None:
    # C051
    await said(account, "What did I say about tea?")
    model = ScriptedInterpreter(NO_CHANGE)

    ended = await work_once(account, model)

    assert model.calls == 0
    assert (ended.job.state, ended.job.reason) == (
        JobState.NO_CHANGE,
        "pure_inquiry_no_declarative_facts",
    )


async def test_an_order_for_this_task_is_dropped_and_recorded(account: Account) -> None:
    # C057
    evidence_id = await said(account, "This time write an outline first.")
    model = ScriptedInterpreter(reply(proposal(evidence_id, statement_kind="preference")))

    ended = await work_once(account, model)

    assert (ended.job.state, ended.job.reason) == (JobState.NO_CHANGE, "task_scoped_instruction")
    assert (model.calls, await texts(account)) == (1, [])


async def test_a_lasting_wish_beside_an_order_is_formed_alone(account: Account) -> None:
    # C058
    evidence_id = await said(account, "From now on use portrait pages. Only reply done.")
    both = reply(
        proposal(evidence_id, statement_kind="preference"),
        proposal(evidence_id, sentence="t1", statement_kind="preference"),
    )

    done = await work_once(account, ScriptedInterpreter(both))

    assert (done.job.state, done.job.reason) == (JobState.DONE, "task_scoped_instruction")
    assert await texts(account) == ["From now on use portrait pages."]


@pytest.mark.parametrize(
    ("answer", "state", "reason"),
    [
        (
            '{"result":"clarification_required","question":"Which Sam?"}',
            JobState.CLARIFICATION,
            "clarification_required",
        ),
        ('{"result":"out_of_scope","note":"n"}', JobState.OUT_OF_SCOPE, "out_of_scope"),
    ],
)
async def test_the_other_results_end_the_job_as_themselves(
    account: Account, answer: str, state: JobState, reason: str
) -> None:
    await said(account, "Sam called.")

    ended = await work_once(account, ScriptedInterpreter(answer))

    assert (ended.job.state, ended.job.reason) == (state, reason)


async def test_an_outage_waits_as_told_and_costs_no_attempt(
    account: Account, autojump_clock: MockClock
) -> None:
    # B076
    await said(account, "I grow leeks.")
    now = account.now()

    waiting = await work_once(account, ScriptedInterpreter(Outage("http_429", 2.0)))

    assert (waiting.job.state, waiting.job.attempts) == (JobState.RETRY, 0)
    assert waiting.job.last_error == "http_429"
    assert waiting.job.due_at_ms - now == 2_000


async def test_an_outage_that_lasts_waits_longer_and_never_ends_the_job(
    account: Account, autojump_clock: MockClock
) -> None:
    # B007, B076
    await said(account, "I grow leeks.")
    model = ScriptedInterpreter(Outage("http_503"))
    waits: list[int] = []
    for _ in range(6):
        waiting = await work_once(account, model)
        waits.append(waiting.job.due_at_ms - account.now())
        await trio.sleep(waits[-1] / 1000)

    assert waits == [5_000, 30_000, 300_000, 900_000, 900_000, 900_000]
    assert (waiting.job.state, waiting.job.attempts) == (JobState.RETRY, 0)


async def test_a_malformed_answer_uses_attempts_until_there_are_none(
    account: Account, autojump_clock: MockClock
) -> None:
    # B071, B074, C039
    await said(account, "I grow leeks.")
    model = ScriptedInterpreter(Malformed("invalid_provider_response"))
    waits: list[int] = []
    for _ in range(JOB_ATTEMPTS - 1):
        waiting = await work_once(account, model)
        waits.append(waiting.job.due_at_ms - account.now())
        await trio.sleep(waits[-1] / 1000)
    ended = await work_once(account, model)

    assert waits == [5_000, 30_000, 300_000]
    assert (ended.job.state, ended.job.reason) == (JobState.DEAD, "invalid_provider_response")
    assert model.calls == JOB_ATTEMPTS


async def test_a_defect_in_the_interpreter_ends_its_job_and_not_the_worker(
    account: Account,
) -> None:
    await said(account, "I grow leeks.")

    class Broken(ScriptedInterpreter):
        async def interpret(self, request: FormationInput, again: Again | None) -> Outcome:
            raise ZeroDivisionError

    waiting = await work_once(account, Broken())

    assert (waiting.job.state, waiting.job.last_error) == (JobState.RETRY, "internal")
    assert waiting.job.attempts == 1


async def test_a_stored_reply_is_used_and_never_bought_again(account: Account) -> None:
    # B088, C034: the worker dies between storing the reply and using it.
    evidence_id = await said(account, "I grow leeks.")
    model = ScriptedInterpreter(reply(proposal(evidence_id)))
    await cut_off_with_reply_stored(account, model)

    done = await work_once(account, model)

    assert (done.job.state, model.calls) == (JobState.DONE, 1)
    assert await texts(account) == ["I grow leeks."]
    assert await account.db.read(meta.world_revision) == 1


async def test_a_first_request_without_a_stored_reply_is_sent_again(account: Account) -> None:
    # C036
    evidence_id = await said(account, "I grow leeks.")
    await cut_off_in_call(account, HangingInterpreter())
    model = ScriptedInterpreter(reply(proposal(evidence_id)))

    done = await work_once(account, model)

    assert (done.job.state, done.job.attempts, model.calls) == (JobState.DONE, 1, 1)
    assert done.job.recovery is Recovery.SHUTDOWN


async def test_a_reserved_rewrite_is_not_sent_again(account: Account) -> None:
    # C043
    await said(account, "I grow leeks.")

    class HangsSecond(ScriptedInterpreter):
        async def interpret(self, request: FormationInput, again: Again | None) -> Outcome:
            if again is not None:
                await trio.sleep_forever()
            return await super().interpret(request, again)

    await cut_off_in_call(account, HangsSecond(PROSE))
    model = ScriptedInterpreter(PROSE)

    ended = await work_once(account, model)

    assert model.calls == 0
    assert (ended.job.state, ended.job.reason) == (JobState.DEAD, "invalid_model_result")


async def test_an_outage_in_the_rewrite_lets_it_be_sent_later(account: Account) -> None:
    evidence_id = await said(account, "I grow leeks.")
    model = ScriptedInterpreter(PROSE, Outage("timeout", 0.0), reply(proposal(evidence_id)))

    await work_once(account, model)
    done = await work_once(account, model)

    assert (done.job.state, model.calls) == (JobState.DONE, 3)


async def test_a_cancelled_worker_hands_its_claim_back_at_once(account: Account) -> None:
    evidence_id = await said(account, "I grow leeks.")
    job_id = await cut_off_in_call(account, HangingInterpreter())

    back = await job(account, job_id)

    assert (back.job.state, back.job.attempts) == (JobState.RETRY, 0)
    assert back.job.recovery is Recovery.SHUTDOWN
    assert back.job.due_at_ms <= account.now()
    assert evidence_id in back.evidence_ids


async def test_a_long_call_keeps_its_lease(account: Account, autojump_clock: MockClock) -> None:
    evidence_id = await said(account, "I grow leeks.")

    class Slow(ScriptedInterpreter):
        async def interpret(self, request: FormationInput, again: Again | None) -> Outcome:
            await trio.sleep(3 * LEASE_MS / 1000)
            return await super().interpret(request, again)

    done = await work_once(account, Slow(reply(proposal(evidence_id))))

    assert (done.job.state, done.job.attempts) == (JobState.DONE, 1)


async def test_a_worker_whose_claim_was_taken_stops_and_writes_nothing(
    account: Account, autojump_clock: MockClock
) -> None:
    await said(account, "I grow leeks.")
    claim = await claimed(account)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(work, formation(account, HangingInterpreter()), claim)
        await trio.sleep(1)
        await account.db.write(
            lambda tx: tx.execute("UPDATE job SET claim_token = 'x', claim_owner = 'y'")
        )

    # It has stopped by itself: the lease could not be renewed.
    assert await states(account) == [JobState.PROCESSING]


@pytest.mark.parametrize(
    ("permissions", "reason"),
    [
        (Permissions(cloud_read=False), "cloud_read_denied"),
        (Permissions(local_read=False), None),
    ],
)
async def test_words_go_to_no_model_they_may_not_go_to(
    account: Account, permissions: Permissions, reason: str | None
) -> None:
    # C040
    await observe(account, observation(user("m1", "I grow leeks.", permissions=permissions)))
    model = ScriptedInterpreter(NO_CHANGE, tier=Tier.CLOUD)

    ended = await work_once(account, model)

    assert (model.calls == 0) is (reason is not None)
    assert ended.job.reason == (reason or "no_world_mutation")
    assert ended.job.state is JobState.NO_CHANGE


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ("content = 'I grow peas.'", "evidence_content_hash_mismatch"),
        ("content_hash = ''", "evidence_content_hash_missing"),
        ("inference = 0", "inference_denied"),
        ("outcome = 'held', gate_decision = 'hold'", "evidence_held"),
        ("outcome = 'noise', gate_decision = 'noise'", "evidence_noise"),
    ],
)
async def test_evidence_that_may_not_be_formed_from_costs_no_call(
    account: Account, damage: str, reason: str
) -> None:
    # C040
    await said(account, "I grow leeks.")
    await account.db.write(lambda tx: tx.execute(f"UPDATE evidence SET {damage}"))
    model = ScriptedInterpreter(NO_CHANGE)

    ended = await work_once(account, model)

    assert (ended.job.reason, model.calls) == (reason, 0)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("inference = 0", "inference_denied"),
        ("cloud_read = 0", "cloud_read_denied"),
        ("content = 'I grow peas!!'", "evidence_content_hash_mismatch"),
    ],
)
async def test_a_change_during_the_call_lets_nothing_be_written(
    account: Account, change: str, reason: str
) -> None:
    # C041
    evidence_id = await said(account, "I grow leeks.")

    class Meanwhile(ScriptedInterpreter):
        async def interpret(self, request: FormationInput, again: Again | None) -> Outcome:
            await account.db.write(lambda tx: tx.execute(f"UPDATE evidence SET {change}"))
            return await super().interpret(request, again)

    ended = await work_once(account, Meanwhile(reply(proposal(evidence_id))))

    assert ended.job.reason == reason
    assert await texts(account) == []
    assert await account.db.read(meta.world_revision) == 0


async def test_a_job_of_many_messages_is_read_in_parts_and_applied_at_once(
    account: Account,
) -> None:
    accepted = await say(account, "I grow leeks.", "I keep bees.", "I sail.")
    ids = [row.evidence_id for row in accepted.evidence]
    model = ScriptedInterpreter(*(reply(proposal(id_)) for id_ in ids), messages_a_call=1)

    done = await work_once(account, model)

    assert model.calls == 3
    assert await texts(account) == ["I grow leeks.", "I keep bees.", "I sail."]
    assert len(done.item_ids) == 3
    assert await account.db.read(meta.world_revision) == 1


async def test_a_crash_in_the_middle_of_applying_leaves_no_item(account: Account) -> None:
    # B006, C035: the write is rolled back whole, the reply is still there, the next run finishes.
    evidence_id = await said(account, "I grow leeks. I keep bees. I sail.")
    three = [proposal(evidence_id, sentence=f"t{at}") for at in range(3)]
    model = ScriptedInterpreter(reply(*three))
    await account.db.write(lambda tx: tx.execute(_FAIL_ON_THIRD))

    interrupted = await work_once(account, model)
    assert await account.db.read(items.count) == 0
    assert interrupted.job.state is JobState.RETRY
    await account.db.write(lambda tx: tx.execute("DROP TRIGGER full"))
    done = await later(account, model, interrupted.job.job_id)

    assert (done.job.state, model.calls) == (JobState.DONE, 1)
    assert len(await texts(account)) == len(done.item_ids) == 3


_FAIL_ON_THIRD = """
CREATE TRIGGER full BEFORE INSERT ON item WHEN (SELECT count(*) FROM item) = 2
BEGIN SELECT raise(ABORT, 'third'); END
"""


async def later(account: Account, model: ScriptedInterpreter, job_id: JobId) -> ShownJob:
    """The job once its wait is over."""
    await account.db.write(lambda tx: tx.execute("UPDATE job SET next_attempt_at_ms = 0"))
    done = await work_once(account, model)
    assert done.job.job_id == job_id
    return done


async def cut_off_in_call(account: Account, model: ScriptedInterpreter) -> JobId:
    """A worker is cancelled while it waits for its model."""
    claim = await claimed(account)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(work, formation(account, model), claim)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    return claim.job_id


async def cut_off_with_reply_stored(account: Account, model: ScriptedInterpreter) -> None:
    """A worker dies between storing a reply and using it."""
    claim = await claimed(account, DEAD)
    (part,) = await account.db.read(lambda tx: prepare(tx, account, claim.job_id, model))
    await Reading(account, model, claim, part).outcome()
    now = account.now()
    await account.db.write(lambda tx: claims.revoke_owner(tx, DEAD, Recovery.RESTART, now))
