from __future__ import annotations

import pytest

from mnemod.domain.interpretation import Action
from mnemod.domain.world import StatementKind
from tests.domain.reading.conversation import entity, formed, item, request

OTHER = item("I collect old maps.", "other")
ANA = entity("Ana", "n1")


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("My birthday is 14 June.", "Actually, my birthday is 4 June, not 14 June."),
        ("I volunteer at the hospital.", "Correction: I volunteer at the hospice."),
        ("My shoe size is 41.", "Sorry, my shoe size is 42."),
        ("我的工号是2017。", "更正一下，我的工号是2071，不是2017。"),
        ("我的置物櫃是73號。", "說錯了，我的置物櫃是37號。"),
        ("社員番号は2071です。", "訂正します、社員番号は2071ではなく2701です。"),
        ("猫を二匹飼っています。", "間違えました、猫を三匹飼っています。"),
    ],
)
def test_a_correction_names_the_one_item_it_corrects(before: str, text: str) -> None:
    (only,) = formed(request(text, items=(item(before), OTHER)))

    assert (only.action, only.corrects) == (Action.CORRECT, ("i1",))


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("I want to learn Finnish.", "I no longer want to learn Finnish."),
        ("I play the oboe.", "I don't play the oboe any more."),
        ("I have a dog.", "Actually, I don't have a dog."),
        ("我会弹古筝。", "我已经不弹古筝了。"),
        ("我每週打羽球。", "我現在不打羽球了。"),
        ("烏龍茶が好きです。", "もう烏龍茶は好きではありません。"),
        ("犬を飼っています。", "いや、犬は飼っていません。"),
    ],
)
def test_what_has_ended_is_retracted(before: str, text: str) -> None:
    (only,) = formed(request(text, items=(item(before), OTHER)))

    assert (only.action, only.contradicts) == (Action.RETRACT, ("i1",))


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("Ana is allergic to nuts.", "Ana is not allergic to nuts."),
        ("Ana is allergic to nuts.", "Actually, Ana isn't allergic to nuts."),
    ],
)
def test_what_is_denied_of_somebody_known_is_retracted(before: str, text: str) -> None:
    given = request(text, items=(item(before, subject="Ana"), OTHER), entities=(ANA,))

    (only,) = formed(given)

    assert (only.action, only.contradicts, only.target) == (Action.RETRACT, ("i1",), "Ana")


def test_what_is_denied_of_one_leaves_what_is_known_of_another() -> None:
    about_noor = item("Noor is allergic to nuts.", subject="Noor")
    given = request(
        "Ana is not allergic to nuts.", items=(about_noor,), entities=(ANA, entity("Noor", "n2"))
    )

    (only,) = formed(given)

    assert (only.action, only.target) == (Action.FORM, "Ana")


def test_leaving_a_job_supersedes_working_there() -> None:
    (only,) = formed(request("I quit my job at Acme.", items=(item("I work at Acme."), OTHER)))

    assert (only.action, only.supersedes) == (Action.FORM, ("i1",))


def test_a_change_supersedes_the_one_item_on_the_same_matter() -> None:
    (only,) = formed(request("I live in Bergen now.", items=(item("I live in Oslo."), OTHER)))

    assert (only.action, only.supersedes) == (Action.FORM, ("i1",))


def test_a_bare_new_value_corrects_what_was_just_said() -> None:
    asked = request(
        "No, Fridays.",
        turns=(("user", "I train on Wednesdays."), ("assistant", "Noted.")),
        items=(item("I train on Wednesdays."), OTHER),
    )

    (only,) = formed(asked)

    assert (only.action, only.corrects) == (Action.CORRECT, ("i1",))


def test_a_labelled_correction_without_a_shared_word_means_what_was_just_said() -> None:
    asked = request(
        "訂正：熊本で生まれました。",
        turns=(("user", "長崎で生まれました。"), ("assistant", "はい。")),
        items=(item("長崎で生まれました。"), OTHER),
    )

    (only,) = formed(asked)

    assert only.corrects == ("i1",)


def test_a_bare_new_value_of_another_sort_corrects_nothing() -> None:
    asked = request(
        "No, seven.",
        turns=(("user", "I train on Wednesdays."), ("assistant", "Noted.")),
        items=(item("I train on Wednesdays."),),
    )

    assert formed(asked) == ()


def test_between_two_items_that_fit_alike_nothing_is_guessed() -> None:
    items = (item("My blue locker is 73.", "a"), item("My green locker is 73.", "b"))

    (only,) = formed(request("Actually, my locker is 37.", items=items))

    assert (only.action, only.corrects) == (Action.FORM, ())


def test_without_an_item_a_correction_is_a_plain_statement() -> None:
    (only,) = formed(request("Actually, my birthday is 4 June."))

    assert only.action is Action.FORM


def test_another_persons_item_is_never_corrected() -> None:
    items = (item("Ola's birthday is 14 June.", subject="Ola"),)

    (only,) = formed(request("Actually, my birthday is 4 June.", items=items))

    assert only.corrects == ()


def test_what_means_nothing_but_as_a_correction_is_left_without_an_item() -> None:
    assert formed(request("I meant the brewery.")) == ()


def test_two_statements_never_take_the_same_item() -> None:
    text = "Actually, my locker is 37. Actually, my locker is 38."

    first, second = formed(request(text, items=(item("My locker is 73."),)))

    assert (first.corrects, second.corrects) == (("i1",), ())


def test_the_kind_of_what_is_corrected_stays() -> None:
    before = item("I like almond milk in my tea.", kind=StatementKind.PREFERENCE)
    text = "I meant oat milk, not almond milk, that's what I like in tea."

    (only,) = formed(request(text, items=(before,)))

    assert only.statement_kind is StatementKind.PREFERENCE


def test_a_wrong_name_in_a_tie_is_put_right() -> None:
    before = item("My dentist is called Lorena.", kind=StatementKind.RELATIONSHIP)

    (only,) = formed(request("The name was wrong, it is Lorna, not Lorena.", items=(before,)))

    assert (only.action, only.target, only.relation_type) == (Action.CORRECT, "Lorna", "carer")
