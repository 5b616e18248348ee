"""An item as a reader sees it: its spans, their words where they may be read, its names."""

from __future__ import annotations

from dataclasses import dataclass

from mnemod.config import Tier
from mnemod.domain.evidence import Evidence
from mnemod.domain.visibility import readable
from mnemod.domain.world import Item, ItemKind, Relation, Span, Support
from mnemod.ids import ItemId
from mnemod.store import entity_names, evidence, items, supports, transitions
from mnemod.store.database import Tx


@dataclass(frozen=True, slots=True)
class Sourced:
    """A span with the row it stands in. `quote` is None where the reader may not see it."""

    support: Support
    row: Evidence
    quote: str | None


@dataclass(frozen=True, slots=True)
class Shown:
    """An item with all that explains it. No subject or holder is the owner."""

    item: Item
    support: tuple[Sourced, ...]
    derived_from: tuple[ItemId, ...]
    subject: str | None
    holder: str | None
    names: tuple[str, ...]


def show(tx: Tx, item: Item, tier: Tier) -> Shown:
    """All that explains an item to a reader of this destination."""
    return Shown(
        item=item,
        support=sourced(tx, item.item_id, tier),
        derived_from=tuple(transitions.sources_of(tx, item.item_id)),
        subject=_name(tx, item.subject_entity_id),
        holder=_name(tx, item.holder_entity_id),
        names=_names(tx, item),
    )


def sourced(tx: Tx, item_id: ItemId, tier: Tier) -> tuple[Sourced, ...]:
    """The spans under an item, each with its row; of an entity, where its names stand."""
    found = []
    for support in [*supports.of(tx, item_id), *_naming(tx, item_id)]:
        row = evidence.by_id(tx, support.span.evidence_id)
        assert row is not None, "a support's row outlives it"
        span = support.span
        quote = row.content[span.start : span.end] if readable(row, tier) else None
        found.append(Sourced(support, row, quote))
    return tuple(found)


def _naming(tx: Tx, item_id: ItemId) -> list[Support]:
    """Where an entity's names stand, as supports: one for each Evidence that names it."""
    found = []
    for group, name in enumerate(entity_names.of(tx, item_id)):
        row = evidence.by_id(tx, name.evidence_id)
        start = -1 if row is None else row.content.find(name.name)
        if start >= 0:
            span = Span(name.evidence_id, start, start + len(name.name))
            found.append(Support(item_id, span, Relation.SUPPORT, group, 0))
    return found


def _names(tx: Tx, item: Item) -> tuple[str, ...]:
    if item.kind is not ItemKind.ENTITY:
        return ()
    return tuple(dict.fromkeys(name.name for name in entity_names.of(tx, item.item_id)))


def _name(tx: Tx, entity_id: ItemId | None) -> str | None:
    if entity_id is None:
        return None
    entity = items.by_id(tx, entity_id)
    return None if entity is None else entity.text
