"""Whether a selection still says what was said: no word cut in two, no denial left behind.

Words chosen out of their clause are true to it only if what is left out does not turn it around:
"I like tea" is no selection of "I do not like tea", nor "Porto" of "Portoroz".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from mnemod.domain.compiler.bind import Bound
from mnemod.domain.compiler.naming import SPACED
from mnemod.domain.compiler.refusal import Refusal
from mnemod.domain.compiler.vocabulary import pattern
from mnemod.domain.interpretation import EvidenceView, FormationInput, Range
from mnemod.domain.reading.folding import fold
from mnemod.domain.reading.lexicon import lexicon
from mnemod.domain.reading.scripts import is_japanese, locale_of
from mnemod.domain.world import Span

# What holds "can't", "AC-2041" and "1.5" together.
_INSIDE: Final = re.compile(rf"{SPACED}['\u2019-]?{SPACED}|\d[.,:/]\d")


def require_whole(bound: Bound, request: FormationInput) -> None:
    """Raise Refusal if the chosen spans cut a word, or leave a denial of their clause out."""
    for view in request.evidence:
        chosen = [span for span in bound.spans if span.evidence_id == view.evidence_id]
        if any(_cuts(view.text, edge) for span in chosen for edge in (span.start, span.end)):
            raise Refusal("support_cuts_word", "A chosen range begins or ends within a word.")
        if any(_denied(view, segment, chosen) for segment in _taken_from(view, chosen)):
            raise Refusal("negation_left_out", "Words left out deny it. Choose the whole clause.")


def _cuts(text: str, edge: int) -> bool:
    """Whether a word or a number goes on across `edge`."""
    return any(
        _INSIDE.fullmatch(text, start, end)
        for start in (edge - 2, edge - 1)
        for end in (edge + 1, edge + 2)
        if start >= 0 and end <= len(text)
    )


def _taken_from(view: EvidenceView, chosen: Sequence[Span]) -> list[Range]:
    """The segments of which a part was chosen."""
    return [
        segment
        for segment in view.segments
        if any(span.start < segment.end and segment.start < span.end for span in chosen)
    ]


def _denied(view: EvidenceView, segment: Range, chosen: Sequence[Span]) -> bool:
    """Whether what is left out of a segment holds a denial."""
    left = list(view.text[segment.start : segment.end])
    for span in chosen:
        start, end = max(span.start - segment.start, 0), max(span.end - segment.start, 0)
        left[start:end] = " " * len(left[start:end])
    words = "".join(left)
    if not words.strip():
        return False
    locale = locale_of(view.text[segment.start : segment.end], is_japanese(view.text))
    return pattern(locale, "denial").search(fold(words, lexicon(locale).fold)) is not None
