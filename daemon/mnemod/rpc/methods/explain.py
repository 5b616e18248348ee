"""`explain_gates`: what the rules see in a text."""

from __future__ import annotations

from typing import Any, Final, cast

from mnemod.accounts import Account
from mnemod.domain.gates.chain import Step
from mnemod.domain.instants import parse_instant
from mnemod.rpc import generated as wire
from mnemod.rpc.calls import Call
from mnemod.rpc.methods import shapes
from mnemod.services import explain as service


async def explain_gates(
    call: Call[Account], params: wire.ExplainGatesParams
) -> wire.ExplainGatesResult:
    """Every step's word, and what would become of the text."""
    said_at = parse_instant(params.at, "$.at") if params.at else None
    found = await service.explain_gates(call.account, params.content, said_at)
    made = {
        "folded": found.seen.folded,
        "steps": [_step(step) for step in found.seen.steps],
        "outcome": found.judged.outcome,
        "gate": shapes.gate_row(found.judged.gate),
        "trust": found.trust,
        "stored": found.judged.content,
        "annotations": [shapes.annotation_row(one) for one in found.noted.annotations],
        "annotations_failed": found.noted.failed,
        "world_revision": found.world_revision,
    }
    return cast("wire.ExplainGatesResult", made)


def _step(step: Step) -> dict[str, Any]:
    verdict = step.verdict
    return shapes.present(
        {
            "gate": step.gate,
            "decision": verdict.decision,
            "reason": verdict.reason,
            "detector": verdict.detector,
            "start": verdict.start,
            "end": verdict.end,
        }
    )


HANDLERS: Final = {"explain_gates": explain_gates}
