"""How far a forget reaches: every place where what goes may still be read."""

from __future__ import annotations

import pytest

from mnemod.accounts import Account
from mnemod.config import Tier
from mnemod.domain.evidence import Permissions, Speaker
from mnemod.domain.turns import Capture, Dependency, DependencyKind
from mnemod.domain.world import ItemKind, Precision
from mnemod.ids import ConversationId, EpochMs, EvidenceId, ItemId
from mnemod.services.correct import Correction, correct
from mnemod.services.forget import Preview, Target, forget, preview
from mnemod.services.observe import observe
from mnemod.store import evidence, items, supports, turns
from mnemod.store.database import Tx
from tests.support import worlds
from tests.support.builders import HOST, assistant, command, observation, say, user


async def only(account: Account, text: str, event: str = "e1") -> EvidenceId:
    return (await say(account, text, event=event)).evidence[0].evidence_id


async def forget_all(account: Account, *targets: Target) -> Preview:
    found = await preview(account, targets, Tier.LOCAL)
    await forget(account, command(), targets, found.scope)
    return found


def row(evidence_id: EvidenceId) -> Target:
    return Target("evidence", evidence_id)


async def spoken(account: Account) -> list[str | None]:
    """The assistant's turns as they are now."""
    found = await account.db.read(lambda tx: turns.page(tx, after=0, limit=99))
    return [turn.content for turn in found if turn.role == "assistant"]


@pytest.mark.parametrize("capture", list(Capture))
async def test_a_copy_goes_whatever_its_host_says_it_relied_on(
    account: Account, capture: Capture
) -> None:
    said = await only(account, "I like cedar tea")
    other = Dependency(DependencyKind.EVIDENCE, "ev_other")
    relied = (other,) if capture is Capture.COMPLETE else ()
    copy = assistant("a1", "You like cedar tea.", capture=capture, dependencies=relied)
    elsewhere = observation(copy, event="e2", conversation=ConversationId("talk-2"))
    await observe(account, elsewhere)

    await forget_all(account, row(said))

    assert await spoken(account) == [None]


async def test_an_answer_that_repeats_one_sentence_of_the_message_goes(account: Account) -> None:
    told = await observe(
        account,
        observation(
            user("m1", "It rained. My locker is 14."),
            assistant("a1", "Your locker is 14, noted."),
            user("m2", "Good."),
            assistant("a2", "It rained here too."),
        ),
    )

    await forget_all(account, row(told.evidence[0].evidence_id))

    assert await spoken(account) == [None, "It rained here too."]


async def test_a_reply_that_relied_on_the_episode_of_a_message_goes_with_it(
    account: Account,
) -> None:
    told = await say(account, "I like cedar tea")
    relied = Dependency(DependencyKind.INTERACTION, told.interaction_id)
    reply = assistant("a1", "Tea it is, then.", capture=Capture.COMPLETE, dependencies=(relied,))
    await observe(account, observation(reply, event="e2"))

    found = await forget_all(account, row(told.evidence[0].evidence_id))

    assert ("turn", "relied") in [(r.object_kind, r.reason.value) for r in found.rows]
    assert await spoken(account) == [None]


async def test_forgetting_a_person_takes_the_sentences_that_name_them(account: Account) -> None:
    said = await only(account, "Mira called. She likes figs. Miraculously it rained.")
    mira = await worlds.name(account, "Mira", said)
    await worlds.form(account, (said, "She likes figs."), subject=mira)

    await forget_all(account, Target(ItemKind.ENTITY.value, mira))

    left = await account.db.read(lambda tx: evidence.by_id(tx, said))
    assert left is not None
    assert left.content.replace("█", "").strip() == "Miraculously it rained."


async def test_a_date_read_from_words_that_went_goes_with_them(account: Account) -> None:
    first = await only(account, "I broke my arm yesterday")
    second = await only(account, "I broke my arm yesterday!", event="e2")
    made = await worlds.form(account, (first, "I broke my arm yesterday"))
    await worlds.support(account, made, second, "I broke my arm yesterday!")
    await account.db.write(lambda tx: _date(tx, made))

    await forget_all(account, row(first))

    left = await account.db.read(lambda tx: items.by_id(tx, made))
    assert left is not None
    assert (left.occurred_at, left.precision, left.time_expression) == (None, None, None)
    assert left.valid_from_ms is None


async def test_a_date_read_from_words_that_stay_stays(account: Account) -> None:
    first = await only(account, "I broke my arm yesterday")
    second = await only(account, "I broke my arm yesterday!", event="e2")
    made = await worlds.form(account, (first, "I broke my arm yesterday"))
    await worlds.support(account, made, second, "I broke my arm yesterday!")
    await account.db.write(lambda tx: _date(tx, made))

    await forget_all(account, row(second))

    left = await account.db.read(lambda tx: items.by_id(tx, made))
    assert left is not None
    assert (left.occurred_at, left.precision) == ("2031-05-04", Precision.DAY)
    assert len(await account.db.read(lambda tx: supports.of(tx, made))) == 1


async def test_who_spoke_goes_with_an_erased_message(account: Account) -> None:
    told = await observe(account, observation(user("m1", "I row", speaker=Speaker("p1", "Mira"))))
    said = told.evidence[0].evidence_id

    await forget_all(account, row(said))

    left = await account.db.read(lambda tx: evidence.by_id(tx, said))
    assert left is not None
    assert (left.speaker, left.message_id, left.host_id) == (None, "", "")


@pytest.mark.parametrize(
    ("said", "copy"),
    [
        ("I earn 10,000 a month", "Since you earn 10,000 a month, yes."),
        ("My plot is 10² feet", "Your plot is 10² feet."),
        ("I am well-known at AC-2041.", "You are well-known at AC-2041!"),
        ("I'm Mira's aunt.", "You're Mira\u2019s aunt."),
        ("I see Ada at 3:30", "You see Ada at 3:30 then."),
        ("我住在塔恩3号", "好的，你住在塔恩3号。"),
        ("I like 雪松 tea", "You like 雪松 tea."),
        ("I LIKE cedar  tea", "you like Cedar tea"),
        ("J'aime le thé de Lué", "Noted: j'aime le thé de Lué"),
    ],
)
async def test_a_copy_is_found_however_its_words_are_cut(
    account: Account, said: str, copy: str
) -> None:
    told = await only(account, said)
    elsewhere = ConversationId("talk-2")
    await observe(account, observation(assistant("a1", copy), event="e2", conversation=elsewhere))

    await forget_all(account, row(told))

    assert await spoken(account) == [None]


async def test_a_copy_of_a_long_message_is_found(account: Account) -> None:
    long = " ".join(f"Plot {number} grows leeks{number}." for number in range(60))
    said = await only(account, long)
    copy = assistant("a1", f"You said: {long}")
    await observe(account, observation(copy, event="e2", conversation=ConversationId("talk-2")))

    await forget_all(account, row(said))

    assert await spoken(account) == [None]


async def test_words_about_somebody_whose_only_name_went_stay_as_words(account: Account) -> None:
    named = await only(account, "Zorb plans shifts.")
    other = await only(account, "She rows at dawn. It rained.", event="e2")
    zorb = await worlds.name(account, "Zorb", named)
    await worlds.form(account, (named, "Zorb plans shifts."), subject=zorb)
    rows = await worlds.form(account, (other, "She rows at dawn."), subject=zorb)

    found = await forget_all(account, row(named))

    left = await account.db.read(lambda tx: evidence.by_id(tx, other))
    assert left is not None
    assert left.content == "She rows at dawn. It rained."
    assert (rows, "unsupported") in [(r.id, r.reason.value) for r in found.rows]


ZORB = "Zorb"


async def test_no_column_of_any_table_tells_what_was_forgotten(account: Account) -> None:
    told = await observe(
        account,
        observation(
            user("m-Zorb", "My name for it is Zorb.", speaker=Speaker("id-Zorb", "Zorb the one")),
            assistant("a-Zorb", "Your name for it is Zorb, then."),
            event="event-Zorb",
            session="session-Zorb",
        ),
    )
    said = told.evidence[0].evidence_id
    zorb = await worlds.name(account, "Zorb", said)
    old = await worlds.form(account, (said, "My name for it is Zorb."), subject=zorb)
    wanted = Correction(HOST, Tier.LOCAL, ItemKind.COGNITION, old, "Zorb II", None, Permissions())
    await correct(account, command("c0"), wanted)
    assert await account.db.read(_telling) != []

    await forget_all(account, row(said))

    assert await account.db.read(_telling) == []
    assert await account.db.read(lambda tx: tx.execute("PRAGMA foreign_key_check").fetchall()) == []


def _telling(tx: Tx) -> list[str]:
    """Every column that holds the word, of every table, FTS5's own included."""
    tables = tx.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    columns = [
        (table, column[1])
        for (table,) in tables
        for column in tx.execute(f"PRAGMA table_info('{table}')").fetchall()
    ]
    holds = 'SELECT count(*) FROM "{0}" WHERE instr(lower(CAST("{1}" AS TEXT)), lower(?))'
    return [
        f"{table}.{column}"
        for table, column in columns
        if tx.execute(holds.format(table, column), (ZORB,)).fetchone()[0]
    ]


def _date(tx: Tx, item_id: ItemId) -> None:
    tx.execute(
        "UPDATE item SET occurred_at = '2031-05-04', precision = 'day',"
        " time_expression = 'yesterday', valid_from_ms = ? WHERE item_id = ?",
        (EpochMs(1), item_id),
    )
