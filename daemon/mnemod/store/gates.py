"""What the gates said of the rows of an account, counted and paged; no words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from mnemod.domain.gates.verdict import Detector
from mnemod.domain.intake import GATE_FAILED
from mnemod.ids import EvidenceId
from mnemod.store.database import Tx


class GateCounts(Struct, frozen=True):
    """Unerased rows by what the gates said. `held_by` counts those no rule spoke of under None.

    `judged_by_older` are those that would be judged again, so none that the owner released.
    """

    rows: int
    noise: int
    held: int
    held_by: Mapping[Detector | None, int]
    flagged: int
    released: int
    redacted: int
    annotations_failed: int
    gate_failed: int
    judged_by_older: int


# One walk over the rows; the columns it reads stand before the words.
_Q_COUNT: Final = """
SELECT count(*),
       coalesce(sum(outcome = 'noise'), 0),
       coalesce(sum(outcome = 'held'), 0),
       coalesce(sum(gate_decision = 'flag'), 0),
       coalesce(sum(outcome = 'released'), 0),
       coalesce(sum(redacted > 0), 0),
       coalesce(sum(annotations_failed), 0),
       coalesce(sum(outcome = 'held' AND gate_reason = :failed), 0),
       coalesce(sum(outcome <> 'released' AND rules_version < :version), 0)
  FROM evidence
 WHERE erased_at_ms IS NULL
"""

_Q_HELD_BY: Final = """
SELECT gate_detector, count(*)
  FROM evidence
 WHERE outcome = 'held' AND outcome <> 'eligible'
 GROUP BY gate_detector
"""


def counts(tx: Tx, version: int) -> GateCounts:
    """All counts; `version` is that of the rules that judge now."""
    given = {"version": version, "failed": GATE_FAILED}
    rows, noise, held, flagged, released, redacted, unnoted, failed, older = tx.execute(
        _Q_COUNT, given
    ).fetchone()
    held_by: dict[Detector | None, int] = dict.fromkeys((*Detector, None), 0)
    for detector, count in tx.execute(_Q_HELD_BY):
        held_by[None if detector is None else Detector(detector)] = count
    return GateCounts(
        rows=rows,
        noise=noise,
        held=held,
        held_by=held_by,
        flagged=flagged,
        released=released,
        redacted=redacted,
        annotations_failed=unnoted,
        gate_failed=failed,
        judged_by_older=older,
    )


_Q_TO_JUDGE: Final = """
SELECT seq, evidence_id
  FROM evidence
 WHERE seq > :after
   AND erased_at_ms IS NULL
   AND outcome <> 'released'
   AND (:all OR rules_version < :version)
 ORDER BY seq
 LIMIT :limit
"""


def to_judge(
    tx: Tx, *, after: int, limit: int, version: int, everything: bool
) -> list[tuple[int, EvidenceId]]:
    """Rows to judge again, by `seq`: those of older rules, or all; none that was released."""
    given = {"after": after, "limit": limit, "version": version, "all": everything}
    return [(seq, EvidenceId(evidence_id)) for seq, evidence_id in tx.execute(_Q_TO_JUDGE, given)]
