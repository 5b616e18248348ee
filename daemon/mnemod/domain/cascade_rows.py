"""What a cascade is made of: why something is in it, what it asks for, and what it comes to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Protocol

from msgspec import Struct

from mnemod.domain.evidence import Evidence
from mnemod.domain.redaction import Cut
from mnemod.domain.turns import Turn
from mnemod.domain.world import Item, Support, Transition
from mnemod.ids import EvidenceId, InteractionId, ItemId


class Reason(StrEnum):
    """Why something is in the cascade; goes out in the preview."""

    TARGET = "target"
    REVISION = "revision"
    SOURCE = "source"
    UNSUPPORTED = "unsupported"
    DERIVED = "derived"
    ATTACHED = "attached"
    ORPHANED = "orphaned"
    RELIED = "relied"
    COPY = "copy"
    KEEPS_OTHER_SUPPORT = "keeps_other_support"


class Name(Struct, frozen=True):
    """What one Evidence calls an entity. `key` is its comparison form."""

    key: str
    name: str
    evidence_id: EvidenceId


class Links(Protocol):
    """The rows a cascade may ask for. All by index; unknown ids give None or nothing."""

    def item(self, item_id: ItemId) -> Item | None: ...
    def evidence(self, evidence_id: EvidenceId) -> Evidence | None: ...
    def transitions(self, item_id: ItemId) -> Sequence[Transition]: ...
    def supports(self, item_id: ItemId) -> Sequence[Support]: ...
    def supported_by(self, evidence_id: EvidenceId) -> Sequence[Support]: ...
    def derived_from(self, item_id: ItemId) -> Sequence[ItemId]: ...
    def made_of(self, item_id: ItemId) -> Sequence[ItemId]: ...
    def speaking_of(self, entity_id: ItemId) -> Iterable[ItemId]: ...
    def names_of(self, entity_id: ItemId) -> Sequence[Name]: ...
    def named_so(self, entity_id: ItemId, key: str) -> Iterable[Name]: ...
    def named_by(self, evidence_id: EvidenceId) -> Sequence[tuple[ItemId, str]]: ...
    def proposed_by(self, item_id: ItemId) -> Sequence[Turn]: ...
    def confirmed_from(self, turn_seq: int) -> Sequence[ItemId]: ...
    def relying_on(self, ref_id: str) -> Sequence[Turn]: ...
    def repeating(self, text: str) -> Sequence[Turn]: ...
    def answers_to(self, evidence_id: EvidenceId) -> Sequence[Turn]: ...
    def episodes_of(self, evidence_id: EvidenceId) -> Sequence[InteractionId]: ...


class Redaction(Struct, frozen=True):
    """The sentences to cover in a message that otherwise stays, and its text with them covered."""

    evidence_id: EvidenceId
    cuts: tuple[Cut, ...]
    text: str


class Cascade(Struct, frozen=True):
    """All that a forget erases or changes, each with its reason, in the order it was found.

    `kept` are items that lose some supports and keep others (those named here); `named` are
    entities that lose a name and keep others (those named here, the canonical ones first).
    """

    items: Mapping[ItemId, Reason]
    evidence: Mapping[EvidenceId, Reason]
    redactions: Mapping[EvidenceId, Redaction]
    turns: Mapping[int, tuple[Turn, Reason]]
    kept: Mapping[ItemId, tuple[Support, ...]]
    named: Mapping[ItemId, tuple[Name, ...]]

    @property
    def changed_items(self) -> tuple[ItemId, ...]:
        """Items and entities that stay, with less."""
        return (*self.kept, *self.named)

    @property
    def touched_evidence(self) -> tuple[EvidenceId, ...]:
        """Erased and redacted Evidence, in order."""
        return (*self.evidence, *self.redactions)
