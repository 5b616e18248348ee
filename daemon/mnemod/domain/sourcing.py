"""Whether Evidence may be formed from: asked before a model sees it, and again before a write."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from mnemod.config import Tier
from mnemod.domain.evidence import IN_REACH, Evidence
from mnemod.domain.hashing import HashKey, keyed
from mnemod.domain.visibility import allows


class Source(Struct, frozen=True):
    """A row as it stands in the file, and the keyed hash its words had when they were stored."""

    row: Evidence | None
    content_hash: str | None


ERASED: Final = "evidence_erased"
INFERENCE_DENIED: Final = "inference_denied"

DAMAGED: Final = frozenset(
    {"evidence_missing", "evidence_content_hash_missing", "evidence_content_hash_mismatch"}
)
"""Not the owner's doing: a job over such Evidence must not look healthy."""


def why_not(source: Source, tier: Tier | None, key: HashKey) -> str | None:
    """The code of what forbids to form from this, None if nothing does.

    `tier` is where the interpreter's text goes; None for one that runs inside the daemon.
    """
    row = source.row
    if row is None:
        return "evidence_missing"
    if row.erased_at_ms is not None:
        return ERASED
    if row.outcome not in IN_REACH:
        return f"evidence_{row.outcome.value}"
    if not row.permissions.inference:
        return INFERENCE_DENIED
    if tier is not None and not allows(row.permissions, tier):
        return f"{tier.value}_read_denied"
    if not source.content_hash:
        return "evidence_content_hash_missing"
    return (
        None if keyed(key, row.content) == source.content_hash else "evidence_content_hash_mismatch"
    )
