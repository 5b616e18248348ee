"""The rows that recall reads, each query by index, with the hard filters in the query itself.

A row is seen only if it is unerased, passed the gates, and its words may go to the tier; an item
only if that holds for every Evidence under it and under what it was derived from. What is filtered
here was never a candidate: nothing that comes after can show it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from mnemod.config import Tier
from mnemod.domain.evidence import Instant, Speaker
from mnemod.domain.time_window import Window
from mnemod.domain.world import ItemKind, ItemState
from mnemod.ids import ConversationId, EpochMs, EvidenceId, ItemId, SessionId
from mnemod.store.database import Tx

_MAY_READ: Final = {Tier.LOCAL: "local_read", Tier.CLOUD: "cloud_read"}


@dataclass(frozen=True, slots=True)
class SaidRow:
    """A turn that may be shown. `head` is the first HEAD_CHARS of its words."""

    seq: int
    evidence_id: EvidenceId
    conversation_id: ConversationId
    session_id: SessionId | None
    speaker: Speaker | None
    head: str
    said_at: Instant | None
    recorded_at_ms: EpochMs
    before: int | None
    after: int | None

    @property
    def moment_ms(self) -> EpochMs:
        """When it was said, or else when it came in."""
        return self.said_at.at_ms if self.said_at else self.recorded_at_ms


@dataclass(frozen=True, slots=True)
class FactRow:
    """An item that may be shown. `sources` are `seq` and moment of each Evidence under it."""

    seq: int
    item_id: ItemId
    kind: ItemKind
    state: ItemState
    valid_to_ms: EpochMs | None
    occurred_at: str | None
    trust: float
    importance: int
    sources: tuple[tuple[int, EpochMs], ...]


HEAD_CHARS: Final = 1_000

_SAID = """
SELECT e.seq, e.evidence_id, e.conversation_id, e.session_id, e.speaker_id, e.speaker_name,
       substr(e.content, 1, 1000), e.said_at_ms, e.said_offset_min, e.recorded_at_ms,
       (SELECT max(p.seq) FROM evidence p
         WHERE p.conversation_id = e.conversation_id AND p.seq < e.seq),
       (SELECT min(n.seq) FROM evidence n
         WHERE n.conversation_id = e.conversation_id AND n.seq > e.seq)
  FROM evidence e
"""

_SEEN: Final = {
    tier: f"e.erased_at_ms IS NULL AND e.outcome IN ('eligible', 'released') AND e.{column}"
    for tier, column in _MAY_READ.items()
}

_Q_SAID: Final = {
    tier: f"""{_SAID}
 WHERE e.seq IN (SELECT value FROM json_each(:seqs)) AND {seen}
"""  # noqa: S608
    for tier, seen in _SEEN.items()
}


def said(tx: Tx, seqs: Iterable[int], tier: Tier) -> dict[int, SaidRow]:
    """The turns of these `seq` that may be shown there."""
    rows = tx.execute(_Q_SAID[tier], {"seqs": _json(seqs)})
    return {row[0]: _said(row) for row in rows}


_Q_MOMENTS: Final = """
SELECT json_group_array(seq)
  FROM evidence
 WHERE coalesce(said_at_ms, recorded_at_ms) >= :from AND coalesce(said_at_ms, recorded_at_ms) < :to
"""


def seqs_within(tx: Tx, window: Window) -> set[int]:
    """Every Evidence row of that time, erased or not."""
    row = tx.execute(_Q_MOMENTS, {"from": window.from_ms, "to": window.to_ms}).fetchone()
    return set(orjson.loads(row[0]))


_MOMENT: Final = "coalesce(e.said_at_ms, e.recorded_at_ms)"

_Q_NEAREST: Final = {
    tier: tuple(
        f"""{_SAID}
 WHERE {_MOMENT} {side} AND {seen}
 ORDER BY {_MOMENT} {direction}, e.seq {direction}
 LIMIT :limit
"""
        for side, direction in (
            (">= :from", "ASC"),
            ("< :from", "DESC"),
        )
    )
    for tier, seen in _SEEN.items()
}


def nearest(tx: Tx, window: Window, tier: Tier, limit: int) -> list[SaidRow]:
    """Turns that may be shown: inside the window, then nearest to it; of equals the later first."""
    bounds = {"from": window.from_ms, "limit": limit}
    found = {}
    for query in _Q_NEAREST[tier]:
        found.update({row[0]: _said(row) for row in tx.execute(query, bounds)})
    return sorted(
        found.values(),
        key=lambda row: (window.distance_ms(row.moment_ms), -row.moment_ms, -row.seq),
    )[:limit]


_Q_RECENT: Final = {
    tier: f"""
SELECT *, (SELECT j.state FROM job_evidence je JOIN job j ON j.job_id = je.job_id
            WHERE je.evidence_id = latest.evidence_id ORDER BY j.seq DESC LIMIT 1)
  FROM ({_SAID}
 WHERE e.recorded_at_ms >= :since AND e.recorded_at_ms <= :now AND {seen}
 ORDER BY e.recorded_at_ms DESC, e.seq DESC
 LIMIT :limit) AS latest
"""  # noqa: S608
    for tier, seen in _SEEN.items()
}


def latest(
    tx: Tx, tier: Tier, since: EpochMs, now: EpochMs, limit: int
) -> list[tuple[SaidRow, str | None]]:
    """The last turns that came in, newest first, each with the state of its last job, if any."""
    rows = tx.execute(_Q_RECENT[tier], {"since": since, "now": now, "limit": limit})
    return [(_said(row), row[12]) for row in rows]


# The Evidence under an item and under what it was derived from; of an entity, where its names
# stand.
_LINEAGE: Final = """
WITH RECURSIVE lineage (item_id) AS (
    SELECT i.item_id
    UNION
    SELECT d.source_item_id FROM derivation d JOIN lineage l ON d.derived_item_id = l.item_id)
SELECT 1
  FROM lineage l
"""
_SPANS: Final = f"""{_LINEAGE}
  JOIN support s ON s.item_id = l.item_id
  LEFT JOIN evidence e ON e.evidence_id = s.evidence_id
"""
_NAMES: Final = f"""{_LINEAGE}
  JOIN entity_name n ON n.entity_id = l.item_id
  LEFT JOIN evidence e ON e.evidence_id = n.evidence_id
"""
_SOURCES: Final = """
SELECT s.evidence_id FROM support s WHERE s.item_id = i.item_id
UNION
SELECT n.evidence_id FROM entity_name n WHERE n.entity_id = i.item_id
"""

_SHOWABLE: Final = {
    tier: f"""
i.state <> 'retracted' AND i.archived_at_ms IS NULL AND i.muted_at_ms IS NULL
   AND (EXISTS ({_SPANS}) OR EXISTS ({_NAMES}))
   AND NOT EXISTS ({_SPANS} WHERE e.seq IS NULL OR NOT ({seen}))
   AND NOT EXISTS ({_NAMES} WHERE e.seq IS NULL OR NOT ({seen}))
"""
    for tier, seen in _SEEN.items()
}

_Q_FACTS: Final = {
    tier: f"""
SELECT i.seq, i.item_id, i.kind, i.state, i.valid_to_ms, i.occurred_at, i.trust, i.importance,
       (SELECT json_group_array(json_array(e.seq, coalesce(e.said_at_ms, e.recorded_at_ms)))
          FROM evidence e WHERE e.evidence_id IN ({_SOURCES}))
  FROM item i
 WHERE i.seq IN (SELECT value FROM json_each(:seqs)) AND {showable}
"""  # noqa: S608
    for tier, showable in _SHOWABLE.items()
}


def facts(tx: Tx, seqs: Iterable[int], tier: Tier) -> dict[int, FactRow]:
    """The items of these `seq` that may be shown there: not hidden, and every source readable."""
    return {row[0]: _fact(row) for row in tx.execute(_Q_FACTS[tier], {"seqs": _json(seqs)})}


_Q_FORMED_FROM: Final = """
SELECT DISTINCT e.seq, i.seq, i.state
  FROM evidence e
  JOIN support s ON s.evidence_id = e.evidence_id
  JOIN item i ON i.item_id = s.item_id
 WHERE e.seq IN (SELECT value FROM json_each(:seqs)) AND s.relation = 'support'
 ORDER BY e.seq, i.seq
"""


@dataclass(frozen=True, slots=True)
class Formed:
    """An item whose words a turn said."""

    said_seq: int
    item_seq: int
    state: ItemState


def formed_from(tx: Tx, seqs: Iterable[int]) -> list[Formed]:
    """The items made of these turns' words, in any state, hidden or not."""
    rows = tx.execute(_Q_FORMED_FROM, {"seqs": _json(seqs)})
    return [Formed(row[0], row[1], ItemState(row[2])) for row in rows]


_Q_HIDDEN: Final = """
SELECT CASE WHEN i.state = 'retracted' THEN 'retracted'
            WHEN i.archived_at_ms IS NOT NULL THEN 'archived'
            WHEN i.muted_at_ms IS NOT NULL THEN 'muted'
            ELSE 'permission' END AS reason,
       count(*)
  FROM item i
 WHERE i.seq IN (SELECT value FROM json_each(:seqs))
 GROUP BY reason
"""


def why_hidden(tx: Tx, seqs: Iterable[int]) -> dict[str, int]:
    """For items that `facts` left out: how many for which reason."""
    return {reason: int(n) for reason, n in tx.execute(_Q_HIDDEN, {"seqs": _json(seqs)})}


_Q_SUCCESSIONS: Final = """
SELECT p.seq, n.seq
  FROM item p
  JOIN transition t ON t.prior_item_id = p.item_id
  JOIN item n ON n.item_id = t.successor_item_id
 WHERE p.seq IN (SELECT value FROM json_each(:seqs)) AND t.kind <> 'alias'
UNION
SELECT p.seq, n.seq
  FROM item n
  JOIN transition t ON t.successor_item_id = n.item_id
  JOIN item p ON p.item_id = t.prior_item_id
 WHERE n.seq IN (SELECT value FROM json_each(:seqs)) AND t.kind <> 'alias'
 ORDER BY 1, 2
"""


def successions(tx: Tx, seqs: Iterable[int]) -> list[tuple[int, int]]:
    """Pairs of items (earlier, later) that gave way to each other, with either end among `seqs`."""
    return [(row[0], row[1]) for row in tx.execute(_Q_SUCCESSIONS, {"seqs": _json(seqs)})]


_Q_OCCURRED: Final = """
SELECT seq FROM item WHERE occurred_at >= :from AND occurred_at < :to ORDER BY occurred_at LIMIT 500
"""


def occurred_between(tx: Tx, first: str, last: str) -> list[int]:
    """Items dated from `first` to before `last`, both written as stored dates are."""
    return [row[0] for row in tx.execute(_Q_OCCURRED, {"from": first, "to": last})]


_Q_ROWS: Final = "SELECT coalesce((SELECT max(seq) FROM evidence), 0)"
_Q_ITEM_ROWS: Final = "SELECT coalesce((SELECT max(seq) FROM item), 0)"


def rows(tx: Tx) -> tuple[int, int]:
    """How many Evidence rows and items there have been: the sizes that rarity is measured by."""
    return tx.execute(_Q_ROWS).fetchone()[0], tx.execute(_Q_ITEM_ROWS).fetchone()[0]


def _json(seqs: Iterable[int]) -> str:
    return orjson.dumps(sorted(seqs)).decode()


def _said(row: Sequence[Any]) -> SaidRow:
    return SaidRow(
        seq=row[0],
        evidence_id=EvidenceId(row[1]),
        conversation_id=ConversationId(row[2]),
        session_id=None if row[3] is None else SessionId(row[3]),
        speaker=None if row[4] is None else Speaker(row[4], row[5]),
        head=row[6],
        said_at=None if row[7] is None else Instant(EpochMs(row[7]), row[8]),
        recorded_at_ms=EpochMs(row[9]),
        before=row[10],
        after=row[11],
    )


def _fact(row: Sequence[Any]) -> FactRow:
    return FactRow(
        seq=row[0],
        item_id=ItemId(row[1]),
        kind=ItemKind(row[2]),
        state=ItemState(row[3]),
        valid_to_ms=None if row[4] is None else EpochMs(row[4]),
        occurred_at=row[5],
        trust=row[6],
        importance=row[7],
        sources=tuple((seq, EpochMs(at_ms)) for seq, at_ms in orjson.loads(row[8])),
    )
