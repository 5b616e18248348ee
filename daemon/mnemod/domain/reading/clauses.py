"""Which stretches of a message may be read as statements.

A sentence is read whole. One that asks is read only up to the comma before its question. A
sentence that hands text over, or opens a fiction, ends the reading of the message: what follows is
material.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from mnemod.domain.interpretation import EvidenceView, Range
from mnemod.domain.reading.folding import fold
from mnemod.domain.reading.lexicon import Lexicon, lexicon
from mnemod.domain.reading.material import own_words, without_blocks
from mnemod.domain.reading.scripts import is_japanese, locale_of
from mnemod.domain.segments import COMMAS

# A longer message is a document: only its opening sentences are read as statements.
SENTENCES_READ_MAX: Final = 120
# A longer clause is not a plain statement. It also bounds the work of every pattern.
CLAUSE_CHARS_MAX: Final = 240


class Clause(Struct, frozen=True):
    """A stretch of a message: its words, the words as patterns see them, and their vocabulary."""

    start: int
    end: int
    source: str
    folded: str
    lexicon: Lexicon


def clauses(view: EvidenceView) -> tuple[Clause, ...]:
    """The readable clauses of a message, in order."""
    found: list[Clause] = []
    for sentence in _own_sentences(view):
        if sentence.lexicon.cue("hands_over_the_above").search(sentence.folded):
            found.clear()
        if sentence.lexicon.cue("opens_material").search(sentence.folded):
            break
        if not sentence.lexicon.cue("asks").search(sentence.folded):
            found.append(sentence)
        elif (before := _before_question(sentence, view.segments)) is not None:
            found.append(before)
    return tuple(clause for clause in found if len(clause.source) <= CLAUSE_CHARS_MAX)


def _own_sentences(view: EvidenceView) -> Iterator[Clause]:
    plain = without_blocks(view.text)
    japanese = is_japanese(view.text)
    line_start, line_end, line = 0, -1, ""
    for sentence in view.sentences[:SENTENCES_READ_MAX]:
        if sentence.start > line_end:
            line_start = plain.rfind("\n", 0, sentence.start) + 1
            line_end = (plain.find("\n", sentence.start) + 1 or len(plain) + 1) - 1
            line = _own_line(plain[line_start:line_end], japanese)
        visible = line[sentence.start - line_start : sentence.end - line_start]
        yield _clause(sentence, view.text, visible[: CLAUSE_CHARS_MAX + 1], japanese)


def _own_line(line: str, japanese: bool) -> str:
    return own_words(line, lexicon(locale_of(line[:CLAUSE_CHARS_MAX], japanese)))


def _clause(sentence: Range, text: str, visible: str, japanese: bool) -> Clause:
    vocabulary = lexicon(locale_of(visible, japanese))
    source = text[sentence.start : sentence.end]
    return Clause(sentence.start, sentence.end, source, fold(visible, vocabulary.fold), vocabulary)


def _before_question(sentence: Clause, segments: tuple[Range, ...]) -> Clause | None:
    """The segments of the sentence that come before the one that starts to ask."""
    end = None
    for part in islice(segments, bisect_left(segments, sentence.start, key=_start), None):
        inside = sentence.folded[part.start - sentence.start : part.end - sentence.start]
        if part.end >= sentence.end:
            if sentence.lexicon.cue("asks_to_agree").search(inside):
                return None
            break
        if sentence.lexicon.cue("asks_inside").search(inside):
            break
        end = part.end
    if end is None:
        return None
    # The comma itself belongs to neither side.
    size = len(sentence.folded[: end - sentence.start].rstrip(COMMAS))
    return replace(
        sentence,
        end=sentence.start + size,
        source=sentence.source[:size],
        folded=sentence.folded[:size],
    )


def _start(part: Range) -> int:
    return part.start
