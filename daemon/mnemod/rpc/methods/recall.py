"""`recall_preview`: what bears on a question or a time."""

from __future__ import annotations

from typing import Any, Final, cast

from mnemod.accounts import Account
from mnemod.config import RECALL_ITEMS, RECALL_QUOTES
from mnemod.domain.history_cues import History
from mnemod.domain.turns import Capture
from mnemod.rpc import generated as wire
from mnemod.rpc.calls import Call
from mnemod.rpc.methods import shapes
from mnemod.services.recall import Recall, recall, stricter
from mnemod.services.recall_shown import (
    Explained,
    Recalled,
    ShownItem,
    ShownQuote,
    ShownRecent,
)


async def recall_preview(
    call: Call[Account], params: wire.RecallPreviewParams
) -> wire.RecallPreviewResult:
    """Items, quotes and what is not formed yet, with a block for a prompt."""
    found = await recall(
        call.account,
        Recall(
            query=params.query,
            time=params.time,
            tier=stricter(call.session.tier, params.tier),
            history=History(params.history),
            max_items=RECALL_ITEMS if params.max_items is None else params.max_items,
            max_quotes=RECALL_QUOTES if params.max_quotes is None else params.max_quotes,
            explain=params.explain,
        ),
    )
    return _reply(found, params.explain)


def _reply(found: Recalled, explain: bool) -> wire.RecallPreviewResult:
    made: dict[str, Any] = {
        "items": [_item(item, explain) for item in found.items],
        "quotes": [_quote(quote, explain) for quote in found.quotes],
        "recent_evidence": [_recent(one) for one in found.recent],
        "rendered": found.rendered,
        "rendered_tokens": found.rendered_tokens,
        "dependencies": _dependencies(found),
        "snapshot_token": found.snapshot_token,
        "query_hash": found.query_hash,
        "tier": found.tier,
        "time_window": _window(found),
        "degraded": list(found.degraded),
        "cut": {
            "items": found.cut.items,
            "quotes": found.cut.quotes,
            "recent_evidence": found.cut.recent,
        },
        "withheld": _withheld(found) if explain else None,
        "model_call_count": 0,
        "world_write_count": 0,
        "world_revision": found.world_revision,
    }
    return cast("wire.RecallPreviewResult", shapes.present(made))


def _item(item: ShownItem, explain: bool) -> dict[str, Any]:
    return shapes.present(
        {
            "item": shapes.item_row(item.shown),
            "label": "past" if item.is_past else "current",
            "said_at": shapes.said_at(item.said_at),
            "successor_item_id": item.successor_id,
            "explain": _explain(item.explained) if explain else None,
        }
    )


def _quote(quote: ShownQuote, explain: bool) -> dict[str, Any]:
    row = quote.row
    return shapes.present(
        {
            "evidence_id": row.evidence_id,
            "text": quote.text,
            "speaker": shapes.speaker_row(row.speaker),
            "said_at": shapes.said_at(row.said_at),
            "recorded_at": shapes.instant(row.recorded_at_ms),
            "conversation_id": row.conversation_id,
            "superseded_by": quote.superseded_by,
            "explain": _explain(quote.explained) if explain else None,
        }
    )


def _recent(one: ShownRecent) -> dict[str, Any]:
    row = one.row
    return shapes.present(
        {
            "evidence_id": row.evidence_id,
            "text": one.text,
            "speaker": shapes.speaker_row(row.speaker),
            "said_at": shapes.said_at(row.said_at),
            "recorded_at": shapes.instant(row.recorded_at_ms),
            "conversation_id": row.conversation_id,
            "provisional": True,
        }
    )


def _explain(explained: Explained) -> dict[str, Any]:
    return {
        "terms": list(explained.terms),
        "rank": explained.rank,
        "score": explained.score,
        "channel": explained.channel,
    }


def _dependencies(found: Recalled) -> dict[str, Any]:
    """As the host sends it back with the turn that used it."""
    items = [
        {"object_kind": one.shown.item.kind, "item_id": one.shown.item.item_id}
        for one in found.items
    ]
    empty = not (items or found.evidence_ids)
    capture = Capture.COMPLETE_EMPTY if empty else Capture.COMPLETE
    return {
        "capture": capture.value,
        "items": items,
        "evidence_ids": list(found.evidence_ids),
        "snapshot_token": found.snapshot_token,
    }


def _window(found: Recalled) -> dict[str, str] | None:
    if found.window is None:
        return None
    first, last = found.window_bounds
    return {"from": first, "to": last, "time_zone": found.time_zone}


def _withheld(found: Recalled) -> list[dict[str, Any]]:
    return [
        {"object_kind": row.object_kind, "reason": row.reason, "count": row.count}
        for row in found.withheld
    ]


HANDLERS: Final = {"recall_preview": recall_preview}
