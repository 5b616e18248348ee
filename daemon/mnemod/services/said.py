"""Reading what was said and how conversations went, in order."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from mnemod.accounts import Account
from mnemod.config import Tier
from mnemod.domain.annotation import Annotation
from mnemod.domain.evidence import Evidence, Outcome
from mnemod.domain.turns import Dependency, DependencyKind, Role, Turn
from mnemod.domain.visibility import in_reach, item_readable, owner_may_read, readable
from mnemod.errors import AlreadyErased, NotFound
from mnemod.ids import ConversationId, EvidenceId, ItemId, WorldRevision
from mnemod.services.pages import Page, fill, utf8_bytes
from mnemod.store import evidence, meta, noted, tombstones, turns
from mnemod.store.database import Tx
from mnemod.store.links import TxLinks


class ShownEvidence(Struct, frozen=True):
    """A row; `content` is None where the reader may not see it, and then nothing is annotated."""

    row: Evidence
    content: str | None
    annotations: tuple[Annotation, ...] = ()


class ShownTurn(Struct, frozen=True):
    """A turn with what it relied on; `content` is None where the reader may not see it.

    `outcome` is there if the gates keep its words out of reach.
    """

    turn: Turn
    content: str | None
    dependencies: tuple[Dependency, ...]
    outcome: Outcome | None = None


class WantedRows(Struct, frozen=True):
    """Which rows a list asks for. `after` is a place in the order, 0 for the first."""

    after: int
    limit: int
    outcome: Outcome | None = None
    conversation_id: ConversationId | None = None


async def list_evidence(account: Account, wanted: WantedRows, tier: Tier) -> Page[ShownEvidence]:
    """Unerased rows in the order they came; words only where this destination may read them.

    What the gates called noise, or hold, is shown on this machine alone, and nowhere but here.
    """

    def read(tx: Tx) -> Page[ShownEvidence]:
        rows, next_after = fill(
            lambda after, limit: evidence.page(
                tx,
                after=after,
                limit=limit,
                outcome=wanted.outcome,
                conversation_id=wanted.conversation_id,
            ),
            lambda row: row.seq,
            wanted.after,
            wanted.limit,
            lambda row: utf8_bytes(row.content),
        )
        return Page(_with_notes(tx, rows, tier), next_after, meta.world_revision(tx))

    return await account.db.read(read)


async def get_evidence(
    account: Account, evidence_id: EvidenceId, tier: Tier
) -> tuple[ShownEvidence, WorldRevision]:
    """One row. Raises NotFound, AlreadyErased."""

    def read(tx: Tx) -> tuple[ShownEvidence, WorldRevision]:
        row = evidence.by_id(tx, evidence_id)
        if row is None:
            raise NotFound("$.evidence_id")
        erased_by = tombstones.erased_by(tx, tombstones.Mark.EVIDENCE, evidence_id)
        if erased_by is not None:
            raise AlreadyErased("$.evidence_id", command_id=erased_by)
        return _with_notes(tx, [row], tier)[0], meta.world_revision(tx)

    return await account.db.read(read)


async def list_turns(account: Account, wanted: WantedRows, tier: Tier) -> Page[ShownTurn]:
    """The turns of one conversation or of all, in order, erased ones as empty places."""

    def read(tx: Tx) -> Page[ShownTurn]:
        def shown(after: int, limit: int) -> list[ShownTurn]:
            found = turns.page(tx, after=after, limit=limit, conversation_id=wanted.conversation_id)
            return [_shown_turn(tx, turn, tier) for turn in found]

        rows, next_after = fill(
            shown, lambda row: row.turn.turn_seq, wanted.after, wanted.limit, _turn_bytes
        )
        return Page(tuple(rows), next_after, meta.world_revision(tx))

    return await account.db.read(read)


def _turn_bytes(shown: ShownTurn) -> int:
    relied_on = sum(utf8_bytes(each.ref_id) for each in shown.dependencies)
    return utf8_bytes(shown.content) + relied_on


def _with_notes(tx: Tx, rows: Sequence[Evidence], tier: Tier) -> tuple[ShownEvidence, ...]:
    shown = [row for row in rows if owner_may_read(row, tier)]
    notes = noted.of(tx, (row.seq for row in shown))
    readable_ids = {row.evidence_id for row in shown}
    return tuple(
        ShownEvidence(row, row.content, notes.get(row.seq, ()))
        if row.evidence_id in readable_ids
        else ShownEvidence(row, None)
        for row in rows
    )


def _shown_turn(tx: Tx, turn: Turn, tier: Tier) -> ShownTurn:
    if turn.role is Role.ASSISTANT:
        needed = tuple(turns.dependencies(tx, turn.turn_seq))
        # Nobody knows what an assistant wove in: its words are shown on this machine only.
        may_be_read = tier is Tier.LOCAL and all(_readable(tx, each, tier) for each in needed)
        content = turn.content if may_be_read and not turn.held else None
        return ShownTurn(turn, content, needed, Outcome.HELD if turn.held else None)
    assert turn.evidence_id is not None
    row = evidence.by_id(tx, turn.evidence_id)
    assert row is not None, "a turn's Evidence outlives it"
    kept_back = None if in_reach(row) or row.erased_at_ms is not None else row.outcome
    return ShownTurn(turn, row.content if readable(row, tier) else None, (), kept_back)


def _readable(tx: Tx, needed: Dependency, tier: Tier) -> bool:
    """Whether what a turn relied on may be read; an id we never gave keeps nothing back."""
    links = TxLinks(tx)
    if needed.kind is DependencyKind.EVIDENCE:
        row = links.evidence(EvidenceId(needed.ref_id))
        return row is None or readable(row, tier)
    if needed.kind is DependencyKind.ITEM:
        item_id = ItemId(needed.ref_id)
        return links.item(item_id) is None or item_readable(item_id, links, tier)
    return True
