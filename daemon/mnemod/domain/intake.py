"""What a text comes to once the gates and the normaliser have seen it: a row's verdict and notes.

The gates decide before anything is stored. Whatever becomes of them, the words are kept:

    pass, flag           -> eligible, with annotations
    noise                -> noise, kept as it is; a readable copy beside it where it was broken text
    hold                 -> held
    no verdict at all    -> held, `gate_failed`: what nobody has judged stays out of reach

A verdict or an annotation that does not fit its text is a defect of a rule, and taken for none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Final, Protocol

from msgspec import Struct

from mnemod.domain.annotation import Annotation, AnnotationKind
from mnemod.domain.evidence import NOTHING_NOTED, Gate, Noted, Outcome
from mnemod.domain.gates.verdict import Decision

if TYPE_CHECKING:
    from mnemod.domain.gates.chain import Judgement, SecretPolicy

GATE_FAILED: Final = "gate_failed"
"""The reason of a text that no verdict could be reached on."""

OUTCOMES: Final = {
    Decision.PASS: Outcome.ELIGIBLE,
    Decision.FLAG: Outcome.ELIGIBLE,
    Decision.NOISE: Outcome.NOISE,
    Decision.HOLD: Outcome.HELD,
}


class Judge(Protocol):
    """The chain of the gates."""

    def __call__(self, text: str, secrets: SecretPolicy, /) -> Judgement: ...


class Annotate(Protocol):
    """The normaliser. `anchor` is when the text was said, in the account's zone."""

    def __call__(
        self,
        text: str,
        anchor: datetime | None,
        locale: str,
        *,
        out_of_time: Callable[[], bool] | None = None,
    ) -> tuple[Annotation, ...]: ...


class Rules(Struct, frozen=True):
    """The rules of one version: what judges a text, and what annotates it."""

    judge: Judge
    annotate: Annotate
    version: int


class Judged(Struct, frozen=True):
    """A text with its verdict. `content` is what is to be stored of it."""

    content: str
    outcome: Outcome
    gate: Gate
    suspicion: float = 0.0
    noted: Noted = NOTHING_NOTED

    @property
    def is_held(self) -> bool:
        """Whether it directs the assistant, or holds a secret that is kept."""
        return self.outcome is Outcome.HELD


def judged(text: str, found: Judgement, version: int) -> Judged:
    """What a judgement makes of `text`. Raises ValueError if it does not fit the text."""
    verdict = found.verdict
    if len(found.content) != len(text) or (found.redacted == 0) != (found.content == text):
        raise ValueError("a judgement changed the text, or its length")
    has_span = verdict.start is not None and verdict.end is not None
    if has_span and not _is_in(text, verdict.start, verdict.end):
        raise ValueError("a verdict's span is outside the text")
    gate = Gate(
        verdict.decision,
        version,
        verdict.reason,
        verdict.detector,
        verdict.start if has_span else None,
        verdict.end if has_span else None,
        found.redacted,
    )
    noted = NOTHING_NOTED
    # A copy made of the text as it came would bring back what was covered in it.
    if verdict.decision is Decision.NOISE and found.repair and not found.redacted:
        noted = Noted((_repair(text, found.repair),))
    return Judged(found.content, OUTCOMES[verdict.decision], gate, found.suspicion, noted)


def not_judged(text: str) -> Judged:
    """What becomes of a text whose judging failed. No rules have judged it: any may do so yet."""
    return Judged(text, Outcome.HELD, Gate(Decision.HOLD, rules_version=0, reason=GATE_FAILED))


def fitting(text: str, found: Iterable[Annotation]) -> tuple[Annotation, ...]:
    """The annotations. Raises ValueError if one does not fit the text."""
    annotations = tuple(found)
    for one in annotations:
        if not _is_in(text, one.start, one.end) or not 0 <= one.confidence <= 1:
            raise ValueError("an annotation does not fit the text")
    return annotations


def is_same_but_covered(stored: str, text: str) -> bool:
    """Whether `text` is what `stored` was before parts of it were covered.

    So a message that is sent again is known without any digest of the secret: whatever stood under
    the cover is not compared, because nothing that could tell it was kept.
    """
    return len(stored) == len(text) and covered_as(stored, text) == stored


def covered_as(stored: str, text: str) -> str:
    """`text` with each place covered that is covered in `stored`, which is as long."""
    # Here, since a start loads this module and covered texts are rare.
    from mnemod.domain.redaction import COVER

    if len(stored) != len(text):
        return text
    return "".join(kept if kept == COVER else char for kept, char in zip(stored, text, strict=True))


def _repair(text: str, copy: str) -> Annotation:
    return Annotation(0, len(text), AnnotationKind.REPAIR, copy, None, 1.0)


def _is_in(text: str, start: int | None, end: int | None) -> bool:
    return start is not None and end is not None and 0 <= start < end <= len(text)
