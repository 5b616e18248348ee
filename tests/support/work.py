"""Taking and ending jobs without a worker."""

from __future__ import annotations

from mnemod.accounts import Account
from mnemod.config import JOB_ATTEMPTS, JOB_WAITS_S, LEASE_MS, OUTAGE_WAIT_MAX_S
from mnemod.domain.backoff import longest_wait_ms
from mnemod.ids import ClaimToken
from mnemod.store import claims, jobs
from mnemod.store.claims import Claim, Claimant
from mnemod.store.database import Tx
from mnemod.store.jobs import JobState


async def claim(account: Account) -> Claim:
    """A worker of this account takes its oldest due job, which must be there."""
    claimed = await account.db.write(lambda tx: _claim(tx, account))
    assert claimed is not None
    return claimed


async def settle_all(account: Account) -> None:
    """Every due job is taken and ends with nothing formed."""

    def settle(tx: Tx) -> bool:
        held = _claim(tx, account)
        if held is not None:
            claims.settle(tx, held, JobState.NO_CHANGE, "test", account.now())
        return held is not None

    while await account.db.write(settle):
        pass


def _claim(tx: Tx, account: Account) -> Claim | None:
    claimant = Claimant(
        owner=account.owner_id,
        token=ClaimToken(account.mint("cl_")),
        kinds=(jobs.FORMATION,),
        lease_ms=LEASE_MS,
        attempts_max=JOB_ATTEMPTS,
        wait_max_ms=longest_wait_ms(JOB_WAITS_S, OUTAGE_WAIT_MAX_S),
    )
    return claims.claim(tx, claimant, account.now()).claim
