"""World items: what was formed from Evidence, and how items follow one another.

An item's text is its spans, joined; nothing here writes words. Supports come in groups: the spans
of one group were chosen together and carry the item only together; each group is sufficient alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from mnemod.ids import EpochMs, EvidenceId, ItemId, TransitionId, WorldRevision


class ItemKind(StrEnum):
    ENTITY = "entity"
    RELATIONSHIP = "relationship"
    EVENT = "event"
    COGNITION = "cognition"
    EVALUATION = "evaluation"
    REFLECTION = "reflection"
    PERSONA = "persona"


class Layer(StrEnum):
    """Facts are made of the person's words; the other two are inference and say so."""

    FACT = "fact"
    REFLECTION = "reflection"
    PERSONA = "persona"


class StatementKind(StrEnum):
    ATTRIBUTE = "attribute"
    PREFERENCE = "preference"
    INTENTION = "intention"
    STATE = "state"
    NAMING = "naming"
    RELATIONSHIP = "relationship"
    ALIAS = "alias"
    EVENT = "event"
    EVALUATION = "evaluation"


class FormedBy(StrEnum):
    STATED = "stated"
    CONFIRMED = "confirmed"
    OBSERVED = "observed"
    CORRECTED = "corrected"
    DERIVED = "derived"
    CARD = "card"


class ItemState(StrEnum):
    CURRENT = "current"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"
    PAST = "past"


class Relation(StrEnum):
    """What a span does for an item."""

    SUPPORT = "support"
    CONTRADICT = "contradict"
    RETRACT = "retract"
    ALIAS = "alias"


class TransitionKind(StrEnum):
    CORRECTS = "corrects"
    SUPERSEDES = "supersedes"
    NAME_CORRECTED = "name_corrected"
    RETRACTS = "retracts"
    ALIAS = "alias"
    MERGED = "merged"


class Precision(StrEnum):
    MINUTE = "minute"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    HALF = "half"
    YEAR = "year"


class Span(Struct, frozen=True):
    """A half-open range of code points of one Evidence's content."""

    evidence_id: EvidenceId
    start: int
    end: int


class Support(Struct, frozen=True):
    """A span's tie to an item. `group` and `position` say which belong together, in order."""

    item_id: ItemId
    span: Span
    relation: Relation
    group: int
    position: int


class Item(Struct, frozen=True):
    """A row of the world. `None` as subject or holder is the owner."""

    seq: int
    item_id: ItemId
    kind: ItemKind
    layer: Layer
    text: str
    key: str
    statement_kind: StatementKind | None
    formed_by: FormedBy
    subject_entity_id: ItemId | None
    holder_entity_id: ItemId | None
    source_entity_id: ItemId | None
    target_entity_id: ItemId | None
    relation_type: str | None
    importance: int
    confidence: int
    trust: float
    occurred_at: str | None
    precision: Precision | None
    time_expression: str | None
    valid_from_ms: EpochMs | None
    valid_to_ms: EpochMs | None
    recorded_at_ms: EpochMs
    state: ItemState
    archived: bool
    muted: bool
    pinned: bool
    protected: bool
    occurrence: int


class Transition(Struct, frozen=True):
    """One item gave way to another, or (kind `retracts`) to nothing."""

    transition_id: TransitionId
    prior_item_id: ItemId
    successor_item_id: ItemId | None
    kind: TransitionKind
    evidence_id: EvidenceId | None
    revision: WorldRevision
    at_ms: EpochMs


def weighed(formed_by: FormedBy, supports: Iterable[Support]) -> int:
    """How sure an item is that has these spans under it; each group counts once."""
    ties = tuple(supports)
    groups = {tie.group for tie in ties if tie.relation is Relation.SUPPORT}
    doubted = any(tie.relation is Relation.CONTRADICT for tie in ties)
    return confidence(formed_by, len(groups), doubted)


def confidence(formed_by: FormedBy, supports: int, contradicted: bool) -> int:
    """How sure an item is, 0 to 1000.

    Base 600 stated, corrected or card, 500 observed, 280 confirmed or derived, 0 contradicted;
    40 for each further support up to five (MemoWeft 2.0, data model).
    """
    base = {FormedBy.CONFIRMED: 280, FormedBy.DERIVED: 280, FormedBy.OBSERVED: 500}
    start = 0 if contradicted else base.get(formed_by, 600)
    return min(1000, start + 40 * min(max(supports - 1, 0), 5))
