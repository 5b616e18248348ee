"""Rules that a test writes itself: words in a text say what it is to be."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

from mnemod.accounts import Account
from mnemod.domain.annotation import Annotation, AnnotationKind
from mnemod.domain.gates.chain import Judgement, SecretPolicy
from mnemod.domain.gates.verdict import PASSED, Decision, Detector, Verdict
from mnemod.domain.intake import Annotate, Judge, Rules
from mnemod.domain.redaction import COVER
from mnemod.domain.world import Precision

ATTACK = "OBEY"
"""Holds a text, by the detector `injection`."""
QUOTED = "QUOTED"
"""Flags a text."""
NOISE = "MURMUR"
"""Makes a text noise."""
SECRET = re.compile(r"hunter\d")
"""Holds a text as a secret, or is covered."""
BROKEN = "CRASH"
"""Makes the gates, or with TOMORROW the normaliser, raise."""
TOMORROW = "tomorrow"
"""Is annotated as a day."""


def passing(version: int = 1) -> Rules:
    """Nothing is held against any text, and nothing noted."""
    return Rules(lambda text, secrets: Judgement(PASSED, text), nothing, version)


def scripted(
    version: int = 1, judge: Judge | None = None, annotate: Annotate | None = None
) -> Rules:
    """The rules of the words above."""
    return Rules(judge or _judge, annotate or _annotate, version)


def nothing(
    text: str,
    anchor: datetime | None,
    locale: str,
    *,
    out_of_time: Callable[[], bool] | None = None,
) -> tuple[Annotation, ...]:
    """Nothing is noted."""
    return ()


def _judge(text: str, secrets: SecretPolicy) -> Judgement:
    if f"{BROKEN} gates" in text:
        raise RuntimeError("a defect")
    if ATTACK in text:
        verdict = _verdict(text, ATTACK, Decision.HOLD, Detector.INJECTION)
        return Judgement(verdict, text, suspicion=0.75)
    found = SECRET.search(text)
    if found and secrets is SecretPolicy.HOLD:
        verdict = Verdict(Decision.HOLD, "password", Detector.SECRET, *found.span())
        return Judgement(verdict, text)
    if found and secrets is SecretPolicy.REDACT:
        covered, count = SECRET.subn(lambda match: COVER * len(match[0]), text)
        return Judgement(PASSED, covered, redacted=count)
    if QUOTED in text:
        verdict = _verdict(text, QUOTED, Decision.FLAG, Detector.INJECTION)
        return Judgement(verdict, text, suspicion=0.5)
    if NOISE in text:
        repair = "repaired" if "broken" in text else None
        return Judgement(Verdict(Decision.NOISE, "greeting"), text, repair=repair)
    return Judgement(PASSED, text)


def _verdict(text: str, word: str, decision: Decision, detector: Detector) -> Verdict:
    start = text.index(word)
    return Verdict(decision, "word", detector, start, start + len(word))


def _annotate(
    text: str,
    anchor: datetime | None,
    locale: str,
    *,
    out_of_time: Callable[[], bool] | None = None,
) -> tuple[Annotation, ...]:
    if f"{BROKEN} {TOMORROW}" in text:
        raise RuntimeError("a defect")
    return tuple(
        Annotation(*match.span(), AnnotationKind.DATE, "2031-01-02", Precision.DAY, 0.9)
        for match in re.finditer(TOMORROW, text)
    )


def judge_by(account: Account, rules: Rules) -> None:
    """From now on these rules judge what this open account takes in."""
    account.gates._rules = rules
    account.gates._known.clear()


def holding(word: str, version: int = 2, decision: Decision = Decision.HOLD) -> Rules:
    """Newer rules, which hold (or flag) whatever has `word` in it, and nothing else."""

    def judge(text: str, secrets: SecretPolicy) -> Judgement:
        if word not in text:
            return Judgement(PASSED, text)
        return Judgement(_verdict(text, word, decision, Detector.INJECTION), text, suspicion=0.5)

    return Rules(judge, _annotate, version)
