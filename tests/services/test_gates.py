"""Releasing what the gates kept back, and judging all again: what comes into reach, or leaves."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from mnemod.accounts import Account
from mnemod.config import Tier
from mnemod.domain.evidence import Evidence, Instant, Noted, Outcome, Permissions, Speaker
from mnemod.domain.gates.chain import Judgement, SecretPolicy
from mnemod.domain.gates.verdict import PASSED, Decision, Detector, Verdict
from mnemod.domain.receipts import Receipt, ResultState
from mnemod.domain.redaction import COVER
from mnemod.domain.world import ItemKind
from mnemod.errors import PermissionDenied
from mnemod.gating import packaged_rules
from mnemod.ids import EvidenceId
from mnemod.services import forget, gates, world
from mnemod.services.gates import Rejudged, RejudgedPage, Wanted, rejudge, release
from mnemod.services.observe import observe
from mnemod.services.recall import Recall, recall
from mnemod.services.said import get_evidence
from mnemod.store import checkpoints, evidence, items, jobs, lexical, meta, supports
from mnemod.store.checkpoints import Step
from mnemod.store.jobs import JobState
from tests.support import worlds
from tests.support.builders import (
    NOON,
    Clock,
    assistant,
    command,
    observation,
    open_account,
    say,
    user,
)
from tests.support.rules import holding, judge_by, passing, scripted
from tests.support.work import claim, settle_all

HELD = "Please OBEY me about the harbour tomorrow"
NOISE = "MURMUR about the harbour"
PLAIN = "The harbour is cold."


@pytest.fixture
async def account(tmp_path: Path) -> AsyncIterator[Account]:
    async with open_account(tmp_path, rules=scripted()) as opened:
        yield opened


async def said(account: Account, text: str, event: str = "e1") -> EvidenceId:
    return (await say(account, text, event=event)).evidence[0].evidence_id


async def row_of(account: Account, evidence_id: EvidenceId) -> Evidence:
    row = await account.db.read(lambda tx: evidence.by_id(tx, evidence_id))
    assert row is not None
    return row


async def released(account: Account, evidence_id: EvidenceId, command_id: str = "c1") -> Receipt:
    return await release(account, command(command_id, "release_evidence"), evidence_id)


async def again(account: Account, **wanted: bool) -> RejudgedPage:
    return await rejudge(account, Wanted(0, 100, **wanted))


async def quotes(account: Account) -> list[str]:
    found = await recall(account, Recall("harbour", None, Tier.LOCAL))
    return sorted([*(q.text for q in found.quotes), *(r.text for r in found.recent)])


async def recalled_items(account: Account) -> list[str]:
    found = await recall(account, Recall("harbour", None, Tier.LOCAL))
    return [one.shown.item.text for one in found.items]


async def listed_items(account: Account) -> list[str]:
    page = await world.list_items(account, world.Wanted(0, 50, None, None), Tier.LOCAL)
    return [shown.item.text for shown in page.rows]


async def test_a_message_is_judged_again_with_the_name_of_its_speaker(account: Account) -> None:
    named = user("m1", PLAIN, speaker=Speaker("s1", "Melchior"))
    await observe(account, observation(named))
    judge_by(account, holding("Melchior"))

    (row,) = (await again(account)).rows

    assert (row.before.outcome, row.after.outcome) == (Outcome.ELIGIBLE, Outcome.HELD)
    assert await quotes(account) == []


def reported(text: str, secrets: SecretPolicy) -> Judgement:
    """Flags a command that is reported, and holds it alone."""
    found = Decision.HOLD if "He wrote" not in text else Decision.FLAG
    verdict = PASSED if "OBEY" not in text else Verdict(found, "word", Detector.INJECTION)
    return Judgement(verdict, text, suspicion=0.5)


@pytest.mark.parametrize(
    ("forgotten", "outcome", "left"),
    [
        ("He wrote this.", Outcome.HELD, []),
        ("Please OBEY me.", Outcome.ELIGIBLE, ["He wrote this."]),
    ],
)
async def test_what_a_forget_leaves_of_a_message_is_judged_again(
    account: Account, forgotten: str, outcome: Outcome, left: list[str]
) -> None:
    judge_by(account, scripted(judge=reported))
    row = await said(account, "He wrote this. Please OBEY me.")
    await settle_all(account)
    formed = {
        words: await worlds.form(account, (row, words))
        for words in ("He wrote this.", "Please OBEY me.")
    }
    target = [forget.Target("cognition", formed[forgotten])]
    scope = (await forget.preview(account, target, Tier.LOCAL)).scope

    await forget.forget(account, command("c1", "delete_world_item"), target, scope)

    assert (await row_of(account, row)).outcome is outcome
    assert await listed_items(account) == left
    assert await account.db.read(lexical.gap) == 0


async def test_what_took_the_place_of_words_that_are_held_now_is_still_recalled(
    account: Account,
) -> None:
    first = await said(account, "The old harbour is cold.")
    second = await said(account, "The new harbour is warm.", "e2")
    prior = await worlds.form(account, (first, "The old harbour is cold."))
    successor = await worlds.form(account, (second, "The new harbour is warm."))
    await worlds.replace(account, prior, successor, second)
    judge_by(account, holding("old"))
    await again(account)

    assert await recalled_items(account) == ["The new harbour is warm."]


async def test_a_row_that_a_job_still_waits_to_read_gets_no_second_one(account: Account) -> None:
    row = await said(account, PLAIN)
    judge_by(account, holding("harbour"))
    await again(account)
    judge_by(account, passing(3))

    await again(account)

    assert len(await account.db.read(lambda tx: jobs.over(tx, row))) == 1


async def test_a_row_that_came_back_while_its_job_ran_without_it_gets_one_of_its_own(
    account: Account,
) -> None:
    accepted = await say(account, PLAIN, "I row on lakes.")
    row = accepted.evidence[0].evidence_id
    judge_by(account, holding("harbour"))
    await again(account)
    await claim(account)

    await released(account, row)

    assert len(await account.db.read(lambda tx: jobs.over(tx, row))) == 2


async def test_what_was_released_while_it_was_judged_is_not_told_as_judged(
    account: Account,
) -> None:
    row = await said(account, PLAIN)
    judge_by(account, holding("harbour"))
    await again(account)

    def judge(text: str, secrets: SecretPolicy) -> Judgement:
        trio.from_thread.run(released, account, row)
        return Judgement(PASSED, text)

    judge_by(account, scripted(3, judge=judge))

    assert (await again(account)).rows == ()
    assert (await row_of(account, row)).outcome is Outcome.RELEASED


async def test_judging_again_stops_at_the_next_row_when_it_is_cancelled(account: Account) -> None:
    await say(account, PLAIN, "The harbour is warm.", "The harbour is old.")
    scope = trio.CancelScope()
    judged: list[str] = []

    def judge(text: str, secrets: SecretPolicy) -> Judgement:
        judged.append(text)
        trio.from_thread.run_sync(scope.cancel)
        return Judgement(PASSED, text)

    judge_by(account, scripted(2, judge=judge))
    with scope:
        await again(account)

    assert scope.cancelled_caught
    assert judged == [PLAIN]


# --- release


@pytest.mark.parametrize(
    ("text", "trust", "notes"),
    [(HELD, 0.25, 1), (NOISE, 1.0, 0), ("CRASH gates: the harbour sleeps", 0.5, 0)],
)
async def test_what_the_owner_releases_is_found_and_formed_like_any_other(
    account: Account, text: str, trust: float, notes: int
) -> None:
    # W056
    row = await said(account, text)

    receipt = await released(account, row)

    assert (receipt.result_state, receipt.affected_ids) == (ResultState.APPLIED, (row,))
    now = await row_of(account, row)
    assert (now.outcome, now.trust) == (Outcome.RELEASED, trust)
    assert await quotes(account) == [text]
    assert len((await get_evidence(account, row, Tier.LOCAL))[0].annotations) == notes
    assert (await account.db.read(jobs.counts))[JobState.PENDING] == 1
    assert await account.db.read(lexical.gap) == 0


async def test_the_verdict_on_what_was_released_is_still_told(account: Account) -> None:
    row = await said(account, HELD)

    await released(account, row)

    assert (await row_of(account, row)).gate.decision is Decision.HOLD


async def test_releasing_what_is_in_reach_changes_nothing(account: Account) -> None:
    row = await said(account, PLAIN)

    receipt = await released(account, row)

    assert receipt.result_state is ResultState.NO_CHANGE
    assert (await row_of(account, row)).outcome is Outcome.ELIGIBLE


async def test_a_release_again_is_answered_with_its_receipt_and_done_once(
    account: Account,
) -> None:
    row = await said(account, HELD)

    first = await released(account, row)
    second = await released(account, row)

    assert second == first
    assert (await account.db.read(jobs.counts))[JobState.PENDING] == 1


async def test_words_nothing_may_be_inferred_from_are_released_without_a_job(
    account: Account,
) -> None:
    kept = user("m1", HELD, permissions=Permissions(inference=False))
    accepted = await observe(account, observation(kept))

    await released(account, accepted.evidence[0].evidence_id)

    assert (await account.db.read(jobs.counts))[JobState.PENDING] == 0


# --- forgetting


@pytest.mark.parametrize("text", [HELD, NOISE, f"broken {NOISE}"])
async def test_what_was_kept_back_is_forgotten_like_any_other(account: Account, text: str) -> None:
    row = await said(account, text)
    target = [forget.Target("evidence", row)]

    found = await forget.preview(account, target, Tier.LOCAL)
    await forget.forget(account, command("c9"), target, found.scope)

    assert found.evidence_ids == (row,)
    # What is out of reach is out of a preview's words too.
    assert [one.name for one in found.rows] == [None]
    assert (await row_of(account, row)).content == ""
    left = "SELECT count(*) FROM annotation"
    assert await account.db.read(lambda tx: tx.execute(left).fetchone()[0]) == 0


async def test_a_covered_passage_loses_what_was_noted_of_it_and_another_keeps_it(
    account: Account,
) -> None:
    row = await said(account, "I sail tomorrow. I row tomorrow too.")
    item = await worlds.form(account, (row, "I sail tomorrow."))
    target = [forget.Target("cognition", item)]

    found = await forget.preview(account, target, Tier.LOCAL)
    await forget.forget(account, command("c9"), target, found.scope)

    shown = (await get_evidence(account, row, Tier.LOCAL))[0]
    assert [one.start for one in shown.annotations] == [shown.row.content.index("tomorrow")]


async def test_forgetting_a_fact_of_a_held_message_brings_no_word_of_it_back(
    account: Account,
) -> None:
    row = await said(account, "I sail at the harbour. I row at the harbour.")
    item = await worlds.form(account, (row, "I sail at the harbour."))
    judge_by(account, holding("harbour"))
    await again(account)
    target = [forget.Target("cognition", item)]

    found = await forget.preview(account, target, Tier.LOCAL)
    await forget.forget(account, command("c9"), target, found.scope)

    assert await quotes(account) == []
    assert await account.db.read(lexical.gap) == 0


# --- judging again


def verdicts(page: RejudgedPage) -> list[tuple[Outcome, Outcome, bool]]:
    return [(row.before.outcome, row.after.outcome, row.changed) for row in page.rows]


async def test_newer_rules_take_a_formed_message_out_of_reach_with_all_it_made(
    account: Account,
) -> None:
    row = await said(account, PLAIN)
    item = await worlds.form(account, (row, PLAIN))
    somebody = await worlds.name(account, "harbour", row)
    before = await account.db.read(meta.world_revision)
    judge_by(account, holding("harbour"))

    page = await again(account)

    assert verdicts(page) == [(Outcome.ELIGIBLE, Outcome.HELD, True)]
    assert page.world_revision == before + 1
    assert await quotes(account) == []
    assert await recalled_items(account) == []
    asked = Recall("harbour", None, Tier.LOCAL, explain=True)
    withheld = (await recall(account, asked)).withheld
    assert ("item", "held") in {(row.object_kind, row.reason) for row in withheld}
    assert await listed_items(account) == []
    for item_id in (item, somebody):
        with pytest.raises(PermissionDenied):
            await world.get_item(account, item_id, None, Tier.LOCAL)
    assert await account.db.read(items.count) == 2  # nothing was erased


async def test_whom_only_held_words_name_is_told_of_to_nobody(account: Account) -> None:
    named = await said(account, "Mira has the harbour office.", "e1")
    mira = await worlds.name(account, "Mira", named)
    row = await said(account, "She grows leeks.", "e2")
    await worlds.form(account, (row, "She grows leeks."), subject=mira)
    assert "She grows leeks." in await listed_items(account)
    judge_by(account, holding("harbour"))

    await again(account)

    # Without its subject it would be told of the owner.
    assert await listed_items(account) == []


async def test_what_comes_back_into_reach_brings_its_items_back_without_forming_anew(
    account: Account,
) -> None:
    row = await said(account, PLAIN)
    await worlds.form(account, (row, PLAIN))
    await settle_all(account)
    judge_by(account, holding("harbour"))
    await again(account)

    judge_by(account, passing(3))
    page = await again(account)

    assert verdicts(page) == [(Outcome.HELD, Outcome.ELIGIBLE, True)]
    assert await recalled_items(account) == [PLAIN]
    assert (await account.db.read(jobs.counts))[JobState.PENDING] == 0
    assert await account.db.read(lexical.gap) == 0


async def test_a_released_message_brings_its_items_back(account: Account) -> None:
    row = await said(account, PLAIN)
    await worlds.form(account, (row, PLAIN))
    judge_by(account, holding("harbour"))
    await again(account)

    await released(account, row)

    assert await recalled_items(account) == [PLAIN]


async def test_what_newer_rules_let_pass_is_formed_for_the_first_time(account: Account) -> None:
    row = await said(account, HELD)
    judge_by(account, passing(2))

    await again(account)

    assert await quotes(account) == [HELD]
    assert (await row_of(account, row)).trust == 1.0
    job = await account.db.read(lambda tx: jobs.page(tx, after=0, limit=9)[0])
    assert await account.db.read(lambda tx: jobs.evidence_of(tx, job.job_id)) == (row,)


async def test_what_was_released_stays_released(account: Account) -> None:
    row = await said(account, HELD)
    await released(account, row)

    page = await again(account, everything=True)

    assert page.rows == ()
    assert (await row_of(account, row)).outcome is Outcome.RELEASED


async def test_a_dry_run_says_the_same_and_changes_nothing(account: Account) -> None:
    await say(account, PLAIN, HELD)
    judge_by(account, holding("harbour"))

    tried = await again(account, dry_run=True)
    before = await quotes(account)
    done = await again(account)

    assert tried.rows == done.rows
    assert before == [PLAIN]
    assert await quotes(account) == []


async def test_rows_that_the_rules_of_now_have_judged_are_passed_over(account: Account) -> None:
    await say(account, PLAIN, HELD)

    assert (await again(account)).rows == ()
    assert len((await again(account, everything=True)).rows) == 2
    judge_by(account, scripted(2))
    assert [row.changed for row in (await again(account)).rows] == [False, False]
    assert (await again(account)).rows == ()


async def test_what_no_rule_could_judge_is_judged_again_by_the_same_rules(
    account: Account,
) -> None:
    await say(account, "CRASH gates at the harbour", PLAIN)
    judge_by(account, passing(1))

    page = await again(account)

    assert verdicts(page) == [(Outcome.HELD, Outcome.ELIGIBLE, True)]


async def test_pages_meet_every_row_once(account: Account) -> None:
    await say(account, *(f"I planted tree {n}." for n in range(7)))
    judge_by(account, scripted(2))
    seen: list[Rejudged] = []
    after = 0

    for expected in (3, 3, 1):
        page = await rejudge(account, Wanted(after, 3))
        seen += page.rows
        after = page.next_after or 0
        assert len(page.rows) == expected

    assert (after, len({row.evidence_id for row in seen})) == (0, 7)


async def test_a_stored_secret_is_held_and_never_rewritten(tmp_path: Path) -> None:
    policy = SecretPolicy.REDACT
    async with open_account(tmp_path, rules=passing(), secrets=policy) as account:
        row = await said(account, "The gate opens with hunter2.")
        judge_by(account, scripted(2))

        await again(account)

        now = await row_of(account, row)
        assert (now.content, now.outcome) == ("The gate opens with hunter2.", Outcome.HELD)


async def test_a_flag_by_newer_rules_lowers_the_trust_of_the_item_too(account: Account) -> None:
    row = await said(account, PLAIN)
    item = await worlds.form(account, (row, PLAIN))
    judge_by(account, holding("harbour", decision=Decision.FLAG))

    await again(account)

    shown, _ = await world.get_item(account, item, ItemKind.COGNITION, Tier.LOCAL)
    assert shown.item.trust == 0.5


async def test_annotations_are_worked_out_anew(account: Account) -> None:
    row = await said(account, "CRASH tomorrow")
    judge_by(account, scripted(2, annotate=scripted().annotate))
    await account.db.write(lambda tx: tx.execute("UPDATE evidence SET content = 'I sail tomorrow'"))

    await again(account)

    shown, _ = await get_evidence(account, row, Tier.LOCAL)
    assert (len(shown.annotations), shown.row.annotations_failed) == (1, False)


async def test_a_month_later_the_same_words_mean_the_same_days(tmp_path: Path) -> None:
    # W036
    clock = Clock()
    message = replace(user("m1", "来週の水曜日に歯医者へ行く。"), said_at=Instant(NOON, 540))
    rules = packaged_rules()
    async with open_account(tmp_path, clock=clock, rules=rules, time_zone="Asia/Tokyo") as account:
        told = await observe(account, observation(message))
        row = told.evidence[0].evidence_id
        before, _ = await get_evidence(account, row, Tier.LOCAL)
        clock.forward(31 * 86_400_000)
        judged = await again(account, everything=True)
        after, _ = await get_evidence(account, row, Tier.LOCAL)

    assert len(judged.rows) == 1
    assert [each.value for each in before.annotations] == ["2030-03-27"]
    assert after.annotations == before.annotations


# --- whoever reads it meanwhile


async def test_an_answer_that_may_quote_what_is_now_held_is_dropped_with_its_claim(
    account: Account,
) -> None:
    row = await said(account, PLAIN)
    held = await claim(account)

    def keep_answer(tx):  # type: ignore[no-untyped-def]
        now = account.now()
        checkpoints.reserve(tx, held, checkpoints.name_of(Step.FIRST, 0), "hash", now)
        checkpoints.complete(tx, held, checkpoints.name_of(Step.FIRST, 0), PLAIN, None, now)

    await account.db.write(keep_answer)
    judge_by(account, holding("harbour"))

    await again(account)

    name = checkpoints.name_of(Step.FIRST, 0)
    assert await account.db.read(lambda tx: checkpoints.find(tx, held.job_id, name)) is None
    job = await account.db.read(lambda tx: jobs.by_id(tx, held.job_id))
    assert job is not None
    assert job.state is JobState.RETRY
    assert await account.db.read(lambda tx: supports.by_evidence(tx, row)) == []


async def test_a_row_that_changed_while_it_was_judged_is_left_for_the_next_time(
    account: Account,
) -> None:
    row = await said(account, HELD)
    page = await account.db.read(lambda tx: gates._page(tx, Wanted(0, 9, everything=True), 1))
    judge_by(account, holding("harbour"))
    late = gates._Again(account, gates._judge_again(account, page[0]))
    await released(account, row)

    await account.db.write(late.run)

    assert (await row_of(account, row)).outcome is Outcome.RELEASED


async def test_a_release_notes_nothing_of_words_that_were_forgotten_meanwhile(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = await said(account, HELD)
    notes = account.gates.notes

    def meanwhile(text: str, said_at: Instant | None) -> Noted:
        found = notes(text, said_at)
        covered = text.replace("tomorrow", COVER * len("tomorrow"))
        trio.from_thread.run(
            account.db.write, lambda tx: evidence.redact(tx, row, covered, "another")
        )
        return found

    monkeypatch.setattr(type(account.gates), "notes", staticmethod(meanwhile))
    await released(account, row)

    shown, _ = await get_evidence(account, row, Tier.LOCAL)
    assert (shown.row.outcome, shown.annotations) == (Outcome.RELEASED, ())


async def test_a_preview_shows_no_words_of_a_turn_that_is_held(account: Account) -> None:
    said_by = user("m1", PLAIN), assistant("a1", f"You said: {PLAIN} And {HELD}")
    accepted = await observe(account, observation(*said_by))
    target = forget.Target("evidence", accepted.evidence[0].evidence_id)

    found = await forget.preview(account, [target], Tier.LOCAL)

    assert [(row.object_kind, row.name) for row in found.rows] == [
        ("evidence", PLAIN),
        ("turn", None),
    ]
