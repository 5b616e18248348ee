"""Reading the world, what was said, and why an item says what it says. Writes nothing.

What a destination may not read is left out of lists and refused by id; provenance keeps its shape
and blanks the words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mnemod.accounts import Account
from mnemod.config import Tier
from mnemod.domain.world import Item, ItemKind, ItemState, Transition
from mnemod.errors import AlreadyErased, NotFound, PermissionDenied
from mnemod.ids import ItemId, WorldRevision
from mnemod.services.pages import Page, fill, utf8_bytes
from mnemod.services.showing import Shown, Sourced, blanked, show, sourced
from mnemod.store import items, meta, tombstones, transitions
from mnemod.store.database import Tx


@dataclass(frozen=True, slots=True)
class History:
    """An item with everything in its revision chain, by revision."""

    items: tuple[Shown, ...]
    transitions: tuple[Transition, ...]
    world_revision: WorldRevision


@dataclass(frozen=True, slots=True)
class Provenance:
    """Why an item says what it says, and what its successor is made of."""

    shown: Shown
    support: tuple[Sourced, ...]
    transitions: tuple[Transition, ...]
    successor_support: tuple[Sourced, ...]
    world_revision: WorldRevision


@dataclass(frozen=True, slots=True)
class Wanted:
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
    account: Account, item_id: ItemId, kind: ItemKind, tier: Tier, *, blank: bool
) -> Provenance:
    """The spans under an item, the messages they stand in, what it replaced and what replaced it.

    `blank` leaves out words that may not go to this destination instead of refusing the item.
    Raises NotFound, AlreadyErased, PermissionDenied.
    """
    return await account.db.read(lambda tx: _provenance(tx, item_id, kind, tier, blank))


def _list(tx: Tx, wanted: Wanted, tier: Tier) -> Page[Shown]:
    def page(after: int, limit: int) -> Sequence[Item]:
        return items.page(tx, after=after, limit=limit, kind=wanted.kind, state=wanted.state)

    rows, next_after = fill(
        page,
        lambda item: item.seq,
        wanted.after,
        wanted.limit,
        lambda item: utf8_bytes(item.text),
    )
    shown = tuple(show(tx, item, tier) for item in rows)
    visible = tuple(row for row in shown if row.readable)
    return Page(visible, next_after, meta.world_revision(tx))


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


def _provenance(tx: Tx, item_id: ItemId, kind: ItemKind, tier: Tier, blank: bool) -> Provenance:
    shown = show(tx, _find(tx, item_id, kind), tier)
    if not shown.readable:
        if not blank:
            raise PermissionDenied("$.item_id")
        shown = blanked(shown)
    steps = transitions.of(tx, item_id)
    successors = [
        step.successor_item_id
        for step in steps
        if step.prior_item_id == item_id and step.successor_item_id is not None
    ]
    after = [row for successor in successors for row in sourced(tx, successor, tier)]
    return Provenance(shown, shown.support, tuple(steps), tuple(after), meta.world_revision(tx))
