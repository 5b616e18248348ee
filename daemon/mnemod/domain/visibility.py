"""Who may see what: one rule for every way out.

A row of Evidence is readable by a destination its permissions allow. An item is readable where
every Evidence under it is: the strictest source wins.
"""

from __future__ import annotations

from collections.abc import Iterable

from mnemod.config import Tier
from mnemod.domain.evidence import Evidence, Permissions


def allows(permissions: Permissions, tier: Tier) -> bool:
    """Whether words of these permissions may go there. Cloud does not imply local, nor back."""
    return permissions.local_read if tier is Tier.LOCAL else permissions.cloud_read


def readable(row: Evidence, tier: Tier) -> bool:
    """Whether this row still has words and they may go there."""
    return row.erased_at_ms is None and allows(row.permissions, tier)


def all_readable(rows: Iterable[Evidence | None], tier: Tier) -> bool:
    """Whether every source is there and readable."""
    return all(row is not None and readable(row, tier) for row in rows)
