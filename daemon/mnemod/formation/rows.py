"""The rows of one job's changes, written one change after another in the job's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from msgspec import Struct

from mnemod.accounts import Account
from mnemod.domain import trust
from mnemod.domain.compiler.change_set import (
    AddName,
    AssistantClaim,
    Change,
    Contradict,
    EntityRef,
    Form,
    NewItem,
    Prior,
    Retract,
)
from mnemod.domain.evidence import Evidence, Permissions
from mnemod.domain.hashing import keyed
from mnemod.domain.visibility import in_reach, strictest
from mnemod.domain.world import (
    FormedBy,
    ItemKind,
    ItemState,
    Layer,
    Relation,
    Span,
    Support,
    Transition,
    TransitionKind,
    confidence,
)
from mnemod.formation.checks import cited_turn, resolve
from mnemod.ids import ITEM, TRANSITION, EpochMs, ItemId, TransitionId, WorldRevision
from mnemod.store import (
    assistant_sources,
    entity_names,
    evidence,
    item_trust,
    items,
    lexical,
    meta,
    supports,
    transitions,
)
from mnemod.store.database import Tx
from mnemod.store.entity_names import EntityName, NameKind


class Ends(Struct, frozen=True):
    """Whom an item is about, whose view it is, and whom it ties. None is the owner, or nobody."""

    subject: ItemId | None
    holder: ItemId | None
    source: ItemId | None
    target: ItemId | None


@final
class Writing:
    """One job's writing. `touched` are the items it made, ended or added to, in order."""

    def __init__(self, tx: Tx, account: Account, now: EpochMs) -> None:
        self._tx = tx
        self._account = account
        self._now = now
        self._revision = WorldRevision(meta.world_revision(tx) + 1)
        self._touched: dict[ItemId, None] = {}
        # A new item that was known already: what was said of it goes for the one that is there.
        self._stands_for: dict[ItemId, ItemId] = {}

    @property
    def touched(self) -> tuple[ItemId, ...]:
        return tuple(self._touched)

    def make(self, change: Change) -> None:
        """Write one change, whose checks have passed in this transaction."""
        match change:
            case Form(item=item, priors=priors):
                self._give_way(priors, self._form(item), item.spans)
            case AddName(entity=entity, alias=alias, item=item):
                self._form(item)
                self._name(self._entity(entity), alias, NameKind.ALIAS)
            case Contradict(item_ids=item_ids, spans=spans):
                for item_id in map(self._meant, item_ids):
                    self._tie(item_id, spans, Relation.CONTRADICT)
            case Retract(item_ids=item_ids, spans=spans):
                for item_id in item_ids:
                    self._retract(item_id, spans)

    def _meant(self, item_id: ItemId) -> ItemId:
        return self._stands_for.get(item_id, item_id)

    def _alike(self, item_id: ItemId) -> list[ItemId]:
        """The item meant, if it is current, with those that say the same to other readers."""
        item = items.by_id(self._tx, self._meant(item_id))
        assert item is not None, "the target was checked"
        same = items.same_claim(
            self._tx, item.key, item.kind, item.subject_entity_id, item.holder_entity_id
        )
        return [one.item_id for one in same if one.state is ItemState.CURRENT]

    def _form(self, new: NewItem) -> ItemId:
        """The item that says this: the current one, with more support, or a new occurrence.

        Words join only what may go where they may: joined, the one would hide the other, or what
        was said in private would keep alive what was said to all. So they never join an item that
        stands on held words: it is shown nowhere.
        """
        ends = Ends(*map(self._entity, (new.subject, new.holder, new.source, new.target)))
        same = items.same_claim(self._tx, new.key, new.kind, ends.subject, ends.holder)
        allowed = strictest(self._row(span) for span in new.spans)
        current = [item.item_id for item in same if item.state is ItemState.CURRENT]
        known = next((one for one in current if self._joins(one, allowed)), None)
        if known is not None:
            self._tie(known, new.spans, Relation.SUPPORT)
            if new.item_id is not None:
                self._stands_for[new.item_id] = known
            return known
        return self._insert(new, ends, occurrence=len(same) + 1)

    def _joins(self, item_id: ItemId, allowed: Permissions) -> bool:
        rows = [self._row(tie.span) for tie in supports.of(self._tx, item_id)]
        return all(map(in_reach, rows)) and strictest(rows) == allowed

    def _insert(self, new: NewItem, ends: Ends, occurrence: int) -> ItemId:
        item_id = new.item_id or ItemId(self._account.mint(ITEM))
        sources = [self._row(span) for span in new.spans]
        seq = items.insert(
            self._tx,
            items.NewItem(
                item_id=item_id,
                kind=new.kind,
                layer=Layer.FACT,
                text=new.text,
                key=new.key,
                statement_kind=new.statement_kind,
                formed_by=new.formed_by,
                importance=new.importance,
                confidence=confidence(new.formed_by, 1, contradicted=False),
                trust=trust.of_item(new.formed_by, (row.trust for row in sources)),
                recorded_at_ms=self._now,
                created_revision=self._revision,
                subject_entity_id=ends.subject,
                holder_entity_id=ends.holder,
                source_entity_id=ends.source,
                target_entity_id=ends.target,
                relation_type=new.relation_type,
                occurred_at=new.occurred_at,
                precision=new.precision,
                time_expression=new.time_expression,
                valid_from_ms=said_at_ms(sources[0]),
                occurrence=occurrence,
            ),
        )
        lexical.index_item(self._tx, seq, searchable(new))
        self._tie(item_id, new.spans, Relation.SUPPORT)
        if new.claim is not None:
            self._cite(item_id, new.claim, sources[0])
        return item_id

    def _give_way(self, priors: Sequence[Prior], successor: ItemId, spans: Sequence[Span]) -> None:
        ended, since = ItemState.SUPERSEDED, said_at_ms(self._row(spans[0]))
        for prior in priors:
            for item_id in self._alike(prior.item_id):
                if item_id != successor:
                    items.end(self._tx, item_id, ended, self._now, since)
                    self._step(item_id, successor, prior.kind, spans[0])

    def _retract(self, target: ItemId, spans: Sequence[Span]) -> None:
        for item_id in self._alike(target):
            self._tie(item_id, spans, Relation.RETRACT)
            items.end(self._tx, item_id, ItemState.RETRACTED, self._now)
            self._step(item_id, None, TransitionKind.RETRACTS, spans[0])

    def _step(
        self, prior: ItemId, successor: ItemId | None, kind: TransitionKind, span: Span
    ) -> None:
        self._touched[prior] = None
        transition = Transition(
            transition_id=TransitionId(self._account.mint(TRANSITION)),
            prior_item_id=prior,
            successor_item_id=successor,
            kind=kind,
            evidence_id=span.evidence_id,
            revision=self._revision,
            at_ms=self._now,
        )
        transitions.add(self._tx, transition)

    def _tie(self, item_id: ItemId, spans: Sequence[Span], relation: Relation) -> None:
        """Put spans under an item as one group, and weigh it anew. Known ties change nothing."""
        before = supports.of(self._tx, item_id)
        group = max((support.group for support in before), default=-1) + 1
        added = [
            supports.add(
                self._tx,
                Support(item_id, span, relation, group, position),
                keyed(self._account.hash_key, self._words(span)),
            )
            for position, span in enumerate(spans)
        ]
        if any(added):
            self._touched[item_id] = None
            self._weigh(item_id)

    def _weigh(self, item_id: ItemId) -> None:
        item = items.by_id(self._tx, item_id)
        assert item is not None, "its supports were written"
        ties = supports.of(self._tx, item_id)
        groups = {tie.group for tie in ties if tie.relation is Relation.SUPPORT}
        doubted = any(tie.relation is Relation.CONTRADICT for tie in ties)
        items.set_confidence(self._tx, item_id, confidence(item.formed_by, len(groups), doubted))
        item_trust.renew(self._tx, item_id)

    def _entity(self, reference: EntityRef | None) -> ItemId | None:
        """Whom the reference means, made if nobody goes by that name, with one more naming.

        An entity has no supports: each Evidence that names it keeps it.
        """
        if reference is None:
            return None
        entity_id = resolve(self._tx, reference)
        entity = None if entity_id is None else items.by_id(self._tx, entity_id)
        if entity is None:
            entity_id = self._insert_entity(reference)
            self._name(entity_id, reference, NameKind.CANONICAL)
            return entity_id
        is_canonical = entity.key == reference.key
        kind = NameKind.CANONICAL if is_canonical else NameKind.ALIAS
        self._name(entity.item_id, reference, kind)
        return entity.item_id

    def _insert_entity(self, reference: EntityRef) -> ItemId:
        item_id = ItemId(self._account.mint(ITEM))
        seq = items.insert(
            self._tx,
            items.NewItem(
                item_id=item_id,
                kind=ItemKind.ENTITY,
                layer=Layer.FACT,
                text=reference.name,
                key=reference.key,
                statement_kind=None,
                formed_by=FormedBy.STATED,
                importance=5,
                confidence=confidence(FormedBy.STATED, 1, contradicted=False),
                trust=trust.of_item(
                    FormedBy.STATED, (self._row(span).trust for span in reference.spans)
                ),
                recorded_at_ms=self._now,
                created_revision=self._revision,
            ),
        )
        lexical.index_item(self._tx, seq, reference.name)
        self._touched[item_id] = None
        return item_id

    def _name(self, entity_id: ItemId | None, reference: EntityRef, kind: NameKind) -> None:
        assert entity_id is not None, "an entity was resolved"
        for evidence_id in dict.fromkeys(span.evidence_id for span in reference.spans):
            name = EntityName(entity_id, reference.key, reference.name, kind, evidence_id)
            entity_names.add(self._tx, name)

    def _cite(self, item_id: ItemId, claim: AssistantClaim, reply: Evidence) -> None:
        turn_seq = cited_turn(self._tx, claim, reply)
        assert turn_seq is not None, "the citation was checked"
        source = assistant_sources.AssistantSource(item_id, turn_seq, claim.start, claim.end)
        assistant_sources.add(self._tx, source)

    def _row(self, span: Span) -> Evidence:
        row = evidence.by_id(self._tx, span.evidence_id)
        assert row is not None, "the Evidence was checked"
        return row

    def _words(self, span: Span) -> str:
        return self._row(span).content[span.start : span.end]


def said_at_ms(row: Evidence) -> EpochMs | None:
    """When the words were said, if the host told."""
    return None if row.said_at is None else row.said_at.at_ms


def searchable(new: NewItem) -> str:
    """The words an item is found by: its own, and what a bare "yes" says yes to."""
    return new.text if new.claim is None else f"{new.text}\n{new.claim.text}"
