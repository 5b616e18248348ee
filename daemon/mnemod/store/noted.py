"""The `annotation` table: what passages of a row's words mean, in the row's order.

A value stands as the JSON a host gets: text, a number, `[first, end)` of an interval, an amount, or
`{"ambiguous": [...]}`. Rows go with the words they speak of.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import orjson

from mnemod.domain.annotation import (
    Ambiguous,
    Amount,
    Annotation,
    AnnotationKind,
    Interval,
    Value,
)
from mnemod.domain.evidence import Noted
from mnemod.domain.redaction import Cut
from mnemod.domain.world import Precision
from mnemod.store.database import Tx

_Q_INSERT = """
INSERT INTO annotation (evidence_seq, position, start, "end", kind, value, precision, anchor,
    confidence)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


def add(tx: Tx, evidence_seq: int, noted: Noted) -> None:
    """Store what was noted of a row that has no annotations yet; nothing if it is nothing."""
    if noted.annotations:
        rows = [
            _columns(evidence_seq, position, one, noted.anchor)
            for position, one in enumerate(noted.annotations)
        ]
        tx.executemany(_Q_INSERT, rows)


_Q_OF = """
SELECT evidence_seq, start, "end", kind, value, precision, confidence
  FROM annotation
 WHERE evidence_seq IN (SELECT value FROM json_each(?))
 ORDER BY evidence_seq, position
"""


def of(tx: Tx, evidence_seqs: Iterable[int]) -> dict[int, tuple[Annotation, ...]]:
    """The annotations of these rows, in their order; rows without any are left out."""
    found: dict[int, list[Annotation]] = {}
    for row in tx.execute(_Q_OF, (orjson.dumps(list(evidence_seqs)).decode(),)):
        found.setdefault(row[0], []).append(_annotation(row))
    return {seq: tuple(rows) for seq, rows in found.items()}


_Q_DROP = "DELETE FROM annotation WHERE evidence_seq = ?"


def drop(tx: Tx, evidence_seq: int) -> None:
    """Delete all annotations of a row."""
    tx.execute(_Q_DROP, (evidence_seq,))


_Q_DROP_WITHIN = """
DELETE FROM annotation
 WHERE evidence_seq = ? AND start < ? AND "end" > ?
"""


def drop_within(tx: Tx, evidence_seq: int, cuts: Iterable[Cut]) -> None:
    """Delete the annotations of a row that touch one of these ranges: their words are covered."""
    for start, end in cuts:
        tx.execute(_Q_DROP_WITHIN, (evidence_seq, end, start))


def _columns(seq: int, position: int, one: Annotation, anchor: str | None) -> tuple[Any, ...]:
    is_dated = one.kind in (AnnotationKind.DATE, AnnotationKind.INTERVAL)
    return (
        seq,
        position,
        one.start,
        one.end,
        one.kind.value,
        orjson.dumps(_json(one.value)).decode(),
        one.precision and one.precision.value,
        anchor if is_dated else None,
        one.confidence,
    )


def _json(value: Value) -> Any:
    match value:
        case Interval(start=start, end=end):
            return [start, end]
        case Amount(number=number, currency=currency):
            # As exact text: what it is on the wire is the wire's business.
            return {"amount": number, "currency": currency}
        case Ambiguous(candidates=candidates):
            return {"ambiguous": [_json(candidate) for candidate in candidates]}
        case _:
            return value


def _value(found: Any) -> Value:
    match found:
        case {"ambiguous": list(candidates)}:
            return Ambiguous(tuple(map(_value, candidates)))  # type: ignore[arg-type]
        case {"amount": str(number), "currency": currency}:
            return Amount(number, currency)
        case [str(start), str(end)]:
            return Interval(start, end)
        case int() | float():
            return float(found)
        case _:
            return str(found)


def _annotation(row: Sequence[Any]) -> Annotation:
    return Annotation(
        start=row[1],
        end=row[2],
        kind=AnnotationKind(row[3]),
        value=_value(orjson.loads(row[4])),
        precision=None if row[5] is None else Precision(row[5]),
        confidence=row[6],
    )
