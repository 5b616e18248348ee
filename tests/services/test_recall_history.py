"""What was so and what is: the present by default, the past when asked for, never confused."""

from __future__ import annotations

import pytest

from mnemod.accounts import Account
from mnemod.config import Tier
from mnemod.domain.evidence import EVERYTHING_ALLOWED, Permissions
from mnemod.domain.history_cues import History
from mnemod.domain.world import ItemKind, TransitionKind
from mnemod.ids import EpochMs, ItemId
from mnemod.services.correct import Correction, correct
from mnemod.services.observe import observe
from mnemod.services.recall import Recall, recall
from mnemod.services.recall_shown import Recalled, ShownItem
from tests.support import worlds
from tests.support.builders import HOST, Clock, command, observation, user
from tests.support.recalling import asked, item_texts, quote_texts, told

DAY_MS = 86_400_000


async def replaced(
    account: Account, clock: Clock, before: str, after: str
) -> tuple[ItemId, ItemId]:
    """A fact that was said, and one that took its place a day later."""
    old = await worlds.form(account, (await told(account, before), before))
    clock.forward(DAY_MS)
    row = await told(account, after)
    new = await worlds.form(account, (row, after))
    await worlds.replace(account, old, new, row)
    return old, new


def labels(found: Recalled) -> dict[str, str]:
    return {item.shown.item.text: "past" if item.is_past else "current" for item in found.items}


def past_item(found: Recalled) -> ShownItem:
    return next(item for item in found.items if item.is_past)


async def test_only_what_is_current_answers_a_question_about_now(
    account: Account, clock: Clock
) -> None:
    await replaced(account, clock, "I drink oolong.", "I stopped drinking oolong, rooibos now.")

    found = await asked(account, "what tea do I drink")

    assert labels(found) == {"I stopped drinking oolong, rooibos now.": "current"}
    assert "I drink oolong." not in quote_texts(found)


async def test_what_was_so_is_told_when_asked_for_with_its_end_and_successor(
    account: Account, clock: Clock
) -> None:
    _, new = await replaced(
        account, clock, "I drink oolong.", "I stopped drinking oolong, rooibos now."
    )

    found = await asked(account, "what tea did I drink before")

    assert labels(found)["I drink oolong."] == "past"
    assert past_item(found).successor_id == new
    assert "- [fact, past" in found.rendered


@pytest.mark.parametrize(
    ("before", "after", "query"),
    [
        ("我喝乌龙茶", "我现在喝红茶", "以前喝什么茶"),
        ("烏龍茶を飲む", "今は紅茶を飲む", "昔は何茶を飲んだ"),
    ],
)
async def test_the_past_is_asked_for_in_three_languages(
    account: Account, clock: Clock, before: str, after: str, query: str
) -> None:
    await replaced(account, clock, before, after)

    assert labels(await asked(account, query))[before] == "past"


async def test_a_word_that_only_the_past_holds_finds_it_when_asked(
    account: Account, clock: Clock
) -> None:
    await replaced(account, clock, "I live in Lisbon", "I live in Porto")

    assert "I live in Lisbon" in item_texts(await asked(account, "Lisbon", history=History.ALWAYS))
    assert "I live in Lisbon" not in item_texts(await asked(account, "Lisbon"))
    assert "I live in Lisbon" not in item_texts(
        await asked(account, "did I use to live in Lisbon before", history=History.NEVER)
    )


async def test_a_reassignment_is_a_move_like_any_other(account: Account, clock: Clock) -> None:
    old, new = await replaced(
        account, clock, "Kesh works on project Juniper.",
        "Kesh was reassigned from Juniper to Alder.",
    )  # fmt: skip

    now = await asked(account, "which project is Kesh on")
    then = await asked(account, "which project was Kesh on before")

    assert [item.shown.item.item_id for item in now.items] == [new]
    assert {item.shown.item.item_id for item in then.items} == {old, new}
    assert all(item.shown.support for item in then.items)


async def test_a_stale_fact_that_fits_word_for_word_does_not_outrank_the_current_one(
    account: Account, clock: Clock
) -> None:
    await replaced(account, clock, "The gate keypad uses port 22", "Keypad access moved to 49222")

    found = await asked(account, "gate keypad port")

    assert item_texts(found) == ["Keypad access moved to 49222"]


async def test_the_present_is_found_in_the_words_of_the_past(
    account: Account, clock: Clock
) -> None:
    await replaced(account, clock, "My locker code is 4711", "It is 0815 since Monday")

    assert item_texts(await asked(account, "locker code")) == ["It is 0815 since Monday"]


async def test_the_words_of_a_superseded_fact_are_not_quoted_as_they_stood(
    account: Account, clock: Clock
) -> None:
    old, new = await replaced(account, clock, "I live in Lisbon", "I live in Porto")

    now = await asked(account, "Lisbon Porto live", explain=True)
    then = await asked(account, "where did I live before Porto, Lisbon?", max_items=1)

    assert quote_texts(now) == []
    assert ("evidence", "superseded", 1) in [
        (row.object_kind, row.reason, row.count) for row in now.withheld
    ]
    shown = {item.shown.item.item_id for item in then.items}
    marked = [quote.superseded_by for quote in then.quotes if quote.text == "I live in Lisbon"]
    assert (old in shown) or marked == [new]


async def test_a_quote_of_the_past_is_marked_with_what_took_its_place(
    account: Account, clock: Clock
) -> None:
    row = await told(account, "I live in Lisbon and keep bees")
    old = await worlds.form(account, (row, "I live in Lisbon"))
    later = await told(account, "I moved to Porto")
    new = await worlds.form(account, (later, "I moved to Porto"))
    await worlds.replace(account, old, new, later)

    found = await asked(account, "who used to keep bees", max_items=1)

    quotes = {quote.text: quote.superseded_by for quote in found.quotes}
    assert quotes == {"I live in Lisbon and keep bees": new}


async def test_a_retracted_fact_is_never_shown(account: Account, clock: Clock) -> None:
    old, _ = await replaced(account, clock, "I play the oboe", "I sold it all")
    await account.db.write(
        lambda tx: tx.execute("UPDATE item SET state = 'retracted' WHERE item_id = ?", (old,))
    )

    found = await asked(account, "oboe before", history=History.ALWAYS)

    assert "I play the oboe" not in item_texts(found) + quote_texts(found)


async def test_a_fact_whose_time_is_over_is_past(account: Account, clock: Clock) -> None:
    made = await worlds.form(account, (await told(account, "I lease the kiln"), "I lease the kiln"))
    ends = EpochMs(account.now() + DAY_MS)
    await account.db.write(
        lambda tx: tx.execute("UPDATE item SET valid_to_ms = ? WHERE item_id = ?", (ends, made))
    )

    before = await asked(account, "kiln")
    clock.forward(DAY_MS)
    after = await asked(account, "kiln")
    told_then = await asked(account, "kiln before")

    assert labels(before) == {"I lease the kiln": "current"}
    assert labels(after) == {}
    assert labels(told_then) == {"I lease the kiln": "past"}


async def test_a_successor_that_may_not_be_seen_is_not_named(
    account: Account, clock: Clock
) -> None:
    old = await worlds.form(account, (await told(account, "I live in Lisbon"), "I live in Lisbon"))
    secret = await told(account, "I live in Porto", permissions=Permissions(cloud_read=False))
    new = await worlds.form(account, (secret, "I live in Porto"))
    await worlds.replace(account, old, new, secret, TransitionKind.SUPERSEDES)

    found = await asked(account, "where did I live before", tier=Tier.CLOUD)

    assert [item.successor_id for item in found.items] == [None]
    assert new not in repr(found)


async def test_of_three_corrections_in_a_row_the_last_value_alone_is_found(
    account: Account, clock: Clock
) -> None:
    # C101
    words = [f"I train on {day}" for day in ("Wednesdays", "Fridays", "Mondays", "Sundays")]
    made = await worlds.form(account, (await told(account, words[0]), words[0]))
    for count, text in enumerate(words[1:]):
        clock.forward(DAY_MS)
        receipt = await correct(account, command(f"fix-{count}"), correction(made, text))
        made = ItemId(receipt.affected_ids[1])

    found = await asked(account, "which day do I train")

    assert item_texts(found) == ["I train on Sundays"]
    assert not set(quote_texts(found)) & set(words[:3])


def correction(item_id: ItemId, text: str) -> Correction:
    return Correction(HOST, Tier.LOCAL, ItemKind.COGNITION, item_id, text, None, EVERYTHING_ALLOWED)


async def test_what_took_the_place_of_private_words_is_recalled_where_those_may_not_go(
    account: Account,
) -> None:
    private = Permissions(cloud_read=False)
    both = (user("m1", "I live in Lisbon.", permissions=private), user("m2", "I live in Porto."))
    accepted = await observe(account, observation(*both))
    first, second = (row.evidence_id for row in accepted.evidence)
    prior = await worlds.form(account, (first, "I live in Lisbon."))
    successor = await worlds.form(account, (second, "I live in Porto."))
    await worlds.replace(account, prior, successor, second)

    found = await recall(account, Recall("Do I live in Porto", None, Tier.CLOUD))

    assert item_texts(found) == ["I live in Porto."]
