"""What a proposal must satisfy before it is a change: names, targets, kinds, dates, a true yes."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from mnemod.domain.compiler.change_set import (
    AddName,
    ChangeSet,
    Contradict,
    Form,
    Prior,
    Retract,
)
from mnemod.domain.evidence import Instant
from mnemod.domain.interpretation import Action
from mnemod.domain.world import FormedBy, ItemKind, Precision, StatementKind, TransitionKind
from mnemod.ids import EpochMs, ItemId
from tests.support.requests import (
    compiled,
    known,
    one_item,
    person,
    proposed,
    refusal,
    request,
    said,
    sentence,
    view,
)

OSLO = known("it_1", "I live in Oslo.")
BERGEN = view("No, I live in Bergen.")


def priors(*items: Any, **members: Any) -> tuple[Prior, ...]:
    changes = compiled(request(BERGEN, items=items), proposed(**members))
    assert isinstance(changes, ChangeSet), changes
    (change,) = changes.changes
    assert isinstance(change, Form)
    return change.priors


def test_the_words_decide_and_no_number_of_the_models_gets_in() -> None:
    # C047
    item = one_item(request(view("I run 12 km each time")), proposed())
    assert item.text == "I run 12 km each time"


def test_kinds_of_statements_are_kinds_of_items() -> None:
    given = request(view("We opened the shed."))
    kind = {
        each: one_item(given, proposed(statement_kind=each)).kind
        for each in (StatementKind.STATE, StatementKind.EVENT, StatementKind.EVALUATION)
    }
    assert kind == {
        StatementKind.STATE: ItemKind.COGNITION,
        StatementKind.EVENT: ItemKind.EVENT,
        StatementKind.EVALUATION: ItemKind.EVALUATION,
    }


def test_no_subject_is_the_owner() -> None:
    item = one_item(request(view("I sail.")), proposed())
    assert (item.subject, item.holder) == (None, None)


@pytest.mark.parametrize("name", ["Robin", "Ann", "Mir", "wan"])
def test_a_name_that_does_not_stand_in_the_words_is_refused(name: str) -> None:
    # C046, C061: "Ann" does not stand in "Annual".
    given = request(view("Annual plans of Rowan and Mira."))
    assert refusal(given, proposed(target=name)) == "entity_name_not_in_span"


@pytest.mark.parametrize(
    ("text", "name", "kept"),
    [
        ("Mira's boat leaks.", "mira", "Mira"),
        ("I met MIRA.", "Mira", "MIRA"),
        ("美咲は歌う。", "美咲", "美咲"),
        ("我叫Fen的狗", "Fen", "Fen"),
        ("O'Brien rows.", "O'Brien", "O'Brien"),
    ],
)
def test_a_name_is_kept_as_it_stands(text: str, name: str, kept: str) -> None:
    item = one_item(request(view(text)), proposed(target=name))
    assert item.subject is not None
    assert item.subject.name == kept
    (span,) = item.subject.spans
    assert text[span.start : span.end] == kept


def test_a_name_outside_the_chosen_words_does_not_count() -> None:
    given = request(view("Mira called. She sails."))
    assert refusal(given, proposed(sentence(1), target="Mira")) == "entity_name_not_in_span"


def test_a_known_name_is_who_goes_by_it() -> None:
    given = request(view("Lena sails."), entities=(person("it_9", "Lina", "Lena"),))
    item = one_item(given, proposed(target="Lena"))
    assert item.subject is not None
    assert item.subject.entity_id == "it_9"


def test_a_name_that_two_go_by_is_refused() -> None:
    # C098
    given = request(view("Sam sails."), entities=(person("it_8", "Sam"), person("it_9", "Sam")))
    assert refusal(given, proposed(target="Sam")) == "ambiguous_entity_reference"


def test_an_aunts_view_is_hers() -> None:
    # C074
    given = request(view("My aunt says Kai was born in 2001"))
    item = one_item(given, proposed(target="Kai", holder="aunt"))
    assert item.subject is not None
    assert item.holder is not None
    assert (item.subject.name, item.holder.name) == ("Kai", "aunt")
    same = proposed(target="Kai", holder="Kai")
    assert refusal(given, same) == "perspective_holder_is_target"


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"statement_kind": StatementKind.NAMING},
        {"statement_kind": StatementKind.PREFERENCE, "target": "Ben"},
        {
            "statement_kind": StatementKind.RELATIONSHIP,
            "target": "Mira",
            "relation_type": "friend",
        },
    ],
)
def test_a_speakers_words_never_make_a_fact_of_the_owner(members: dict[str, Any]) -> None:
    given = request(view("I am Ben and Mira is my friend.", speaker="Ben"))
    item = one_item(given, proposed(**members))
    assert item.subject is not None
    assert (item.subject.name, item.subject.is_speaker) == ("Ben", True)


def test_what_a_speaker_says_of_another_is_the_speakers_view() -> None:
    given = request(view("Kai sings.", speaker="Ben"))
    item = one_item(given, proposed(target="Kai"))
    assert item.subject is not None
    assert item.holder is not None
    assert (item.subject.name, item.holder.name) == ("Kai", "Ben")


def test_a_relationship_joins_the_owner_and_the_named_one() -> None:
    given = request(view("Mira is my colleague."))
    tie = proposed(
        statement_kind=StatementKind.RELATIONSHIP, target="Mira", relation_type="colleague"
    )
    item = one_item(given, tie)
    assert (item.source, item.subject, item.relation_type) == (None, None, "colleague")
    assert item.target is not None
    assert item.target.name == "Mira"


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"target": "Mira"}, "invalid_relation_type"),
        ({"target": "Mira", "relation_type": "x" * 65}, "invalid_relation_type"),
        ({"target": "Mira", "relation_type": "a\nb"}, "invalid_relation_type"),
        ({"target": "Mira", "relation_type": "\ud800"}, "invalid_relation_type"),
        ({"relation_type": "friend"}, "missing_target_entity"),
        ({"target": "Robin", "relation_type": "friend"}, "entity_name_not_in_span"),
    ],
)
def test_a_relationship_needs_its_other_end_and_its_kind(
    members: dict[str, Any], code: str
) -> None:
    given = request(view("Mira is my colleague."))
    assert refusal(given, proposed(statement_kind=StatementKind.RELATIONSHIP, **members)) == code


def test_a_relationship_with_oneself_is_refused() -> None:
    given = request(view("Ben is my friend.", speaker="Ben"))
    tie = proposed(statement_kind=StatementKind.RELATIONSHIP, target="Ben", relation_type="friend")
    assert refusal(given, tie) == "self_relationship"


def test_a_kind_of_tie_on_anything_else_is_refused() -> None:
    given = request(view("Mira sails."))
    assert refusal(given, proposed(relation_type="friend")) == "unexpected_relation_type"


def test_a_correction_names_its_target() -> None:
    assert priors(OSLO, action=Action.CORRECT, corrects=("it_1",)) == (
        Prior(ItemId("it_1"), TransitionKind.CORRECTS),
    )
    given = request(BERGEN, items=(OSLO,))
    assert refusal(given, proposed(action=Action.CORRECT)) == "invalid_correction_target"


def test_a_form_that_corrects_is_a_correction() -> None:
    assert priors(OSLO, corrects=("it_1",)) == (Prior(ItemId("it_1"), TransitionKind.CORRECTS),)


def test_a_change_supersedes() -> None:
    assert priors(OSLO, supersedes=("it_1",)) == (Prior(ItemId("it_1"), TransitionKind.SUPERSEDES),)


def test_an_item_that_says_the_same_is_not_replaced_by_itself() -> None:
    # B017
    same = known("it_1", "no, I live in  Bergen")
    assert priors(same, supersedes=("it_1",)) == ()


@pytest.mark.parametrize("target", ["it_2", "it_", "1", "", "IT_1", "it_1 "])
@pytest.mark.parametrize("way", ["corrects", "supersedes"])
def test_a_target_that_was_not_offered_is_refused(way: str, target: str) -> None:
    # B069, C064, C086
    given = request(BERGEN, items=(OSLO,))
    assert refusal(given, proposed(**{way: (target,)})) == "correction_target_unknown"


def test_a_target_of_another_kind_is_refused() -> None:
    event = known("it_1", "I moved to Oslo.", kind=ItemKind.EVENT)
    given = request(BERGEN, items=(event,))
    assert refusal(given, proposed(corrects=("it_1",))) == "correction_target_kind_mismatch"


def test_a_target_about_another_is_refused() -> None:
    hers = known("it_1", "Mira lives in Oslo.", subject="Mira")
    given = request(BERGEN, items=(hers,))
    assert refusal(given, proposed(corrects=("it_1",))) == "correction_target_subject_mismatch"


def test_a_target_may_know_its_subject_by_another_name() -> None:
    hers = known("it_1", "Lina lives in Oslo.", subject="Lina")
    given = request(
        view("Lena lives in Bergen."), items=(hers,), entities=(person("it_9", "Lina", "Lena"),)
    )
    changes = compiled(given, proposed(target="Lena", corrects=("it_1",)))
    assert isinstance(changes, ChangeSet)


def test_no_item_is_a_target_twice() -> None:
    given = request(view("I live in Bergen. I work in Bergen."), items=(OSLO,))
    first = proposed(sentence(0), corrects=("it_1",))
    second = proposed(sentence(1), corrects=("it_1",))
    assert refusal(given, first, second) == "ambiguous_correction_target"
    twice = proposed(sentence(0), corrects=("it_1", "it_1"))
    assert refusal(given, twice) == "ambiguous_correction_target"


def test_a_doubt_and_a_denial_name_what_they_are_about() -> None:
    given = request(view("I doubt I like tea."), items=(known("it_1", "I like tea."),))
    doubt = compiled(given, proposed(action=Action.CONTRADICT, contradicts=("it_1",)))
    denial = compiled(given, proposed(action=Action.RETRACT, contradicts=("it_1",)))
    assert isinstance(doubt, ChangeSet)
    assert isinstance(denial, ChangeSet)
    assert isinstance(doubt.changes[0], Contradict)
    assert isinstance(denial.changes[0], Retract)


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"action": Action.CONTRADICT}, "invalid_contradiction_target"),
        ({"action": Action.RETRACT}, "invalid_contradiction_target"),
        ({"action": Action.RETRACT, "contradicts": ("it_2",)}, "correction_target_unknown"),
        (
            {"action": Action.CONTRADICT, "contradicts": ("it_1",), "corrects": ("it_1",)},
            "unexpected_correction_target",
        ),
        ({"contradicts": ("it_1",)}, "unexpected_contradiction_target"),
        (
            {"action": Action.RETRACT, "contradicts": ("it_1",), "target": "Mira"},
            "contradiction_target_subject_mismatch",
        ),
    ],
)
def test_a_denial_that_does_not_fit_is_refused(members: dict[str, Any], code: str) -> None:
    given = request(view("Mira and I are done with tea."), items=(known("it_1", "I like tea."),))
    assert refusal(given, proposed(**members)) == code


def test_two_items_that_say_the_same_are_refused() -> None:
    # B012, C060
    given = request(view("I sail. I  sail!"))
    assert refusal(given, proposed(), proposed()) == "duplicate_item_in_batch"
    assert refusal(given, proposed(), proposed(sentence(1))) == "duplicate_item_in_batch"


def test_the_same_words_about_two_people_are_two_items() -> None:
    given = request(view("Mira and Kai sail."))
    changes = compiled(given, proposed(target="Mira"), proposed(target="Kai"))
    assert isinstance(changes, ChangeSet)
    assert len(changes.changes) == 2


def test_one_bad_proposal_spoils_the_reply() -> None:
    # B069
    given = request(view("I sail. I row."))
    assert refusal(given, proposed(), proposed(sentence(9))) == "support_sentence_not_found"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Do I like tea?", "question_not_statement"),
        ("我喜欢茶吗？", "question_not_statement"),
        ("This time write an outline first.", "task_scoped_instruction"),
        ("这次请先写提纲。", "task_scoped_instruction"),
        ("今回だけ英語で書いて。", "task_scoped_instruction"),
        ("Please summarize this file.", "task_scoped_instruction"),
    ],
)
def test_what_is_no_statement_is_left_out_and_told(text: str, code: str) -> None:
    changes = compiled(request(view(text)), proposed())
    assert changes == ChangeSet((), (code,))


@pytest.mark.parametrize(
    "text",
    ["In this chat and from now on, use metric units.", "以后每次都要用这个格式。"],
)
def test_a_lasting_wish_is_kept_whatever_else_it_says(text: str) -> None:
    assert one_item(request(view(text)), proposed()).text == text


def test_the_statement_before_a_question_is_one() -> None:
    given = request(view("I like tea, do you?"))
    changes = compiled(given, proposed(supports=(segment_of("s0"),)))
    assert isinstance(changes, ChangeSet)
    assert len(changes.changes) == 1


def test_an_order_and_a_lasting_wish_in_one_selection_are_sent_back() -> None:
    given = request(view("From now on use portrait pages. Only reply done."))
    both = proposed(sentence(0), sentence(1))
    assert refusal(given, both) == "mixed_task_and_ongoing_instruction"


@pytest.mark.parametrize(
    ("text", "offered", "kept"),
    [
        ("On 2026-03-09 we opened the shed", None, "2026-03-09"),
        ("On 2026-03-09 we opened the shed", "2026-03-08", "2026-03-09"),
        ("2026年3月9日に開いた", "2026-03-09", "2026-03-09"),
        ("２０２６／３／９ we opened it", None, "2026-03-09"),
        ("On 2026-03-09 and 2026-04-01 we met", "2026-03-09", None),
        ("We opened it yesterday", "2026-03-09", None),
        ("On 2026-02-30 we opened it", None, None),
        ("Build 1.2026-03-09 shipped", None, None),
    ],
)
def test_a_date_is_the_one_the_words_state_in_full(
    text: str, offered: str | None, kept: str | None
) -> None:
    # C081, C082
    event = proposed(statement_kind=StatementKind.EVENT, occurred_at=offered)
    item = one_item(request(view(text)), event)
    assert (item.occurred_at, item.precision) == (kept, Precision.DAY if kept else None)


@pytest.mark.parametrize(
    ("text", "occurred_at", "precision"),
    [
        ("In March 2026 we opened it", "2026-03", Precision.MONTH),
        ("In 2019 we opened it", "2019", Precision.YEAR),
        ("2026年第三季度我们开了店", "2026-Q3", Precision.QUARTER),
        ("We opened it yesterday", "2026-03-08", Precision.DAY),
        ("昨日の19時に開けた", "2026-03-08T19:00+09:00", Precision.MINUTE),
        ("上个月我们开了店", "2026-02", Precision.MONTH),
        ("先週開けた", "2026-W10", Precision.WEEK),
        ("We opened it next Wednesday", None, None),
        ("We opened it yesterday and closed it last week", None, None),
    ],
)
def test_a_phrase_of_time_is_worked_out_from_when_it_was_said(
    text: str, occurred_at: str | None, precision: Precision | None
) -> None:
    # B046, W001: 2026-03-09T12:00+09:00 is a Monday
    said = replace(view(text), said_at=Instant(EpochMs(1_773_025_200_000), 540))
    given = replace(request(said), zone="Asia/Tokyo")

    item = one_item(given, proposed(statement_kind=StatementKind.EVENT))

    assert (item.occurred_at, item.precision) == (occurred_at, precision)


def test_the_words_that_gave_a_date_are_kept_beside_it() -> None:
    # B046
    said = replace(view("We opened it yesterday"), said_at=Instant(EpochMs(1_773_025_200_000), 0))

    item = one_item(request(said), proposed(statement_kind=StatementKind.EVENT))

    assert (item.occurred_at, item.time_expression) == ("2026-03-08", "yesterday")


@pytest.mark.parametrize("offered", ["2026-13-40", "yesterday", "2026", "03/09/2026"])
def test_a_date_that_is_none_is_refused(offered: str) -> None:
    # C082
    event = proposed(statement_kind=StatementKind.EVENT, occurred_at=offered)
    assert refusal(request(view("We met on 2026-03-09")), event) == "invalid_event_time"


def test_a_phrase_of_time_stands_in_the_words() -> None:
    given = request(view("Yesterday we opened the shed."))
    event = {"statement_kind": StatementKind.EVENT}
    kept = one_item(given, proposed(time_expression="Yesterday", **event))
    assert kept.time_expression == "Yesterday"
    other = proposed(time_expression="last week", **event)
    assert refusal(given, other) == "time_expression_not_in_span"


def test_a_goal_keeps_intent_quantity_and_motive_and_happens_at_no_date() -> None:
    # C083
    words = "I plan to walk 500 km this year because of my knee"
    item = one_item(request(view(words)), proposed(statement_kind=StatementKind.INTENTION))
    assert (item.text, item.kind, item.occurred_at) == (words, ItemKind.COGNITION, None)


FERNS = said("Shall I remind you to water the ferns on Mondays?")
CLAIM = "remind you to water the ferns on Mondays"


def confirmed(**members: Any) -> Any:
    return proposed(
        **{
            "statement_kind": StatementKind.PREFERENCE,
            "formed_by": FormedBy.CONFIRMED,
            "assistant_claim": CLAIM,
            **members,
        }
    )


@pytest.mark.parametrize("yes", ["ok", "Yes, please do.", "好的", "はい"])
def test_a_yes_confirms_what_the_assistant_proposed(yes: str) -> None:
    # C087
    item = one_item(request(view(yes), turns=(FERNS,)), confirmed())
    assert (item.text, item.key) == (yes, CLAIM.lower())
    assert item.claim is not None
    assert FERNS.text[item.claim.start : item.claim.end] == CLAIM


@pytest.mark.parametrize(
    "reply",
    ["no", "ok, but not now", "water is wet", "Yes I never water ferns", "不是", "remind"],
)
def test_what_does_not_affirm_as_a_whole_confirms_nothing(reply: str) -> None:
    # C092
    given = request(view(reply), turns=(FERNS,))
    assert refusal(given, confirmed()) == "confirmed_span_not_confirmation"


def test_a_yes_cut_off_before_its_negation_confirms_nothing() -> None:
    given = request(view("Yes. But not on Mondays."), turns=(FERNS,))
    assert refusal(given, confirmed()) == "confirmed_span_not_confirmation"


@pytest.mark.parametrize(
    ("turns", "code"),
    [
        ((), "assistant_claim_not_in_context"),
        ((said("Shall I water them?"),), "assistant_claim_not_in_context"),
        (
            (FERNS, *[said(f"Thing {at}.", f"a{at}") for at in range(4)]),
            "assistant_claim_not_in_context",
        ),
        ((FERNS, said(FERNS.text, "a2")), "assistant_claim_context_ambiguous"),
        ((said(f"{CLAIM} and {CLAIM}"),), "assistant_claim_context_ambiguous"),
    ],
)
def test_a_claim_stands_in_exactly_one_of_the_last_turns(turns: Any, code: str) -> None:
    # C088, C090
    assert refusal(request(view("ok"), turns=turns), confirmed()) == code


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"assistant_claim": None}, "missing_assistant_claim"),
        ({"assistant_claim": " "}, "missing_assistant_claim"),
        ({"statement_kind": StatementKind.EVENT}, "invalid_formed_by"),
        ({"target": "ok"}, "unsupported_target"),
        ({"formed_by": FormedBy.STATED}, "unexpected_assistant_claim"),
    ],
)
def test_only_a_fact_or_wish_of_the_owner_is_confirmed(members: dict[str, Any], code: str) -> None:
    assert refusal(request(view("ok"), turns=(FERNS,)), confirmed(**members)) == code


def test_a_speaker_confirms_nothing_for_the_owner() -> None:
    given = request(view("ok", speaker="Ben"), turns=(FERNS,))
    assert refusal(given, confirmed()) == "unsupported_target"


LINA = person("it_9", "Lina")


def alias(**members: Any) -> Any:
    return proposed(
        **{
            "statement_kind": StatementKind.ALIAS,
            "target": "Lena",
            "alias_of": "Lina",
            **members,
        }
    )


def test_an_alias_is_another_name_of_who_is_known() -> None:
    # C072
    given = request(view("Lina is also called Lena."), entities=(LINA,))
    changes = compiled(given, alias())
    assert isinstance(changes, ChangeSet)
    (change,) = changes.changes
    assert isinstance(change, AddName)
    assert (change.entity.entity_id, change.alias.name) == ("it_9", "Lena")
    assert change.item.subject == change.entity


@pytest.mark.parametrize(
    ("entities", "members", "code"),
    [
        ((), {}, "alias_entity_unknown"),
        ((LINA, person("it_8", "Lena")), {}, "alias_entity_known"),
        ((LINA,), {"alias_of": None}, "missing_alias_of"),
        ((LINA,), {"target": None}, "missing_alias_of"),
        ((LINA,), {"target": "lina"}, "alias_target_is_itself"),
        ((LINA,), {"statement_kind": StatementKind.NAMING}, "unexpected_alias_of"),
    ],
)
def test_an_alias_that_does_not_fit_is_refused(
    entities: Any, members: dict[str, Any], code: str
) -> None:
    # C070
    given = request(view("Lina is also called Lena."), entities=entities)
    assert refusal(given, alias(**members)) == code


def segment_of(name: str) -> Any:
    from mnemod.domain.interpretation import Selector

    return Selector("ev_1", segment_id=name)
