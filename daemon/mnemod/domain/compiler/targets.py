"""The items a proposal ends, replaces or speaks against: offered, of one kind and subject."""

from __future__ import annotations

from collections.abc import Iterable

from mnemod.domain.compiler.bind import Bound
from mnemod.domain.compiler.change_set import (
    AddName,
    Change,
    Contradict,
    Form,
    NewItem,
    Prior,
    Retract,
)
from mnemod.domain.compiler.naming import named, same_as, speaker
from mnemod.domain.compiler.refusal import Refusal
from mnemod.domain.interpretation import FormationInput, ItemView, ProposedItem
from mnemod.domain.keys import comparison_key
from mnemod.domain.world import StatementKind, TransitionKind
from mnemod.ids import ItemId


def priors(proposed: ProposedItem, item: NewItem, request: FormationInput) -> tuple[Prior, ...]:
    """The items that end in favour of `item`. One that says the same already does not."""
    named_by = {
        TransitionKind.CORRECTS: proposed.corrects,
        TransitionKind.SUPERSEDES: proposed.supersedes,
    }
    found = [
        Prior(_replaceable(target, item, request).item_id, way)
        for way, targets in named_by.items()
        for target in targets
    ]
    same = {view.item_id for view in request.items if comparison_key(view.text) == item.key}
    return tuple(prior for prior in found if prior.item_id not in same)


def endings(
    targets: tuple[str, ...], proposed: ProposedItem, bound: Bound, request: FormationInput
) -> tuple[ItemId, ...]:
    """The items that the words speak against, all about whom the words are about."""
    if not targets:
        raise Refusal("invalid_contradiction_target", "Name the items that the words deny.")
    tie = proposed.statement_kind is StatementKind.RELATIONSHIP
    other = named(proposed.target, bound, request) if proposed.target and not tie else None
    about = other or speaker(bound, request)
    offered = [_offered(target, request) for target in targets]
    if not all(same_as(about, view.subject, request) for view in offered):
        raise Refusal("contradiction_target_subject_mismatch", "A target is about another.")
    return tuple(view.item_id for view in offered)


def require_distinct(changes: Iterable[Change]) -> None:
    """Raise Refusal if two changes say the same, or end the same item."""
    said: set[tuple[object, ...]] = set()
    ended: set[ItemId] = set()
    for change in changes:
        if isinstance(change, Form | AddName):
            claim = _identity(change.item)
            if claim in said:
                raise Refusal("duplicate_item_in_batch", "Two items say the same.")
            said.add(claim)
        for item_id in ended_by(change):
            if item_id in ended:
                raise Refusal("ambiguous_correction_target", "An item is a target twice.")
            ended.add(item_id)


def ended_by(change: Change) -> tuple[ItemId, ...]:
    """The items that a change ends or speaks against."""
    match change:
        case Form(priors=given):
            return tuple(prior.item_id for prior in given)
        case Contradict(item_ids=item_ids) | Retract(item_ids=item_ids):
            return item_ids
        case AddName():
            return ()


def _replaceable(target: str, item: NewItem, request: FormationInput) -> ItemView:
    view = _offered(target, request)
    if view.kind is not item.kind:
        raise Refusal("correction_target_kind_mismatch", "A target is of another kind.")
    if not same_as(item.subject, view.subject, request):
        raise Refusal("correction_target_subject_mismatch", "A target is about another.")
    return view


def _offered(target: str, request: FormationInput) -> ItemView:
    for view in request.items:
        if view.item_id == target:
            return view
    raise Refusal("correction_target_unknown", "A target is none of the items you were given.")


def _identity(item: NewItem) -> tuple[object, ...]:
    subject, holder = item.subject, item.holder
    return (item.key, item.kind, subject and subject.key, holder and holder.key)
