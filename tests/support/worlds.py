"""Putting items into an account without a worker, so that a test says what it starts from."""

from __future__ import annotations

from functools import partial

from mnemod.accounts import Account
from mnemod.domain.keys import comparison_key
from mnemod.domain.wording import worded
from mnemod.domain.world import (
    FormedBy,
    ItemKind,
    ItemState,
    Layer,
    Relation,
    Span,
    StatementKind,
    Support,
    Transition,
    TransitionKind,
    confidence,
)
from mnemod.ids import ITEM, TRANSITION, EvidenceId, ItemId, TransitionId
from mnemod.store import entity_names, evidence, items, lexical, meta, supports, transitions
from mnemod.store.database import Tx
from mnemod.store.entity_names import EntityName, NameKind


async def form(
    account: Account,
    *spans: tuple[EvidenceId, str],
    kind: ItemKind = ItemKind.COGNITION,
    subject: ItemId | None = None,
    target: ItemId | None = None,
) -> ItemId:
    """A current fact made of these words of these rows, chosen together."""
    return await account.db.write(
        partial(_form, account=account, spans=spans, kind=kind, subject=subject, target=target)
    )


async def support(
    account: Account,
    item_id: ItemId,
    evidence_id: EvidenceId,
    words: str,
    relation: Relation = Relation.SUPPORT,
) -> None:
    """The same fact said again, or spoken against: one more group under the item."""

    def write(tx: Tx) -> None:
        group = max(s.group for s in supports.of(tx, item_id)) + 1
        span = _span(tx, evidence_id, words)
        supports.add(tx, Support(item_id, span, relation, group, 0), "hash")

    await account.db.write(write)


async def replace(
    account: Account,
    prior: ItemId,
    successor: ItemId,
    evidence_id: EvidenceId,
    kind: TransitionKind = TransitionKind.SUPERSEDES,
) -> None:
    """`prior` gave way to `successor` because of this row."""

    def write(tx: Tx) -> None:
        items.end(tx, prior, ItemState.SUPERSEDED, account.now())
        transition_id = TransitionId(account.mint(TRANSITION))
        revision = meta.raise_revision(tx)
        step = Transition(
            transition_id, prior, successor, kind, evidence_id, revision, account.now()
        )
        transitions.add(tx, step)

    await account.db.write(write)


async def name(account: Account, words: str, *evidence_ids: EvidenceId) -> ItemId:
    """An entity that these rows call `words`."""

    def write(tx: Tx) -> ItemId:
        entity_id = _insert(tx, account, ItemKind.ENTITY, words, None, None)
        for evidence_id in evidence_ids:
            key = comparison_key(words)
            entity_names.add(tx, EntityName(entity_id, key, words, NameKind.CANONICAL, evidence_id))
        return entity_id

    return await account.db.write(write)


def _form(
    tx: Tx,
    *,
    account: Account,
    spans: tuple[tuple[EvidenceId, str], ...],
    kind: ItemKind,
    subject: ItemId | None,
    target: ItemId | None,
) -> ItemId:
    found = [_span(tx, evidence_id, words) for evidence_id, words in spans]
    text = worded([words for _, words in spans])
    item_id = _insert(tx, account, kind, text, subject, target)
    for position, span in enumerate(found):
        supports.add(tx, Support(item_id, span, Relation.SUPPORT, 0, position), "hash")
    return item_id


def _insert(
    tx: Tx,
    account: Account,
    kind: ItemKind,
    text: str,
    subject: ItemId | None,
    target: ItemId | None,
) -> ItemId:
    new = items.NewItem(
        item_id=ItemId(account.mint(ITEM)),
        kind=kind,
        layer=Layer.FACT,
        text=text,
        key=comparison_key(text),
        statement_kind=None if kind is ItemKind.ENTITY else StatementKind.ATTRIBUTE,
        formed_by=FormedBy.STATED,
        importance=5,
        confidence=confidence(FormedBy.STATED, 1, contradicted=False),
        trust=1.0,
        recorded_at_ms=account.now(),
        created_revision=meta.raise_revision(tx),
        subject_entity_id=subject,
        target_entity_id=target,
        relation_type="knows" if kind is ItemKind.RELATIONSHIP else None,
    )
    lexical.index_item(tx, items.insert(tx, new), text)
    return new.item_id


def _span(tx: Tx, evidence_id: EvidenceId, words: str) -> Span:
    row = evidence.by_id(tx, evidence_id)
    assert row is not None
    start = row.content.index(words)
    return Span(evidence_id, start, start + len(words))
