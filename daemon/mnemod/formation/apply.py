"""From change sets to rows: all checks again under the write lock, then everything at once.

Items, supports, transitions, names, index entries, the revision and the end of the job are one
transaction. A check that fails ends the job with its code and writes nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

from mnemod import faults
from mnemod.accounts import Account
from mnemod.config import Tier
from mnemod.domain.compiler.change_set import ChangeSet
from mnemod.domain.sourcing import why_not
from mnemod.formation.checks import why_stale
from mnemod.formation.permitted import source_of
from mnemod.formation.prepare import NOTHING, End, Part, ending_for, evidence_ids
from mnemod.formation.rows import Writing
from mnemod.ids import EpochMs
from mnemod.store import claims, job_contexts, jobs, meta
from mnemod.store.claims import Claim
from mnemod.store.database import Tx
from mnemod.store.jobs import JobState


def apply(
    tx: Tx,
    account: Account,
    claim: Claim,
    tier: Tier | None,
    parts: Sequence[Part],
    change_sets: Sequence[ChangeSet],
    now: EpochMs,
) -> End:
    """Write what was decided and end the job. Raises LeaseLost if the claim no longer holds."""
    claims.require_held(tx, claim, now)
    end = _refused(tx, account, tier, parts)
    changes = [change for change_set in change_sets for change in change_set.changes]
    if end is None and (stale := why_stale(tx, changes, tier)):
        end = End(JobState.DEAD, stale)
    if end is None:
        writing = Writing(tx, account, now)
        for change in changes:
            writing.make(change)
        end = _written(tx, claim, writing, change_sets)
    settle(tx, claim, tier, end, now)
    faults.hit("formation.before_apply_commit")
    return end


def settle(tx: Tx, claim: Claim, tier: Tier | None, end: End, now: EpochMs) -> None:
    """End the job. Answers that cost nothing and came from nowhere are not kept any longer."""
    claims.settle(tx, claim, end.state, end.reason, now)
    if tier is None:
        job_contexts.drop_answers(tx, claim.job_id)


def _refused(tx: Tx, account: Account, tier: Tier | None, parts: Sequence[Part]) -> End | None:
    """The job's end if any of its Evidence may not be formed from any more, or has changed."""
    texts = {view.evidence_id: view.text for part in parts for view in part.request.evidence}
    for evidence_id in evidence_ids(parts):
        source = source_of(tx, evidence_id)
        code = why_not(source, tier, account.hash_key)
        if code is None and source.row is not None and source.row.content != texts[evidence_id]:
            code = "evidence_changed"
        if code is not None:
            return ending_for([code])
    return None


def _written(tx: Tx, claim: Claim, writing: Writing, change_sets: Sequence[ChangeSet]) -> End:
    dropped = [code for changes in change_sets for code in changes.dropped]
    if not writing.touched:
        return End(JobState.NO_CHANGE, NOTHING)
    meta.raise_revision(tx)
    jobs.add_items(tx, claim.job_id, writing.touched)
    return End(JobState.DONE, dropped[0] if dropped else None)
