"""What `health` answers: whether the daemon does all it can, and how one account does.

The daemon's own part is free and goes out with every `initialize`. An account's part counts rows
and compares indexes, so it is read only when somebody asks on a connection that is bound.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, cast

import trio

from mnemod.accounts import Account
from mnemod.activity import Activity
from mnemod.store import _sqlite
from mnemod.worker_sign import WorkerSign, WorkerState

if TYPE_CHECKING:
    from mnemod.rpc.generated import (
        AccountHealth,
        DetectorCounts,
        GateCounts,
        Health,
        JobCounts,
        Worker,
    )
    from mnemod.services.health import AccountHealth as Found

_STARTING: Final = "starting"
"""Workers that begin in a moment: nothing is wrong with them."""

Workers = Callable[[], list[WorkerSign]]
"""The signs of all accounts that are open."""


class Checkup:
    """Answers for one process."""

    def __init__(self, activity: Activity, workers: Workers) -> None:
        self._activity = activity
        self._workers = workers
        self._started_at = trio.current_time()

    async def of(self, account: Account | None) -> Health:
        """The daemon, and `account` if one is given. `degraded` holds stable words."""
        signs = self._workers() if account is None else [account.worker]
        worker = _worker(signs)
        degraded = ["encoder"]
        if worker["state"] == "stopped":
            degraded.append("formation")
        health: Health = {
            "status": "degraded",
            "degraded": degraded,
            "uptime_s": round(trio.current_time() - self._started_at, 3),
            "connections": self._activity.connections,
            "sqlite": f"{_sqlite.DRIVER} {'.'.join(map(str, _sqlite.VERSION))}",
            "worker": worker,
        }
        if account is not None:
            health["account"] = found = await _account(account)
            degraded += ["index"] * bool(found["index_gap"])
            degraded += ["storage_cleanup"] * bool(found["cleanup_pending"])
        return health


def _worker(signs: list[WorkerSign]) -> Worker:
    """One answer for all workers: running if any runs, stopped only if all are."""
    order = (WorkerState.RUNNING, WorkerState.IDLE, WorkerState.STOPPED)
    signs = [sign for sign in signs if sign.reason != _STARTING]
    if not signs:
        return {"state": "idle"}
    shown = min(signs, key=lambda sign: order.index(sign.state))
    worker = cast("Worker", {"state": shown.state.value})
    if shown.reason is not None:
        worker["reason"] = shown.reason
    return worker


def _gates(found: Found) -> GateCounts:
    seen = found.gates
    by_name = {"none" if d is None else d.value: n for d, n in seen.held_by.items()}
    return {
        "noise": seen.noise,
        "held": seen.held,
        "held_by": cast("DetectorCounts", by_name),
        "flagged": seen.flagged,
        "released": seen.released,
        "redacted": seen.redacted,
        "annotations_failed": seen.annotations_failed,
        "gate_failed": seen.gate_failed,
        "rules_version": found.rules_version,
        "judged_by_older": seen.judged_by_older,
    }


async def _account(account: Account) -> AccountHealth:
    from mnemod.services import health as service

    found = await service.of(account)
    return {
        "evidence": found.evidence,
        "items": found.items,
        "indexed": found.indexed,
        "index_gap": found.index_gap,
        "jobs": cast("JobCounts", {state.value: n for state, n in found.jobs.items()}),
        "cleanup_pending": int(found.cleanup_pending),
        "gates": _gates(found),
        "file_bytes": found.file_bytes,
        "wal_bytes": found.wal_bytes,
    }
