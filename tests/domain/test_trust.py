"""How far words are trusted: by who said them, how, and what the gates suspect."""

from __future__ import annotations

import itertools

import pytest

from mnemod.domain.evidence import SourceKind
from mnemod.domain.gates.verdict import Decision, Detector
from mnemod.domain.trust import of_evidence, of_item, of_supported
from mnemod.domain.world import FormedBy, Relation, Span, Support
from mnemod.ids import EvidenceId, ItemId


def clean(source: SourceKind, *, by_owner: bool = True) -> float:
    return of_evidence(source, by_owner=by_owner, decision=Decision.PASS, suspicion=0.0)


def test_what_the_owner_typed_stands_above_a_yes_an_observation_and_an_inference() -> None:
    # W121
    typed = of_item(FormedBy.STATED, [clean(SourceKind.SPOKEN)])
    confirmed = of_item(FormedBy.CONFIRMED, [clean(SourceKind.SPOKEN)])
    observed = of_item(FormedBy.OBSERVED, [clean(SourceKind.OBSERVED)])
    derived = of_item(FormedBy.DERIVED, [clean(SourceKind.SPOKEN)])

    assert typed > confirmed > observed > derived > 0
    assert typed == of_item(FormedBy.CORRECTED, [clean(SourceKind.CORRECTION)]) == 1.0


def test_another_speaker_is_trusted_less_than_the_owner_and_more_than_an_observation() -> None:
    theirs = clean(SourceKind.SPOKEN, by_owner=False)

    assert clean(SourceKind.SPOKEN) > theirs > clean(SourceKind.OBSERVED)


@pytest.mark.parametrize(
    ("decision", "suspicion", "trust"),
    [
        (Decision.PASS, 0.0, 1.0),
        (Decision.PASS, 0.25, 0.75),
        (Decision.NOISE, 0.0, 1.0),
        (Decision.FLAG, 0.0, 0.5),
        (Decision.FLAG, 0.8, 0.2),
        (Decision.HOLD, 0.0, 0.5),
        (Decision.HOLD, 1.0, 0.0),
        (Decision.PASS, 7.0, 0.0),
        (Decision.PASS, -1.0, 1.0),
    ],
)
def test_suspicion_takes_its_share(decision: Decision, suspicion: float, trust: float) -> None:
    found = of_evidence(SourceKind.SPOKEN, by_owner=True, decision=decision, suspicion=suspicion)

    assert found == trust


def test_a_secret_casts_no_doubt_on_what_it_stands_in() -> None:
    found = of_evidence(
        SourceKind.SPOKEN,
        by_owner=True,
        decision=Decision.HOLD,
        suspicion=0.0,
        detector=Detector.SECRET,
    )

    assert found == 1.0


@pytest.mark.parametrize(
    ("source", "by_owner", "decision"),
    list(itertools.product(SourceKind, [True, False], Decision)),
)
def test_trust_is_always_from_0_to_1(
    source: SourceKind, by_owner: bool, decision: Decision
) -> None:
    found = of_evidence(source, by_owner=by_owner, decision=decision, suspicion=0.3)

    assert 0 <= of_item(FormedBy.DERIVED, [found]) <= found <= 1


def tie(evidence: str, group: int, relation: Relation = Relation.SUPPORT) -> Support:
    return Support(ItemId("it"), Span(EvidenceId(evidence), 0, 1), relation, group, 0)


def test_words_chosen_together_are_trusted_as_the_least_and_said_again_as_the_best() -> None:
    trust = {"a": 0.9, "b": 0.4, "c": 0.7}.__getitem__

    together = of_supported(FormedBy.STATED, [tie("a", 0), tie("b", 0)], trust)
    again = of_supported(FormedBy.STATED, [tie("a", 0), tie("b", 0), tie("c", 1)], trust)
    against = [tie("b", 0), tie("a", 1, Relation.CONTRADICT)]

    assert (together, again) == (0.4, 0.7)
    assert of_supported(FormedBy.STATED, against, trust) == 0.4
    assert of_supported(FormedBy.STATED, [], trust) == 0.0
