"""What kind of sentence a span was chosen from: a statement, a question, an order for one task.

Questions and orders for one task are no memories. They are left out item by item; one selection
that mixes an order for this task with a lasting one is sent back.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from mnemod.domain.compiler.bind import Bound
from mnemod.domain.compiler.refusal import Refusal
from mnemod.domain.interpretation import EvidenceView, FormationInput, Range
from mnemod.domain.reading.folding import fold
from mnemod.domain.reading.lexicon import Lexicon, lexicon
from mnemod.domain.reading.scripts import is_japanese, locale_of
from mnemod.domain.world import Span

QUESTION = "question_not_statement"
TASK_SCOPED = "task_scoped_instruction"
MIXED = "mixed_task_and_ongoing_instruction"


def declares(view: EvidenceView) -> bool:
    """Whether any sentence of the message is something other than a question."""
    return any(_question_start(sentence, view) is None for sentence in view.sentences)


def why_left_out(bound: Bound, request: FormationInput) -> str | None:
    """The code of what makes a selection no statement, or None. Raises Refusal if it mixes both."""
    chosen = [pair for span in bound.spans for pair in _sentences_under(span, request)]
    if any(_asks(span, sentence, view) for span, sentence, view in chosen):
        return QUESTION
    scoped = [_is_task_scoped(sentence, view) for _, sentence, view in chosen]
    if any(scoped) and not all(scoped):
        raise Refusal(MIXED, "One item mixes an order for this task with lasting words. Split it.")
    return TASK_SCOPED if any(scoped) else None


def _sentences_under(
    span: Span, request: FormationInput
) -> Iterator[tuple[Span, Range, EvidenceView]]:
    for view in request.evidence:
        if view.evidence_id == span.evidence_id:
            for sentence in view.sentences:
                if sentence.start < span.end and span.start < sentence.end:
                    yield span, sentence, view


def _asks(span: Span, sentence: Range, view: EvidenceView) -> bool:
    start = _question_start(sentence, view)
    return start is not None and span.end > start


def _question_start(sentence: Range, view: EvidenceView) -> int | None:
    """Where the sentence begins to ask, None if it does not. "I like tea, do you?" begins late."""
    folded, words = _folded(sentence, view)
    if not words.cue("asks").search(folded):
        return None
    parts = [
        part for part in view.segments if sentence.start <= part.start and part.end <= sentence.end
    ]
    for part in parts:
        piece = folded[part.start - sentence.start : part.end - sentence.start]
        if words.cue("asks_inside").search(piece):
            return part.start
    return parts[-1].start if parts else sentence.start


def _is_task_scoped(sentence: Range, view: EvidenceView) -> bool:
    folded, words = _folded(sentence, view)
    scoped, standing = _scopes(words.locale)
    return scoped.search(folded) is not None and standing.search(folded) is None


def _folded(sentence: Range, view: EvidenceView) -> tuple[str, Lexicon]:
    said = view.text[sentence.start : sentence.end]
    words = lexicon(locale_of(said, is_japanese(view.text)))
    return fold(said, words.fold), words


@cache
def _scopes(locale: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    path = files("mnemod.domain.compiler").joinpath(f"vocabulary/{locale}.toml")
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return re.compile(data["task_scoped"]), re.compile(data["standing"])
