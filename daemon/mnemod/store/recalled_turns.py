"""The turns that recall reads, each query by index, with the hard filters in the query itself.

A turn is seen only if it is unerased, passed the gates, and its words may go to the tier. What is
filtered here was never a candidate: nothing that comes after can show it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import orjson

from mnemod.config import Tier
from mnemod.domain.evidence import Instant, Speaker
from mnemod.domain.time_window import Window
from mnemod.ids import ConversationId, EpochMs, EvidenceId, SessionId
from mnemod.store.database import Tx

HEAD_CHARS: Final = 1_000
"""So much of a turn's words is read to rank it."""

SEEN: Final = {
    Tier.LOCAL: "e.erased_at_ms IS NULL AND e.outcome IN ('eligible', 'released') AND e.local_read",
    Tier.CLOUD: "e.erased_at_ms IS NULL AND e.outcome IN ('eligible', 'released') AND e.cloud_read",
}
"""Whether the Evidence row `e` may be shown there."""


class SaidRow(NamedTuple):
    """A turn that may be shown. `before` and `after` are the `seq` of its neighbours in reach.

    A plain tuple: hundreds are made for one question, straight from the columns.
    """

    seq: int
    evidence_id: EvidenceId
    conversation_id: ConversationId
    session_id: SessionId | None
    speaker_id: str | None
    speaker_name: str | None
    head: str
    said_at_ms: EpochMs | None
    said_offset_min: int | None
    recorded_at_ms: EpochMs
    trust: float
    before: int | None
    after: int | None

    @property
    def moment_ms(self) -> EpochMs:
        """When it was said, or else when it came in."""
        return self.recorded_at_ms if self.said_at_ms is None else self.said_at_ms

    @property
    def said_at(self) -> Instant | None:
        """When it was said, with the offset of whoever said it."""
        if self.said_at_ms is None or self.said_offset_min is None:
            return None
        return Instant(self.said_at_ms, self.said_offset_min)

    @property
    def speaker(self) -> Speaker | None:
        """Who said it, if not the owner."""
        if self.speaker_id is None or self.speaker_name is None:
            return None
        return Speaker(self.speaker_id, self.speaker_name)


_SAID: Final = f"""
SELECT e.seq, e.evidence_id, e.conversation_id, e.session_id, e.speaker_id, e.speaker_name,
       substr(e.content, 1, {HEAD_CHARS}), e.said_at_ms, e.said_offset_min, e.recorded_at_ms,
       e.trust,
       (SELECT max(p.seq) FROM evidence p
         WHERE p.conversation_id = nullif(e.conversation_id, '') AND p.seq < e.seq
           AND p.outcome IN ('eligible', 'released')),
       (SELECT min(n.seq) FROM evidence n
         WHERE n.conversation_id = nullif(e.conversation_id, '') AND n.seq > e.seq
           AND n.outcome IN ('eligible', 'released'))
  FROM evidence e
"""  # noqa: S608

_Q_SAID: Final = {
    tier: f"""{_SAID}
 WHERE e.seq IN (SELECT value FROM json_each(:seqs)) AND {seen}
"""  # noqa: S608
    for tier, seen in SEEN.items()
}


def said(tx: Tx, seqs: Iterable[int], tier: Tier) -> dict[int, SaidRow]:
    """The turns of these `seq` that may be shown there."""
    rows = tx.execute(_Q_SAID[tier], {"seqs": as_json(seqs)})
    return {row[0]: SaidRow._make(row) for row in rows}


_Q_WITHIN: Final = """
SELECT json_group_array(seq)
  FROM evidence
 WHERE coalesce(said_at_ms, recorded_at_ms) >= :from
   AND coalesce(said_at_ms, recorded_at_ms) < :to
"""


def seqs_within(tx: Tx, window: Window) -> set[int]:
    """Every Evidence row of that time, erased or not."""
    bounds = {"from": window.from_ms, "to": window.to_ms}
    return set(orjson.loads(tx.execute(_Q_WITHIN, bounds).fetchone()[0]))


_MOMENT: Final = "coalesce(e.said_at_ms, e.recorded_at_ms)"

_Q_NEAREST: Final = {
    tier: tuple(
        f"""{_SAID}
 WHERE {_MOMENT} {side} AND {seen}
 ORDER BY {_MOMENT} {direction}, e.seq {direction}
 LIMIT :limit
"""
        for side, direction in ((">= :from", "ASC"), ("< :from", "DESC"))
    )
    for tier, seen in SEEN.items()
}


def nearest(tx: Tx, window: Window, tier: Tier, limit: int) -> list[SaidRow]:
    """Turns that may be shown: inside the window, then nearest to it; of equals the later first."""
    bounds = {"from": window.from_ms, "limit": limit}
    found: list[SaidRow] = []
    for query in _Q_NEAREST[tier]:
        found += map(SaidRow._make, tx.execute(query, bounds))
    found.sort(key=lambda row: (*_remoteness(window, row), -row.moment_ms, -row.seq))
    return found[:limit]


def _remoteness(window: Window, row: SaidRow) -> tuple[bool, int]:
    return not window.holds(row.moment_ms), window.distance_ms(row.moment_ms)


_Q_LATEST: Final = {
    tier: f"""
SELECT e.seq,
       (SELECT j.state FROM job_evidence je JOIN job j ON j.job_id = je.job_id
         WHERE je.evidence_id = e.evidence_id ORDER BY j.seq DESC LIMIT 1)
  FROM evidence e
 WHERE e.seq > (SELECT max(seq) FROM evidence) - :limit
   AND e.recorded_at_ms >= :since AND e.recorded_at_ms <= :now AND {seen}
 ORDER BY e.seq DESC
"""  # noqa: S608
    for tier, seen in SEEN.items()
}


def latest(
    tx: Tx, tier: Tier, since: EpochMs, now: EpochMs, limit: int
) -> list[tuple[int, str | None]]:
    """The `seq` of the last `limit` turns that came in, as far as they may be shown and came since.

    The newest first, each with the state of its last job, if any.
    """
    rows = tx.execute(_Q_LATEST[tier], {"since": since, "now": now, "limit": limit})
    return [(row[0], row[1]) for row in rows]


_Q_COUNT: Final = "SELECT coalesce((SELECT max(seq) FROM evidence), 0)"


def count_ever(tx: Tx) -> int:
    """How many Evidence rows there have been: the size that rarity is measured by."""
    return int(tx.execute(_Q_COUNT).fetchone()[0])


def as_json(seqs: Iterable[int]) -> str:
    """Numbers for `json_each`, in order."""
    return orjson.dumps(sorted(seqs)).decode()
