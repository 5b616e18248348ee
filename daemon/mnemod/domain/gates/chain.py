"""The one chain every way in passes: noise, injection and poisoning, secrets, in this order.

Whoever takes in a text (a message, a correction, an observed source, an import, a released row,
what a model proposes) asks `judge` before anything else is done with it. What the chain says is the
same for the same text and RULES_VERSION, whoever asks. A hold outranks noise: a raw dump that hides
a command is a command.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from mnemod.domain.folded import Folded, fold
from mnemod.domain.gates import entropy, guard, noise
from mnemod.domain.gates import secrets as secret_rules
from mnemod.domain.gates.secrets import Secret
from mnemod.domain.gates.verdict import PASSED, Decision, Detector, Verdict
from mnemod.domain.redaction import COVER

RULES_VERSION: Final = 1
"""Raised with every change of a rule or a vocabulary that can change a verdict."""


class SecretPolicy(StrEnum):
    """What becomes of a text with a password or key in it: `config` key `secrets`."""

    HOLD = "hold"
    REDACT = "redact"
    ALLOW = "allow"


class Judgement(Struct, frozen=True):
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


class Step(Struct, frozen=True):
    """What one gate says of a text, whatever the others say."""

    gate: str
    verdict: Verdict


class Explanation(Struct, frozen=True):
    """What the chain sees: the text as rules read it, each gate's word, and what comes of it."""

    folded: str
    steps: tuple[Step, ...]
    judgement: Judgement


COVERED: Final = "covered"
"""The reason of a step that passes because the secret will be covered."""
FLAG_SUSPICION: Final = 0.5
HOLD_SUSPICION: Final = 0.75
"""Of an attack that its owner releases; a secret that is released casts no doubt on its text."""


def judge(text: str, secrets: SecretPolicy = SecretPolicy.HOLD) -> Judgement:
    """The verdict of all gates over `text`."""
    return _judged(text, fold(text), secrets)[1]


def explain(text: str, secrets: SecretPolicy = SecretPolicy.HOLD) -> Explanation:
    """What every gate says of `text`, each on its own, and the judgement that comes of it."""
    folded = fold(text)
    verdicts, judgement = _judged(text, folded, secrets)
    return Explanation(folded.text, tuple(map(Step, _GATES, verdicts)), judgement)


_GATES: Final = ("noise", "guard", "secrets")
_GRAVITY: Final = (Decision.PASS, Decision.FLAG, Decision.NOISE, Decision.HOLD)


def _judged(
    text: str, folded: Folded, secrets: SecretPolicy
) -> tuple[tuple[Verdict, ...], Judgement]:
    """What each of the gates says, and the judgement."""
    empty = noise.find(text, folded)
    attack = guard.inspect(text, folded) or PASSED
    found = () if secrets is SecretPolicy.ALLOW else secret_rules.find(text, folded)
    verdicts = (
        Verdict(Decision.NOISE, empty.reason.value) if empty else PASSED,
        attack,
        _secret(found, secrets),
    )
    content = _covered(text, found) if secrets is SecretPolicy.REDACT and found else text
    return verdicts, Judgement(
        verdict=_gravest(verdicts),
        content=content,
        redacted=len(found) if content is not text else 0,
        repair=empty.repair if empty else None,
        suspicion=max(_suspicion(attack), entropy.suspicion(text)),
    )


def _gravest(verdicts: tuple[Verdict, ...]) -> Verdict:
    """The verdict that keeps a text furthest away; of two equal ones the earlier gate's."""
    return max(verdicts, key=lambda each: _GRAVITY.index(each.decision))


def _secret(found: tuple[Secret, ...], policy: SecretPolicy) -> Verdict:
    """A secret is held; under REDACT it passes, and its place says what is covered."""
    if not found:
        return PASSED
    first = found[0]
    if policy is SecretPolicy.REDACT:
        return Verdict(Decision.PASS, COVERED, Detector.SECRET, first.start, first.end)
    return Verdict(Decision.HOLD, first.kind.value, Detector.SECRET, first.start, first.end)


def _covered(text: str, found: tuple[Secret, ...]) -> str:
    parts, done = [], 0
    for secret in found:
        parts += [text[done : secret.start], COVER * (secret.end - secret.start)]
        done = secret.end
    return "".join([*parts, text[done:]])


def _suspicion(attack: Verdict) -> float:
    if attack.decision is Decision.HOLD:
        return HOLD_SUSPICION
    return FLAG_SUSPICION if attack.decision is Decision.FLAG else 0.0
