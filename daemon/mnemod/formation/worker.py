"""One claimed job, from its Evidence to its end: a loop's one round.

    prepare ─> ask ─> store the reply ─> compile ─> apply and end
                │                           └─> ask once more, if that can help
                └─> an outage: the job waits and its attempt is given back

Every step is written under the claim, so a worker that lost it writes nothing. What ends a job for
good is a stable code; what may pass (a failure, a provider that is away) sends it back to wait.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

import trio
from msgspec import Struct

from mnemod import faults, log
from mnemod.accounts import Account
from mnemod.config import (
    LEASE_MS,
    LEASE_RENEW_MS,
    LOOP_ERROR_WAIT_S,
    OUTAGE_WAIT_MAX_S,
    SHUTDOWN_RETURN_S,
)
from mnemod.domain.backoff import failure_wait_ms, outage_wait_ms
from mnemod.domain.compiler.change_set import ChangeSet
from mnemod.errors import LeaseLost, MnemodError
from mnemod.formation.apply import apply, settle
from mnemod.formation.interpret import Interpreter, Malformed, Outage
from mnemod.formation.overlay import Overlay
from mnemod.formation.prepare import End, Part, prepare
from mnemod.formation.reading import ForgottenMeanwhile, Reading
from mnemod.ids import EpochMs
from mnemod.store import claims
from mnemod.store.claims import Claim
from mnemod.store.database import Tx
from mnemod.store.jobs import JobState

INTERNAL: Final = "internal"


class Formation(Struct, frozen=True):
    """What every worker of an account shares. `jitter` gives numbers from 0 up to, not with, 1."""

    account: Account
    interpreter: Interpreter
    waits_s: Sequence[float]
    jitter: Callable[[], float]


async def work(formation: Formation, claim: Claim) -> None:
    """Do one claimed job, keeping its lease; on cancellation hand it back."""
    account = formation.account
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_keep_lease, account, claim, nursery.cancel_scope)
        try:
            faults.hit("formation.after_claim")
            await _run(formation, claim)
        except trio.Cancelled:
            # Shutting down: give the job back now, not when its lease runs out.
            with trio.move_on_after(SHUTDOWN_RETURN_S, shield=True):
                await _hand_back(account, claim)
            raise
        except LeaseLost:
            pass  # whoever holds the job now will finish it
        except MnemodError as error:
            await _recovered(formation, claim, error.kind, passes=error.retryable)
        except Exception as error:  # noqa: BLE001  a defect must end its job, not its worker
            log.current().error("formation_failed", at=log.types_only(error))
            await _recovered(formation, claim, INTERNAL, passes=False)
        nursery.cancel_scope.cancel()
    account.job_changes.publish(claim.job_id, claim.job_id)


async def _run(formation: Formation, claim: Claim) -> None:
    while True:
        try:
            return await _round(formation, claim)
        except ForgottenMeanwhile:
            pass  # read again what is left


async def _round(formation: Formation, claim: Claim) -> None:
    account, interpreter = formation.account, formation.interpreter
    parts = await account.db.read(lambda tx: prepare(tx, account, claim.job_id, interpreter))
    if isinstance(parts, End):
        return await _end(formation, claim, parts)
    change_sets: list[ChangeSet] = []
    ends: list[End] = []
    overlay = Overlay(account.hash_key, claim.job_id)
    for part in parts:
        outcome = await Reading(account, interpreter, claim, overlay.shown_to(part)).outcome()
        match outcome:
            case ChangeSet():
                change_sets.append(overlay.add(part, outcome))
            case End(state=JobState.DEAD):
                return await _end(formation, claim, outcome)
            case End():
                ends.append(outcome)
            case Outage() | Malformed():
                return await _put_off(formation, claim, outcome)
    if not change_sets:
        return await _end(formation, claim, _together(ends))
    return await _apply(formation, claim, parts, change_sets)


def _together(ends: Sequence[End]) -> End:
    """One end for parts none of which changes anything: the one that asks for most attention."""
    order = (JobState.CLARIFICATION, JobState.OUT_OF_SCOPE, JobState.NO_CHANGE)
    return min(ends, key=lambda end: order.index(end.state))


async def _apply(
    formation: Formation, claim: Claim, parts: Sequence[Part], change_sets: Sequence[ChangeSet]
) -> None:
    account, tier = formation.account, formation.interpreter.tier
    now = account.now()
    await account.db.write(lambda tx: apply(tx, account, claim, tier, parts, change_sets, now))


async def _end(formation: Formation, claim: Claim, end: End) -> None:
    tier = formation.interpreter.tier
    await _write(formation.account, partial(settle, claim=claim, tier=tier, end=end))


async def _put_off(formation: Formation, claim: Claim, outcome: Outage | Malformed) -> None:
    if isinstance(outcome, Malformed):
        await _failed(formation, claim, outcome.code, passes=False)
    else:
        await _postponed(formation, claim, outcome.code, outcome.retry_after_s)


async def _recovered(formation: Formation, claim: Claim, code: str, *, passes: bool) -> None:
    """After an error: say how the job goes on, if even that can be written."""
    try:
        await _failed(formation, claim, code, passes=passes)
    except MnemodError as error:
        log.current().warning("job_left_to_its_lease", kind=error.kind)
        await trio.sleep(LOOP_ERROR_WAIT_S)


async def _failed(formation: Formation, claim: Claim, code: str, *, passes: bool) -> None:
    """Send the job back to wait; at the end of its attempts, to its end."""
    if passes:
        return await _postponed(formation, claim, code, None)
    wait_ms = failure_wait_ms(claim.attempts, formation.waits_s, formation.jitter())
    return await _write(
        formation.account, partial(claims.fail, claim=claim, error=code, wait_ms=wait_ms)
    )


async def _postponed(formation: Formation, claim: Claim, code: str, told_s: float | None) -> None:
    wait_ms = outage_wait_ms(
        claim.outages + 1, formation.waits_s, OUTAGE_WAIT_MAX_S, told_s, formation.jitter()
    )
    await _write(
        formation.account, partial(claims.postpone, claim=claim, error=code, wait_ms=wait_ms)
    )


async def _hand_back(account: Account, claim: Claim) -> None:
    # Lost already, or the file is busy: then the next start recovers it.
    with suppress(MnemodError):
        await _write(account, partial(claims.hand_back, claim=claim))


async def _keep_lease(account: Account, claim: Claim, scope: trio.CancelScope) -> None:
    """Renew until cancelled; stop the work at once if the claim is no longer ours."""
    while True:
        await trio.sleep(LEASE_RENEW_MS / 1000)
        try:
            await _write(account, partial(claims.renew, claim=claim, lease_ms=LEASE_MS))
        except LeaseLost:
            scope.cancel()
        except MnemodError as error:
            # Busy or full: the lease still runs, and the next round may renew it.
            log.current().warning("lease_not_renewed", kind=error.kind)


async def _write(account: Account, statement: Callable[..., None]) -> None:
    now: EpochMs = account.now()

    def write(tx: Tx) -> None:
        statement(tx, now=now)

    await account.db.write(write)
