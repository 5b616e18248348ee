"""The workers of one account: woken by its bell or by the clock, gone with the daemon.

Started with the account's lifetime lock in hand. What dead daemons held comes back first; then
each worker claims, works, and sleeps until the bell rings or the next job is due. A job that waits
for its next try holds no worker.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Final

import trio

from mnemod import log
from mnemod.accounts import Account
from mnemod.config import (
    LEASE_MS,
    LEASE_RENEW_MS,
    LOOP_ERROR_WAIT_S,
    OUTAGE_WAIT_MAX_S,
    Config,
)
from mnemod.domain.backoff import longest_wait_ms
from mnemod.errors import MnemodError
from mnemod.formation.choosing import chosen_interpreter
from mnemod.formation.worker import Formation, work
from mnemod.ids import ClaimToken, JobId
from mnemod.store import claims, jobs
from mnemod.store.claims import Claim, Claimant
from mnemod.store.database import Tx
from mnemod.store.jobs import Recovery
from mnemod.store.lifetime_lock import owner_is_dead
from mnemod.worker_sign import WorkerState

KINDS: Final = (jobs.FORMATION,)
POLL_S: Final = LEASE_RENEW_MS / 1000
"""The longest sleep: what neither the bell nor a due time tells of is found by then."""


async def run_pool(
    formation: Formation,
    workers: int,
    *,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Work on an account's jobs until cancelled. Started once dead owners' claims are back."""
    account = formation.account
    await _recover_patiently(account)
    try:
        async with trio.open_nursery() as nursery:
            for _ in range(workers):
                nursery.start_soon(_loop, formation)
            account.worker.started()
            task_status.started()
    finally:
        account.worker.stopped("stopped")


async def serve_account(
    account: Account,
    config: Config,
    *,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """The pool that `config` asks for, or none with the reason why."""
    chosen = chosen_interpreter(config)
    if isinstance(chosen, str):
        account.worker.stopped(chosen)
        await _recover_patiently(account)
        account.worker.stopped(chosen)
        task_status.started()
        return
    formation = Formation(account, chosen, config.retry_waits_s, random.random)
    await run_pool(formation, config.workers, task_status=task_status)


async def recover(account: Account) -> list[JobId]:
    """Take back the claims of owners that are gone. Returns the jobs."""
    others = set(await account.db.read(claims.owners)) - {account.owner_id}
    dead = [owner for owner in others if owner_is_dead(account.owners_folder, owner)]
    if not dead:
        return []
    now = account.now()

    def revoke(tx: Tx) -> list[JobId]:
        revoked = (claims.revoke_owner(tx, owner, Recovery.RESTART, now) for owner in dead)
        return [job_id for some in revoked for job_id in some]

    returned = await account.db.write(revoke)
    tell(account, returned)
    return returned


async def _recover_patiently(account: Account) -> None:
    """Recover, waiting for a file that is busy or a disk that is full."""
    while True:
        try:
            await recover(account)
            return
        except MnemodError as error:
            account.worker.stumbled(error.kind)
            await trio.sleep(LOOP_ERROR_WAIT_S)


async def is_due(account: Account) -> bool:
    """Whether a job runs or could run now; the daemon does not leave while one does."""
    if account.worker.state is WorkerState.STOPPED:
        return False
    now = account.now()

    def read(tx: Tx) -> bool:
        due = claims.next_due(tx, KINDS)
        # The row tells of a claim sooner than the worker that has just got it.
        return account.owner_id in claims.owners(tx) or (due is not None and due <= now)

    return await account.db.read(read)


def tell(account: Account, job_ids: Iterable[JobId]) -> None:
    """Say that these jobs have changed. Call it once that has committed."""
    for job_id in job_ids:
        account.job_changes.publish(job_id, job_id)


async def _loop(formation: Formation) -> None:
    account = formation.account
    while True:
        try:
            claim = await _claim(formation)
            account.worker.stumbled(None)
            if claim is None:
                await _rest(account)
            else:
                await _do(formation, claim)
        except MnemodError as error:
            # The file is busy or the disk full: nothing is lost by asking again.
            account.worker.stumbled(error.kind)
            log.current().warning("worker_waits", kind=error.kind)
            await trio.sleep(LOOP_ERROR_WAIT_S)


async def _claim(formation: Formation) -> Claim | None:
    account, now = formation.account, formation.account.now()
    claimant = Claimant(
        owner=account.owner_id,
        token=ClaimToken(account.mint("")),
        kinds=KINDS,
        lease_ms=LEASE_MS,
        attempts_max=len(formation.waits_s) + 1,
        wait_max_ms=longest_wait_ms(formation.waits_s, OUTAGE_WAIT_MAX_S),
    )
    asked = await account.db.write(lambda tx: claims.claim(tx, claimant, now))
    tell(account, asked.changed)
    if asked.claim is not None:
        tell(account, [asked.claim.job_id])
    return asked.claim


async def _do(formation: Formation, claim: Claim) -> None:
    sign = formation.account.worker
    sign.took()
    try:
        await work(formation, claim)
    finally:
        sign.gave()


async def _rest(account: Account) -> None:
    """Sleep until the bell rings or something is due."""
    due = await account.db.read(lambda tx: claims.next_due(tx, KINDS))
    until_due_s = POLL_S if due is None else (due - account.now()) / 1000
    with trio.move_on_after(min(max(until_due_s, 0.0), POLL_S)) as sleep:
        await account.bell.wait()
    if sleep.cancelled_caught:
        await recover(account)
