"""From what services return to the rows of the contract: times as text, absent for None."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, cast

import msgspec

from mnemod.accounts import Account
from mnemod.config import PAGE_DEFAULT
from mnemod.domain import evidence as domain
from mnemod.domain.annotation import Ambiguous, Amount, Annotation, Interval, Value
from mnemod.domain.hashing import keyed
from mnemod.domain.instants import format_instant, parse_instant
from mnemod.domain.receipts import Receipt, members
from mnemod.domain.world import Transition
from mnemod.errors import InvalidParams
from mnemod.ids import CommandId, EpochMs, WorldRevision
from mnemod.rpc import generated as wire
from mnemod.services.commands import Command
from mnemod.services.said import ShownEvidence
from mnemod.services.showing import Shown, Sourced
from mnemod.store.database import Cleanup

_CURSOR_BASE: Final = 36
_CURSOR: Final = re.compile(r"[1-9a-z][0-9a-z]{0,12}")
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


def present(row: Mapping[str, Any]) -> dict[str, Any]:
    """The members that are there: None means absent everywhere in the contract's rows."""
    return {name: value for name, value in row.items() if value is not None}


def instant(at_ms: EpochMs | None) -> str | None:
    """A moment of ours, in UTC."""
    return None if at_ms is None else format_instant(at_ms)


def said_at(moment: domain.Instant | None) -> str | None:
    """A moment a person or host gave, with the offset they gave."""
    return None if moment is None else format_instant(moment.at_ms, moment.offset_min)


def item_row(shown: Shown) -> wire.ItemRow:
    """A World item with its spans."""
    item = shown.item
    row = {
        "item_id": item.item_id,
        "object_kind": item.kind,
        "layer": item.layer,
        "text": item.text,
        "state": item.state,
        "statement_kind": item.statement_kind,
        "formed_by": item.formed_by,
        "subject": shown.subject,
        "holder": shown.holder,
        "confidence": item.confidence,
        "trust": item.trust,
        "importance": item.importance,
        "occurred_at": item.occurred_at,
        "precision": item.precision,
        "time_expression": item.time_expression,
        "valid_from": instant(item.valid_from_ms),
        "valid_to": instant(item.valid_to_ms),
        "recorded_at": instant(item.recorded_at_ms),
        "archived": item.archived,
        "muted": item.muted,
        "pinned": item.pinned,
        "support": [support_row(source) for source in shown.support],
        "derived_from": list(shown.derived_from),
        "name": shown.names[0] if shown.names else None,
        "aliases": list(shown.names[1:]) if shown.names else None,
        "source_entity_id": item.source_entity_id,
        "target_entity_id": item.target_entity_id,
        "relation_type": item.relation_type,
    }
    return cast("wire.ItemRow", present(row))


def support_row(source: Sourced) -> wire.SupportRow:
    """One span; its quote may be null."""
    span = source.support.span
    return {
        "evidence_id": span.evidence_id,
        "relation": source.support.relation,
        "start": span.start,
        "end": span.end,
        "quote": source.quote,
    }


def gate_row(gate: domain.Gate) -> wire.Gate:
    """What the gates said of a text."""
    row = {
        "decision": gate.decision,
        "reason": gate.reason,
        "detector": gate.detector,
        "start": gate.start,
        "end": gate.end,
        "redacted": gate.redacted or None,
        "rules_version": gate.rules_version,
    }
    return cast("wire.Gate", present(row))


def annotation_row(one: Annotation) -> wire.Annotation:
    """What a passage means."""
    made = {
        "span": {"start": one.start, "end": one.end},
        "kind": one.kind,
        "value": _value(one.value),
        "precision": one.precision,
        "confidence": one.confidence,
    }
    return cast("wire.Annotation", made)


def _value(value: Value) -> Any:
    """A value as a host gets it: an interval is `[first, end)`, an amount a number."""
    match value:
        case Interval(start=start, end=end):
            return [start, end]
        case Amount(number=number, currency=currency):
            return {"amount": _number(number), "currency": currency}
        case Ambiguous(candidates=candidates):
            return {"ambiguous": [_value(candidate) for candidate in candidates]}
        case _:
            return value


def _number(figures: str) -> int | float:
    found = float(figures)
    return int(found) if found.is_integer() and abs(found) < 2**53 else found


def evidence_row(shown: ShownEvidence) -> wire.EvidenceRow:
    """What was said; where its content is null, who said it, and what it means, is not told."""
    row = shown.row
    speaker = None if shown.content is None else row.speaker
    made = present(
        {
            "evidence_id": row.evidence_id,
            "source_kind": row.source_kind,
            "speaker": speaker_row(speaker),
            "conversation_id": row.conversation_id,
            "session_id": row.session_id,
            "message_id": row.message_id,
            "said_at": said_at(row.said_at),
            "recorded_at": instant(row.recorded_at_ms),
            "outcome": row.outcome,
            "gate": gate_row(row.gate) if row.gate.speaks else None,
            "annotations": [annotation_row(one) for one in shown.annotations],
            "annotations_failed": row.annotations_failed or None,
            "trust": row.trust,
            "permissions": {
                "local_read": row.permissions.local_read,
                "cloud_read": row.permissions.cloud_read,
                "inference": row.permissions.inference,
            },
            "erased_at": instant(row.erased_at_ms),
        }
    )
    made["content"] = shown.content
    return cast("wire.EvidenceRow", made)


def speaker_row(speaker: domain.Speaker | None) -> wire.SpeakerRow | None:
    """Who said it, if not the owner."""
    return None if speaker is None else {"id": speaker.id, "name": speaker.name}


def transition_row(step: Transition) -> wire.TransitionRow:
    """How one item gave way."""
    row = {
        "transition_id": step.transition_id,
        "kind": step.kind,
        "prior_item_id": step.prior_item_id,
        "successor_item_id": step.successor_item_id,
        "evidence_id": step.evidence_id,
        "world_revision": step.revision,
        "at": instant(step.at_ms),
    }
    return cast("wire.TransitionRow", present(row))


def receipt_row(receipt: Receipt, cleanup: Cleanup | None = None) -> wire.Receipt:
    """The answer to a command. The state of the disk beside it is of now, and not hashed."""
    row = {**members(receipt), "receipt_hash": receipt.receipt_hash}
    if cleanup is not None:
        row["storage_cleanup"] = cleanup_row(cleanup)
    return cast("wire.Receipt", row)


def cleanup_row(cleanup: Cleanup) -> wire.StorageCleanup:
    """Whether erased bytes are gone."""
    reason = None if cleanup.reason is None else cleanup.reason.value
    return cast("wire.StorageCleanup", present({"state": cleanup.state.value, "reason": reason}))


def permissions(given: wire.Permissions | None) -> domain.Permissions:
    """What a host allows; what it leaves out is allowed."""
    if given is None:
        return domain.EVERYTHING_ALLOWED
    return domain.Permissions(
        local_read=given.local_read is not False,
        cloud_read=given.cloud_read is not False,
        inference=given.inference is not False,
    )


def moment(text: str | None, path: str) -> domain.Instant | None:
    """A moment a host gave. Raises InvalidParams at `path`."""
    return None if text is None else parse_instant(text, path)


def request_hash(account: Account, method: str, params: msgspec.Struct) -> str:
    """What names a request's content without telling it: keyed, over all its members."""
    return keyed(account.hash_key, method, msgspec.json.encode(params).decode())


def command(
    account: Account,
    method: str,
    params: msgspec.Struct,
    command_id: CommandId,
    expected: WorldRevision | None,
) -> Command:
    """The part all commands share."""
    return Command(command_id, method, expected, request_hash(account, method, params))


def after(cursor: str | None) -> int:
    """The place a list goes on from, 0 for its beginning. Raises InvalidParams."""
    if cursor is None:
        return 0
    if not _CURSOR.fullmatch(cursor) or (place := int(cursor, _CURSOR_BASE)) >= 2**63:
        raise InvalidParams("$.cursor")
    return place


def cursor(place: int | None) -> str | None:
    """The opaque form of a place."""
    if place is None:
        return None
    digits = ""
    while place or not digits:
        place, digit = divmod(place, _CURSOR_BASE)
        digits = _DIGITS[digit] + digits
    return digits


def limit(given: int | None) -> int:
    """How many rows a list gives."""
    return PAGE_DEFAULT if given is None else given


def required(value: str | None, path: str) -> str:
    """A member that this operation needs. Raises InvalidParams."""
    if value is None:
        raise InvalidParams(path)
    return value
