"""Receipts: the durable, content-free answer to a command."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from enum import StrEnum

from mnemod.ids import CommandId, EpochMs, TransitionId, WorldRevision


class ResultState(StrEnum):
    APPLIED = "applied"
    NO_CHANGE = "no_change"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a command did. `receipt_hash` covers every other member."""

    command_id: CommandId
    operation: str
    result_state: ResultState
    rejection: str | None
    before_revision: WorldRevision
    after_revision: WorldRevision
    affected_ids: tuple[str, ...]
    transition_ids: tuple[TransitionId, ...]
    completed_at_ms: EpochMs
    receipt_hash: str = ""


def sealed(receipt: Receipt) -> Receipt:
    """The receipt with its hash: SHA-256 over its members, keys sorted, as compact JSON."""
    members = {
        "command_id": receipt.command_id,
        "operation": receipt.operation,
        "result_state": receipt.result_state.value,
        "rejection": receipt.rejection,
        "before_revision": receipt.before_revision,
        "after_revision": receipt.after_revision,
        "affected_ids": receipt.affected_ids,
        "transition_ids": receipt.transition_ids,
        "completed_at_ms": receipt.completed_at_ms,
    }
    text = json.dumps(members, sort_keys=True, separators=(",", ":"))
    return replace(receipt, receipt_hash=hashlib.sha256(text.encode()).hexdigest())
