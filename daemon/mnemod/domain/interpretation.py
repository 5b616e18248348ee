"""What an interpreter is given and what it may answer, the same for rules, models and hosts.

The reply travels as JSON text (`InterpretationReply` in ARCHITECTURE.md), is checkpointed as it
came, and is parsed by `compiler.parse`. An interpreter chooses spans; it never writes the words of
a fact.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from mnemod.domain.evidence import Instant
from mnemod.domain.world import FormedBy, ItemKind, StatementKind
from mnemod.ids import EvidenceId, ItemId


class Result(StrEnum):
    ITEMS = "items"
    NO_CHANGE = "no_change"
    CLARIFICATION = "clarification_required"
    OUT_OF_SCOPE = "out_of_scope"


class Action(StrEnum):
    FORM = "form"
    CORRECT = "correct"
    CONTRADICT = "contradict"
    RETRACT = "retract"


class Range(Struct, frozen=True):
    """A named half-open range of code points: `t0`.. for sentences, `s0`.. for segments."""

    id: str
    start: int
    end: int


class EvidenceView(Struct, frozen=True):
    """One message as an interpreter sees it. `speaker` is None for the owner."""

    evidence_id: EvidenceId
    text: str
    sentences: tuple[Range, ...]
    segments: tuple[Range, ...]
    speaker: str | None
    said_at: Instant | None


class TurnView(Struct, frozen=True):
    """A preceding turn of the conversation: context, never a source."""

    role: str
    text: str
    message_id: str


class ItemView(Struct, frozen=True):
    """A current item that may be corrected, superseded or contradicted."""

    item_id: ItemId
    kind: ItemKind
    statement_kind: StatementKind | None
    text: str
    subject: str | None


class EntityView(Struct, frozen=True):
    entity_id: ItemId
    name: str
    aliases: tuple[str, ...]


class FormationInput(Struct, frozen=True):
    """All that one formation job may look at. `zone` is an IANA name, `locale` a BCP 47 tag."""

    evidence: tuple[EvidenceView, ...]
    turns: tuple[TurnView, ...]
    items: tuple[ItemView, ...]
    entities: tuple[EntityView, ...]
    locale: str
    zone: str


class Selector(Struct, frozen=True):
    """One chosen range: exactly one of sentence_id, segment_id, quote, or start with end."""

    evidence_id: str
    sentence_id: str | None = None
    segment_id: str | None = None
    quote: str | None = None
    start: int | None = None
    end: int | None = None


class ProposedItem(Struct, frozen=True):
    """One proposal. `target` None is the owner; names must stand in the chosen words."""

    action: Action
    statement_kind: StatementKind
    supports: tuple[Selector, ...]
    formed_by: FormedBy = FormedBy.STATED
    corrects: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()
    target: str | None = None
    holder: str | None = None
    relation_type: str | None = None
    alias_of: str | None = None
    occurred_at: str | None = None
    time_expression: str | None = None
    importance: int = 5
    assistant_claim: str | None = None


class Interpretation(Struct, frozen=True):
    """A whole reply, read. `note` is the question or remark of the two results that carry one."""

    result: Result
    items: tuple[ProposedItem, ...] = ()
    note: str | None = None
