"""The rows a cascade asks for, read by index and remembered for the length of a transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import final

from mnemod.domain.cascade_rows import Name
from mnemod.domain.copies import repeats
from mnemod.domain.evidence import Evidence
from mnemod.domain.turns import Turn
from mnemod.domain.world import Item, Support, Transition
from mnemod.ids import EvidenceId, InteractionId, ItemId
from mnemod.store import entity_names, evidence, items, supports, transitions, turn_index, turns
from mnemod.store.database import Tx


@final
class TxLinks:
    """The `Links` of `domain.cascade_rows` over one transaction, for one cascade: it keeps rows."""

    def __init__(self, tx: Tx) -> None:
        self._tx = tx
        self._items: dict[ItemId, Item | None] = {}
        self._evidence: dict[EvidenceId, Evidence | None] = {}
        self._repeating: dict[str, list[Turn]] = {}

    def item(self, item_id: ItemId) -> Item | None:
        if item_id not in self._items:
            self._items[item_id] = items.by_id(self._tx, item_id)
        return self._items[item_id]

    def evidence(self, evidence_id: EvidenceId) -> Evidence | None:
        if evidence_id not in self._evidence:
            self._evidence[evidence_id] = evidence.by_id(self._tx, evidence_id)
        return self._evidence[evidence_id]

    def transitions(self, item_id: ItemId) -> Sequence[Transition]:
        return transitions.of(self._tx, item_id)

    def supports(self, item_id: ItemId) -> Sequence[Support]:
        return supports.of(self._tx, item_id)

    def supported_by(self, evidence_id: EvidenceId) -> Sequence[Support]:
        return supports.by_evidence(self._tx, evidence_id)

    def derived_from(self, item_id: ItemId) -> Sequence[ItemId]:
        return transitions.derived_from(self._tx, item_id)

    def made_of(self, item_id: ItemId) -> Sequence[ItemId]:
        return transitions.sources_of(self._tx, item_id)

    def speaking_of(self, entity_id: ItemId) -> Iterable[ItemId]:
        return items.referring_to(self._tx, entity_id)

    def names_of(self, entity_id: ItemId) -> Sequence[Name]:
        names = entity_names.of(self._tx, entity_id)
        return [Name(name.key, name.name, name.evidence_id) for name in names]

    def named_so(self, entity_id: ItemId, key: str) -> Iterable[Name]:
        for name in entity_names.so(self._tx, entity_id, key):
            yield Name(name.key, name.name, name.evidence_id)

    def named_by(self, evidence_id: EvidenceId) -> Sequence[tuple[ItemId, str]]:
        return entity_names.named_by(self._tx, evidence_id)

    def proposed_by(self, item_id: ItemId) -> Sequence[Turn]:
        return turns.proposing(self._tx, item_id)

    def confirmed_from(self, turn_seq: int) -> Sequence[ItemId]:
        return turns.confirmed_from(self._tx, turn_seq)

    def relying_on(self, ref_id: str) -> Sequence[Turn]:
        return turns.relying_on(self._tx, ref_id)

    def repeating(self, text: str) -> Sequence[Turn]:
        if text not in self._repeating:
            found = turns.by_seqs(self._tx, turn_index.holding(self._tx, text))
            self._repeating[text] = [t for t in found if t.content and repeats(t.content, text)]
        return self._repeating[text]

    def answers_to(self, evidence_id: EvidenceId) -> Sequence[Turn]:
        return turns.answers_to(self._tx, evidence_id)

    def episodes_of(self, evidence_id: EvidenceId) -> Sequence[InteractionId]:
        return turns.episodes_of(self._tx, evidence_id)
