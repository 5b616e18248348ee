"""What a forget takes with it: one pure function, the same for the preview and for the deed.

From a target the cascade follows, until nothing is added:

    item       -> every item it replaced or that replaced it (its revision chain)
               -> the sentences of Evidence it was made of; of an entity, those that name it
               -> items derived from it; an entity: all that is said of it
               -> assistant turns that relied on it, proposed it, or repeat it
    Evidence   -> every item left without a whole group of spans, every entity left without a name
               -> assistant turns that relied on it or on its conversation episode, or repeat it;
                  the answer to it already for one sentence of it
    turn       -> turns that relied on its conversation episode, items that said yes to it
    at the end -> entities nothing speaks of any more

An item that keeps a whole group of spans stays, and takes the words of that group. A message whose
other words stay is redacted, not erased. A name stays while words that hold it do; an entity that
loses one and keeps another goes by that. The owner is no entity and never goes.

`Links` reads rows by index, so the cost follows what is affected, never the size of the account.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from mnemod.domain.cascade_rows import Cascade, Links, Name, Reason, Redaction
from mnemod.domain.copies import repeats_part
from mnemod.domain.keys import comparison_key
from mnemod.domain.names import standing
from mnemod.domain.redaction import Cover, says_nothing
from mnemod.domain.turns import Turn
from mnemod.domain.world import Item, ItemKind, Relation, Span, Support
from mnemod.ids import EvidenceId, ItemId

_TAKES_ITS_WORDS: Final = frozenset({Reason.TARGET, Reason.REVISION, Reason.ATTACHED})
"""Items that go for these reasons take their sentences along. One that only lost a source does
not: the person's other words stay."""


def closure(items: Iterable[ItemId], evidence: Iterable[EvidenceId], links: Links) -> Cascade:
    """The whole cascade of these targets, which must exist."""
    walk = _Walk(links)
    for item_id in items:
        walk.erase_item(item_id, Reason.TARGET)
    for evidence_id in evidence:
        walk.erase_evidence(evidence_id, Reason.TARGET)
    return walk.finish()


class _Walk:
    """The work under way. `_todo` holds what is marked and not followed yet, `_recovered` the
    messages of which more was covered since they were last looked at."""

    def __init__(self, links: Links) -> None:
        self._links = links
        self._items: dict[ItemId, Reason] = {}
        self._evidence: dict[EvidenceId, Reason] = {}
        self._turns: dict[int, tuple[Turn, Reason]] = {}
        self._covers: dict[EvidenceId, Cover] = {}
        self._recovered: dict[EvidenceId, None] = {}
        self._renamed: dict[ItemId, None] = {}
        self._mentioned: dict[ItemId, None] = {}
        self._todo: list[ItemId | int | tuple[EvidenceId]] = []

    def erase_item(self, item_id: ItemId, reason: Reason) -> None:
        known = self._items.get(item_id)
        # A reason that takes words along outweighs one that does not, whichever is found first.
        if known is not None and (known in _TAKES_ITS_WORDS or reason not in _TAKES_ITS_WORDS):
            return
        if self._links.item(item_id) is not None:
            self._items[item_id] = reason
            self._todo.append(item_id)

    def erase_evidence(self, evidence_id: EvidenceId, reason: Reason) -> None:
        if evidence_id not in self._evidence:
            self._evidence[evidence_id] = reason
            self._todo.append((evidence_id,))

    def finish(self) -> Cascade:
        self._settle()
        redactions = {
            evidence_id: Redaction(evidence_id, cover.cuts, cover.text)
            for evidence_id, cover in self._covers.items()
            if evidence_id not in self._evidence
        }
        return Cascade(
            self._items, self._evidence, redactions, self._turns, self._kept(), self._named()
        )

    def _settle(self) -> None:
        while self._todo:
            while self._todo:
                self._follow(self._todo.pop())
            self._redact()
            self._orphans()

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
        takes_words = self._items[item_id] in _TAKES_ITS_WORDS
        if takes_words:
            self._cover_words(item)
        for derived in links.derived_from(item_id):
            self.erase_item(derived, Reason.DERIVED)
        if item.kind is ItemKind.ENTITY:
            reason = Reason.ATTACHED if takes_words else Reason.UNSUPPORTED
            for attached in links.speaking_of(item_id):
                self.erase_item(attached, reason)
        else:
            self._erase_turns(links.repeating(item.text), Reason.COPY)
        self._mentioned.update(dict.fromkeys(_entities(item)))
        self._erase_turns(links.proposed_by(item_id), Reason.COPY)
        self._erase_turns(links.relying_on(item_id), Reason.RELIED)

    def _follow_evidence(self, evidence_id: EvidenceId) -> None:
        row = self._links.evidence(evidence_id)
        self._unsettle(evidence_id)
        if row is None or not row.content:
            return
        self._erase_turns(self._links.repeating(row.content), Reason.COPY)
        for turn in self._links.answers_to(evidence_id):
            if repeats_part(turn.content or "", row.content):
                self._erase_turns([turn], Reason.COPY)

    def _unsettle(self, evidence_id: EvidenceId) -> None:
        """Words of this Evidence go: look again at all that rests on it."""
        for support in self._links.supported_by(evidence_id):
            if self._is_gone(support.span):
                self._lose(support.item_id)
        for entity_id, key in self._links.named_by(evidence_id):
            self._lose_name(entity_id, key)
        for ref_id in (evidence_id, *self._links.episodes_of(evidence_id)):
            self._erase_turns(self._links.relying_on(ref_id), Reason.RELIED)

    def _follow_turn(self, turn: Turn) -> None:
        self._erase_turns(self._links.relying_on(turn.interaction_id), Reason.RELIED)
        for item_id in self._links.confirmed_from(turn.turn_seq):
            self.erase_item(item_id, Reason.SOURCE)

    def _erase_turns(self, turns: Iterable[Turn], reason: Reason) -> None:
        for turn in turns:
            if turn.turn_seq not in self._turns:
                self._turns[turn.turn_seq] = (turn, reason)
                self._todo.append(turn.turn_seq)

    def _cover_words(self, item: Item) -> None:
        for support in self._links.supports(item.item_id):
            span = support.span
            self._cover(span.evidence_id).take((span.start, span.end))
            self._cover(span.evidence_id).take_copies(item.text)
        if item.kind is ItemKind.ENTITY:
            for name in self._links.names_of(item.item_id):
                for place in standing(name.name, self._content(name.evidence_id)):
                    self._cover(name.evidence_id).take(place)

    def _cover(self, evidence_id: EvidenceId) -> Cover:
        """What is covered of a message, about to grow."""
        self._recovered[evidence_id] = None
        if evidence_id not in self._covers:
            self._covers[evidence_id] = Cover(self._content(evidence_id))
        return self._covers[evidence_id]

    def _content(self, evidence_id: EvidenceId) -> str:
        row = self._links.evidence(evidence_id)
        return "" if row is None else row.content

    def _redact(self) -> None:
        """Look at the messages of which more is covered; what holds no other words goes whole."""
        fresh, self._recovered = self._recovered, {}
        for evidence_id in fresh:
            if evidence_id in self._evidence:
                continue
            if says_nothing(self._covers[evidence_id].text):
                self.erase_evidence(evidence_id, Reason.SOURCE)
            else:
                self._unsettle(evidence_id)

    def _is_gone(self, span: Span) -> bool:
        if span.evidence_id in self._evidence:
            return True
        cover = self._covers.get(span.evidence_id)
        return cover is not None and cover.touches((span.start, span.end))

    def _lose(self, item_id: ItemId) -> None:
        """Some support of this item is gone: does a whole group remain?"""
        if item_id in self._items:
            return
        if not any(s.relation is Relation.SUPPORT for s in self._remaining(item_id)):
            self.erase_item(item_id, Reason.UNSUPPORTED)

    def _remaining(self, item_id: ItemId) -> tuple[Support, ...]:
        """The spans of the groups that are still whole."""
        supports = self._links.supports(item_id)
        broken = {support.group for support in supports if self._is_gone(support.span)}
        return tuple(support for support in supports if support.group not in broken)

    def _lose_name(self, entity_id: ItemId, key: str) -> None:
        """Some words that call the entity so are gone: do others still call it anything?"""
        if entity_id in self._items or self._stands(entity_id, key):
            return
        self._renamed[entity_id] = None
        if not self._names_left(entity_id):
            self.erase_item(entity_id, Reason.UNSUPPORTED)

    def _names_left(self, entity_id: ItemId) -> tuple[Name, ...]:
        """The names that remaining words give, and those that never stood in any."""
        names = self._links.names_of(entity_id)
        keys = dict.fromkeys(name.key for name in names)
        left = {key for key in keys if self._stands(entity_id, key)}
        return tuple(
            name for name in names if name.key in left and name.evidence_id not in self._evidence
        )

    def _stands(self, entity_id: ItemId, key: str) -> bool:
        """Whether words that stay call the entity so, or none ever did and a message stays."""
        never_stood, stays = True, False
        for name in self._links.named_so(entity_id, key):
            if name.evidence_id not in self._evidence:
                stays = True
                if _is_in(name, self._remaining_text(name.evidence_id)):
                    return True
            never_stood = never_stood and not _is_in(name, self._content(name.evidence_id))
        return never_stood and stays

    def _remaining_text(self, evidence_id: EvidenceId) -> str:
        cover = self._covers.get(evidence_id)
        return self._content(evidence_id) if cover is None else cover.text

    def _orphans(self) -> None:
        """Entities that only forgotten items spoke of go too."""
        mentioned, self._mentioned = self._mentioned, {}
        for entity_id in mentioned:
            if all(other in self._items for other in self._links.speaking_of(entity_id)):
                self.erase_item(entity_id, Reason.ORPHANED)

    def _kept(self) -> dict[ItemId, tuple[Support, ...]]:
        touched = (
            support
            for evidence_id in dict.fromkeys([*self._evidence, *self._covers])
            for support in self._links.supported_by(evidence_id)
            if support.item_id not in self._items and self._is_gone(support.span)
        )
        item_ids = dict.fromkeys(support.item_id for support in touched)
        return {item_id: self._remaining(item_id) for item_id in item_ids}

    def _named(self) -> dict[ItemId, tuple[Name, ...]]:
        return {
            entity_id: self._names_left(entity_id)
            for entity_id in self._renamed
            if entity_id not in self._items
        }


def _is_in(name: Name, text: str) -> bool:
    return name.name in text or name.key in comparison_key(text)


def _entities(item: Item) -> Sequence[ItemId]:
    named = (
        item.subject_entity_id,
        item.holder_entity_id,
        item.source_entity_id,
        item.target_entity_id,
    )
    return tuple(entity_id for entity_id in named if entity_id is not None)
