"""`correct_world_item`: the owner's words in an item's place."""

from __future__ import annotations

from typing import Final

from mnemod.accounts import Account
from mnemod.rpc import generated as wire
from mnemod.rpc.calls import Call
from mnemod.rpc.methods import shapes
from mnemod.services import correct as service
from mnemod.services.correct import Correction


async def correct_world_item(
    call: Call[Account], params: wire.CorrectWorldItemParams
) -> wire.CorrectWorldItemResult:
    """Replace an item."""
    valid_from = shapes.moment(params.valid_from, "$.valid_from")
    command = shapes.command(
        call.account,
        "correct_world_item",
        params,
        params.command_id,
        params.expected_world_revision,
    )
    correction = Correction(
        host_id=call.session.host_id,
        tier=call.session.tier,
        kind=params.target_kind,
        item_id=params.target_id,
        text=params.correction_text,
        valid_from_ms=None if valid_from is None else valid_from.at_ms,
        permissions=shapes.permissions(params.permissions),
    )
    receipt = await service.correct(call.account, command, correction, call.in_order)
    return {
        "receipt": shapes.receipt_row(receipt),
        "world_revision": receipt.after_revision,
    }


HANDLERS: Final = {"correct_world_item": correct_world_item}
