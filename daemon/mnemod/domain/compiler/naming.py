"""Names in a reply: each must stand in the chosen words, and is kept as it stands there."""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from mnemod.domain.compiler.bind import Bound
from mnemod.domain.compiler.change_set import EntityRef
from mnemod.domain.compiler.refusal import Refusal
from mnemod.domain.compiler.vocabulary import any_locale
from mnemod.domain.interpretation import EntityView, FormationInput, ProposedItem
from mnemod.domain.keys import comparison_key
from mnemod.domain.world import Span
from mnemod.ids import ItemId

NAME_CHARS_MAX: Final = 200
# "Ann" does not stand in "Annual". Scripts without spaces have no such edges.
SPACED: Final = r"[0-9A-Za-z_\u00c0-\u024f\u0370-\u052f]"


def named(name: str, bound: Bound, request: FormationInput) -> EntityRef:
    """Whom `name` names. Raises Refusal if the words do not hold it, or it may be several."""
    spoken_by = speaker(bound, request)
    if spoken_by and comparison_key(name) == spoken_by.key:
        return spoken_by
    for span, piece in zip(bound.spans, bound.pieces, strict=True):
        if found := _standing(name, piece):
            start, end = span.start + found.start(), span.start + found.end()
            place = Span(span.evidence_id, start, end)
            return _reference(found[0], (place,), request)
    raise Refusal("entity_name_not_in_span", "A name does not stand in the chosen words.")


def without_speaker(proposed: ProposedItem) -> ProposedItem:
    """The proposal without names that are words for whoever speaks: "I" is nobody's name."""
    target = None if _is_speaker(proposed.target) else proposed.target
    holder = None if _is_speaker(proposed.holder) else proposed.holder
    return replace(proposed, target=target, holder=holder)


def _is_speaker(name: str | None) -> bool:
    return name is not None and any_locale("speaker").fullmatch(name.casefold()) is not None


def speaker(bound: Bound, request: FormationInput) -> EntityRef | None:
    """Who says "I" in the chosen words; None for the owner."""
    if bound.speaker is None:
        return None
    return replace(_reference(bound.speaker, bound.spans, request), is_speaker=True)


def known_entities(key: str, request: FormationInput) -> list[EntityView]:
    """The entities offered that go by this name."""
    return [entity for entity in request.entities if key in keys_of(entity)]


def keys_of(entity: EntityView) -> set[str]:
    """The comparison forms of all the names of an entity."""
    return {comparison_key(name) for name in (entity.name, *entity.aliases)}


def _standing(name: str, piece: str) -> re.Match[str] | None:
    if len(name) > NAME_CHARS_MAX:
        return None
    before = rf"(?<!{SPACED})" if re.match(SPACED, name) else ""
    after = rf"(?!{SPACED})" if re.match(SPACED, name[-1]) else ""
    return re.search(before + re.escape(name) + after, piece, re.IGNORECASE)


def _reference(name: str, spans: tuple[Span, ...], request: FormationInput) -> EntityRef:
    key = comparison_key(name)
    if not key:
        raise Refusal("invalid_entity_name", "A name has no letters.")
    known = known_entities(key, request)
    if len(known) > 1:
        raise Refusal("ambiguous_entity_reference", "More than one person goes by that name.")
    return EntityRef(name, key, spans, known[0].entity_id if known else None)


def same_as(reference: EntityRef | None, subject: str | None, request: FormationInput) -> bool:
    """Whether `subject`, the name an offered item has for its subject, is who `reference` is."""
    if reference is None or subject is None:
        return reference is None and subject is None
    key = comparison_key(subject)
    ids: set[ItemId] = {entity.entity_id for entity in known_entities(key, request)}
    return key == reference.key or reference.entity_id in ids
