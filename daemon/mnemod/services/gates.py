"""What becomes of a verdict later: releasing a message, judging all again, or what a forget left.

A row that leaves the reach of recall and formation takes every item under it out of sight, and
erases none of them; back in reach, it brings them back. Whoever is reading it for a new memory
begins again without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Final

import trio
from msgspec import Struct
from msgspec.structs import replace

from mnemod.accounts import Account
from mnemod.config import Tier
from mnemod.domain import trust
from mnemod.domain.evidence import (
    IN_REACH,
    NOTHING_NOTED,
    Evidence,
    Gate,
    Noted,
    Outcome,
)
from mnemod.domain.intake import Judged
from mnemod.domain.receipts import Receipt
from mnemod.errors import AlreadyErased, NotFound, PermissionDenied
from mnemod.gating import apart
from mnemod.ids import JOB, EpochMs, EvidenceId, JobId, WorldRevision
from mnemod.services import commands
from mnemod.services.answers import in_context, may_answer
from mnemod.services.commands import Command, Effect
from mnemod.services.pages import fill, utf8_bytes
from mnemod.store import (
    entity_names,
    evidence,
    forgetting,
    gates,
    item_trust,
    jobs,
    lexical,
    meta,
    noted,
    supports,
    tombstones,
    turns,
)
from mnemod.store.database import Tx
from mnemod.store.job_contexts import Shown
from mnemod.store.jobs import JobState

InOrder = Callable[[], AbstractContextManager[None]]

_WAITING: Final = frozenset({JobState.PENDING, JobState.RETRY})


class Standing(Struct, frozen=True):
    """Where a row stands, and why."""

    outcome: Outcome
    gate: Gate


class Rejudged(Struct, frozen=True):
    """A row before and after; `changed` is whether its verdict is another one."""

    evidence_id: EvidenceId
    before: Standing
    after: Standing

    @property
    def changed(self) -> bool:
        """Whether anything but the version of the rules differs."""
        same_rules = replace(self.before.gate, rules_version=self.after.gate.rules_version)
        return (self.before.outcome, same_rules) != (self.after.outcome, self.after.gate)


class Wanted(Struct, frozen=True):
    """A page of rows to judge again. `after` is a `seq`, 0 for the first."""

    after: int
    limit: int
    dry_run: bool = False
    everything: bool = False


class RejudgedPage(Struct, frozen=True):
    """What became of a page, or would; `next_after` is None where no row is left."""

    rows: tuple[Rejudged, ...]
    next_after: int | None
    rules_version: int
    world_revision: WorldRevision


async def release(
    account: Account,
    command: Command,
    evidence_id: EvidenceId,
    in_order: InOrder = nullcontext,
    tier: Tier = Tier.LOCAL,
) -> Receipt:
    """Let a noise or held row be found and formed; one that is in reach is left as it is.

    Whoever may not see the words cannot vouch for them. Raises NotFound, AlreadyErased,
    PermissionDenied, Conflict, CommandIdConflict.
    """
    with in_order():
        change = await _noticed(account, command, evidence_id, tier)
        return await account.db.write(change.run, after_commit=change.tell)


async def rejudge(
    account: Account, wanted: Wanted, in_order: InOrder = nullcontext
) -> RejudgedPage:
    """Judge a page of rows by the rules of now, and, unless it is a dry run, keep to that."""
    version = account.gates.version
    with in_order():
        rows, next_after = await account.db.read(lambda tx: _page(tx, wanted, version))
        go_on = trio.from_thread.check_cancelled
        alone = await apart(partial(_judge_again, account, rows, go_on))
        judged = await account.db.read(lambda tx: _in_context(tx, alone))
        again = _Again(account, judged)
        if wanted.dry_run:
            revision = await account.db.read(meta.world_revision)
        else:
            revision = await account.db.write(again.run, after_commit=again.tell)
    return RejudgedPage(again.shown, next_after, version, revision)


def judge_what_is_left(
    tx: Tx,
    account: Account,
    evidence_ids: Iterable[EvidenceId],
    revision: WorldRevision,
    now: EpochMs,
) -> None:
    """Hold messages of which words were covered, if only those made a report of a command.

    What is left stays on disk, as what is held does; what the owner released stays released.
    """
    for row in evidence.by_ids(tx, evidence_ids).values():
        if row.outcome is not Outcome.ELIGIBLE:
            continue
        found = _verdict_again(account, row)
        if found.is_held:
            _settle(tx, row, found, _trust(row, found))
            _take_away(tx, row, revision, now)


async def _noticed(
    account: Account, command: Command, evidence_id: EvidenceId, tier: Tier
) -> _Release:
    """The release with its annotations, worked out before the transaction."""
    row = await account.db.read(lambda tx: evidence.by_id(tx, evidence_id))
    notes = NOTHING_NOTED
    if row is not None and row.content and row.outcome not in IN_REACH:
        notes = await apart(partial(account.gates.notes, row.content, row.said_at))
    return _Release(account, command, evidence_id, tier, row, notes)


class _Release:
    """One release under way. Ids and the time are taken before the transaction."""

    def __init__(
        self,
        account: Account,
        command: Command,
        evidence_id: EvidenceId,
        tier: Tier,
        read: Evidence | None,
        notes: Noted,
    ) -> None:
        """`notes` are of the words of the row as it was `read`."""
        self._account = account
        self._command = command
        self._evidence_id = evidence_id
        self._tier = tier
        self._read = read
        self._notes = notes
        self._now = account.now()
        self._job_id = JobId(account.mint(JOB))
        self._made_job = False

    def run(self, tx: Tx) -> Receipt:
        self._made_job = False  # may be run again
        return commands.run(tx, self._command, self._now, lambda _: self._release(tx))

    def tell(self) -> None:
        if self._made_job:
            self._account.bell.ring()
            self._account.job_changes.publish(self._job_id, self._job_id)

    def _release(self, tx: Tx) -> Effect | None:
        row = evidence.by_id(tx, self._evidence_id)
        if row is None:
            raise NotFound("$.evidence_id")
        erased_by = tombstones.erased_by(tx, tombstones.Mark.EVIDENCE, self._evidence_id)
        if erased_by is not None:
            raise AlreadyErased("$.evidence_id", command_id=erased_by)
        if row.outcome in IN_REACH:
            return None
        if self._tier is not Tier.LOCAL:
            raise PermissionDenied("$.evidence_id")
        # A forget may have covered words meanwhile: a note may tell of them.
        is_as_read = self._read is not None and self._read.content == row.content
        notes = self._notes if is_as_read else Noted(failed=True)
        # Trusted as it was when it was held: the owner vouches for its use, not for what it says.
        vouched = Judged(row.content, Outcome.RELEASED, row.gate, noted=notes)
        _settle(tx, row, vouched, row.trust)
        _bring_back(tx, row)
        self._made_job = _enqueue(tx, self._account, row, self._job_id)
        return Effect((row.evidence_id,))


class _Again:
    """A page of rows judged again, about to be kept to."""

    def __init__(self, account: Account, judged: list[tuple[Evidence, Judged]]) -> None:
        self._account = account
        self._judged = judged
        self._now = account.now()
        self._job_ids = [JobId(account.mint(JOB)) for _ in judged]
        self._made: list[JobId] = []
        self._left_alone: set[EvidenceId] = set()

    @property
    def shown(self) -> tuple[Rejudged, ...]:
        """Each row before and after, without those that changed meanwhile and were left alone."""
        return tuple(
            Rejudged(
                row.evidence_id,
                Standing(row.outcome, row.gate),
                Standing(after.outcome, after.gate),
            )
            for row, after in self._judged
            if row.evidence_id not in self._left_alone
        )

    def run(self, tx: Tx) -> WorldRevision:
        self._made, self._left_alone = [], set()  # may be run again
        before = meta.world_revision(tx)
        moved = [
            self._move(tx, row, after, job_id, WorldRevision(before + 1))
            for (row, after), job_id in zip(self._judged, self._job_ids, strict=True)
        ]
        return meta.raise_revision(tx) if any(moved) else before

    def tell(self) -> None:
        for job_id in self._made:
            self._account.bell.ring()
            self._account.job_changes.publish(job_id, job_id)

    def _move(
        self, tx: Tx, was: Evidence, after: Judged, job_id: JobId, revision: WorldRevision
    ) -> bool:
        """Whether the row came into reach or left it. One that changed meanwhile is left alone."""
        row = evidence.by_id(tx, was.evidence_id)
        if row is None or (row.content, row.outcome) != (was.content, was.outcome):
            self._left_alone.add(was.evidence_id)
            return False
        _settle(tx, row, after, _trust(row, after))
        if (row.outcome in IN_REACH) == (after.outcome in IN_REACH):
            return False
        if after.outcome in IN_REACH:
            _bring_back(tx, row)
            # What was formed of it before comes back by itself.
            is_formed = bool(supports.by_evidence(tx, row.evidence_id))
            if not is_formed and _enqueue(tx, self._account, row, job_id):
                self._made.append(job_id)
        else:
            _take_away(tx, row, revision, self._now)
        return True


def _page(tx: Tx, wanted: Wanted, version: int) -> tuple[Sequence[Evidence], int | None]:
    def rows(after: int, limit: int) -> list[Evidence]:
        found = gates.to_judge(
            tx, after=after, limit=limit, version=version, everything=wanted.everything
        )
        return list(evidence.by_ids(tx, (evidence_id for _, evidence_id in found)).values())

    return fill(
        rows, lambda row: row.seq, wanted.after, wanted.limit, lambda row: utf8_bytes(row.content)
    )


def _judge_again(
    account: Account, rows: Sequence[Evidence], go_on: Callable[[], object] = lambda: None
) -> list[tuple[Evidence, Judged]]:
    """Each row with its new verdict; `go_on`, called before each, may end it."""
    judged: list[tuple[Evidence, Judged]] = []
    for row in rows:
        go_on()
        judged.append((row, _judged_again(account, row)))
    return judged


def _in_context(tx: Tx, alone: Sequence[tuple[Evidence, Judged]]) -> list[tuple[Evidence, Judged]]:
    return [
        (row, in_context(found, _before(tx, row)) if may_answer(found) else found)
        for row, found in alone
    ]


def _before(tx: Tx, row: Evidence) -> str | None:
    last = turns.preceding(tx, row.conversation_id, row.evidence_id, 1)
    return last[0].told_by_assistant if last else None


def _judged_again(account: Account, row: Evidence) -> Judged:
    found = _verdict_again(account, row)
    if found.outcome not in IN_REACH:
        return found
    return replace(found, noted=account.gates.notes(row.content, row.said_at))


def _verdict_again(account: Account, row: Evidence) -> Judged:
    speaker = None if row.speaker is None else row.speaker.name
    found = account.gates.verdict_of_stored(row.content, speaker)
    # What was covered stays covered, whatever the rules of now would say of it.
    return replace(found, gate=replace(found.gate, redacted=row.gate.redacted))


def _trust(row: Evidence, after: Judged) -> float:
    return trust.of_evidence(
        row.source_kind,
        by_owner=row.speaker is None,
        decision=after.gate.decision,
        detector=after.gate.detector,
        suspicion=after.suspicion,
    )


def _settle(tx: Tx, row: Evidence, after: Judged, trusted: float) -> None:
    """Write a verdict, its notes, and how far the words are trusted."""
    evidence.judge(
        tx,
        row.evidence_id,
        after.outcome,
        after.gate,
        annotations_failed=after.noted.failed,
        trust=trusted,
    )
    noted.drop(tx, row.seq)
    noted.add(tx, row.seq, after.noted)
    if trusted != row.trust:
        for support in supports.by_evidence(tx, row.evidence_id):
            item_trust.renew(tx, support.item_id)


def _bring_back(tx: Tx, row: Evidence) -> None:
    lexical.unindex_evidence(tx, row.seq)
    lexical.index_evidence(tx, row.seq, row.content)


def _take_away(tx: Tx, row: Evidence, revision: WorldRevision, now: EpochMs) -> None:
    """Out of the index, and out of every request that is being answered or may be yet."""
    lexical.unindex_evidence(tx, row.seq)
    formed = dict.fromkeys(tie.item_id for tie in supports.by_evidence(tx, row.evidence_id))
    named = (entity_id for entity_id, _ in entity_names.named_by(tx, row.evidence_id))
    shown = Shown((*formed, *named), (row.evidence_id,))
    forgetting.restart_readers(tx, jobs.over(tx, row.evidence_id), shown, now)
    meta.note_forget(tx, revision)


def _enqueue(tx: Tx, account: Account, row: Evidence, job_id: JobId) -> bool:
    """Have the row read for memories, if it may be; whether that took a job of its own.

    One that still waits will read it as it is now; one that runs began without it.
    """
    about = (jobs.by_id(tx, known) for known in jobs.over(tx, row.evidence_id))
    is_awaited = any(job is not None and job.state in _WAITING for job in about)
    if is_awaited or not row.permissions.inference:
        return False
    new = jobs.NewJob(
        job_id, jobs.FORMATION, row.conversation_id, (row.evidence_id,), account.now()
    )
    jobs.enqueue(tx, new)
    return True
