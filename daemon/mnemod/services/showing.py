"""An item as a reader sees it: its spans, their words where they may be read, its names.

Whom an item speaks of is called by a name that words readable to the reader give. If none do, the
item is not readable either: without its subject it would be told of the owner.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from mnemod.config import Tier
from mnemod.domain.evidence import Evidence
from mnemod.domain.names import standing
from mnemod.domain.visibility import item_readable, readable
from mnemod.domain.world import Item, ItemKind, Relation, Span, Support
from mnemod.ids import ItemId
from mnemod.store import entity_names, items, transitions
from mnemod.store.database import Tx
from mnemod.store.links import TxLinks


class Sourced(Struct, frozen=True):
    """A span with the row it stands in. `quote` is None where the reader may not see it."""

    support: Support
    row: Evidence
    quote: str | None


class Shown(Struct, frozen=True):
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
    links = TxLinks(tx)
    return Shown(
        item=item,
        support=tuple(_sourced(links, item.item_id, tier)),
        derived_from=tuple(transitions.sources_of(tx, item.item_id)),
        subject=named.get(item.subject_entity_id),
        holder=named.get(item.holder_entity_id),
        names=_names(tx, item),
        readable=None not in named.values() and item_readable(item.item_id, links, tier),
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
    return tuple(_sourced(TxLinks(tx), item_id, tier))


def _sourced(links: TxLinks, item_id: ItemId, tier: Tier) -> Iterator[Sourced]:
    for support in (*links.supports(item_id), *_naming(links, item_id)):
        span = support.span
        row = links.evidence(span.evidence_id)
        assert row is not None, "a support's row outlives it"
        quote = row.content[span.start : span.end] if readable(row, tier) else None
        yield Sourced(support, row, quote)


def _naming(links: TxLinks, item_id: ItemId) -> Iterator[Support]:
    """Where an entity's names stand, as supports: one for each Evidence that holds its name."""
    for group, name in enumerate(links.names_of(item_id)):
        row = links.evidence(name.evidence_id)
        for start, end in standing(name.name, "" if row is None else row.content)[:1]:
            span = Span(name.evidence_id, start, end)
            yield Support(item_id, span, Relation.SUPPORT, group, 0)


def _names(tx: Tx, item: Item) -> tuple[str, ...]:
    if item.kind is not ItemKind.ENTITY:
        return ()
    return tuple(dict.fromkeys(name.name for name in entity_names.of(tx, item.item_id)))


def _name(tx: Tx, entity_id: ItemId, tier: Tier) -> str | None:
    """What the reader may call an entity."""
    entity = items.by_id(tx, entity_id)
    return None if entity is None else entity_names.told(tx, entity_id, entity.key, tier)
