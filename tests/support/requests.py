"""Requests to an interpreter, built from texts."""

from __future__ import annotations

from typing import Any

from mnemod.domain.compiler.change_set import ChangeSet, Form, NewItem
from mnemod.domain.compiler.check import compile_reply
from mnemod.domain.compiler.refusal import CompileError
from mnemod.domain.interpretation import (
    Action,
    EntityView,
    EvidenceView,
    FormationInput,
    Interpretation,
    ItemView,
    ProposedItem,
    Result,
    Selector,
    TurnView,
)
from mnemod.domain.segments import segments, sentences
from mnemod.domain.world import ItemKind, StatementKind
from mnemod.ids import EvidenceId, ItemId


def view(text: str, *, evidence_id: str = "ev_1", speaker: str | None = None) -> EvidenceView:
    return EvidenceView(
        EvidenceId(evidence_id), text, sentences(text), segments(text), speaker, None
    )


def known(
    item_id: str,
    text: str,
    *,
    kind: ItemKind = ItemKind.COGNITION,
    subject: str | None = None,
) -> ItemView:
    """A current item that is offered."""
    return ItemView(ItemId(item_id), kind, StatementKind.ATTRIBUTE, text, subject)


def person(entity_id: str, name: str, *aliases: str) -> EntityView:
    return EntityView(ItemId(entity_id), name, aliases)


def request(
    *views: EvidenceView,
    items: tuple[ItemView, ...] = (),
    turns: tuple[TurnView, ...] = (),
    entities: tuple[EntityView, ...] = (),
) -> FormationInput:
    return FormationInput(views, turns, items, entities, "en", "UTC")


def said(text: str, message_id: str = "a1") -> TurnView:
    """What the assistant said before."""
    return TurnView("assistant", text, message_id)


def sentence(number: int = 0, evidence_id: str = "ev_1") -> Selector:
    return Selector(evidence_id, sentence_id=f"t{number}")


def segment(number: int, evidence_id: str = "ev_1") -> Selector:
    return Selector(evidence_id, segment_id=f"s{number}")


def quote(words: str, evidence_id: str = "ev_1") -> Selector:
    return Selector(evidence_id, quote=words)


def at(start: int, end: int, evidence_id: str = "ev_1") -> Selector:
    return Selector(evidence_id, start=start, end=end)


def proposed(*supports: Selector, **members: Any) -> ProposedItem:
    """An attribute of the first sentence, unless told otherwise."""
    return ProposedItem(
        **{
            "action": Action.FORM,
            "statement_kind": StatementKind.ATTRIBUTE,
            "supports": supports or (sentence(),),
            **members,
        }
    )


def compiled(given: FormationInput, *items: ProposedItem) -> ChangeSet | CompileError:
    return compile_reply(Interpretation(Result.ITEMS, items), given)


def one_item(given: FormationInput, item: ProposedItem) -> NewItem:
    """The new item of a reply that has one."""
    changes = compiled(given, item)
    assert isinstance(changes, ChangeSet), changes
    (change,) = changes.changes
    assert isinstance(change, Form)
    return change.item


def refusal(given: FormationInput, *items: ProposedItem) -> str:
    """The code of a reply that cannot be used."""
    error = compiled(given, *items)
    assert isinstance(error, CompileError), error
    return error.code
