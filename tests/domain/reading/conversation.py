"""Short ways to ask the reader: who said what, after what, with which items current."""

from __future__ import annotations

from mnemod.domain.compiler.change_set import KIND_OF, ChangeSet
from mnemod.domain.compiler.check import compile_reply
from mnemod.domain.interpretation import (
    EntityView,
    EvidenceView,
    FormationInput,
    ItemView,
    ProposedItem,
    TurnView,
)
from mnemod.domain.reading import read
from mnemod.domain.segments import segments, sentences
from mnemod.domain.world import StatementKind
from mnemod.ids import EvidenceId, ItemId


def item(
    text: str,
    item_id: str = "i1",
    kind: StatementKind = StatementKind.ATTRIBUTE,
    subject: str | None = None,
) -> ItemView:
    return ItemView(ItemId(item_id), KIND_OF[kind], kind, text, subject)


def entity(name: str, entity_id: str, *aliases: str) -> EntityView:
    return EntityView(ItemId(entity_id), name, aliases)


def request(
    text: str,
    *,
    turns: tuple[tuple[str, str], ...] = (),
    items: tuple[ItemView, ...] = (),
    entities: tuple[EntityView, ...] = (),
    speaker: str | None = None,
) -> FormationInput:
    view = EvidenceView(EvidenceId("e1"), text, sentences(text), segments(text), speaker, None)
    before = tuple(TurnView(role, said, f"m{at}") for at, (role, said) in enumerate(turns))
    return FormationInput((view,), before, items, entities, locale="en", zone="UTC")


def formed(asked: FormationInput) -> tuple[ProposedItem, ...]:
    """What the reader proposes; the compiler must take all of it."""
    answer = read(asked)
    compiled = compile_reply(answer, asked)
    assert isinstance(compiled, ChangeSet), compiled
    return answer.items


def said(asked: FormationInput) -> list[str]:
    """The words of what is formed, in order."""
    return [words(asked, proposed) for proposed in formed(asked)]


def words(asked: FormationInput, proposed: ProposedItem) -> str:
    (chosen,) = proposed.supports
    (view,) = asked.evidence
    named = {part.id: (part.start, part.end) for part in (*view.sentences, *view.segments)}
    start, end = named.get(
        chosen.sentence_id or chosen.segment_id or "", (chosen.start or 0, chosen.end or 0)
    )
    return view.text[start:end]
