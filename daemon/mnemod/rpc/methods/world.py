"""`query_world` and `query_provenance`: what is known, and why."""

from __future__ import annotations

from typing import Final, cast

from mnemod.accounts import Account
from mnemod.ids import ItemId
from mnemod.rpc import generated as wire
from mnemod.rpc.calls import Call
from mnemod.rpc.methods import shapes
from mnemod.services import world as service
from mnemod.services.said import ShownEvidence
from mnemod.services.showing import Sourced


async def query_world(call: Call[Account], params: wire.QueryWorldParams) -> wire.QueryWorldResult:
    """All items of a kind, one, or one with its chain."""
    if params.operation == "list":
        return await _list(call, params)
    item_id = ItemId(shapes.required(params.item_id, "$.item_id"))
    if params.operation == "get":
        shown, revision = await service.get_item(
            call.account, item_id, params.object_kind, call.session.tier
        )
        return {"item": shapes.item_row(shown), "world_revision": revision}
    found = await service.history(call.account, item_id, params.object_kind, call.session.tier)
    return {
        "items": [shapes.item_row(shown) for shown in found.items],
        "transitions": [shapes.transition_row(step) for step in found.transitions],
        "world_revision": found.world_revision,
    }


async def query_provenance(
    call: Call[Account], params: wire.QueryProvenanceParams
) -> wire.QueryProvenanceResult:
    """The words an item is made of. The `model` projection blanks what may not go out."""
    found = await service.provenance(
        call.account,
        params.item_id,
        params.object_kind,
        call.session.tier,
        blank=params.projection == "model",
        after=shapes.after(params.cursor),
    )
    made = {
        "item": shapes.item_row(found.shown),
        "support": [_provenance_row(source) for source in found.support],
        "transitions": [shapes.transition_row(step) for step in found.transitions],
        "successor_provenance": [_provenance_row(s) for s in found.successor_support],
        "next_cursor": shapes.cursor(found.next_after),
        "world_revision": found.world_revision,
    }
    return cast("wire.QueryProvenanceResult", shapes.present(made))


async def _list(call: Call[Account], params: wire.QueryWorldParams) -> wire.QueryWorldResult:
    wanted = service.Wanted(
        shapes.after(params.cursor),
        shapes.limit(params.limit),
        params.object_kind,
        params.state,
    )
    page = await service.list_items(call.account, wanted, call.session.tier)
    made = {
        "items": [shapes.item_row(shown) for shown in page.rows],
        "next_cursor": shapes.cursor(page.next_after),
        "world_revision": page.world_revision,
    }
    return cast("wire.QueryWorldResult", shapes.present(made))


def _provenance_row(source: Sourced) -> wire.ProvenanceRow:
    content = None if source.quote is None else source.row.content
    return {
        "support": shapes.support_row(source),
        "evidence": shapes.evidence_row(ShownEvidence(source.row, content)),
    }


HANDLERS: Final = {"query_world": query_world, "query_provenance": query_provenance}
