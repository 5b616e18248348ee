"""`query_receipts`: the answers to commands."""

from __future__ import annotations

from typing import Final, cast

from mnemod.accounts import Account
from mnemod.rpc import generated as wire
from mnemod.rpc.calls import Call
from mnemod.rpc.methods import shapes
from mnemod.services import receipts as service


async def query_receipts(
    call: Call[Account], params: wire.QueryReceiptsParams
) -> wire.QueryReceiptsResult:
    """Newest first, or the one of a command."""
    if params.command_id is not None:
        receipt, revision = await service.get(call.account, params.command_id)
        return {"receipts": [shapes.receipt_row(receipt)], "world_revision": revision}
    page = await service.page(call.account, shapes.after(params.cursor), shapes.limit(params.limit))
    made = {
        "receipts": [shapes.receipt_row(receipt) for receipt in page.rows],
        "next_cursor": shapes.cursor(page.next_after),
        "world_revision": page.world_revision,
    }
    return cast("wire.QueryReceiptsResult", shapes.present(made))


HANDLERS: Final = {"query_receipts": query_receipts}
