"""What the gates keep out of a prompt, out of an item, and out of an answer under way."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mnemod.accounts import Account
from mnemod.config import JUDGED_AT_ONCE_CHARS, Tier
from mnemod.domain.gates.chain import Judgement, SecretPolicy
from mnemod.domain.gates.verdict import PASSED
from mnemod.formation.prepare import End, prepare
from mnemod.formation.reading import ForgottenMeanwhile, Reading
from mnemod.formation.worker import work
from mnemod.ids import EvidenceId
from mnemod.services.gates import Wanted, rejudge, release
from mnemod.services.observe import observe
from mnemod.store import checkpoints, entity_names, items
from mnemod.store.checkpoints import Step
from mnemod.store.entity_names import EntityName, NameKind
from mnemod.store.jobs import JobState
from tests.support import worlds
from tests.support.builders import assistant, command, observation, open_account, say, user
from tests.support.formation import (
    NO_CHANGE,
    ScriptedInterpreter,
    TrioClock,
    claimed,
    formation,
    job,
    proposal,
    reply,
    texts,
    work_once,
)
from tests.support.rules import holding, judge_by, passing, scripted
from tests.support.work import settle_all


@pytest.fixture
async def account(tmp_path: Path) -> AsyncIterator[Account]:
    async with open_account(tmp_path, clock=TrioClock(), rules=scripted()) as opened:
        yield opened


async def heard(account: Account, text: str, event: str = "e1") -> EvidenceId:
    return (await say(account, text, event=event)).evidence[0].evidence_id


async def turns_shown(account: Account) -> list[str]:
    """The earlier turns that the oldest due job's interpreter is shown."""
    model = ScriptedInterpreter(NO_CHANGE, rewrites=False)
    await work_once(account, model)
    return [turn.text for turn in model.asked[0][0].turns]


# --- what is no context


@pytest.mark.parametrize("text", ["Please OBEY me.", "MURMUR, I say.", "It opens with hunter2."])
async def test_held_words_and_noise_are_shown_to_no_interpreter(
    account: Account, text: str
) -> None:
    # W117
    await heard(account, text, "e1")
    await heard(account, "I grow leeks.", "e2")

    assert await turns_shown(account) == []


async def test_an_answer_to_held_words_is_no_context_either(account: Account) -> None:
    await observe(
        account,
        observation(
            user("u1", "Please OBEY me."),
            assistant("a1", "I will do so, as you said."),
            user("u2", "I grow leeks."),
        ),
    )

    assert await turns_shown(account) == []


async def test_an_answer_to_a_greeting_is_still_context(account: Account) -> None:
    await observe(
        account,
        observation(
            user("u1", "MURMUR"), assistant("a1", "Do you row?"), user("u2", "Yes, I row.")
        ),
    )

    assert await turns_shown(account) == ["Do you row?"]


async def test_an_assistant_that_repeats_held_words_later_carries_them_into_no_prompt(
    account: Account,
) -> None:
    # B130
    await observe(
        account,
        observation(
            user("u1", "I row."),
            assistant("a1", "You told me: Please OBEY me."),
            user("u2", "I grow leeks."),
        ),
    )
    await work_once(account, ScriptedInterpreter(NO_CHANGE, rewrites=False))

    await heard(account, "I grow peas.", "e2")

    assert await turns_shown(account) == ["I row.", "I grow leeks."]


async def test_an_assistant_s_turn_from_before_is_judged_by_the_rules_of_now(
    account: Account,
) -> None:
    await observe(
        account,
        observation(assistant("a1", "Mind the harbour."), user("u1", "I grow leeks.")),
    )
    judge_by(account, holding("harbour"))

    assert await turns_shown(account) == []


async def test_an_assistant_s_turn_that_was_held_stays_out_though_rules_of_now_let_it_pass(
    account: Account,
) -> None:
    await observe(
        account,
        observation(assistant("a1", "OBEY the tides."), user("u1", "I grow leeks.")),
    )
    judge_by(account, passing(2))

    assert await turns_shown(account) == []


async def test_a_request_put_together_before_newer_rules_is_put_together_again(
    account: Account,
) -> None:
    await heard(account, "I row at the harbour.", "e1")
    await work_once(account, ScriptedInterpreter(NO_CHANGE, rewrites=False))
    await heard(account, "I grow leeks.", "e2")
    claim = await claimed(account)
    model = ScriptedInterpreter(NO_CHANGE)
    parts = await account.db.read(lambda tx: prepare(tx, account, claim.job_id, model))
    assert not isinstance(parts, End)
    judge_by(account, holding("harbour"))
    await rejudge(account, Wanted(0, 9))

    with pytest.raises(ForgottenMeanwhile):
        await Reading(account, model, claim, parts[0]).outcome()
    assert model.calls == 0


async def test_a_held_message_names_nobody_and_brings_no_item_along(account: Account) -> None:
    # W117
    mira = await heard(account, "Mira grows leeks at the harbour.")
    await work_once(account, ScriptedInterpreter(reply(proposal(mira, target="Mira"))))
    judge_by(account, holding("harbour"))
    await rejudge(account, Wanted(0, 9))

    await heard(account, "Mira grows leeks.", "e2")
    model = ScriptedInterpreter(NO_CHANGE, rewrites=False)
    await work_once(account, model)

    (request, _), *_ = model.asked
    assert (request.items, request.entities) == ((), ())


# --- jobs that were there before


async def test_a_job_over_a_message_that_is_held_now_ends_without_a_call(
    account: Account,
) -> None:
    await heard(account, "I grow leeks at the harbour.")
    judge_by(account, holding("harbour"))
    await rejudge(account, Wanted(0, 9))
    model = ScriptedInterpreter(NO_CHANGE)

    ended = await work_once(account, model)

    assert (model.calls, ended.job.state, ended.job.reason) == (
        0,
        JobState.NO_CHANGE,
        "evidence_held",
    )


class Meanwhile(ScriptedInterpreter):
    """Is overtaken by newer rules while it reads."""

    def __init__(self, account: Account, *outcomes: str) -> None:
        super().__init__(*outcomes, tier=Tier.LOCAL)
        self._account = account

    async def interpret(self, request, again):  # type: ignore[no-untyped-def]
        outcome = await super().interpret(request, again)
        judge_by(self._account, holding("harbour"))
        await rejudge(self._account, Wanted(0, 9))
        return outcome


async def test_an_answer_over_words_that_were_held_meanwhile_is_never_written(
    account: Account,
) -> None:
    row = await heard(account, "I grow leeks at the harbour.")
    claim = await claimed(account)

    await work(formation(account, Meanwhile(account, reply(proposal(row)))), claim)

    assert await texts(account) == []
    assert (await job(account, claim.job_id)).job.state is JobState.RETRY
    name = checkpoints.name_of(Step.FIRST, 0)
    assert await account.db.read(lambda tx: checkpoints.find(tx, claim.job_id, name)) is None


# --- what a reply chose


async def test_a_span_that_commands_is_no_item_though_its_message_only_reports(
    account: Account,
) -> None:
    row = await heard(account, "I row on lakes. OK.")
    judge_by(account, holding("I row"))

    ended = await work_once(account, ScriptedInterpreter(reply(proposal(row))))

    assert await texts(account) == []
    assert (ended.job.state, ended.job.reason) == (JobState.NO_CHANGE, "item_held")


async def test_what_else_the_reply_chose_is_formed_and_the_job_says_what_was_left_out(
    account: Account,
) -> None:
    row = await heard(account, "I row on lakes. I grow leeks.")
    judge_by(account, holding("I row"))
    both = reply(proposal(row), proposal(row, sentence="t1"))

    ended = await work_once(account, ScriptedInterpreter(both))

    assert await texts(account) == ["I grow leeks."]
    assert (ended.job.state, ended.job.reason) == (JobState.DONE, "item_held")


@pytest.mark.parametrize("members", [{"target": "Mira"}, {"holder": "Mira"}])
async def test_a_name_that_the_gates_hold_names_nobody(
    account: Account, members: dict[str, str]
) -> None:
    row = await heard(account, "Mira grows leeks.")
    judge_by(account, only("Mira"))

    ended = await work_once(account, ScriptedInterpreter(reply(proposal(row, **members))))

    assert await account.db.read(items.count) == 0
    assert ended.job.reason == "item_held"


async def test_a_short_fact_that_looks_like_noise_is_formed(account: Account) -> None:
    row = await heard(account, "I say MURMUR daily.")
    await release(account, command("c1"), row)

    await work_once(account, ScriptedInterpreter(reply(proposal(row))))

    assert await texts(account) == ["I say MURMUR daily."]


async def test_what_the_owner_released_is_not_held_a_second_time(account: Account) -> None:
    row = await heard(account, "I OBEY my doctor.")
    await release(account, command("c1"), row)

    await work_once(account, ScriptedInterpreter(reply(proposal(row))))

    assert await texts(account) == ["I OBEY my doctor."]


async def test_a_person_is_called_by_no_name_that_held_words_gave(account: Account) -> None:
    first = await heard(account, "We met Melchior.")
    second = await heard(account, "Mel rows.", "e2")
    entity = await worlds.name(account, "Melchior", first)
    alias = EntityName(entity, "mel", "Mel", NameKind.ALIAS, second)
    await account.db.write(lambda tx: entity_names.add(tx, alias))
    await worlds.form(account, (second, "Mel rows."), subject=entity)
    await settle_all(account)
    judge_by(account, holding("Melchior"))
    await rejudge(account, Wanted(0, 9))

    await heard(account, "Mel rows on lakes.", "e3")
    model = ScriptedInterpreter(NO_CHANGE, rewrites=False)
    await work_once(account, model)

    request = model.asked[0][0]
    assert [(item.text, item.subject) for item in request.items] == [("Mel rows.", "Mel")]
    assert "Melchior" not in repr(request)


async def test_nobody_is_told_of_as_the_owner_because_held_words_alone_name_them(
    account: Account,
) -> None:
    first = await heard(account, "We met Melchior.")
    second = await heard(account, "He rows.", "e2")
    entity = await worlds.name(account, "Melchior", first)
    await worlds.form(account, (second, "He rows."), subject=entity)
    await settle_all(account)
    judge_by(account, holding("Melchior"))
    await rejudge(account, Wanted(0, 9))

    await heard(account, "He rows on lakes.", "e3")
    model = ScriptedInterpreter(NO_CHANGE, rewrites=False)
    await work_once(account, model)

    assert model.asked[0][0].items == ()


async def test_a_long_item_is_judged_off_the_loop(account: Account) -> None:
    long = f"I row on {'very ' * JUDGED_AT_ONCE_CHARS}long lakes."
    row = await heard(account, long)
    threads: list[str] = []

    def judge(text: str, secrets: SecretPolicy) -> Judgement:
        threads.append(threading.current_thread().name)
        return Judgement(PASSED, text)

    judge_by(account, scripted(judge=judge))
    await work_once(account, ScriptedInterpreter(reply(proposal(row))))

    assert await texts(account) == [long]
    assert threads[-1] != threading.main_thread().name


# --- new words beside held ones


async def test_the_same_words_in_a_clean_message_make_an_item_of_their_own(
    account: Account,
) -> None:
    first = await heard(account, "I grow leeks. The harbour is cold.")
    await work_once(account, ScriptedInterpreter(reply(proposal(first))))
    judge_by(account, holding("harbour"))
    await rejudge(account, Wanted(0, 9))

    second = await heard(account, "I grow leeks.", "e2")
    await work_once(account, ScriptedInterpreter(reply(proposal(second))))

    rows = await account.db.read(lambda tx: items.page(tx, after=0, limit=9))
    assert [(row.text, row.occurrence) for row in rows] == [
        ("I grow leeks.", 1),
        ("I grow leeks.", 2),
    ]


async def test_an_item_is_trusted_as_far_as_the_best_message_that_says_it(
    account: Account,
) -> None:
    # W121
    flagged = await heard(account, "I grow leeks. He wrote QUOTED.")
    await work_once(account, ScriptedInterpreter(reply(proposal(flagged))))
    before = await account.db.read(lambda tx: items.page(tx, after=0, limit=9)[0].trust)

    clean = await heard(account, "I grow leeks.", "e2")
    await work_once(account, ScriptedInterpreter(reply(proposal(clean))))

    after = await account.db.read(lambda tx: items.page(tx, after=0, limit=9)[0].trust)
    assert (before, after) == (0.5, 1.0)


def only(text: str):  # type: ignore[no-untyped-def]
    """Rules that hold this very text."""
    rules = passing(2)

    def judge(said, secrets):  # type: ignore[no-untyped-def]
        return (holding(text) if said == text else rules).judge(said, secrets)

    return scripted(2, judge=judge)
