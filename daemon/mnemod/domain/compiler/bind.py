"""From selectors to spans: which exact characters of which Evidence a proposal rests on.

Chosen ranges that touch, or have only white space between them, become one span; a gap of words is
never bridged; ranges that overlap are refused, and so are names nobody was offered.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from mnemod.domain.compiler.refusal import Refusal
from mnemod.domain.interpretation import EvidenceView, FormationInput, Range, Selector
from mnemod.domain.keys import comparison_key
from mnemod.domain.wording import worded
from mnemod.domain.world import Span


class Bound(Struct, frozen=True):
    """The chosen words: spans in reading order, and the text of each.

    `speaker` is the name of whoever says "I" in them; None is the owner.
    """

    spans: tuple[Span, ...]
    pieces: tuple[str, ...]
    speaker: str | None

    @property
    def text(self) -> str:
        return worded(self.pieces)


def bind(supports: Iterable[Selector], request: FormationInput) -> Bound:
    """The spans that `supports` choose. Raises Refusal."""
    chosen = [_range(selector, _view(selector, request)) for selector in supports]
    views: list[EvidenceView] = []
    spans: list[Span] = []
    for view in request.evidence:
        here = sorted((start, end) for owner, start, end in chosen if owner is view)
        if here:
            views.append(view)
            spans += [Span(view.evidence_id, *ends) for ends in _joined(here, view.text)]
    texts = {view.evidence_id: view.text for view in views}
    pieces = tuple(texts[span.evidence_id][span.start : span.end] for span in spans)
    if not comparison_key("".join(pieces)):
        raise Refusal("empty_span", "The chosen ranges hold no words.")
    return Bound(tuple(spans), pieces, _speaker(views))


def _view(selector: Selector, request: FormationInput) -> EvidenceView:
    for view in request.evidence:
        if view.evidence_id == selector.evidence_id:
            return view
    raise Refusal("evidence_out_of_batch", "evidence_id is none of the Evidence you were given.")


def _range(selector: Selector, view: EvidenceView) -> tuple[EvidenceView, int, int]:
    start, end = _ends(selector, view)
    body = view.text[start:end]
    start += len(body) - len(body.lstrip())
    end = start + len(body.strip())
    if start >= end:
        raise Refusal("empty_span", "A chosen range is empty.")
    return view, start, end


def _ends(selector: Selector, view: EvidenceView) -> tuple[int, int]:
    if selector.sentence_id is not None:
        return _named(selector.sentence_id, view.sentences, "support_sentence_not_found")
    if selector.segment_id is not None:
        return _named(selector.segment_id, view.segments, "support_segment_not_found")
    if selector.quote is not None:
        return _quoted(selector.quote, view.text)
    start, end = selector.start or 0, selector.end or 0
    if not 0 <= start <= end <= len(view.text):
        raise Refusal("span_out_of_range", "start and end are offsets within the Evidence's text.")
    return start, end


def _named(name: str, ranges: tuple[Range, ...], code: str) -> tuple[int, int]:
    for each in ranges:
        if each.id == name:
            return each.start, each.end
    raise Refusal(code, "A support names a sentence or segment that the Evidence does not have.")


def _quoted(quote: str, text: str) -> tuple[int, int]:
    first = text.find(quote) if quote.strip() else -1
    if first < 0:
        raise Refusal("support_quote_not_found", "A quote does not stand in the Evidence.")
    if text.find(quote, first + 1) >= 0:
        raise Refusal("support_quote_ambiguous", "A quote stands in the Evidence more than once.")
    return first, first + len(quote)


def _joined(ranges: list[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """Sorted ranges of one text, those with nothing but white space between them made one."""
    joined = ranges[:1]
    for start, end in ranges[1:]:
        last_start, last_end = joined[-1]
        if start < last_end:
            raise Refusal("overlapping_spans", "Chosen ranges overlap. Choose each part once.")
        if text[last_end:start].strip():
            joined.append((start, end))
        else:
            joined[-1] = (last_start, end)
    return joined


def _speaker(views: list[EvidenceView]) -> str | None:
    speakers = {view.speaker for view in views}
    if len(speakers) > 1:
        raise Refusal("mixed_speakers", "One item rests on the words of one speaker.")
    return speakers.pop()
