"""Receipts: the durable, content-free answer to a command.

`receipt_hash` lets whoever holds a receipt show that it was not altered. It is the SHA-256, in
hexadecimal, of the UTF-8 of the receipt as a host gets it, without `receipt_hash` and
`storage_cleanup`, as JSON with its keys sorted and no white space: times as text, no member for
what is not there.
"""

from __future__ import annotations

import hashlib
import json
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from mnemod.domain.instants import format_instant
from mnemod.ids import CommandId, EpochMs, TransitionId, WorldRevision


class ResultState(StrEnum):
    APPLIED = "applied"
    NO_CHANGE = "no_change"
    REJECTED = "rejected"


class Receipt(Struct, frozen=True):
    """What a command did. `receipt_hash` covers every other member (see above)."""

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
    """The receipt with its hash."""
    text = json.dumps(members(receipt), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return replace(receipt, receipt_hash=hashlib.sha256(text.encode()).hexdigest())


def members(receipt: Receipt) -> dict[str, object]:
    """What the hash covers, as it goes out."""
    made: dict[str, object] = {
        "command_id": receipt.command_id,
        "operation": receipt.operation,
        "result_state": receipt.result_state.value,
        "before_revision": receipt.before_revision,
        "after_revision": receipt.after_revision,
        "affected_ids": list(receipt.affected_ids),
        "transition_ids": list(receipt.transition_ids),
        "completed_at": format_instant(receipt.completed_at_ms),
    }
    if receipt.rejection is not None:
        made["rejection"] = receipt.rejection
    return made
