"""When something happened, as far as its own words say so, seen from when they were said.

Only one date becomes an item's: two choose none, one that may be read two ways is not decided, and
a phrase such as "yesterday" has a date only where its message has a time. What a model offers is
checked for its form and then left aside: the words win.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from msgspec import Struct

from mnemod.domain.annotation import DATED, Ambiguous, Annotation
from mnemod.domain.compiler.bind import Bound
from mnemod.domain.compiler.refusal import Refusal
from mnemod.domain.interpretation import FormationInput
from mnemod.domain.local_time import local_time_if_any, zone_named
from mnemod.domain.normalise import annotate
from mnemod.domain.periods import period
from mnemod.domain.world import Precision


class Occurrence(Struct, frozen=True):
    """A date as an item keeps it (see `periods`), how exact it is, and the words that gave it."""

    occurred_at: str
    precision: Precision
    expression: str


def occurrence(bound: Bound, request: FormationInput) -> Occurrence | None:
    """The one time that the chosen words name; None if they name none, several, or an open one."""
    found = list(_found(bound, request))
    if len(found) != 1:
        return None
    dated, expression = found[0]
    if isinstance(dated.value, Ambiguous) or dated.precision is None:
        return None
    when = period(dated.value, dated.precision, zone_named(request.zone))
    return Occurrence(when, dated.precision, expression)


def _found(bound: Bound, request: FormationInput) -> Iterator[tuple[Annotation, str]]:
    zone = zone_named(request.zone)
    said = {view.evidence_id: view.said_at for view in request.evidence}
    for span, piece in zip(bound.spans, bound.pieces, strict=True):
        moment = said[span.evidence_id]
        anchor = local_time_if_any(moment.at_ms, zone) if moment else None
        for each in annotate(piece, anchor, request.locale):
            if each.kind in DATED:
                yield each, piece[each.start : each.end]


def require_date(offered: str) -> None:
    """Raise Refusal unless `offered` is an ISO date. Which date is kept, the words decide."""
    try:
        date.fromisoformat(offered[:10])
    except ValueError:
        raise Refusal(
            "invalid_event_time", "occurred_at is YYYY-MM-DD, as the words say."
        ) from None
