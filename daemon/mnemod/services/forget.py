"""Forgetting: what you see in the preview is what goes, or nothing does.

The preview and the deed run the same cascade over the same rows; the deed checks the token inside
the transaction that erases. Nothing is previewed again on the caller's behalf.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from mnemod.accounts import Account
from mnemod.config import FORGET_TARGETS_MAX, Tier
from mnemod.domain import forget_scope
from mnemod.domain.cascade import closure
from mnemod.domain.cascade_rows import Cascade
from mnemod.domain.forget_preview import PreviewRow, rows_of
from mnemod.domain.forget_scope import ForgetScope
from mnemod.domain.receipts import Receipt
from mnemod.errors import (
    AlreadyErased,
    FormationInProgress,
    InvalidForgetTargets,
    NotFound,
)
from mnemod.ids import EvidenceId, ItemId, WorldRevision
from mnemod.services import commands, gates
from mnemod.services.commands import Command, Effect
from mnemod.store import forgetting, job_contexts, jobs, meta, tombstones
from mnemod.store.database import Cleanup, Tx
from mnemod.store.links import TxLinks
from mnemod.store.tombstones import Erasure, Mark

EVIDENCE_KIND = "evidence"


class Target(Struct, frozen=True):
    """One thing to forget: a kind of item, or `evidence`, and its id."""

    kind: str
    id: str


class Preview(Struct, frozen=True):
    """All that would go or change, and the token that binds a forget to exactly that."""

    rows: tuple[PreviewRow, ...]
    item_count: int
    evidence_ids: tuple[EvidenceId, ...]
    scope: ForgetScope
    world_revision: WorldRevision


async def preview(account: Account, targets: Sequence[Target], tier: Tier) -> Preview:
    """What forgetting these would erase and change. Writes nothing.

    Raises InvalidForgetTargets, NotFound, AlreadyErased, FormationInProgress.
    """
    _check(targets)
    return await account.db.read(lambda tx: _preview(tx, account, targets, tier))


async def forget(
    account: Account, command: Command, targets: Sequence[Target], token: str | None
) -> tuple[Receipt, Cleanup]:
    """Erase what `token` was given for, once, and clear its bytes from the disk.

    Raises InvalidForgetTargets, NotFound, AlreadyErased, FormationInProgress,
    ForgetScopeRequired, ForgetScopeChanged, Conflict, CommandIdConflict; then nothing is changed.
    """
    _check(targets)
    now = account.now()

    def erase(tx: Tx) -> Receipt:
        def work(revision: WorldRevision) -> Effect:
            links = TxLinks(tx)
            cascade = _cascade(tx, links, targets)
            forget_scope.require(token, _scope(account, targets, cascade, links))
            affected = _affected(cascade)
            erasure = Erasure(command.command_id, now, revision)
            forgetting.carry_out(tx, cascade, erasure, account.hash_key)
            gates.judge_what_is_left(tx, account, cascade.redactions, revision, now)
            return Effect(affected)

        return commands.run(tx, command, now, work)

    # Nothing is read first, not even for a replay: what was sent after this must come after it.
    return await account.db.erase(erase, after_commit=account.bell.ring)


def _check(targets: Sequence[Target]) -> None:
    if len(targets) > FORGET_TARGETS_MAX:
        raise InvalidForgetTargets(
            "$.additional_targets", limit="forget_targets", maximum=FORGET_TARGETS_MAX
        )
    if len(set(targets)) != len(targets):
        raise InvalidForgetTargets("$.additional_targets")


def _preview(tx: Tx, account: Account, targets: Sequence[Target], tier: Tier) -> Preview:
    links = TxLinks(tx)
    cascade = _cascade(tx, links, targets)
    return Preview(
        rows=rows_of(cascade, links, tier),
        item_count=len(cascade.items),
        evidence_ids=tuple(cascade.evidence),
        scope=_scope(account, targets, cascade, links),
        world_revision=meta.world_revision(tx),
    )


def _cascade(tx: Tx, links: TxLinks, targets: Sequence[Target]) -> Cascade:
    """The closed cascade. Raises NotFound, AlreadyErased, FormationInProgress."""
    for place, target in enumerate(targets):
        _require_there(tx, links, target, place)
    items = [ItemId(target.id) for target in targets if target.kind != EVIDENCE_KIND]
    rows = [EvidenceId(target.id) for target in targets if target.kind == EVIDENCE_KIND]
    cascade = closure(items, rows, links)
    if items:
        _require_quiet(tx, cascade)
    return cascade


def _require_there(tx: Tx, links: TxLinks, target: Target, place: int) -> None:
    path = "$.target_id" if place == 0 else f"$.additional_targets[{place - 1}].target_id"
    if target.kind == EVIDENCE_KIND:
        mark, row = Mark.EVIDENCE, links.evidence(EvidenceId(target.id))
        there = row is not None and row.erased_at_ms is None
    else:
        mark, item = Mark.ITEM, links.item(ItemId(target.id))
        there = item is not None and item.kind.value == target.kind
    if there:
        return
    erased_by = tombstones.erased_by(tx, mark, target.id)
    if erased_by is not None:
        raise AlreadyErased(path, command_id=erased_by)
    raise NotFound(path)


def _require_quiet(tx: Tx, cascade: Cascade) -> None:
    """Raise FormationInProgress while a worker reads other Evidence against these very items."""
    covered = set(cascade.touched_evidence)
    for job_id in job_contexts.reading(tx, (*cascade.items, *cascade.changed_items)):
        if not covered.issuperset(jobs.evidence_of(tx, job_id)):
            raise FormationInProgress(job_id=job_id)


def _scope(
    account: Account, targets: Sequence[Target], cascade: Cascade, links: TxLinks
) -> ForgetScope:
    named = [(target.kind, target.id) for target in targets]
    return forget_scope.scope(account.hash_key, account.account_id, named, cascade, links)


def _affected(cascade: Cascade) -> tuple[str, ...]:
    episodes = dict.fromkeys(turn.interaction_id for turn, _ in cascade.turns.values())
    return (
        *cascade.items,
        *cascade.changed_items,
        *cascade.evidence,
        *cascade.redactions,
        *episodes,
    )
