"""How far words are trusted, 0 to 1: by who said them, how they came in, and what the gates said.

| Evidence                            | trust |
| ----------------------------------- | ----- |
| spoken or typed by the owner        | 1.0   |
| spoken by another participant       | 0.9   |
| observed, no person's own words     | 0.7   |

| item                                | of its sources' trust |
| ----------------------------------- | --------------------- |
| stated, observed, corrected, card   | all of it             |
| confirmed: a yes to another's words | 0.9                   |
| derived from other items            | 0.6                   |

So an owner's statement stands above a confirmation (0.9), that above an observation (0.7), that
above what is derived (at most 0.6). Suspicion takes its share of the whole: a text that was
flagged, or held and released, is suspected by half at least. A secret casts no doubt on its text.
Words chosen together are trusted as little as the least of them; words said again elsewhere as much
as the best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from mnemod.domain.evidence import SourceKind
from mnemod.domain.gates.verdict import Decision, Detector
from mnemod.domain.world import FormedBy, Relation, Support
from mnemod.ids import EvidenceId

OF_SOURCE: Final = {SourceKind.SPOKEN: 1.0, SourceKind.CORRECTION: 1.0, SourceKind.OBSERVED: 0.7}
OF_ANOTHER: Final = 0.9
OF_FORM: Final = {
    FormedBy.STATED: 1.0,
    FormedBy.OBSERVED: 1.0,
    FormedBy.CORRECTED: 1.0,
    FormedBy.CARD: 1.0,
    FormedBy.CONFIRMED: 0.9,
    FormedBy.DERIVED: 0.6,
}
SUSPECTED: Final = 0.5
"""The least suspicion of a text that was flagged or held."""

_DOUBTFUL: Final = frozenset({Decision.FLAG, Decision.HOLD})


def of_evidence(
    source: SourceKind,
    *,
    by_owner: bool,
    decision: Decision,
    suspicion: float,
    detector: Detector | None = None,
) -> float:
    """How far a row is trusted, 0 to 1. `suspicion` is the gates', 0 to 1."""
    said = OF_SOURCE[source] if by_owner else min(OF_SOURCE[source], OF_ANOTHER)
    is_doubtful = decision in _DOUBTFUL and detector is not Detector.SECRET
    least = SUSPECTED if is_doubtful else 0.0
    return round(said * (1.0 - min(max(suspicion, least), 1.0)), 4)


def of_item(formed_by: FormedBy, sources: Iterable[float]) -> float:
    """How far an item is trusted that is made of words trusted so far; 0 if of none."""
    return round(OF_FORM[formed_by] * min(sources, default=0.0), 4)


def of_supported(
    formed_by: FormedBy, ties: Iterable[Support], trust_of: Callable[[EvidenceId], float]
) -> float:
    """How far an item is trusted by all that says it: as far as its best group of spans."""
    groups: dict[int, list[float]] = {}
    for tie in ties:
        if tie.relation is Relation.SUPPORT:
            groups.setdefault(tie.group, []).append(trust_of(tie.span.evidence_id))
    return max((of_item(formed_by, found) for found in groups.values()), default=0.0)
