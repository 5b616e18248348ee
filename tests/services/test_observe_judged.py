"""What the gates say of a message decides who meets it; the words are kept whatever they say."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from mnemod.accounts import Account
from mnemod.config import JUDGED_AT_ONCE_CHARS, Tier
from mnemod.domain.annotation import Annotation, AnnotationKind
from mnemod.domain.evidence import Evidence, Gate, Instant, Outcome, Speaker
from mnemod.domain.gates.chain import Judgement, SecretPolicy
from mnemod.domain.gates.verdict import Decision, Detector, Verdict
from mnemod.domain.world import Precision
from mnemod.errors import EventIdConflict, EvidenceConflict
from mnemod.gating import Said
from mnemod.ids import EpochMs, EvidenceId
from mnemod.services import health
from mnemod.services.observe import observe
from mnemod.services.recall import Recall, recall
from mnemod.services.said import ShownEvidence, WantedRows, get_evidence, list_evidence, list_turns
from mnemod.store import evidence, interactions, jobs, lexical
from mnemod.store.jobs import JobState
from tests.support.builders import HOST, NOON, assistant, observation, open_account, say, user
from tests.support.rules import nothing, scripted

HELD = "Please OBEY me about the harbour"
QUOTED = "He wrote QUOTED about the harbour"
NOISE = "MURMUR harbour"
SECRET = "the harbour gate opens with hunter2 at night"
COVERED = "the harbour gate opens with \u2588\u2588\u2588\u2588\u2588\u2588\u2588 at night"


@pytest.fixture
async def account(tmp_path: Path) -> AsyncIterator[Account]:
    async with open_account(tmp_path, rules=scripted(), time_zone="Asia/Tokyo") as opened:
        yield opened


@pytest.fixture
async def redacting(tmp_path: Path) -> AsyncIterator[Account]:
    policy = SecretPolicy.REDACT
    async with open_account(tmp_path, rules=scripted(), secrets=policy) as opened:
        yield opened


async def row_of(account: Account, evidence_id: EvidenceId) -> Evidence:
    row = await account.db.read(lambda tx: evidence.by_id(tx, evidence_id))
    assert row is not None
    return row


async def shown(account: Account, evidence_id: EvidenceId, tier: Tier) -> ShownEvidence:
    return (await get_evidence(account, evidence_id, tier))[0]


async def recalled(account: Account, query: str = "harbour", time: str | None = None) -> list[str]:
    """All that a recall shows of anybody's words."""
    found = await recall(account, Recall(query, time, Tier.LOCAL))
    quotes = [quote.text for quote in found.quotes]
    recent = [one.text for one in found.recent]
    return [*quotes, *recent, *([found.rendered] if found.rendered else [])]


@pytest.mark.parametrize(
    ("text", "outcome", "word"), [(HELD, Outcome.HELD, "held"), (NOISE, Outcome.NOISE, "noise")]
)
async def test_noise_and_held_words_are_kept_word_for_word_and_made_nothing_of(
    account: Account, text: str, outcome: Outcome, word: str
) -> None:
    # W056
    accepted = await say(account, text)

    (told,) = accepted.evidence
    assert (told.outcome, accepted.job_id) == (word, None)
    row = await row_of(account, told.evidence_id)
    assert (row.content, row.outcome, row.gate) == (text, outcome, told.gate)
    assert await account.db.read(lexical.count) == 0
    assert await account.db.read(lexical.gap) == 0


@pytest.mark.parametrize("text", [HELD, NOISE])
async def test_no_recall_shows_what_is_out_of_reach(account: Account, text: str) -> None:
    # W056, B130
    await say(account, text)

    assert await recalled(account) == []
    assert await recalled(account, time="2030") == []


@pytest.mark.parametrize("text", [HELD, NOISE])
async def test_a_neighbour_brings_no_held_words_along(account: Account, text: str) -> None:
    await observe(account, observation(user("m1", text), user("m2", "The harbour is cold.")))

    assert text not in "\n".join(await recalled(account))


@pytest.mark.parametrize("text", [HELD, NOISE])
async def test_only_the_row_itself_is_shown_and_on_this_machine_alone(
    account: Account, text: str
) -> None:
    accepted = await say(account, text)
    evidence_id = accepted.evidence[0].evidence_id

    here = await shown(account, evidence_id, Tier.LOCAL)
    away = await shown(account, evidence_id, Tier.CLOUD)
    turns = await list_turns(account, WantedRows(0, 10), Tier.LOCAL)

    assert (here.content, away.content) == (text, None)
    assert [(turn.content, turn.outcome) for turn in turns.rows] == [(None, here.row.outcome)]


async def test_rows_are_found_by_their_outcome(account: Account) -> None:
    await say(account, HELD, NOISE, "The harbour is cold.")

    found = {
        outcome: await list_evidence(account, WantedRows(0, 10, outcome), Tier.LOCAL)
        for outcome in (Outcome.HELD, Outcome.NOISE, Outcome.ELIGIBLE)
    }

    assert {outcome: [row.content for row in page.rows] for outcome, page in found.items()} == {
        Outcome.HELD: [HELD],
        Outcome.NOISE: [NOISE],
        Outcome.ELIGIBLE: ["The harbour is cold."],
    }


async def test_a_flagged_message_is_stored_formed_and_trusted_less(account: Account) -> None:
    accepted = await say(account, QUOTED)

    (told,) = accepted.evidence
    assert told.outcome == "stored"
    assert accepted.job_id is not None
    assert told.gate == Gate(Decision.FLAG, 1, "word", Detector.INJECTION, 9, 15)
    assert (await row_of(account, told.evidence_id)).trust == 0.5


async def test_what_just_passed_says_nothing_of_gates(account: Account) -> None:
    accepted = await say(account, "The harbour is cold.")

    assert accepted.evidence[0].gate is None
    assert (await row_of(account, accepted.evidence[0].evidence_id)).gate.rules_version == 1


async def test_an_attack_in_the_second_kilobyte_is_found_where_it_is(account: Account) -> None:
    # W066
    text = "The harbour is cold. " * 100 + HELD

    accepted = await say(account, text)

    gate = accepted.evidence[0].gate
    assert gate is not None
    assert (gate.start, gate.end) == (text.index("OBEY"), text.index("OBEY") + 4)


@pytest.mark.parametrize("text", [HELD, NOISE, QUOTED])
async def test_the_same_call_gets_the_same_verdict_though_the_rules_have_changed(
    account: Account, text: str
) -> None:
    first = await say(account, text)
    changed = replace(account, gates=type(account.gates)(account.hash_key, rules=scripted(2)))

    again = await say(changed, text)

    assert again == replace(first, replayed=True)


async def test_a_job_is_over_what_may_be_formed_and_nothing_else(account: Account) -> None:
    accepted = await say(account, HELD, "The harbour is cold.", NOISE)

    job_id = accepted.job_id
    assert job_id is not None
    over = await account.db.read(lambda tx: jobs.evidence_of(tx, job_id))
    assert over == (accepted.evidence[1].evidence_id,)


async def test_another_speaker_is_trusted_less_than_the_owner(account: Account) -> None:
    theirs = user("m1", "I row.", speaker=Speaker("p1", "Mira"))

    accepted = await observe(account, observation(theirs, user("m2", "I swim.")))

    rows = [await row_of(account, told.evidence_id) for told in accepted.evidence]
    assert [row.trust for row in rows] == [0.9, 1.0]


# --- what stands beside the words


async def test_passages_are_noted_with_their_spans_and_meanings(account: Account) -> None:
    said = replace(user("m1", "I sail tomorrow"), said_at=Instant(NOON, 540))

    accepted = await observe(account, observation(said))

    found = await shown(account, accepted.evidence[0].evidence_id, Tier.LOCAL)
    assert found.annotations == (
        Annotation(7, 15, AnnotationKind.DATE, "2031-01-02", Precision.DAY, 0.9),
    )
    anchor = await account.db.read(
        lambda tx: tx.execute("SELECT anchor FROM annotation").fetchone()[0]
    )
    assert anchor == "2030-03-18T02:46:40+09:00"


async def test_who_may_not_read_the_words_is_not_told_what_they_mean(account: Account) -> None:
    accepted = await say(account, "I sail tomorrow")
    evidence_id = accepted.evidence[0].evidence_id
    await account.db.write(lambda tx: tx.execute("UPDATE evidence SET cloud_read = 0"))

    assert (await shown(account, evidence_id, Tier.CLOUD)).annotations == ()
    assert len((await shown(account, evidence_id, Tier.LOCAL)).annotations) == 1


async def test_held_words_are_not_noted_and_broken_ones_get_a_readable_copy(
    account: Account,
) -> None:
    # W046
    accepted = await say(account, f"{HELD} tomorrow", "broken MURMUR tomorrow")

    held, noise = [
        (await shown(account, told.evidence_id, Tier.LOCAL)).annotations
        for told in accepted.evidence
    ]
    assert held == ()
    assert [(one.kind, one.value) for one in noise] == [(AnnotationKind.REPAIR, "repaired")]


# --- when a rule fails


async def test_a_message_that_cannot_be_annotated_is_stored_and_counted(account: Account) -> None:
    # W039
    accepted = await say(account, "CRASH tomorrow")

    assert accepted.evidence[0].outcome == "stored"
    assert accepted.job_id is not None
    assert (await row_of(account, accepted.evidence[0].evidence_id)).annotations_failed
    assert (await health.of(account)).gates.annotations_failed == 1


async def test_a_normaliser_that_is_told_to_stop_in_time_costs_no_write(tmp_path: Path) -> None:
    # W039
    def slow(text, anchor, locale, *, out_of_time):  # type: ignore[no-untyped-def]
        if out_of_time():
            raise TimeoutError
        return nothing(text, anchor, locale)

    async with open_account(tmp_path, rules=scripted(annotate=slow)) as account:
        account.gates._within_s = -1.0
        accepted = await say(account, "I sail tomorrow")

        assert (await row_of(account, accepted.evidence[0].evidence_id)).annotations_failed


@pytest.mark.parametrize("at_ms", [-62_135_596_800_000, 253_402_300_799_999])
async def test_a_moment_at_the_edge_of_the_calendar_costs_no_write(
    tmp_path: Path, at_ms: int
) -> None:
    zone = {True: "Pacific/Honolulu", False: "Asia/Tokyo"}[at_ms < 0]
    said = replace(user("m1", "I sail tomorrow"), said_at=Instant(EpochMs(at_ms), 0))
    async with open_account(tmp_path, rules=scripted(), time_zone=zone) as account:
        accepted = await observe(account, observation(said))

        assert accepted.evidence[0].outcome == "stored"
        assert (await row_of(account, accepted.evidence[0].evidence_id)).annotations_failed


@pytest.mark.parametrize(
    "found",
    [
        Annotation(5, 5, AnnotationKind.DATE, "2031", Precision.YEAR, 1.0),
        Annotation(0, 99, AnnotationKind.DATE, "2031", Precision.YEAR, 1.0),
        Annotation(0, 1, AnnotationKind.DATE, "2031", Precision.YEAR, 1.5),
    ],
)
async def test_an_annotation_that_does_not_fit_costs_no_write(
    tmp_path: Path, found: Annotation
) -> None:
    rules = scripted(annotate=lambda *_, **__: (found,))
    async with open_account(tmp_path, rules=rules) as account:
        accepted = await say(account, "I sail tomorrow")

        row = await row_of(account, accepted.evidence[0].evidence_id)
        assert (row.outcome, row.annotations_failed) == (Outcome.ELIGIBLE, True)


async def test_a_message_that_cannot_be_judged_is_kept_out_of_reach_and_counted(
    account: Account,
) -> None:
    accepted = await say(account, "CRASH gates at the harbour")

    (told,) = accepted.evidence
    assert told.outcome == "held"
    assert told.gate == Gate(Decision.HOLD, 0, "gate_failed")
    assert (await row_of(account, told.evidence_id)).content == "CRASH gates at the harbour"
    found = (await health.of(account)).gates
    assert (found.gate_failed, found.held_by[None]) == (1, 1)


@pytest.mark.parametrize(
    "found",
    [
        Judgement(Verdict(Decision.PASS), "shorter"),
        Judgement(Verdict(Decision.PASS), "The harbour is warm."),
        Judgement(Verdict(Decision.HOLD, "x", Detector.ROLE, 3, 99), "The harbour is cold."),
    ],
)
async def test_a_verdict_that_does_not_fit_its_text_counts_as_none(
    tmp_path: Path, found: Judgement
) -> None:
    rules = scripted(judge=lambda text, secrets: found)
    async with open_account(tmp_path, rules=rules) as account:
        accepted = await say(account, "The harbour is cold.")

        assert accepted.evidence[0].gate == Gate(Decision.HOLD, 0, "gate_failed")
        row = await row_of(account, accepted.evidence[0].evidence_id)
        assert row.content == "The harbour is cold."


async def test_health_counts_what_the_gates_said(account: Account) -> None:
    await say(account, HELD, NOISE, QUOTED, SECRET, "The harbour is cold.", "CRASH tomorrow")

    found = (await health.of(account)).gates

    counted = (found.rows, found.noise, found.held, found.flagged, found.annotations_failed)
    assert counted == (6, 1, 2, 1, 1)
    assert (found.held_by[Detector.INJECTION], found.held_by[Detector.SECRET]) == (1, 1)


# --- secrets


async def test_a_secret_is_held_and_shown_to_the_owner_alone(account: Account) -> None:
    accepted = await say(account, SECRET)

    (told,) = accepted.evidence
    assert told.gate == Gate(Decision.HOLD, 1, "password", Detector.SECRET, 28, 35)
    assert await recalled(account, "gate opens night") == []
    assert (await shown(account, told.evidence_id, Tier.LOCAL)).content == SECRET


async def test_a_covered_secret_never_reaches_the_disk(redacting: Account, tmp_path: Path) -> None:
    accepted = await say(redacting, SECRET)

    (told,) = accepted.evidence
    assert told.outcome == "stored"
    assert told.gate == Gate(Decision.PASS, 1, redacted=1)
    assert (await row_of(redacting, told.evidence_id)).content == COVERED
    files = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert not any(b"hunter2" in data for data in files)


async def test_what_an_assistant_repeats_of_a_secret_is_covered_too(redacting: Account) -> None:
    await observe(redacting, observation(user("u1", SECRET), assistant("a1", f"So {SECRET}")))

    turns = await list_turns(redacting, WantedRows(0, 10), Tier.LOCAL)
    assert [turn.content for turn in turns.rows] == [COVERED, f"So {COVERED}"]


NEVER_AGAIN = scripted(2, judge=lambda text, secrets: Judgement(Verdict(Decision.PASS), text))


async def test_a_message_with_a_covered_secret_is_known_when_it_comes_again(
    redacting: Account,
) -> None:
    messages = (user("m1", SECRET), assistant("a1", f"So {SECRET}"))
    first = await observe(redacting, observation(*messages))
    other_rules = type(redacting.gates)(redacting.hash_key, rules=NEVER_AGAIN)
    changed = replace(redacting, gates=other_rules)

    same_event = await observe(changed, observation(*messages))
    same_message = await observe(changed, observation(*messages, event="e2"))

    assert same_event == replace(first, replayed=True)
    assert same_message.evidence[0].outcome == "duplicate"
    assert await redacting.db.read(evidence.count) == 1


async def test_other_words_around_a_covered_secret_are_another_message(redacting: Account) -> None:
    await observe(redacting, observation(user("m1", SECRET), assistant("a1", SECRET)))
    other = SECRET.replace("night", "noon!")

    with pytest.raises(EvidenceConflict):
        await observe(redacting, observation(user("m1", other), event="e2"))
    with pytest.raises(EvidenceConflict):
        await observe(redacting, observation(assistant("a1", other), event="e3"))
    with pytest.raises(EventIdConflict):
        await observe(redacting, observation(user("m1", other), assistant("a1", SECRET)))


async def test_no_digest_of_a_covered_secret_is_kept(redacting: Account) -> None:
    call = observation(user("m1", SECRET))

    accepted = await observe(redacting, call)

    kept = await redacting.db.read(lambda tx: interactions.find_event(tx, HOST, call.event_id))
    assert kept is not None
    assert kept[0] != call.request_hash
    row = accepted.evidence[0].evidence_id
    # The same digest for any secret as long: nobody can try them out.
    other = observation(user("m1", SECRET.replace("2", "7")))
    await observe(redacting, other)
    again = await redacting.db.read(lambda tx: interactions.find_event(tx, HOST, call.event_id))
    assert again == kept
    assert (await row_of(redacting, row)).content == COVERED


# --- who said it


async def test_a_speaker_whose_name_commands_holds_the_message(account: Account) -> None:
    named = Speaker("s1", "OBEY me at once")
    accepted = await observe(
        account, observation(user("m1", "The harbour is cold.", speaker=named))
    )

    (told,) = accepted.evidence
    assert (told.outcome, accepted.job_id) == ("held", None)
    # The place is in the name: nothing in the words is to blame.
    assert told.gate == Gate(Decision.HOLD, 1, "word", Detector.INJECTION)
    assert await recalled(account) == []


async def test_a_secret_in_a_speaker_s_name_is_held_where_others_are_covered(
    redacting: Account,
) -> None:
    named = Speaker("s1", "hunter2")
    accepted = await observe(redacting, observation(user("m1", SECRET, speaker=named)))

    assert accepted.evidence[0].outcome == "held"
    assert (await row_of(redacting, accepted.evidence[0].evidence_id)).content == COVERED


async def test_the_same_words_of_another_speaker_are_judged_by_themselves(
    account: Account,
) -> None:
    for event, name in (("e1", "OBEY"), ("e2", "Mel")):
        said = user(event, "The harbour is cold.", speaker=Speaker("s1", name))
        accepted = await observe(account, observation(said, event=event))

    assert accepted.evidence[0].outcome == "stored"


# --- assistant turns


async def test_an_assistant_turn_that_repeats_held_words_is_context_for_nobody(
    account: Account,
) -> None:
    await observe(account, observation(assistant("a1", f"You said: {HELD}"), user("m1", "ok")))

    turns = await list_turns(account, WantedRows(0, 10), Tier.LOCAL)
    assert [(turn.content, turn.outcome) for turn in turns.rows] == [
        (None, Outcome.HELD),
        ("ok", None),
    ]


async def test_an_assistant_s_greeting_is_context_as_ever(account: Account) -> None:
    await observe(account, observation(assistant("a1", NOISE)))

    turns = await list_turns(account, WantedRows(0, 10), Tier.LOCAL)
    assert [turn.content for turn in turns.rows] == [NOISE]


# --- how judging is done


async def test_long_texts_are_judged_off_the_loop_and_in_their_place(tmp_path: Path) -> None:
    threads: list[str] = []

    def judge(text: str, secrets: SecretPolicy) -> Judgement:
        threads.append(threading.current_thread().name)
        return Judgement(Verdict(Decision.PASS), text)

    async with open_account(tmp_path, rules=scripted(judge=judge)) as account:
        await say(account, "short", event="e1")
        await say(account, "long " * JUDGED_AT_ONCE_CHARS, event="e2")

    assert threads[0] == threading.main_thread().name
    assert threads[1] != threads[0]


async def test_a_call_that_is_cancelled_while_it_is_judged_stops_at_the_next_text(
    tmp_path: Path,
) -> None:
    scope = trio.CancelScope()
    judged: list[str] = []

    def judge(text: str, secrets: SecretPolicy) -> Judgement:
        judged.append(text)
        trio.from_thread.run_sync(scope.cancel)
        return Judgement(Verdict(Decision.PASS), text)

    long = ["long " * JUDGED_AT_ONCE_CHARS + str(place) for place in range(3)]
    async with open_account(tmp_path, rules=scripted(judge=judge)) as account:
        with scope:
            await say(account, *long)

        assert scope.cancelled_caught
        assert judged == long[:1]
        assert await account.db.read(evidence.count) == 0


async def test_a_call_that_is_cancelled_waits_for_no_rule_that_hangs(tmp_path: Path) -> None:
    scope = trio.CancelScope()
    let_go = threading.Event()
    waited: list[bool] = []

    def judge(text: str, secrets: SecretPolicy) -> Judgement:
        trio.from_thread.run_sync(scope.cancel)
        waited.append(let_go.wait(10.0))
        return Judgement(Verdict(Decision.PASS), text)

    async with open_account(tmp_path, rules=scripted(judge=judge)) as account:
        with scope:
            await say(account, "long " * JUDGED_AT_ONCE_CHARS)
        was_waited_for = bool(waited)
        let_go.set()

        assert (scope.cancelled_caught, was_waited_for) == (True, False)
        assert await account.db.read(evidence.count) == 0


async def test_a_history_that_is_sent_again_is_not_judged_again(tmp_path: Path) -> None:
    judged: list[str] = []

    def judge(text: str, secrets: SecretPolicy) -> Judgement:
        judged.append(text)
        return Judgement(Verdict(Decision.PASS), text)

    async with open_account(tmp_path, rules=scripted(judge=judge)) as account:
        history = [user(f"m{turn}", f"I planted tree {turn}.") for turn in range(6)]
        await observe(account, observation(*history, event="e1"))
        await observe(account, observation(*history, user("m6", "I rest."), event="e2"))

    assert judged == [message.content for message in history] + ["I rest."]


async def test_a_history_that_was_judged_before_is_no_threads_work_unless_it_is_very_long(
    account: Account,
) -> None:
    page = Said("I row. " * 4_000)
    account.gates.judge_all([page])

    assert not account.gates.take_long([page] * 2)
    assert account.gates.take_long([page] * 20)


async def test_what_is_remembered_of_a_judged_text_is_no_word_of_it(account: Account) -> None:
    await say(account, "The harbour is cold.", HELD, "MURMUR broken harbour")

    known = account.gates._known.values()
    assert [one.content for one in known] == ["", ""]
    assert not [note for one in known for note in one.noted.annotations if note.kind == "repair"]


async def test_erased_words_take_their_verdict_along(account: Account) -> None:
    accepted = await say(account, HELD)
    evidence_id = accepted.evidence[0].evidence_id

    await account.db.write(lambda tx: evidence.erase(tx, evidence_id, EpochMs(NOON)))

    row = await row_of(account, evidence_id)
    assert (row.outcome, row.gate) == (Outcome.ELIGIBLE, Gate(Decision.PASS, 1))
    assert (await health.of(account)).gates.held == 0
    counts = await account.db.read(jobs.counts)
    assert counts[JobState.PENDING] == 0


async def test_a_greeting_between_a_question_and_its_answer_parts_them_not(
    account: Account,
) -> None:
    messages = ("Where does the ferry land?", NOISE, "At the old pier.")
    for place, text in enumerate(messages):
        await observe(account, observation(user(f"m{place}", text), event=f"e{place}"))

    assert "At the old pier." in await recalled(account, "Where does the ferry land")
