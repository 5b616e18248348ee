"""How far an item is trusted, worked out anew from all that lies under it."""

from __future__ import annotations

from mnemod.domain.trust import of_supported
from mnemod.domain.world import ItemKind
from mnemod.ids import EvidenceId, ItemId
from mnemod.store import evidence, items, supports
from mnemod.store.database import Tx


def renew(tx: Tx, item_id: ItemId) -> None:
    """After its words, or the trust in them, changed. An entity keeps what its naming gave it."""
    item = items.by_id(tx, item_id)
    if item is None or item.kind is ItemKind.ENTITY:
        return
    ties = supports.of(tx, item_id)
    rows = evidence.by_ids(tx, dict.fromkeys(tie.span.evidence_id for tie in ties))

    def trust_of(evidence_id: EvidenceId) -> float:
        return rows[evidence_id].trust

    items.set_trust(tx, item_id, of_supported(item.formed_by, ties, trust_of))
