from __future__ import annotations

import pytest

from mnemod.domain.world import FormedBy, StatementKind
from tests.domain.reading.conversation import formed, request


@pytest.mark.parametrize(
    ("proposal", "reply", "claim"),
    [
        ("You work for the harbour authority.", "Correct.", "You work for the harbour authority"),
        ("So you live in Bergen, right?", "Yes, that's right.", "you live in Bergen"),
        ("It sounds like you prefer early meetings.", "Exactly.", "you prefer early meetings"),
        ("你住在珠海，对吧？", "对。", "你住在珠海"),
        ("你更喜欢坐慢车。", "是的，就是这样。", "你更喜欢坐慢车"),
        ("くるみアレルギーがありますね。", "はい、そのとおりです。", "くるみアレルギーがあります"),
    ],
)
def test_a_yes_to_one_claim_confirms_it_word_for_word(
    proposal: str, reply: str, claim: str
) -> None:
    (only,) = formed(request(reply, turns=(("assistant", proposal),)))

    assert (only.formed_by, only.assistant_claim) == (FormedBy.CONFIRMED, claim)


@pytest.mark.parametrize(
    ("offer", "reply"),
    [
        ("Shall I remind you to water the ferns on Mondays?", "ok"),
        ("From now on I'll give prices in euros.", "Yes, do that."),
        ("以後我都用文字解釋公式。", "好，就這麼辦。"),
        ("毎週月曜に水やりをお知らせしましょうか？", "はい、お願いします。"),
    ],
)
def test_a_yes_to_a_lasting_offer_is_a_preference(offer: str, reply: str) -> None:
    (only,) = formed(request(reply, turns=(("assistant", offer),)))

    assert (only.statement_kind, only.formed_by) == (StatementKind.PREFERENCE, FormedBy.CONFIRMED)


@pytest.mark.parametrize(
    ("turn", "reply"),
    [
        ("You live in Kobe. You like trains.", "Yes."),
        ("You live in Riga and you have two kids.", "Yes."),
        ("お住まいは神戸ですね。電車の旅がお好きですね。", "はい。"),
        ("I can book the table for seven tonight.", "Yes, book it."),
        ("Do you live in Kobe or Osaka?", "Yes."),
        ("You could try wood carving.", "Sure."),
        ("So you are allergic to nickel.", "Yes, no, wait."),
        ("你对镍过敏。", "对……不对，等等。"),
        ("你住在珠海。", "嗯……"),
        ("You live in Oslo.", "Yes, but not in the centre."),
        ("You live in Kobe.", "Yesterday was long."),
        ("Here is the recipe for lentil soup.", "Okay."),
        ("You live in Kobe.", "ok"),
    ],
)
def test_a_yes_that_is_not_whole_or_not_to_one_lasting_claim_confirms_nothing(
    turn: str, reply: str
) -> None:
    assert formed(request(reply, turns=(("assistant", turn),))) == ()


def test_a_claim_four_turns_back_is_within_reach() -> None:
    turns = (("assistant", "You live in Kobe."), ("user", "mm"), ("assistant", "I see."))

    (only,) = formed(request("Yes.", turns=(*turns, ("user", "mm"))))

    assert only.assistant_claim == "You live in Kobe"


def test_a_claim_five_turns_back_is_out_of_reach() -> None:
    turns = (("assistant", "You live in Kobe."), *([("user", "mm")] * 4))

    assert formed(request("Yes.", turns=turns)) == ()


def test_a_question_asked_since_takes_the_yes() -> None:
    turns = (("assistant", "You live in Kobe."), ("user", "mm"), ("assistant", "Shall we go on?"))

    assert formed(request("Yes.", turns=turns)) == ()


def test_a_claim_that_stands_in_two_places_is_not_confirmed() -> None:
    turns = (
        ("assistant", "You live in Kobe."),
        ("user", "Hm."),
        ("assistant", "You live in Kobe."),
    )

    assert formed(request("Yes.", turns=turns)) == ()


def test_a_longer_answer_is_the_users_own_statement() -> None:
    turns = (("assistant", "Shall I remind you?"),)

    (only,) = formed(request("ok, from now on remind me to call Ada.", turns=turns))

    assert (only.formed_by, only.assistant_claim) == (FormedBy.STATED, None)
