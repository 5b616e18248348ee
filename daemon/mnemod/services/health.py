"""How an account does, in numbers a host can show."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from mnemod.accounts import Account
from mnemod.store import gates, items, jobs, lexical
from mnemod.store.database import CleanupState, Tx
from mnemod.store.gates import GateCounts
from mnemod.store.jobs import JobState


class AccountHealth(Struct, frozen=True):
    """Counts of rows, and what the index lacks. Sizes are bytes."""

    evidence: int
    gates: GateCounts
    rules_version: int
    items: int
    indexed: int
    index_gap: int
    jobs: Mapping[JobState, int]
    cleanup_pending: bool
    file_bytes: int
    wal_bytes: int


async def of(account: Account) -> AccountHealth:
    """The account now. Reads whole indexes: ask when somebody looks, not on every call."""

    def read(tx: Tx) -> AccountHealth:
        seen = gates.counts(tx, account.gates.version)
        file_bytes, wal_bytes = account.db.sizes()
        return AccountHealth(
            evidence=seen.rows,
            gates=seen,
            rules_version=account.gates.version,
            items=items.count(tx),
            indexed=lexical.count(tx),
            index_gap=lexical.gap(tx),
            jobs=jobs.counts(tx),
            cleanup_pending=account.db.cleanup.state is CleanupState.PENDING,
            file_bytes=file_bytes,
            wal_bytes=wal_bytes,
        )

    return await account.db.read(read)
