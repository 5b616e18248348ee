"""Reading the world, what was said, and why an item says what it says. Writes nothing.

What a destination may not read is left out of lists and refused by id; provenance keeps its shape
and blanks the words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from mnemod.accounts import Account
from mnemod.config import PAGE_MAX, Tier
from mnemod.domain.world import Item, ItemKind, ItemState, Transition
from mnemod.errors import AlreadyErased, NotFound, PermissionDenied
from mnemod.ids import ItemId, WorldRevision
from mnemod.services.pages import Page, fill, utf8_bytes
from mnemod.services.showing import Shown, Sourced, blanked, show, sourced
from mnemod.store import items, meta, tombstones, transitions
from mnemod.store.database import Tx

_SPAN_BYTES: Final = 64
"""What a span without its words weighs; an entity may have thousands."""


class History(Struct, frozen=True):
    """An item with everything in its revision chain, by revision."""

    items: tuple[Shown, ...]
    transitions: tuple[Transition, ...]
    world_revision: WorldRevision


class Provenance(Struct, frozen=True):
    """Why an item says what it says, and what its successor is made of.

    The spans are one page of them, of the item first; `next_after` is None where none are left.
    """

    shown: Shown
    support: tuple[Sourced, ...]
    transitions: tuple[Transition, ...]
    successor_support: tuple[Sourced, ...]
    next_after: int | None
    world_revision: WorldRevision


class Wanted(Struct, frozen=True):
    """Which items a list asks for. `after` is a `seq`, 0 for the first."""

    after: int
    limit: int
    kind: ItemKind | None
    state: ItemState | None


async def list_items(account: Account, wanted: Wanted, tier: Tier) -> Page[Shown]:
    """Items this destination may read, in the order they were made."""
    return await account.db.read(lambda tx: _list(tx, wanted, tier))


async def get_item(
    account: Account, item_id: ItemId, kind: ItemKind | None, tier: Tier
) -> tuple[Shown, WorldRevision]:
    """One item in any state. Raises NotFound, AlreadyErased, PermissionDenied."""
    return await account.db.read(
        lambda tx: (_require(tx, item_id, kind, tier), meta.world_revision(tx))
    )


async def history(account: Account, item_id: ItemId, kind: ItemKind | None, tier: Tier) -> History:
    """The whole revision chain an item stands in, without what this destination may not read.

    Raises NotFound, AlreadyErased, PermissionDenied.
    """
    return await account.db.read(lambda tx: _history(tx, item_id, kind, tier))


async def provenance(
    account: Account, item_id: ItemId, kind: ItemKind, tier: Tier, *, blank: bool, after: int = 0
) -> Provenance:
    """The spans under an item, the messages they stand in, what it replaced and what replaced it.

    `blank` leaves out words that may not go to this destination instead of refusing the item;
    `after` is how many spans were given before.
    Raises NotFound, AlreadyErased, PermissionDenied.
    """

    def read(tx: Tx) -> Provenance:
        shown = show(tx, _find(tx, item_id, kind), tier)
        if not shown.readable and not blank:
            raise PermissionDenied("$.item_id")
        return _provenance(tx, shown if shown.readable else blanked(shown), tier, after)

    return await account.db.read(read)


def _list(tx: Tx, wanted: Wanted, tier: Tier) -> Page[Shown]:
    def page(after: int, limit: int) -> Sequence[Shown]:
        found = items.page(tx, after=after, limit=limit, kind=wanted.kind, state=wanted.state)
        return [show(tx, item, tier) for item in found]

    shown, next_after = fill(
        page, lambda row: row.item.seq, wanted.after, wanted.limit, _shown_bytes
    )
    visible = tuple(row for row in shown if row.readable)
    return Page(visible, next_after, meta.world_revision(tx))


def _shown_bytes(shown: Shown) -> int:
    quotes = sum(_SPAN_BYTES + utf8_bytes(source.quote) for source in shown.support)
    return utf8_bytes(shown.item.text) + quotes


def _require(tx: Tx, item_id: ItemId, kind: ItemKind | None, tier: Tier) -> Shown:
    shown = show(tx, _find(tx, item_id, kind), tier)
    if not shown.readable:
        raise PermissionDenied("$.item_id")
    return shown


def _find(tx: Tx, item_id: ItemId, kind: ItemKind | None) -> Item:
    item = items.by_id(tx, item_id)
    if item is not None and kind in (None, item.kind):
        return item
    erased_by = tombstones.erased_by(tx, tombstones.Mark.ITEM, item_id)
    if erased_by is not None:
        raise AlreadyErased("$.item_id", command_id=erased_by)
    raise NotFound("$.item_id")


def _history(tx: Tx, item_id: ItemId, kind: ItemKind | None, tier: Tier) -> History:
    _require(tx, item_id, kind, tier)
    steps = _chain(tx, item_id)
    ids = dict.fromkeys([item_id, *_ends(steps)])
    shown = (show(tx, item, tier) for item in items.by_ids(tx, ids).values())
    visible = sorted((row for row in shown if row.readable), key=lambda s: s.item.seq)
    return History(tuple(visible), tuple(steps), meta.world_revision(tx))


def _chain(tx: Tx, item_id: ItemId) -> list[Transition]:
    """Every transition of the chain an item stands in, by revision."""
    steps: dict[str, Transition] = {}
    seen: set[ItemId] = set()
    todo = [item_id]
    while todo:
        here = todo.pop()
        if here in seen:
            continue
        seen.add(here)
        for step in transitions.of(tx, here):
            steps[step.transition_id] = step
            todo.extend(_ends([step]))
    return sorted(steps.values(), key=lambda step: (step.revision, step.transition_id))


def _ends(steps: Iterable[Transition]) -> list[ItemId]:
    return [
        end
        for step in steps
        for end in (step.prior_item_id, step.successor_item_id)
        if end is not None
    ]


def _provenance(tx: Tx, shown: Shown, tier: Tier, after: int) -> Provenance:
    item_id = shown.item.item_id
    steps = transitions.of(tx, item_id)
    successors = [
        step.successor_item_id
        for step in steps
        if step.prior_item_id == item_id and step.successor_item_id is not None
    ]
    theirs = [row for successor in successors for row in sourced(tx, successor, tier)]
    spans = list(enumerate((*shown.support, *theirs), start=1))
    page, next_after = fill(
        lambda place, count: spans[place : place + count],
        lambda numbered: numbered[0],
        after,
        PAGE_MAX,
        lambda numbered: utf8_bytes(numbered[1].row.content),
    )
    own = len(shown.support)
    return Provenance(
        shown=shown,
        support=tuple(source for place, source in page if place <= own),
        transitions=tuple(steps),
        successor_support=tuple(source for place, source in page if place > own),
        next_after=next_after,
        world_revision=meta.world_revision(tx),
    )
