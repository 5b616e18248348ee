"""`query_evidence` and `query_interactions`: what was said, and how conversations went."""

from __future__ import annotations

from typing import Any, Final, cast

from mnemod.accounts import Account
from mnemod.domain.turns import DependencyKind
from mnemod.ids import EvidenceId
from mnemod.rpc import generated as wire
from mnemod.rpc.calls import Call
from mnemod.rpc.methods import shapes
from mnemod.services import said as service
from mnemod.services.said import ShownTurn, WantedRows


async def query_evidence(
    call: Call[Account], params: wire.QueryEvidenceParams
) -> wire.QueryEvidenceResult:
    """Rows in the order they came, or one."""
    if params.operation == "get":
        evidence_id = EvidenceId(shapes.required(params.evidence_id, "$.evidence_id"))
        shown, revision = await service.get_evidence(call.account, evidence_id, call.session.tier)
        return {"evidence_row": shapes.evidence_row(shown), "world_revision": revision}
    wanted = WantedRows(
        shapes.after(params.cursor),
        shapes.limit(params.limit),
        params.outcome,
        params.conversation_id,
    )
    page = await service.list_evidence(call.account, wanted, call.session.tier)
    made = {
        "evidence": [shapes.evidence_row(row) for row in page.rows],
        "next_cursor": shapes.cursor(page.next_after),
        "world_revision": page.world_revision,
    }
    return cast("wire.QueryEvidenceResult", shapes.present(made))


async def query_interactions(
    call: Call[Account], params: wire.QueryInteractionsParams
) -> wire.QueryInteractionsResult:
    """Turns in order."""
    wanted = WantedRows(
        shapes.after(params.cursor),
        shapes.limit(params.limit),
        conversation_id=params.conversation_id,
    )
    page = await service.list_turns(call.account, wanted, call.session.tier)
    made = {
        "turns": [_turn_row(row) for row in page.rows],
        "next_cursor": shapes.cursor(page.next_after),
        "world_revision": page.world_revision,
    }
    return cast("wire.QueryInteractionsResult", shapes.present(made))


def _turn_row(shown: ShownTurn) -> dict[str, Any]:
    turn = shown.turn
    made = shapes.present(
        {
            "interaction_id": turn.interaction_id,
            "conversation_id": turn.conversation_id,
            "role": turn.role.value,
            "message_id": turn.message_id,
            "evidence_id": turn.evidence_id,
            "at": shapes.instant(turn.said_at_ms),
            "dependencies": _dependencies(shown),
            "outcome": shown.outcome,
            "erased_at": shapes.instant(turn.erased_at_ms),
        }
    )
    made["content"] = shown.content
    return made


def _dependencies(shown: ShownTurn) -> dict[str, Any] | None:
    """What the turn relied on; the kinds of items that are gone are not told."""
    if shown.turn.capture is None:
        return None
    by_kind: dict[DependencyKind, list[str]] = {kind: [] for kind in DependencyKind}
    for needed in shown.dependencies:
        by_kind[needed.kind].append(needed.ref_id)
    return {
        "capture": shown.turn.capture.value,
        "item_ids": by_kind[DependencyKind.ITEM],
        "evidence_ids": by_kind[DependencyKind.EVIDENCE],
        "interaction_ids": by_kind[DependencyKind.INTERACTION],
    }


HANDLERS: Final = {"query_evidence": query_evidence, "query_interactions": query_interactions}
