"""What a text says in dates, spans of time, amounts and shares, beside the text and never in it.

Each kind has a closed grammar over the folded text. Where readings overlap, the longest stands; of
two as long, the first of dates, amounts, proportions, durations. Where a text leaves its meaning
open, the candidates are shown and nothing is decided. The same text, anchor and locale give the
same annotations, always.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Final

from msgspec.structs import replace

from mnemod.domain.annotation import Annotation
from mnemod.domain.folded import Folded, fold, fold_part
from mnemod.domain.normalise import amounts, dates, durations, proportions
from mnemod.domain.normalise.names import is_name
from mnemod.domain.normalise.page import Page
from mnemod.domain.normalise.sheet import laid_out
from mnemod.domain.normalise.titles import holds_quotation, is_title

ASKED_EVERY: Final = 32
"""Readings between two looks at the time."""

_DASH: Final = "\u2014"
_APART: Final = "~"
"""Stands for such a dash: no word goes on over it, and a range may."""


class OutOfTime(Exception):
    """The time for annotations is over; the text is kept without any."""


def annotate(
    text: str,
    anchor: datetime | None,
    locale: str,
    *,
    folded: Folded | None = None,
    out_of_time: Callable[[], bool] | None = None,
) -> tuple[Annotation, ...]:
    """The annotations of `text`, in order, none over another; offsets are code points of `text`.

    `anchor` is when the text was said, in the account's zone. Without one, only what is written in
    full is decided. `locale` is a BCP 47 tag: it orders figures and names currencies. `folded` is
    `fold(text)`, if the caller has it. Each kind is tried at PLACES_MAX places of one text, the
    first ones, and no more than NUMBERS_MAX numerals are looked at (`sheet`), so that any text
    takes milliseconds. Raises OutOfTime once `out_of_time` says so, and nothing else.
    """
    form = _form(text, folded)
    page = Page(laid_out(form, locale), text, anchor)
    return tuple(_placed(page, _apart(_timed(_readings(page), out_of_time))))


def _form(text: str, folded: Folded | None) -> Folded:
    """The folded text, with a dash between clauses apart from a hyphen: this week—maybe."""
    form = fold(text) if folded is None else folded
    if _DASH not in text:
        return form
    return form.with_sign(text, _DASH, _APART) or fold_part(text.replace(_DASH, _APART))


def _readings(page: Page) -> Iterator[Annotation]:
    """Every reading, in folded offsets, as all that follows until `_placed`."""
    yield from dates.find(page)
    for kind in (amounts, proportions, durations):
        yield from kind.find(page.sheet)


def _timed(
    readings: Iterator[Annotation], out_of_time: Callable[[], bool] | None
) -> Iterator[Annotation]:
    for count, reading in enumerate(readings):
        if out_of_time is not None and count % ASKED_EVERY == 0 and out_of_time():
            raise OutOfTime
        yield reading


def _apart(readings: Iterable[Annotation]) -> list[Annotation]:
    """Those that stand: the longest first, each where none stands yet."""
    kept: list[Annotation] = []
    starts: list[int] = []
    for reading in sorted(readings, key=lambda each: (each.start - each.end, each.start)):
        place = bisect_left(starts, reading.end)
        if place and kept[place - 1].end > reading.start:
            continue
        starts.insert(place, reading.start)
        kept.insert(place, reading)
    return kept


def _placed(page: Page, readings: list[Annotation]) -> Iterator[Annotation]:
    """The readings in offsets of the source, but for those that are part of a title or a name."""
    folded, source, done = page.sheet.folded, page.source, 0
    quoted = bool(readings) and holds_quotation(source)
    for reading in readings:
        start, end = folded.span(reading.start, reading.end)
        # One character of the source may fold to the last of a reading and the first of the next.
        if start < done or is_title(source, start, end, quoted=quoted):
            continue
        if is_name(folded.text, reading.start, reading.end, reading.kind):
            continue
        done = end
        is_moved = (start, end) != (reading.start, reading.end)
        yield replace(reading, start=start, end=end) if is_moved else reading
