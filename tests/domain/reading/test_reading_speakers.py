from __future__ import annotations

import pytest

from mnemod.domain.world import StatementKind
from tests.domain.reading.conversation import entity, formed, request


@pytest.mark.parametrize("text", ["I live in Rome.", "My favourite tea is oolong.", "我住在罗马。"])
def test_what_a_speaker_says_of_themselves_is_theirs(text: str) -> None:
    (only,) = formed(request(text, speaker="Melanie"))

    assert only.target == "Melanie"


def test_what_a_speaker_says_of_another_is_the_speakers_view() -> None:
    (only,) = formed(request("Kenji likes free jazz.", speaker="Melanie"))

    assert (only.target, only.holder) == ("Kenji", "Melanie")


def test_a_tie_of_a_speaker_stays_a_tie() -> None:
    (only,) = formed(request("My sister is called Hana.", speaker="Melanie"))

    assert (only.statement_kind, only.target) == (StatementKind.RELATIONSHIP, "Hana")


def test_a_speaker_has_no_standing_orders_to_give() -> None:
    assert formed(request("From now on, answer in Dutch.", speaker="Melanie")) == ()


def test_a_speakers_yes_confirms_nothing_of_the_owner() -> None:
    turns = (("assistant", "You live in Kobe."),)

    assert formed(request("Yes.", turns=turns, speaker="Melanie")) == ()


def test_a_name_that_two_people_bear_stays_open() -> None:
    entities = (entity("Sam", "p1"), entity("Samuel", "p2", "Sam"))

    assert formed(request("Sam likes free jazz.", entities=entities)) == ()


def test_a_name_known_to_the_account_is_enough_for_a_fact() -> None:
    entities = (entity("Ola", "p1"),)

    (only,) = formed(request("Ola is from Tromsø.", entities=entities))

    assert only.target == "Ola"


def test_a_place_nobody_knows_is_no_person() -> None:
    assert formed(request("Oslo is expensive in winter.")) == ()
