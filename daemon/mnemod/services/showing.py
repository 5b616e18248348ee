"""An item as a reader sees it: its spans, their words where they may be read, its names.

Whom an item speaks of is called by a name that words readable to the reader give. If none do, the
item is not readable either: without its subject it would be told of the owner.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from mnemod.config import Tier
from mnemod.domain.evidence import Evidence
from mnemod.domain.visibility import item_readable, readable
from mnemod.domain.world import Item, ItemKind, Relation, Span, Support
from mnemod.ids import ItemId
from mnemod.store import entity_names, evidence, items, supports, transitions
from mnemod.store.database import Tx
from mnemod.store.links import TxLinks


@dataclass(frozen=True, slots=True)
class Sourced:
    """A span with the row it stands in. `quote` is None where the reader may not see it."""

    support: Support
    row: Evidence
    quote: str | None


@dataclass(frozen=True, slots=True)
class Shown:
    """An item with all that explains it. No subject or holder is the owner.

    `readable` is whether this reader may see it at all.
    """

    item: Item
    support: tuple[Sourced, ...]
    derived_from: tuple[ItemId, ...]
    subject: str | None
    holder: str | None
    names: tuple[str, ...]
    readable: bool


def show(tx: Tx, item: Item, tier: Tier) -> Shown:
    """All that explains an item to a reader of this destination."""
    named: dict[ItemId | None, str | None] = {
        entity_id: _name(tx, entity_id, tier)
        for entity_id in (
            item.subject_entity_id,
            item.holder_entity_id,
            item.source_entity_id,
            item.target_entity_id,
        )
        if entity_id is not None
    }
    return Shown(
        item=item,
        support=sourced(tx, item.item_id, tier),
        derived_from=tuple(transitions.sources_of(tx, item.item_id)),
        subject=named.get(item.subject_entity_id),
        holder=named.get(item.holder_entity_id),
        names=_names(tx, item),
        readable=None not in named.values() and item_readable(item.item_id, TxLinks(tx), tier),
    )


def blanked(shown: Shown) -> Shown:
    """The item with its shape kept and everything left out that is made of its words."""
    item = replace(
        shown.item, text="", relation_type=None, occurred_at=None, precision=None,
        time_expression=None,
    )  # fmt: skip
    return replace(shown, item=item, subject=None, holder=None, names=())


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


def _name(tx: Tx, entity_id: ItemId, tier: Tier) -> str | None:
    """What the reader may call an entity."""
    entity = items.by_id(tx, entity_id)
    return None if entity is None else entity_names.told(tx, entity_id, entity.key, tier)
