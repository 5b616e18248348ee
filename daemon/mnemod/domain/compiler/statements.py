"""What kind of sentence a span was chosen from: a statement, a question, an order for one task.

Questions and orders for one task are no memories. They are left out item by item; one selection
that mixes an order for this task with a lasting one is sent back.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Final

from msgspec import Struct

from mnemod.domain.compiler.bind import Bound
from mnemod.domain.compiler.refusal import Refusal
from mnemod.domain.compiler.vocabulary import pattern
from mnemod.domain.interpretation import EvidenceView, FormationInput, Range
from mnemod.domain.reading.folding import fold
from mnemod.domain.reading.lexicon import Lexicon, lexicon
from mnemod.domain.reading.scripts import is_japanese, locale_of
from mnemod.domain.world import Span

QUESTION = "question_not_statement"
TASK_SCOPED = "task_scoped_instruction"
MIXED = "mixed_task_and_ongoing_instruction"

SENTENCES_ASKED_MAX: Final = 200
SENTENCE_CHARS_MAX: Final = 2_000
"""Of a longer sentence, its beginning decides; a question mark at its end is not seen."""


def declares(view: EvidenceView) -> bool:
    """Whether any sentence of the message is something other than a question.

    A message of more than SENTENCES_ASKED_MAX sentences is taken to hold one.
    """
    message = _Message.of(view)
    asked = view.sentences[:SENTENCES_ASKED_MAX]
    return len(asked) < len(view.sentences) or any(
        message.question_start(sentence) is None for sentence in asked
    )


def why_left_out(bound: Bound, request: FormationInput) -> str | None:
    """The code of what makes a selection no statement, or None. Raises Refusal if it mixes both."""
    messages = {view.evidence_id: _Message.of(view) for view in request.evidence}
    chosen = [
        (span, sentence, messages[span.evidence_id])
        for span in bound.spans
        for sentence in messages[span.evidence_id].under(span)
    ]
    if any(message.asks(sentence, span) for span, sentence, message in chosen):
        return QUESTION
    scoped = [message.is_task_scoped(sentence) for _, sentence, message in chosen]
    if any(scoped) and not all(scoped):
        raise Refusal(MIXED, "One item mixes an order for this task with lasting words. Split it.")
    return TASK_SCOPED if any(scoped) else None


class _Message(Struct, frozen=True):
    """A message with what all its sentences share, worked out once: it may be a long one."""

    view: EvidenceView
    japanese: bool

    @classmethod
    def of(cls, view: EvidenceView) -> _Message:
        return cls(view, is_japanese(view.text))

    def under(self, span: Span) -> tuple[Range, ...]:
        """The sentences a span takes from."""
        return _between(self.view.sentences, span.start, span.end)

    def asks(self, sentence: Range, span: Span) -> bool:
        """Whether the span reaches into what the sentence asks."""
        start = self.question_start(sentence)
        return start is not None and span.end > start

    def question_start(self, sentence: Range) -> int | None:
        """Where the sentence begins to ask, if it does. "I like tea, do you?" begins late."""
        folded, words = self._folded(sentence)
        if not words.cue("asks").search(folded):
            return None
        parts = _between(self.view.segments, sentence.start, sentence.end)
        for part in parts:
            piece = folded[part.start - sentence.start : part.end - sentence.start]
            if words.cue("asks_inside").search(piece):
                return part.start
        return parts[-1].start if parts else sentence.start

    def is_task_scoped(self, sentence: Range) -> bool:
        folded, words = self._folded(sentence)
        scoped, standing = (pattern(words.locale, name) for name in ("task_scoped", "standing"))
        return scoped.search(folded) is not None and standing.search(folded) is None

    def _folded(self, sentence: Range) -> tuple[str, Lexicon]:
        said = self.view.text[
            sentence.start : min(sentence.end, sentence.start + SENTENCE_CHARS_MAX)
        ]
        words = lexicon(locale_of(said, self.japanese))
        return fold(said, words.fold), words


def _between(ranges: tuple[Range, ...], start: int, end: int) -> tuple[Range, ...]:
    """Those of the ordered `ranges` that overlap start..end."""
    first = bisect_right(ranges, start, key=lambda each: each.end)
    last = bisect_left(ranges, end, key=lambda each: each.start)
    return ranges[first:last]
