"""What a forget takes with it: one pure function, the same for the preview and for the deed.

From a target the cascade follows, until nothing is added:

    item       -> every item it replaced or that replaced it (its revision chain)
               -> the sentences of Evidence it was made of
               -> items derived from it; an entity: all that is said of it
               -> assistant turns that relied on it, proposed it, or repeat it
    Evidence   -> every item left without a whole group of spans
               -> assistant turns that relied on it or repeat it
    turn       -> turns that relied on its conversation episode
    at the end -> entities nothing speaks of any more, and those whose names are all gone

An item that keeps a whole group of spans stays, and takes the words of that group. A message whose
other words stay is redacted, not erased. A name stays while words that hold it do; an entity that
loses one and keeps another goes by that. The owner is no entity and never goes.

`Links` reads rows by index, so the cost follows what is affected, never the size of the account.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from mnemod.domain.evidence import Evidence
from mnemod.domain.keys import comparison_key
from mnemod.domain.redaction import Cut, covered, cuts, says_nothing
from mnemod.domain.turns import Turn
from mnemod.domain.world import Item, ItemKind, Relation, Support, Transition
from mnemod.ids import EvidenceId, ItemId


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


_TAKES_ITS_WORDS: Final = frozenset({Reason.TARGET, Reason.REVISION, Reason.ATTACHED})
"""Items that go for these reasons take their sentences along. One that only lost a source does
not: the person's other words stay."""


@dataclass(frozen=True, slots=True)
class Name:
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
    def speaking_of(self, entity_id: ItemId) -> Sequence[ItemId]: ...
    def names_of(self, entity_id: ItemId) -> Sequence[Name]: ...
    def named_by(self, evidence_id: EvidenceId) -> Sequence[ItemId]: ...
    def proposed_by(self, item_id: ItemId) -> Sequence[Turn]: ...
    def confirmed_from(self, turn_seq: int) -> Sequence[ItemId]: ...
    def relying_on(self, ref_id: str) -> Sequence[Turn]: ...
    def repeating(self, text: str) -> Sequence[Turn]: ...


@dataclass(frozen=True, slots=True)
class Redaction:
    """The sentences to cover in a message that otherwise stays."""

    evidence_id: EvidenceId
    cuts: tuple[Cut, ...]


@dataclass(frozen=True, slots=True)
class Cascade:
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


def closure(items: Iterable[ItemId], evidence: Iterable[EvidenceId], links: Links) -> Cascade:
    """The whole cascade of these targets, which must exist."""
    walk = _Walk(links)
    for item_id in items:
        walk.erase_item(item_id, Reason.TARGET)
    for evidence_id in evidence:
        walk.erase_evidence(evidence_id, Reason.TARGET)
    return walk.finish()


class _Walk:
    """The work under way. `_todo` holds what is marked and not followed yet."""

    def __init__(self, links: Links) -> None:
        self._links = links
        self._items: dict[ItemId, Reason] = {}
        self._evidence: dict[EvidenceId, Reason] = {}
        self._turns: dict[int, tuple[Turn, Reason]] = {}
        self._spans: dict[EvidenceId, set[Cut]] = {}
        self._copies: dict[EvidenceId, set[str]] = {}
        self._unnamed: dict[ItemId, None] = {}
        self._todo: list[ItemId | int | tuple[EvidenceId]] = []

    def erase_item(self, item_id: ItemId, reason: Reason) -> None:
        if item_id not in self._items and self._links.item(item_id) is not None:
            self._items[item_id] = reason
            self._todo.append(item_id)

    def erase_evidence(self, evidence_id: EvidenceId, reason: Reason) -> None:
        if evidence_id not in self._evidence:
            self._evidence[evidence_id] = reason
            self._todo.append((evidence_id,))

    def finish(self) -> Cascade:
        self._settle()
        redactions = {
            evidence_id: Redaction(evidence_id, self._cuts(evidence_id))
            for evidence_id in self._spans
            if evidence_id not in self._evidence
        }
        return Cascade(
            self._items, self._evidence, redactions, self._turns, self._kept(), self._named()
        )

    def _settle(self) -> None:
        while True:
            while self._todo:
                self._follow(self._todo.pop())
            self._redact()
            self._orphans()
            if not self._todo:
                return

    def _follow(self, found: ItemId | int | tuple[EvidenceId]) -> None:
        if isinstance(found, tuple):
            self._follow_evidence(found[0])
        elif isinstance(found, int):
            self._follow_turn(self._turns[found][0])
        else:
            self._follow_item(found)

    def _follow_item(self, item_id: ItemId) -> None:
        links = self._links
        item = links.item(item_id)
        assert item is not None
        for step in links.transitions(item_id):
            for other in (step.prior_item_id, step.successor_item_id):
                if other is not None:
                    self.erase_item(other, Reason.REVISION)
        if self._items[item_id] in _TAKES_ITS_WORDS:
            for support in links.supports(item_id):
                self._cut(support, item.text)
        for derived in links.derived_from(item_id):
            self.erase_item(derived, Reason.DERIVED)
        if item.kind is ItemKind.ENTITY:
            for attached in links.speaking_of(item_id):
                self.erase_item(attached, Reason.ATTACHED)
        else:
            self._erase_turns(links.repeating(item.text), Reason.COPY)
        self._erase_turns(links.proposed_by(item_id), Reason.COPY)
        self._erase_turns(links.relying_on(item_id), Reason.RELIED)

    def _follow_evidence(self, evidence_id: EvidenceId) -> None:
        row = self._links.evidence(evidence_id)
        for support in self._links.supported_by(evidence_id):
            self._lose(support.item_id)
        for entity_id in self._links.named_by(evidence_id):
            self._lose_name(entity_id)
        self._erase_turns(self._links.relying_on(evidence_id), Reason.RELIED)
        if row is not None and row.content:
            self._erase_turns(self._links.repeating(row.content), Reason.COPY)

    def _follow_turn(self, turn: Turn) -> None:
        self._erase_turns(self._links.relying_on(turn.interaction_id), Reason.RELIED)
        for item_id in self._links.confirmed_from(turn.turn_seq):
            self.erase_item(item_id, Reason.SOURCE)

    def _erase_turns(self, turns: Iterable[Turn], reason: Reason) -> None:
        for turn in turns:
            if turn.turn_seq not in self._turns:
                self._turns[turn.turn_seq] = (turn, reason)
                self._todo.append(turn.turn_seq)

    def _cut(self, support: Support, text: str) -> None:
        span = support.span
        self._spans.setdefault(span.evidence_id, set()).add((span.start, span.end))
        self._copies.setdefault(span.evidence_id, set()).add(text)

    def _cuts(self, evidence_id: EvidenceId) -> tuple[Cut, ...]:
        row = self._links.evidence(evidence_id)
        text = "" if row is None else row.content
        return cuts(text, sorted(self._spans[evidence_id]), sorted(self._copies[evidence_id]))

    def _redact(self) -> None:
        """Cut the sentences of forgotten items; what holds no other words goes whole."""
        for evidence_id in list(self._spans):
            row = self._links.evidence(evidence_id)
            if evidence_id in self._evidence or row is None:
                continue
            if says_nothing(covered(row.content, self._cuts(evidence_id))):
                self.erase_evidence(evidence_id, Reason.SOURCE)
                continue
            self._erase_turns(self._links.relying_on(evidence_id), Reason.RELIED)
            for support in self._links.supported_by(evidence_id):
                if self._is_gone(support):
                    self._lose(support.item_id)
            for entity_id in self._links.named_by(evidence_id):
                self._lose_name(entity_id)

    def _is_gone(self, support: Support) -> bool:
        span = support.span
        if span.evidence_id in self._evidence:
            return True
        if span.evidence_id not in self._spans:
            return False
        return any(
            start < span.end and span.start < end for start, end in self._cuts(span.evidence_id)
        )

    def _lose(self, item_id: ItemId) -> None:
        """Some support of this item is gone: does a whole group remain?"""
        supports = self._links.supports(item_id)
        if not supports or item_id in self._items:
            return
        if not any(s.relation is Relation.SUPPORT for s in self._remaining(supports)):
            self.erase_item(item_id, Reason.UNSUPPORTED)

    def _remaining(self, supports: Sequence[Support]) -> tuple[Support, ...]:
        """The spans of the groups that are still whole."""
        broken = {support.group for support in supports if self._is_gone(support)}
        return tuple(support for support in supports if support.group not in broken)

    def _lose_name(self, entity_id: ItemId) -> None:
        """Words that call the entity something are gone: do others still call it anything?"""
        self._unnamed[entity_id] = None
        if not self._names_left(self._links.names_of(entity_id)):
            self.erase_item(entity_id, Reason.UNSUPPORTED)

    def _names_left(self, names: Sequence[Name]) -> tuple[Name, ...]:
        """The names that remaining words give, and those that never stood in any."""
        by_key: dict[str, list[Name]] = {}
        for name in names:
            by_key.setdefault(name.key, []).append(name)
        left = {key for key, same in by_key.items() if self._stands(same)}
        return tuple(
            name for name in names if name.key in left and name.evidence_id not in self._evidence
        )

    def _stands(self, same: Sequence[Name]) -> bool:
        if any(name.key in comparison_key(self._remaining_text(name)) for name in same):
            return True
        texts = [row.content for name in same if (row := self._links.evidence(name.evidence_id))]
        return not any(same[0].key in comparison_key(text) for text in texts)

    def _remaining_text(self, name: Name) -> str:
        row = self._links.evidence(name.evidence_id)
        if row is None or name.evidence_id in self._evidence:
            return ""
        if name.evidence_id not in self._spans:
            return row.content
        return covered(row.content, self._cuts(name.evidence_id))

    def _orphans(self) -> None:
        """Entities that only forgotten items spoke of go too."""
        for item_id in list(self._items):
            item = self._links.item(item_id)
            assert item is not None
            for entity_id in _entities(item):
                speaking = self._links.speaking_of(entity_id)
                if all(other in self._items for other in speaking):
                    self.erase_item(entity_id, Reason.ORPHANED)

    def _kept(self) -> dict[ItemId, tuple[Support, ...]]:
        touched = [*self._evidence, *self._spans]
        kept: dict[ItemId, tuple[Support, ...]] = {}
        for evidence_id in touched:
            for support in self._links.supported_by(evidence_id):
                if support.item_id not in self._items and self._is_gone(support):
                    supports = self._links.supports(support.item_id)
                    kept[support.item_id] = self._remaining(supports)
        return kept

    def _named(self) -> dict[ItemId, tuple[Name, ...]]:
        named: dict[ItemId, tuple[Name, ...]] = {}
        for entity_id in self._unnamed:
            names = self._links.names_of(entity_id)
            left = self._names_left(names)
            if entity_id not in self._items and _keys(left) != _keys(names):
                named[entity_id] = left
        return named


def _keys(names: Iterable[Name]) -> set[str]:
    return {name.key for name in names}


def _entities(item: Item) -> tuple[ItemId, ...]:
    named = (
        item.subject_entity_id,
        item.holder_entity_id,
        item.source_entity_id,
        item.target_entity_id,
    )
    return tuple(entity_id for entity_id in named if entity_id is not None)
