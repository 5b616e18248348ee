"""A cascade as a person reads it: one row for each thing that goes or changes, and why."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from msgspec import Struct

from mnemod.config import Tier
from mnemod.domain.cascade_rows import Cascade, Links, Reason
from mnemod.domain.evidence import Evidence
from mnemod.domain.visibility import item_readable, readable
from mnemod.ids import EvidenceId, ItemId

NAME_CHARS: Final = 120
"""How much of a text is shown to know it by."""


class RowEffect(StrEnum):
    ERASED = "erased"
    CHANGED = "changed"


class PreviewRow(Struct, frozen=True):
    """`name` is None where the reader may not see the words."""

    object_kind: str
    id: str
    name: str | None
    item_type: str
    reason: Reason
    effect: RowEffect


def rows_of(cascade: Cascade, links: Links, tier: Tier) -> tuple[PreviewRow, ...]:
    """Items first, then Evidence, then assistant turns; each in the order it was found."""
    return tuple(
        row
        for part in (
            _erased_items(cascade, links, tier),
            _kept_items(cascade, links, tier),
            _evidence(cascade, links, tier),
            _turns(cascade, tier),
        )
        for row in part
    )


def _erased_items(cascade: Cascade, links: Links, tier: Tier) -> Iterator[PreviewRow]:
    for item_id, reason in cascade.items.items():
        yield _item_row(links, item_id, reason, RowEffect.ERASED, tier)


def _kept_items(cascade: Cascade, links: Links, tier: Tier) -> Iterator[PreviewRow]:
    for item_id in cascade.changed_items:
        yield _item_row(links, item_id, Reason.KEEPS_OTHER_SUPPORT, RowEffect.CHANGED, tier)


def _item_row(
    links: Links, item_id: ItemId, reason: Reason, effect: RowEffect, tier: Tier
) -> PreviewRow:
    item = links.item(item_id)
    assert item is not None
    name = _short(item.text) if item_readable(item_id, links, tier) else None
    kind = item.statement_kind or item.kind
    return PreviewRow(item.kind.value, item_id, name, kind.value, reason, effect)


def _evidence(cascade: Cascade, links: Links, tier: Tier) -> Iterator[PreviewRow]:
    for evidence_id, reason in cascade.evidence.items():
        row = _row(links, evidence_id)
        yield _evidence_row(row, row.content, reason, RowEffect.ERASED, tier)
    for evidence_id, redaction in cascade.redactions.items():
        row = _row(links, evidence_id)
        gone = " ".join(row.content[start:end] for start, end in redaction.cuts)
        yield _evidence_row(row, gone, Reason.SOURCE, RowEffect.CHANGED, tier)


def _evidence_row(
    row: Evidence, words: str, reason: Reason, effect: RowEffect, tier: Tier
) -> PreviewRow:
    name = _short(words) if readable(row, tier) else None
    return PreviewRow("evidence", row.evidence_id, name, row.source_kind.value, reason, effect)


def _row(links: Links, evidence_id: EvidenceId) -> Evidence:
    row = links.evidence(evidence_id)
    assert row is not None
    return row


def _turns(cascade: Cascade, tier: Tier) -> Iterator[PreviewRow]:
    for turn, reason in cascade.turns.values():
        # Nobody knows what an assistant wove in: its words are shown on this machine only, and
        # what is held not even there.
        is_shown = tier is Tier.LOCAL and not turn.held
        name = _short(turn.content or "") if is_shown else None
        yield PreviewRow(
            "turn", turn.interaction_id, name, turn.role.value, reason, RowEffect.ERASED
        )


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= NAME_CHARS else flat[: NAME_CHARS - 1] + "…"
