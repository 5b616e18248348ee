"""Who may see what: one rule for every way out.

A row of Evidence is readable by a destination its permissions allow, while it is in reach: what the
gates called noise, or hold, nobody reads but the owner who asks for that very row. An item is
readable where every Evidence under it is: the strictest source wins. Under an item are its spans,
under an entity the words that name it, under an inference all that is under what it was made of.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Protocol

from mnemod.config import Tier
from mnemod.domain.cascade_rows import Name
from mnemod.domain.evidence import EVERYTHING_ALLOWED, IN_REACH, Evidence, Permissions
from mnemod.domain.world import Support
from mnemod.ids import EvidenceId, ItemId


class Grounds(Protocol):
    """What lies under an item, by index."""

    def evidence(self, evidence_id: EvidenceId) -> Evidence | None: ...
    def supports(self, item_id: ItemId) -> Sequence[Support]: ...
    def names_of(self, entity_id: ItemId) -> Sequence[Name]: ...
    def made_of(self, item_id: ItemId) -> Sequence[ItemId]: ...


def allows(permissions: Permissions, tier: Tier) -> bool:
    """Whether words of these permissions may go there. Cloud does not imply local, nor back."""
    return permissions.local_read if tier is Tier.LOCAL else permissions.cloud_read


def in_reach(row: Evidence) -> bool:
    """Whether this row still has words, and the gates or the owner let them be used."""
    return row.erased_at_ms is None and row.outcome in IN_REACH


def readable(row: Evidence, tier: Tier) -> bool:
    """Whether this row still has words and they may go there."""
    return in_reach(row) and allows(row.permissions, tier)


def owner_may_read(row: Evidence, tier: Tier) -> bool:
    """Whether whoever asks for this very row may see it: on this machine, held and noise too."""
    if in_reach(row):
        return allows(row.permissions, tier)
    return row.erased_at_ms is None and tier is Tier.LOCAL and row.permissions.local_read


def strictest(rows: Iterable[Evidence]) -> Permissions:
    """What all of these rows allow together."""
    return reduce(Permissions.strictest, (row.permissions for row in rows), EVERYTHING_ALLOWED)


def all_readable(rows: Iterable[Evidence | None], tier: Tier) -> bool:
    """Whether every source is there and readable, and there is one."""
    found = tuple(rows)
    return bool(found) and all(row is not None and readable(row, tier) for row in found)


def item_readable(item_id: ItemId, grounds: Grounds, tier: Tier) -> bool:
    """Whether all Evidence under an item may go there; what nothing is under may go nowhere."""
    return all_readable(map(grounds.evidence, _under(item_id, grounds)), tier)


def _under(item_id: ItemId, grounds: Grounds) -> set[EvidenceId]:
    found: set[EvidenceId] = set()
    seen: set[ItemId] = set()
    todo = [item_id]
    while todo:
        here = todo.pop()
        if here not in seen:
            seen.add(here)
            found.update(support.span.evidence_id for support in grounds.supports(here))
            found.update(name.evidence_id for name in grounds.names_of(here))
            todo.extend(grounds.made_of(here))
    return found
