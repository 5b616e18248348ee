"""What a compiled reply becomes in the file: items, chains, names, and what stops it."""

from __future__ import annotations

from mnemod.accounts import Account
from mnemod.config import Tier
from mnemod.domain.evidence import Permissions, Speaker
from mnemod.domain.interpretation import FormationInput
from mnemod.domain.visibility import item_readable
from mnemod.domain.world import Item, ItemKind, ItemState, Relation, TransitionKind
from mnemod.formation.interpret import Again, Outcome
from mnemod.ids import EvidenceId, ItemId
from mnemod.services.jobs import ShownJob
from mnemod.services.observe import observe
from mnemod.services.world import provenance
from mnemod.store import (
    assistant_sources,
    entity_names,
    items,
    lexical,
    meta,
    supports,
    transitions,
)
from mnemod.store.jobs import JobState
from mnemod.store.lexical import Shelf
from mnemod.store.links import TxLinks
from tests.support.builders import assistant, observation, say, user
from tests.support.formation import (
    ScriptedInterpreter,
    proposal,
    reply,
    texts,
    work_once,
)


async def heard(account: Account, text: str, event: str) -> EvidenceId:
    return (await say(account, text, event=event)).evidence[0].evidence_id


async def formed(account: Account, text: str, event: str, **members: object) -> ShownJob:
    """The owner says `text`, and its first sentence becomes an item."""
    evidence_id = await heard(account, text, event)
    return await work_once(account, ScriptedInterpreter(reply(proposal(evidence_id, **members))))


async def item(account: Account, item_id: ItemId) -> Item:
    found = await account.db.read(lambda tx: items.by_id(tx, item_id))
    assert found is not None
    return found


async def entities(account: Account) -> list[Item]:
    rows = await account.db.read(lambda tx: items.page(tx, after=0, limit=100))
    return [row for row in rows if row.kind is ItemKind.ENTITY]


async def groups(account: Account, item_id: ItemId) -> int:
    found = await account.db.read(lambda tx: supports.of(tx, item_id))
    return len({support.group for support in found})


async def test_the_same_words_again_are_more_support_for_one_item(account: Account) -> None:
    # B017, C076
    first = await formed(account, "I am allergic to lupin flour.", "e1")
    again = await formed(account, "I am  allergic to lupin flour", "e2")

    assert again.item_ids == first.item_ids
    assert await texts(account) == ["I am allergic to lupin flour."]
    assert await groups(account, first.item_ids[0]) == 2
    kept = await item(account, first.item_ids[0])
    assert (kept.state, kept.confidence, kept.trust) == (ItemState.CURRENT, 640, 1.0)


async def test_signs_and_digits_tell_items_apart(account: Account) -> None:
    await formed(account, "I use locker 14.", "e1")
    await formed(account, "I use locker 41.", "e2")
    await formed(account, "My balance is -10 yen.", "e3")
    await formed(account, "My balance is 10 yen.", "e4")

    assert len(await texts(account)) == 4


async def test_a_correction_ends_its_target_and_leaves_a_chain(account: Account) -> None:
    wrong = (await formed(account, "I live in Oslo.", "e1")).item_ids[0]
    evidence_id = await heard(account, "No, I live in Bergen.", "e2")
    correct = proposal(evidence_id, action="correct", corrects=[wrong])

    done = await work_once(account, ScriptedInterpreter(reply(correct)))

    right = next(id_ for id_ in done.item_ids if id_ != wrong)
    assert (await item(account, wrong)).state is ItemState.SUPERSEDED
    assert (await item(account, right)).state is ItemState.CURRENT
    (step,) = await account.db.read(lambda tx: transitions.of(tx, wrong))
    assert (step.kind, step.successor_item_id) == (TransitionKind.CORRECTS, right)
    assert (step.evidence_id, step.revision) == (evidence_id, 2)


async def test_one_correction_may_end_several_items(account: Account) -> None:
    one = (await formed(account, "I play the viola.", "e1")).item_ids[0]
    two = (await formed(account, "I play the cello.", "e2")).item_ids[0]

    # C103
    lute = await formed(
        account, "Wrong, I play the lute.", "e3", action="correct", corrects=[one, two]
    )

    assert await texts(account) == ["Wrong, I play the lute."]
    assert sorted(await texts(account, "superseded")) == ["I play the cello.", "I play the viola."]
    for old in (one, two):
        why = await provenance(account, old, ItemKind.COGNITION, Tier.LOCAL, blank=False)
        assert [step.kind for step in why.transitions] == [TransitionKind.CORRECTS]
        sources = [source.row.evidence_id for source in why.successor_support]
        assert sources == list(lute.evidence_ids)


async def test_going_back_to_an_old_value_is_a_new_occurrence(account: Account) -> None:
    # C085
    a = (await formed(account, "My desk is by the door.", "e1")).item_ids[0]
    second = await formed(account, "My desk is by the window.", "e2", supersedes=[a])
    b = next(id_ for id_ in second.item_ids if id_ != a)
    third = await formed(account, "My desk is by the door.", "e3", supersedes=[b])
    again = next(id_ for id_ in third.item_ids if id_ != b)

    assert again != a
    last = await item(account, again)
    assert (last.state, last.occurrence) == (ItemState.CURRENT, 2)
    assert [(await item(account, id_)).state for id_ in (a, b)] == [ItemState.SUPERSEDED] * 2
    mine = await account.db.read(lambda tx: supports.of(tx, again))
    first = await account.db.read(lambda tx: supports.of(tx, a))
    assert {s.span.evidence_id for s in mine}.isdisjoint({s.span.evidence_id for s in first})


async def test_a_denial_retracts_without_a_successor(account: Account) -> None:
    # C078
    tea = (await formed(account, "I like tea.", "e1")).item_ids[0]
    await formed(account, "I do not like tea.", "e2", action="retract", contradicts=[tea])

    assert (await item(account, tea)).state is ItemState.RETRACTED
    (step,) = await account.db.read(lambda tx: transitions.of(tx, tea))
    assert (step.kind, step.successor_item_id) == (TransitionKind.RETRACTS, None)
    assert await texts(account) == []


async def test_a_doubt_leaves_the_item_current_and_unsure(account: Account) -> None:
    # C077
    tea = (await formed(account, "I like tea.", "e1")).item_ids[0]
    await formed(account, "I am unsure about tea.", "e2", action="contradict", contradicts=[tea])

    doubted = await item(account, tea)
    assert (doubted.state, doubted.confidence) == (ItemState.CURRENT, 0)
    ties = await account.db.read(lambda tx: supports.of(tx, tea))
    assert [tie.relation for tie in ties] == [Relation.SUPPORT, Relation.CONTRADICT]


async def test_a_named_person_is_one_entity_however_often_named(account: Account) -> None:
    await formed(account, "Mira plans shifts.", "e1", target="Mira")
    await formed(account, "Today MIRA sails.", "e2", target="mira")

    (mira,) = await entities(account)
    assert mira.text == "Mira"
    names = await account.db.read(lambda tx: entity_names.of(tx, mira.item_id))
    assert len({name.evidence_id for name in names}) == 2
    about = await account.db.read(lambda tx: list(items.referring_to(tx, mira.item_id)))
    assert len(about) == 2


async def test_a_name_in_another_normal_form_is_the_same_one(account: Account) -> None:
    # B057: the words stay as they came.
    composed, decomposed = "がくは走る。", "か\u3099くは泳ぐ。"
    await formed(account, composed, "e1", target="がく")
    await formed(account, decomposed, "e2", target="か\u3099く")

    (gaku,) = await entities(account)
    assert gaku.text == "がく"
    assert await texts(account) == [composed, decomposed]


async def test_a_relationship_ties_the_owner_to_the_named_one(account: Account) -> None:
    # C066
    done = await formed(
        account,
        "Mira is my colleague, she plans shifts.",
        "e1",
        statement_kind="relationship",
        target="Mira",
        relation_type="colleague",
    )

    tie = next(
        row
        for row in [await item(account, id_) for id_ in done.item_ids]
        if row.kind is ItemKind.RELATIONSHIP
    )
    (mira,) = await entities(account)
    assert (tie.source_entity_id, tie.target_entity_id) == (None, mira.item_id)
    assert (tie.subject_entity_id, tie.relation_type) == (None, "colleague")
    assert "plans shifts" in tie.text


async def test_a_tie_said_again_names_the_other_one_again(account: Account) -> None:
    tie = {"statement_kind": "relationship", "target": "Mira", "relation_type": "friend"}
    first = await formed(account, "Mira is my friend.", "e1", **tie)
    again = await formed(account, "Mira is my friend!", "e2", **tie)

    assert set(again.item_ids) < set(first.item_ids)
    (mira,) = await entities(account)
    names = await account.db.read(lambda tx: entity_names.of(tx, mira.item_id))
    assert len(names) == 2


async def test_what_a_speaker_says_of_themselves_is_no_fact_of_the_owner(
    account: Account,
) -> None:
    message = user("m1", "I love rowing.", speaker=Speaker("s1", "Ben"))
    accepted = await observe(account, observation(message))
    evidence_id = accepted.evidence[0].evidence_id

    await work_once(account, ScriptedInterpreter(reply(proposal(evidence_id))))

    (ben,) = await entities(account)
    assert ben.text == "Ben"
    (fact,) = await account.db.read(
        lambda tx: items.by_ids(tx, items.referring_to(tx, ben.item_id)).values()
    )
    assert (fact.text, fact.subject_entity_id) == ("I love rowing.", ben.item_id)


async def test_a_confirmed_item_shows_both_sides_and_is_found_by_the_claim(
    account: Account,
) -> None:
    # C087
    asked = "Shall I remind you to water the ferns on Mondays?"
    accepted = await observe(account, observation(assistant("a1", asked), user("m1", "ok")))
    claim = "remind you to water the ferns on Mondays"
    confirmed = proposal(
        accepted.evidence[0].evidence_id,
        statement_kind="preference",
        formed_by="confirmed",
        assistant_claim=claim,
    )

    done = await work_once(account, ScriptedInterpreter(reply(confirmed)))

    made = await item(account, done.item_ids[0])
    assert (made.text, made.formed_by.value, made.confidence) == ("ok", "confirmed", 280)
    (source,) = await account.db.read(lambda tx: assistant_sources.of(tx, made.item_id))
    assert asked[source.start : source.end] == claim
    assert await account.db.read(lambda tx: lexical.holders(tx, Shelf.ITEM, "fern"))


async def test_the_same_yes_to_another_proposal_is_another_item(account: Account) -> None:
    await test_a_confirmed_item_shows_both_sides_and_is_found_by_the_claim(account)
    asked = "Shall I mute the bell by default?"
    accepted = await observe(
        account, observation(assistant("a2", asked), user("m2", "ok"), event="e2")
    )
    await work_once(
        account,
        ScriptedInterpreter(
            reply(
                proposal(
                    accepted.evidence[0].evidence_id,
                    statement_kind="preference",
                    formed_by="confirmed",
                    assistant_claim="mute the bell by default",
                )
            )
        ),
    )

    assert await texts(account) == ["ok", "ok"]


async def test_an_alias_is_one_more_name_of_who_is_known(account: Account) -> None:
    # C072
    await formed(account, "Lina sails.", "e1", target="Lina")
    await formed(
        account,
        "Lina is also called Lena.",
        "e2",
        statement_kind="alias",
        target="Lena",
        alias_of="Lina",
    )
    await formed(account, "Lena rows.", "e3", target="Lena")

    (lina,) = await entities(account)
    bearers = await account.db.read(lambda tx: entity_names.bearers(tx, "lena"))
    assert bearers == [lina.item_id]
    about = await account.db.read(lambda tx: list(items.referring_to(tx, lina.item_id)))
    assert len(about) == 3


class Meanwhile(ScriptedInterpreter):
    """The world changes while the model thinks."""

    def __init__(self, account: Account, sql: str, answer: str) -> None:
        super().__init__(answer)
        self._account = account
        self._sql = sql

    async def interpret(self, request: FormationInput, again: Again | None) -> Outcome:
        await self._account.db.write(lambda tx: tx.execute(self._sql))
        return await super().interpret(request, again)


async def test_a_target_that_was_replaced_meanwhile_stops_the_whole_reply(
    account: Account,
) -> None:
    # C086
    old = (await formed(account, "I live in Oslo.", "e1")).item_ids[0]
    evidence_id = await heard(account, "I sail. No, I live in Bergen.", "e2")
    both = reply(
        proposal(evidence_id),
        proposal(evidence_id, sentence="t1", action="correct", corrects=[old]),
    )
    sql = "UPDATE item SET state = 'superseded', invalidated_at_ms = 1"

    ended = await work_once(account, Meanwhile(account, sql, both))

    assert (ended.job.state, ended.job.reason) == (
        JobState.DEAD,
        "target_not_current_before_apply",
    )
    assert await texts(account) == []
    assert await account.db.read(meta.world_revision) == 1


async def test_a_target_that_may_no_longer_be_read_stops_the_reply(account: Account) -> None:
    first = await heard(account, "I live in Oslo.", "e1")
    old = (await work_once(account, ScriptedInterpreter(reply(proposal(first))))).item_ids[0]
    evidence_id = await heard(account, "No, I live in Bergen.", "e2")
    sql = f"UPDATE evidence SET cloud_read = 0 WHERE evidence_id = '{first}'"
    correct = reply(proposal(evidence_id, action="correct", corrects=[old]))

    ended = await work_once(account, Meanwhile(account, sql, correct))

    assert ended.job.reason == "target_not_readable_before_apply"
    assert await texts(account) == ["I live in Oslo."]


async def test_an_item_made_of_words_kept_from_the_cloud_is_not_shown_to_it(
    account: Account,
) -> None:
    private = user("m0", "I live in Oslo.", permissions=Permissions(cloud_read=False))
    accepted = await observe(account, observation(private, event="e0"))
    local = ScriptedInterpreter(reply(proposal(accepted.evidence[0].evidence_id)), tier=None)
    await work_once(account, local)
    await heard(account, "No, I live in Bergen.", "e1")
    cloud = ScriptedInterpreter('{"result":"no_change"}')

    await work_once(account, cloud)

    request, _ = cloud.asked[0]
    assert request.items == ()
    assert request.turns == ()


async def test_an_answer_to_words_kept_from_the_cloud_is_kept_from_it_too(
    account: Account,
) -> None:
    private = user("m0", "My code is 7.", permissions=Permissions(cloud_read=False))
    await observe(
        account,
        observation(private, assistant("a0", "Noted, 7."), user("m1", "I like tea.")),
    )
    cloud = ScriptedInterpreter('{"result":"no_change"}')

    await work_once(account, cloud)

    request, _ = cloud.asked[0]
    assert request.turns == ()
    assert [view.text for view in request.evidence] == ["I like tea."]


async def test_at_most_four_preceding_turns_are_shown(account: Account) -> None:
    # C088
    before = [assistant(f"a{at}", f"Thing {at}.") for at in range(6)]
    await observe(account, observation(*before, user("m1", "ok")))
    model = ScriptedInterpreter('{"result":"no_change"}')

    await work_once(account, model)

    request, _ = model.asked[0]
    assert [turn.text for turn in request.turns] == [f"Thing {at}." for at in range(2, 6)]


async def say_privately(account: Account, text: str, event: str, **members: object) -> ShownJob:
    """The owner says `text` to nothing but what is on this machine, and it becomes an item."""
    private = user(f"p-{event}", text, permissions=Permissions(cloud_read=False))
    accepted = await observe(account, observation(private, event=event))
    told = reply(proposal(accepted.evidence[0].evidence_id, **members))
    return await work_once(account, ScriptedInterpreter(told, tier=None))


async def cloud_sees(account: Account, item_id: ItemId) -> bool:
    return await account.db.read(lambda tx: item_readable(item_id, TxLinks(tx), Tier.CLOUD))


async def test_what_was_said_to_all_is_not_hidden_by_the_same_words_said_in_private(
    account: Account,
) -> None:
    private = (await say_privately(account, "I am allergic to lupin.", "e1")).item_ids[0]
    public = (await formed(account, "I am allergic to lupin.", "e2")).item_ids[0]
    await say_privately(account, "I am allergic to lupin.", "e3")

    assert private != public
    assert await cloud_sees(account, public)
    assert not await cloud_sees(account, private)
    assert [await groups(account, id_) for id_ in (private, public)] == [2, 1]


async def test_what_replaces_an_item_replaces_its_private_twin(account: Account) -> None:
    private = (await say_privately(account, "I live in Oslo.", "e1")).item_ids[0]
    public = (await formed(account, "I live in Oslo.", "e2")).item_ids[0]

    await formed(account, "No, I live in Bergen.", "e3", action="correct", corrects=[public])

    assert [(await item(account, id_)).state for id_ in (private, public)] == [
        ItemState.SUPERSEDED
    ] * 2
    assert await texts(account) == ["No, I live in Bergen."]


async def test_what_denies_an_item_denies_its_private_twin(account: Account) -> None:
    private = (await say_privately(account, "I like tea.", "e1")).item_ids[0]
    public = (await formed(account, "I like tea.", "e2")).item_ids[0]

    await say_privately(account, "I do not like tea.", "e3", action="retract", contradicts=[public])

    assert [(await item(account, id_)).state for id_ in (private, public)] == [
        ItemState.RETRACTED
    ] * 2
    assert await texts(account) == []


async def test_twins_are_offered_as_one(account: Account) -> None:
    await say_privately(account, "I like tea.", "e1")
    await formed(account, "I like tea.", "e2")
    local = ScriptedInterpreter('{"result":"no_change"}', tier=None)

    await heard(account, "I do not like tea any more.", "e3")
    await work_once(account, local)

    request, _ = local.asked[0]
    assert [view.text for view in request.items] == ["I like tea."]
