"""The first reply to an `observe` as it is kept, so that the same call gets the same answer.

Our own ids, places of messages and stable words, no more: nothing in it is anybody's text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mnemod.domain.evidence import Gate
from mnemod.domain.gates.verdict import Decision, Detector
from mnemod.domain.observation import Message, Stored


def as_json(place: int, row: Stored) -> list[Any]:
    """What became of the message at `place`."""
    kept: list[Any] = [place, row.evidence_id, row.outcome]
    return kept if row.gate is None else [*kept, _gate_json(row.gate)]


def stored_of(messages: Sequence[Message], kept: Sequence[Any]) -> Stored:
    """The same, read back for the call that sends these messages."""
    place, evidence_id, outcome, *gate = kept
    found = _gate_of(gate[0]) if gate else None
    return Stored(messages[place].message_id, evidence_id, outcome, found)


def _gate_json(gate: Gate) -> list[Any]:
    return [
        gate.decision.value,
        gate.rules_version,
        gate.reason,
        gate.detector and gate.detector.value,
        gate.start,
        gate.end,
        gate.redacted,
    ]


def _gate_of(kept: Sequence[Any]) -> Gate:
    decision, version, reason, detector, start, end, redacted = kept
    named = None if detector is None else Detector(detector)
    return Gate(Decision(decision), version, reason, named, start, end, redacted)
