"""Whatever the world, a forget does what its preview said and leaves the file whole."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import trio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemod.accounts import Account
from mnemod.config import Tier
from mnemod.errors import AlreadyErased
from mnemod.ids import EvidenceId, ItemId
from mnemod.services.checkup import look_over
from mnemod.services.forget import Preview, Target, forget, preview
from mnemod.services.observe import observe
from mnemod.store.database import Tx
from tests.support import worlds
from tests.support.builders import assistant, command, observation, open_account, user
from tests.support.work import settle_all

WORDS = ("Kiln", "Fern", "Leek", "Oar", "Yew")
SENTENCES = tuple(f"{word} number {n} is mine." for word in WORDS for n in range(2))

places = st.integers(0, 7)
messages = st.lists(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=3), min_size=2)
facts = st.lists(st.tuples(places, places, st.booleans()), min_size=1, max_size=6)
steps = st.lists(st.tuples(places, places), max_size=4)
echoes = st.lists(st.sampled_from(SENTENCES), max_size=3)
targets = st.lists(st.tuples(st.booleans(), places), min_size=1, max_size=3)


@dataclass
class World:
    """What was put into an account."""

    rows: list[EvidenceId] = field(default_factory=list)
    texts: list[list[str]] = field(default_factory=list)
    facts: list[ItemId] = field(default_factory=list)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(messages.filter(lambda given: len(given) <= 8), facts, steps, echoes, targets)
def test_a_forget_does_what_its_preview_said_and_leaves_the_file_whole(
    said: list[list[str]],
    made: list[tuple[int, int, bool]],
    replaced: list[tuple[int, int]],
    echoed: list[str],
    wanted: list[tuple[bool, int]],
) -> None:
    async def live() -> None:
        with tempfile.TemporaryDirectory() as folder:
            async with open_account(Path(folder)) as account:
                world = await build(account, said, made, replaced, echoed)
                await check(account, world, wanted)

    trio.run(live)


async def check(account: Account, world: World, wanted: Sequence[tuple[bool, int]]) -> None:
    chosen = list(dict.fromkeys(_target(world, *each) for each in wanted))
    before = await account.db.read(rows_of)
    shown = await preview(account, chosen, Tier.LOCAL)

    await forget(account, command(), chosen, shown.scope)

    after = await account.db.read(rows_of)
    assert changed(before, after) == named(shown)
    found = await look_over(account, deep=True, repair=False)
    assert [f.check for f in found.findings if f.count] == []
    assert await refused_as_erased(account, chosen[0])


def _target(world: World, is_item: bool, place: int) -> Target:
    if is_item and world.facts:
        return Target("cognition", world.facts[place % len(world.facts)])
    return Target("evidence", world.rows[place % len(world.rows)])


async def refused_as_erased(account: Account, target: Target) -> bool:
    try:
        await preview(account, [target], Tier.LOCAL)
    except AlreadyErased:
        return True
    return False


async def build(
    account: Account,
    said: list[list[str]],
    made: list[tuple[int, int, bool]],
    replaced: list[tuple[int, int]],
    echoed: list[str],
) -> World:
    world = World(texts=said)
    for place, sentences in enumerate(said):
        told = await observe(
            account, observation(user(f"m{place}", " ".join(sentences)), event=f"e{place}")
        )
        world.rows.append(told.evidence[0].evidence_id)
    for place, text in enumerate(echoed):
        reply = assistant(f"a{place}", text.replace("mine", "yours"))
        await observe(account, observation(reply, event=f"a{place}"))
    for message, sentence, about_somebody in made:
        await _fact(account, world, message % len(said), sentence, about_somebody)
    for prior, successor in replaced:
        await _replace(account, world, prior % len(world.facts), successor % len(world.facts))
    await settle_all(account)
    return world


async def _fact(account: Account, world: World, place: int, sentence: int, about: bool) -> None:
    """One fact a sentence and message; said again elsewhere, it has that support too."""
    row, text = world.rows[place], world.texts[place][sentence % len(world.texts[place])]
    subject = None
    if about:
        subject = await worlds.name(account, text.split()[0], row)
    item_id = await worlds.form(account, (row, text), subject=subject)
    world.facts.append(item_id)
    for other, texts in zip(world.rows, world.texts, strict=True):
        if other != row and text in texts and not about:
            await worlds.support(account, item_id, other, text)


async def _replace(account: Account, world: World, prior: int, successor: int) -> None:
    """Only forward, so that no chain bites its tail."""
    if prior < successor:
        await worlds.replace(
            account,
            world.facts[prior],
            world.facts[successor],
            world.rows[successor % len(world.rows)],
        )


def rows_of(tx: Tx) -> dict[str, object]:
    """All that can be forgotten, by id, with what it says."""
    found: dict[str, object] = {}
    for query in (
        "SELECT item_id, text, confidence FROM item",
        "SELECT evidence_id, content FROM evidence WHERE erased_at_ms IS NULL",
        "SELECT item_id || '+', group_concat(evidence_id || start) FROM support GROUP BY item_id",
        "SELECT x.interaction_id, t.content FROM interaction_turn t"
        " JOIN interaction x ON x.seq = t.interaction_seq WHERE t.content IS NOT NULL",
    ):
        found.update((row[0], row[1:]) for row in tx.execute(query).fetchall())
    return found


def changed(before: dict[str, object], after: dict[str, object]) -> set[str]:
    """The ids of what is gone or says something else."""
    return {key.rstrip("+") for key, value in before.items() if after.get(key) != value}


def named(shown: Preview) -> set[str]:
    return {row.id for row in shown.rows}
