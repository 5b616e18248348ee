"""Reading receipts, and clearing what a forget could not clear at once."""

from __future__ import annotations

from mnemod.accounts import Account
from mnemod.domain.receipts import Receipt
from mnemod.errors import NotFound
from mnemod.ids import CommandId, WorldRevision
from mnemod.services.pages import Page, fill, utf8_bytes
from mnemod.store import meta, receipts
from mnemod.store.database import Cleanup, Tx


async def get(account: Account, command_id: CommandId) -> tuple[Receipt, WorldRevision]:
    """The receipt of one command. Raises NotFound."""
    return await account.db.read(lambda tx: _known(tx, command_id))


async def page(account: Account, before: int, limit: int) -> Page[Receipt]:
    """Receipts newest first; `before` is the place to go on from, 0 for the newest."""

    def read(tx: Tx) -> Page[Receipt]:
        rows, next_before = fill(
            lambda place, count: receipts.page(tx, before=place, limit=count),
            lambda row: row[0],
            before,
            limit,
            lambda row: sum(map(utf8_bytes, row[1].affected_ids)),
        )
        found = tuple(receipt for _, receipt in rows)
        return Page(found, next_before, meta.world_revision(tx))

    return await account.db.read(read)


async def retry_cleanup(account: Account, command_id: CommandId) -> tuple[WorldRevision, Cleanup]:
    """Empty the log of what a forget left in it. Raises NotFound for an unknown command."""
    # Looked up among the writes, so that a forget sent just before this has its receipt by then.
    _, revision = await account.db.write(lambda tx: _known(tx, command_id))
    return revision, await account.db.checkpoint_truncate()


def _known(tx: Tx, command_id: CommandId) -> tuple[Receipt, WorldRevision]:
    found = receipts.find(tx, command_id)
    if found is None:
        raise NotFound("$.command_id")
    return found[1], meta.world_revision(tx)
