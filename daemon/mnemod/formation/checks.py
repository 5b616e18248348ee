"""What may have changed since a reply was compiled, asked again before it is written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mnemod.config import Tier
from mnemod.domain.compiler.change_set import (
    AddName,
    AssistantClaim,
    Change,
    Contradict,
    EntityRef,
    Form,
    NewItem,
    Retract,
)
from mnemod.domain.compiler.targets import ended_by
from mnemod.domain.evidence import Evidence
from mnemod.domain.turns import Role
from mnemod.domain.world import Item, ItemState, Layer
from mnemod.formation.permitted import item_permitted
from mnemod.ids import ItemId
from mnemod.store import entity_names, evidence, items, turns
from mnemod.store.database import Tx

CITED_TURNS_MAX: Final = 16
"""How far back a cited turn may stand among turns of which some were not permitted."""


def why_stale(tx: Tx, changes: Iterable[Change], tier: Tier | None) -> str | None:
    """The code of the first check that fails, None if all hold. Reads only."""
    made: set[ItemId | None] = set()
    for change in changes:
        for item_id in ended_by(change):
            if item_id not in made and (code := _why_not_target(tx, item_id, tier)):
                return code
        for reference in references(change):
            if len(entity_names.bearers(tx, reference.key)) > 1 and reference.entity_id is None:
                return "ambiguous_entity_before_apply"
        if isinstance(change, Form):
            if not _same_subject(tx, change):
                return "target_subject_mismatch_before_apply"
            if not _claim_stands(tx, change.item):
                return "assistant_claim_context_changed"
            made.add(change.item.item_id)
    return None


def references(change: Change) -> tuple[EntityRef, ...]:
    """Everybody a change names."""
    match change:
        case Form(item=item) | AddName(item=item):
            named = (item.subject, item.holder, item.source, item.target)
            return tuple(reference for reference in named if reference is not None)
        case Contradict() | Retract():
            return ()


def resolve(tx: Tx, reference: EntityRef) -> ItemId | None:
    """The entity that is meant, None if nobody goes by that name yet."""
    bearers = entity_names.bearers(tx, reference.key)
    if reference.entity_id in bearers:
        return reference.entity_id
    return bearers[0] if bearers else None


def cited_turn(tx: Tx, claim: AssistantClaim, reply: Evidence) -> int | None:
    """The `turn_seq` of the assistant's turn that still says this before the reply to it."""
    for turn in turns.preceding(tx, reply.conversation_id, reply.evidence_id, CITED_TURNS_MAX):
        said = (turn.content or "")[claim.start : claim.end]
        if turn.role is Role.ASSISTANT and turn.message_id == claim.message_id:
            return turn.turn_seq if said == claim.text else None
    return None


def _claim_stands(tx: Tx, item: NewItem) -> bool:
    if item.claim is None:
        return True
    reply = evidence.by_id(tx, item.spans[0].evidence_id)
    return reply is not None and cited_turn(tx, item.claim, reply) is not None


def _why_not_target(tx: Tx, item_id: ItemId, tier: Tier | None) -> str | None:
    item = items.by_id(tx, item_id)
    if item is None or item.layer is not Layer.FACT:
        return "target_missing_before_apply"
    if item.state is not ItemState.CURRENT:
        return "target_not_current_before_apply"
    if not item_permitted(tx, item_id, tier):
        return "target_not_readable_before_apply"
    return None


def _same_subject(tx: Tx, change: Form) -> bool:
    """Whether the new item is about whom each item it replaces is about."""
    subject = None if change.item.subject is None else resolve(tx, change.item.subject)
    found = (items.by_id(tx, prior.item_id) for prior in change.priors)
    return all(_is_about(item, subject) for item in found if item is not None)


def _is_about(item: Item, subject: ItemId | None) -> bool:
    return item.subject_entity_id == subject
