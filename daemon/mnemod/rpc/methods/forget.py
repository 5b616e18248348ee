"""`preview_forget`, `delete_world_item`, `delete_evidence`, `retry_storage_cleanup`."""

from __future__ import annotations

from typing import Final, cast

from mnemod.accounts import Account
from mnemod.domain.forget_preview import PreviewRow
from mnemod.errors import InvalidParams
from mnemod.rpc import generated as wire
from mnemod.rpc.calls import Call
from mnemod.rpc.methods import shapes
from mnemod.services import forget as service
from mnemod.services import receipts
from mnemod.services.forget import EVIDENCE_KIND, Target

_Targets = wire.PreviewForgetParams | wire.DeleteWorldItemParams | wire.DeleteEvidenceParams


async def preview_forget(
    call: Call[Account], params: wire.PreviewForgetParams
) -> wire.PreviewForgetResult:
    """What would go."""
    first = shapes.after(params.cursor)
    found = await service.preview(call.account, _targets(params), call.session.tier)
    # A cascade may be longer than one reply; the token is of all of it, whichever rows are shown.
    last = len(found.rows) if params.limit is None else first + params.limit
    made = {
        "items": [_row(row) for row in found.rows[first:last]],
        "next_cursor": shapes.cursor(last if last < len(found.rows) else None),
        "item_count": found.item_count,
        "evidence_ids": list(found.evidence_ids),
        "evidence_count": len(found.evidence_ids),
        "forget_scope": found.scope,
        "world_revision": found.world_revision,
    }
    return cast("wire.PreviewForgetResult", shapes.present(made))


async def delete_world_item(
    call: Call[Account], params: wire.DeleteWorldItemParams
) -> wire.DeleteWorldItemResult:
    """Erase items, exactly as previewed."""
    if params.target_kind == EVIDENCE_KIND:
        raise InvalidParams("$.target_kind")
    return await _delete(call, "delete_world_item", params)


async def delete_evidence(
    call: Call[Account], params: wire.DeleteEvidenceParams
) -> wire.DeleteEvidenceResult:
    """Erase what was said, exactly as previewed."""
    if params.target_kind != EVIDENCE_KIND:
        raise InvalidParams("$.target_kind")
    return await _delete(call, "delete_evidence", params)


async def retry_storage_cleanup(
    call: Call[Account], params: wire.RetryStorageCleanupParams
) -> wire.RetryStorageCleanupResult:
    """Clear the bytes of a forget from the disk, if they are not gone."""
    revision, cleanup = await receipts.retry_cleanup(call.account, params.command_id)
    return {"storage_cleanup": shapes.cleanup_row(cleanup), "world_revision": revision}


async def _delete(
    call: Call[Account],
    method: str,
    params: wire.DeleteWorldItemParams | wire.DeleteEvidenceParams,
) -> wire.DeleteWorldItemResult:
    command = shapes.command(
        call.account, method, params, params.command_id, params.expected_world_revision
    )
    receipt, cleanup = await service.forget(
        call.account, command, _targets(params), params.forget_scope
    )
    return {
        "receipt": shapes.receipt_row(receipt, cleanup),
        "world_revision": receipt.after_revision,
    }


def _row(row: PreviewRow) -> wire.PreviewRow:
    return {
        "object_kind": row.object_kind,
        "item_id": row.id,
        "name": row.name,
        "item_type": row.item_type,
        "reason": row.reason.value,
        "effect": row.effect.value,
    }


def _targets(params: _Targets) -> tuple[Target, ...]:
    more = params.additional_targets or ()
    return (
        Target(params.target_kind, params.target_id),
        *(Target(target.target_kind, target.target_id) for target in more),
    )


HANDLERS: Final = {
    "preview_forget": preview_forget,
    "delete_world_item": delete_world_item,
    "delete_evidence": delete_evidence,
    "retry_storage_cleanup": retry_storage_cleanup,
}
