"""A short yes is no noise where the assistant has just asked or offered something.

The gates see a text alone, and alone "yes" holds nothing to remember. Behind a question it may
confirm what the assistant proposed; it is then taken in like any other message, and whoever reads
it for memories decides what it says yes to.
"""

from __future__ import annotations

from typing import Final

from mnemod.domain.compiler.confirmation import affirms
from mnemod.domain.evidence import Gate, Outcome
from mnemod.domain.gates.verdict import Decision
from mnemod.domain.intake import Judged
from mnemod.domain.interpretation import TurnView
from mnemod.domain.reading.consent import asks_or_proposes
from mnemod.domain.turns import Role

ACKNOWLEDGEMENT: Final = "acknowledgement"
_TURN_CHARS: Final = 1_000
"""A question stands at the end of what was said."""


def may_answer(judged: Judged) -> bool:
    """Whether this is noise only as long as nothing was asked before it."""
    gate = judged.gate
    return gate.decision is Decision.NOISE and gate.reason == ACKNOWLEDGEMENT


def in_context(judged: Judged, before: str | None) -> Judged:
    """The verdict behind an assistant's turn with these words; None if it is behind none."""
    if before is None or not may_answer(judged) or not affirms(judged.content):
        return judged
    if not asks_or_proposes(TurnView(Role.ASSISTANT.value, before[-_TURN_CHARS:], "")):
        return judged
    passed = Gate(Decision.PASS, judged.gate.rules_version, redacted=judged.gate.redacted)
    return Judged(judged.content, Outcome.ELIGIBLE, passed)
