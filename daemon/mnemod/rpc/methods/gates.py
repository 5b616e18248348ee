"""`release_evidence` and `rejudge_evidence`: another verdict on what was said."""

from __future__ import annotations

from typing import Any, Final, cast

from mnemod.accounts import Account
from mnemod.rpc import generated as wire
from mnemod.rpc.calls import Call
from mnemod.rpc.methods import shapes
from mnemod.services import gates as service
from mnemod.services.gates import Rejudged, Standing


async def release_evidence(
    call: Call[Account], params: wire.ReleaseEvidenceParams
) -> wire.ReleaseEvidenceResult:
    """Bring a message into reach."""
    command = shapes.command(
        call.account,
        "release_evidence",
        params,
        params.command_id,
        params.expected_world_revision,
    )
    receipt = await service.release(
        call.account, command, params.evidence_id, call.in_order, call.session.tier
    )
    return {"receipt": shapes.receipt_row(receipt), "world_revision": receipt.after_revision}


async def rejudge_evidence(
    call: Call[Account], params: wire.RejudgeEvidenceParams
) -> wire.RejudgeEvidenceResult:
    """Judge a page of messages again."""
    wanted = service.Wanted(
        shapes.after(params.cursor), shapes.limit(params.limit), params.dry_run, params.all
    )
    page = await service.rejudge(call.account, wanted, call.in_order)
    made: dict[str, Any] = {
        "judged": [_row(row) for row in page.rows],
        "changed": sum(row.changed for row in page.rows),
        "rules_version": page.rules_version,
        "dry_run": params.dry_run,
        "next_cursor": shapes.cursor(page.next_after),
        "world_revision": page.world_revision,
    }
    return cast("wire.RejudgeEvidenceResult", shapes.present(made))


def _row(row: Rejudged) -> wire.RejudgedRow:
    return {
        "evidence_id": row.evidence_id,
        "before": _standing(row.before),
        "after": _standing(row.after),
        "changed": row.changed,
    }


def _standing(found: Standing) -> wire.Verdict:
    gate = shapes.gate_row(found.gate) if found.gate.speaks else None
    return cast("wire.Verdict", shapes.present({"outcome": found.outcome, "gate": gate}))


HANDLERS: Final = {
    "release_evidence": release_evidence,
    "rejudge_evidence": rejudge_evidence,
}
