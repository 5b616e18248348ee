"""Correcting by text: what the owner says instead stands, and what it replaces becomes history.

No model is asked. The correction is Evidence like any other, one span of it is the successor's
text, and it is never readable further than the words it corrects. It passes the gates like any
other too: a text they call noise, or hold, is kept as such a row, and the correction is rejected.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from mnemod.accounts import Account
from mnemod.config import CORRECTION_CHARS_MAX, Tier
from mnemod.domain import trust
from mnemod.domain.evidence import IN_REACH, Evidence, NewEvidence, Permissions, SourceKind
from mnemod.domain.hashing import keyed
from mnemod.domain.intake import Judged
from mnemod.domain.keys import comparison_key
from mnemod.domain.observation import origin_hash
from mnemod.domain.receipts import Receipt
from mnemod.domain.visibility import all_readable, in_reach, strictest
from mnemod.domain.world import (
    FormedBy,
    Item,
    ItemKind,
    ItemState,
    Layer,
    Relation,
    Span,
    Support,
    Transition,
    TransitionKind,
    confidence,
    weighed,
)
from mnemod.errors import (
    AlreadyErased,
    InvalidParams,
    LimitExceeded,
    NotCorrectable,
    NotFound,
    PermissionDenied,
)
from mnemod.gating import Said, apart
from mnemod.ids import (
    EVIDENCE,
    ITEM,
    TRANSITION,
    ConversationId,
    EpochMs,
    EvidenceId,
    HostId,
    ItemId,
    MessageId,
    TransitionId,
    WorldRevision,
)
from mnemod.services import commands
from mnemod.services.commands import Command, Effect, Rejection
from mnemod.services.covered import row_as_kept
from mnemod.store import (
    evidence,
    item_trust,
    items,
    lexical,
    noted,
    supports,
    tombstones,
    transitions,
)
from mnemod.store.database import Tx

CORRECTABLE: Final = frozenset(
    {ItemKind.RELATIONSHIP, ItemKind.EVENT, ItemKind.COGNITION, ItemKind.EVALUATION}
)
InOrder = Callable[[], AbstractContextManager[None]]

NO_CONVERSATION: Final = ConversationId("")
"""A correction typed into a settings page belongs to no conversation."""


class Correction(Struct, frozen=True):
    """What replaces which item. `valid_from_ms` is when the new words began to hold."""

    host_id: HostId
    tier: Tier
    kind: ItemKind
    item_id: ItemId
    text: str
    valid_from_ms: EpochMs | None
    permissions: Permissions


async def correct(
    account: Account, command: Command, correction: Correction, in_order: InOrder = nullcontext
) -> Receipt:
    """Put the owner's words in an item's place.

    The same words again change nothing; noise and held words are kept, and rejected.
    Raises InvalidParams for text without words, LimitExceeded, NotFound, AlreadyErased,
    NotCorrectable, PermissionDenied, Conflict, CommandIdConflict.
    """
    if len(correction.text) > CORRECTION_CHARS_MAX:
        path, most = "$.correction_text", CORRECTION_CHARS_MAX
        raise LimitExceeded(path, limit="correction_chars", maximum=most)
    if not comparison_key(correction.text):
        raise InvalidParams("$.correction_text")
    said = Said(correction.text)
    judge = partial(account.gates.judge, said)
    if judged := account.gates.at_once([said], judge):
        change = _Change(account, command, correction, judged)
        return await account.db.write(change.record)
    with in_order():
        judged = await apart(judge)
        change = _Change(account, command, correction, judged)
        return await account.db.write(change.record)


class _Change:
    """One correction under way. Ids and the time are taken before the transaction."""

    def __init__(
        self, account: Account, command: Command, correction: Correction, judged: Judged
    ) -> None:
        self.now = account.now()
        self._account = account
        self._command = command
        self._given = correction
        self._judged = judged
        # What is kept of the words, and so what the successor says.
        self._wanted = replace(correction, text=judged.content)
        self._evidence_id = EvidenceId(account.mint(EVIDENCE))
        self._item_id = ItemId(account.mint(ITEM))
        self._transition_id = TransitionId(account.mint(TRANSITION))

    def record(self, tx: Tx) -> Receipt:
        """Run the command, and keep its receipt."""
        command = self._as_kept(tx)
        return commands.run(tx, command, self.now, lambda revision: self.run(tx, revision))

    def _as_kept(self, tx: Tx) -> Command:
        """The command, by a digest that tells nothing of a secret that is covered in its words.

        One that came before is known by what was covered then: see `services.covered`.
        """
        if evidence.known(tx, self._origin()) is not None:
            text = row_as_kept(tx, self._origin(), self._given.text)
        else:
            text = self._wanted.text if self._judged.gate.redacted else None
        if text is None:
            return self._command
        given = self._given
        told = (given.kind.value, given.item_id, text, str(given.valid_from_ms))
        allowed = (str(given.permissions), str(self._command.expected_revision))
        digest = keyed(self._account.hash_key, "correct covered", *told, *allowed)
        return replace(self._command, request_hash=digest)

    def _message_id(self) -> MessageId:
        return MessageId(f"correction:{self._command.command_id}")

    def _origin(self) -> str:
        # No host can name a message so: NUL is refused in every string it sends.
        named = MessageId(f"\0{self._message_id()}")
        return origin_hash(self._wanted.host_id, named)

    def run(self, tx: Tx, revision: WorldRevision) -> Effect | Rejection | None:
        prior = self._prior(tx)
        sources = self._sources(tx, prior)
        if not all_readable(sources, self._wanted.tier):
            raise PermissionDenied("$.target_id")
        key = comparison_key(self._wanted.text)
        if key == prior.key:
            return None
        seq = evidence.insert(tx, self._evidence(sources))
        noted.add(tx, seq, self._judged.noted)
        if self._judged.outcome not in IN_REACH:
            return Rejection(f"correction_{self._judged.outcome.value}", (self._evidence_id,))
        lexical.index_evidence(tx, seq, self._wanted.text)
        alike = self._alike(tx, prior)
        for item_id in (prior.item_id, *alike):
            items.end(tx, item_id, ItemState.SUPERSEDED, self.now, self._wanted.valid_from_ms)
        successor = self._successor(tx, prior, key, revision)
        transitions.add(tx, self._transition(prior.item_id, successor, revision))
        for item_id in alike:
            step = self._transition(item_id, successor, revision)
            other_id = TransitionId(self._account.mint(TRANSITION))
            transitions.add(tx, replace(step, transition_id=other_id))
        # Of what others alone may read, the host that corrects is told nothing.
        return Effect((prior.item_id, successor, self._evidence_id), (self._transition_id,))

    def _prior(self, tx: Tx) -> Item:
        wanted = self._wanted
        item = items.by_id(tx, wanted.item_id)
        if item is None or item.kind is not wanted.kind:
            self._refuse_missing(tx)
        assert item is not None
        if item.kind not in CORRECTABLE or item.layer is not Layer.FACT:
            raise NotCorrectable("$.target_kind", object_kind=item.kind.value)
        if item.state is not ItemState.CURRENT:
            raise NotCorrectable("$.target_id", state=item.state.value)
        return item

    def _alike(self, tx: Tx, prior: Item) -> list[ItemId]:
        """What says the same to other readers: wrong for one, it is wrong for all."""
        same = items.same_claim(
            tx, prior.key, prior.kind, prior.subject_entity_id, prior.holder_entity_id
        )
        current = [item.item_id for item in same if item.state is ItemState.CURRENT]
        return [item_id for item_id in current if item_id != prior.item_id]

    def _refuse_missing(self, tx: Tx) -> None:
        erased_by = tombstones.erased_by(tx, tombstones.Mark.ITEM, self._wanted.item_id)
        if erased_by is not None:
            raise AlreadyErased("$.target_id", command_id=erased_by)
        raise NotFound("$.target_id")

    def _sources(self, tx: Tx, prior: Item) -> list[Evidence | None]:
        ids = dict.fromkeys(s.span.evidence_id for s in supports.of(tx, prior.item_id))
        return [evidence.by_id(tx, evidence_id) for evidence_id in ids]

    def _evidence(self, sources: Sequence[Evidence | None]) -> NewEvidence:
        permissions = self._wanted.permissions
        for row in sources:
            if row is not None:
                permissions = permissions.strictest(row.permissions)
        return NewEvidence(
            evidence_id=self._evidence_id,
            source_kind=SourceKind.CORRECTION,
            host_id=self._wanted.host_id,
            conversation_id=NO_CONVERSATION,
            session_id=None,
            message_id=self._message_id(),
            origin_hash=self._origin(),
            speaker=None,
            content=self._wanted.text,
            content_hash=keyed(self._account.hash_key, self._wanted.text),
            said_at=None,
            recorded_at_ms=self.now,
            permissions=permissions,
            trust=self._trust(),
            outcome=self._judged.outcome,
            gate=self._judged.gate,
            noted=self._judged.noted,
        )

    def _successor(self, tx: Tx, prior: Item, key: str, revision: WorldRevision) -> ItemId:
        """The item that now holds: one that says so already, or a new occurrence."""
        same = items.same_claim(
            tx, key, prior.kind, prior.subject_entity_id, prior.holder_entity_id
        )
        allowed = strictest(filter(None, [evidence.by_id(tx, self._evidence_id)]))
        for item in same:
            # Words join only what may go where they may: joined, one would hide the other, or tell
            # the host that what it may not read is known.
            sources = [row for row in self._sources(tx, item) if row is not None]
            if (
                item.state is ItemState.CURRENT
                and all(map(in_reach, sources))
                and strictest(sources) == allowed
            ):
                self._support(tx, item.item_id)
                weight = weighed(item.formed_by, supports.of(tx, item.item_id))
                items.set_confidence(tx, item.item_id, weight)
                item_trust.renew(tx, item.item_id)
                return item.item_id
        text = self._wanted.text.strip()
        new = self._new_item(prior, text, key, revision, occurrence=len(same) + 1)
        lexical.index_item(tx, items.insert(tx, new), text)
        self._support(tx, new.item_id)
        return new.item_id

    def _new_item(
        self, prior: Item, text: str, key: str, revision: WorldRevision, occurrence: int
    ) -> items.NewItem:
        return items.NewItem(
            item_id=self._item_id,
            kind=prior.kind,
            layer=prior.layer,
            text=text,
            key=key,
            statement_kind=prior.statement_kind,
            formed_by=FormedBy.CORRECTED,
            importance=prior.importance,
            confidence=confidence(FormedBy.CORRECTED, 1, contradicted=False),
            trust=trust.of_item(FormedBy.CORRECTED, [self._trust()]),
            recorded_at_ms=self.now,
            created_revision=revision,
            subject_entity_id=prior.subject_entity_id,
            holder_entity_id=prior.holder_entity_id,
            source_entity_id=prior.source_entity_id,
            target_entity_id=prior.target_entity_id,
            relation_type=prior.relation_type,
            valid_from_ms=self._wanted.valid_from_ms,
            occurrence=occurrence,
        )

    def _trust(self) -> float:
        return trust.of_evidence(
            SourceKind.CORRECTION,
            by_owner=True,
            decision=self._judged.gate.decision,
            detector=self._judged.gate.detector,
            suspicion=self._judged.suspicion,
        )

    def _support(self, tx: Tx, item_id: ItemId) -> None:
        text = self._wanted.text
        start = len(text) - len(text.lstrip())
        span = Span(self._evidence_id, start, start + len(text.strip()))
        group = max((s.group for s in supports.of(tx, item_id)), default=-1) + 1
        support = Support(item_id, span, Relation.SUPPORT, group, 0)
        supports.add(tx, support, keyed(self._account.hash_key, text.strip()))

    def _transition(self, prior: ItemId, successor: ItemId, revision: WorldRevision) -> Transition:
        return Transition(
            transition_id=self._transition_id,
            prior_item_id=prior,
            successor_item_id=successor,
            kind=TransitionKind.CORRECTS,
            evidence_id=self._evidence_id,
            revision=revision,
            at_ms=self.now,
        )
