"""What a reply comes to once it is bound and checked: the changes to make, none of its prose.

Plain values. `formation.apply` turns them into rows, under the write lock, after checking again all
that may have changed since they were compiled.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from mnemod.domain.world import (
    FormedBy,
    ItemKind,
    Precision,
    Span,
    StatementKind,
    TransitionKind,
)
from mnemod.ids import ItemId

KIND_OF: Final = {
    StatementKind.ATTRIBUTE: ItemKind.COGNITION,
    StatementKind.PREFERENCE: ItemKind.COGNITION,
    StatementKind.INTENTION: ItemKind.COGNITION,
    StatementKind.STATE: ItemKind.COGNITION,
    StatementKind.NAMING: ItemKind.COGNITION,
    StatementKind.ALIAS: ItemKind.COGNITION,
    StatementKind.RELATIONSHIP: ItemKind.RELATIONSHIP,
    StatementKind.EVENT: ItemKind.EVENT,
    StatementKind.EVALUATION: ItemKind.EVALUATION,
}


class EntityRef(Struct, frozen=True):
    """Someone or something with a name. `entity_id` is None until it is known by that name.

    `spans` are where the name stands in this message; for a speaker, who is named beside the
    message and not in it, what they said.
    """

    name: str
    key: str
    spans: tuple[Span, ...]
    entity_id: ItemId | None = None
    is_speaker: bool = False


class AssistantClaim(Struct, frozen=True):
    """The range of a preceding assistant turn that a short yes says yes to."""

    message_id: str
    start: int
    end: int
    text: str


class NewItem(Struct, frozen=True):
    """A fact about to be. `spans` are one group. No subject, holder or source is the owner.

    `item_id` is None until one is given out (`formation.overlay`).
    """

    kind: ItemKind
    statement_kind: StatementKind
    formed_by: FormedBy
    text: str
    key: str
    spans: tuple[Span, ...]
    subject: EntityRef | None
    holder: EntityRef | None
    source: EntityRef | None
    target: EntityRef | None
    relation_type: str | None
    importance: int
    occurred_at: str | None
    precision: Precision | None
    time_expression: str | None
    claim: AssistantClaim | None
    item_id: ItemId | None = None


class Prior(Struct, frozen=True):
    """A current item that gives way, and how."""

    item_id: ItemId
    kind: TransitionKind


class Form(Struct, frozen=True):
    """A new item; the priors, if any, end in its favour."""

    item: NewItem
    priors: tuple[Prior, ...] = ()


class Contradict(Struct, frozen=True):
    """Words that speak against items which stay."""

    item_ids: tuple[ItemId, ...]
    spans: tuple[Span, ...]


class Retract(Struct, frozen=True):
    """Words that end items without a successor."""

    item_ids: tuple[ItemId, ...]
    spans: tuple[Span, ...]


class AddName(Struct, frozen=True):
    """One more name, `alias`, of someone known. `item` is the fact that says so."""

    entity: EntityRef
    alias: EntityRef
    item: NewItem


Change = Form | Contradict | Retract | AddName


class ChangeSet(Struct, frozen=True):
    """All that one reply changes, in its order. `dropped` are codes of proposals left out."""

    changes: tuple[Change, ...]
    dropped: tuple[str, ...] = ()
