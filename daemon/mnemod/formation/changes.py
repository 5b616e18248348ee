"""The change sets of a job's parts as one list, in which no item ends twice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from mnemod.domain.compiler.change_set import AddName, Change, ChangeSet, Contradict, Form, Retract
from mnemod.ids import ItemId


def merged(change_sets: Iterable[ChangeSet]) -> tuple[Change, ...]:
    """All changes in order. What an earlier part ends, a later one finds ended and leaves alone."""
    ended: set[ItemId] = set()
    changes: list[Change] = []
    for change_set in change_sets:
        here: set[ItemId] = set()
        for change in change_set.changes:
            rest = _without(change, ended)
            here.update(targets(rest))
            if not isinstance(rest, Contradict | Retract) or rest.item_ids:
                changes.append(rest)
        ended |= here
    return tuple(changes)


def targets(change: Change) -> tuple[ItemId, ...]:
    """The items that a change ends or speaks against."""
    match change:
        case Form(priors=priors):
            return tuple(prior.item_id for prior in priors)
        case Contradict(item_ids=item_ids) | Retract(item_ids=item_ids):
            return item_ids
        case AddName():
            return ()


def _without(change: Change, ended: set[ItemId]) -> Change:
    match change:
        case Form(priors=priors):
            return replace(change, priors=tuple(p for p in priors if p.item_id not in ended))
        case Contradict(item_ids=item_ids) | Retract(item_ids=item_ids):
            return replace(change, item_ids=tuple(id_ for id_ in item_ids if id_ not in ended))
        case AddName():
            return change
