"""One proposal as a new item: its words, whom it is about, who holds it, when it happened."""

from __future__ import annotations

from typing import Final

from mnemod.domain.compiler.bind import Bound
from mnemod.domain.compiler.change_set import KIND_OF, EntityRef, NewItem
from mnemod.domain.compiler.confirmation import confirmed_claim
from mnemod.domain.compiler.dates import Occurrence, occurrence, require_date
from mnemod.domain.compiler.naming import named, speaker
from mnemod.domain.compiler.refusal import Refusal
from mnemod.domain.interpretation import FormationInput, ProposedItem
from mnemod.domain.keys import comparison_key
from mnemod.domain.world import FormedBy, StatementKind

RELATION_CHARS_MAX: Final = 64


def new_item(
    proposed: ProposedItem,
    bound: Bound,
    request: FormationInput,
    subject: EntityRef | None = None,
) -> NewItem:
    """The item that a proposal makes of its words, about `subject` if one is given.

    Raises Refusal. "I" becomes the owner, or the speaker, through the item's subject alone.
    """
    confirmed = proposed.formed_by is FormedBy.CONFIRMED
    if proposed.assistant_claim and not confirmed:
        raise Refusal("unexpected_assistant_claim", "assistant_claim goes with confirmed.")
    claim = confirmed_claim(proposed, bound, request) if confirmed else None
    voice = speaker(bound, request)
    other = named(proposed.target, bound, request) if proposed.target else None
    tie = _is_tie(proposed, voice, other)
    about = subject or (voice if tie else other or voice)
    when = _when(proposed, bound, request)
    return NewItem(
        kind=KIND_OF[proposed.statement_kind],
        statement_kind=proposed.statement_kind,
        formed_by=proposed.formed_by,
        text=bound.text,
        # A bare "yes" is compared, and found, by what it says yes to.
        key=comparison_key(claim.text if claim else bound.text),
        spans=bound.spans,
        subject=about,
        holder=_holder(proposed, bound, request, about),
        source=voice if tie else None,
        target=other if tie else None,
        relation_type=proposed.relation_type,
        importance=proposed.importance,
        occurred_at=when.occurred_at if when else None,
        precision=when.precision if when else None,
        time_expression=_time_expression(proposed, bound, when),
        claim=claim,
    )


def _is_tie(proposed: ProposedItem, voice: EntityRef | None, other: EntityRef | None) -> bool:
    """Whether this is a relationship between whoever speaks and another. Raises Refusal."""
    if proposed.statement_kind is not StatementKind.RELATIONSHIP:
        if proposed.relation_type:
            raise Refusal("unexpected_relation_type", "relation_type goes with relationship.")
        return False
    kind = proposed.relation_type or ""
    # The one word of a model's own that is kept: a label, never a text or what no file can hold.
    if not kind.isprintable() or not 0 < len(kind) <= RELATION_CHARS_MAX:
        raise Refusal("invalid_relation_type", "A relationship needs a short relation_type.")
    if other is None:
        raise Refusal("missing_target_entity", "A relationship names the other one as target.")
    if voice and voice.key == other.key:
        raise Refusal("self_relationship", "A relationship has two ends.")
    return True


def _holder(
    proposed: ProposedItem, bound: Bound, request: FormationInput, about: EntityRef | None
) -> EntityRef | None:
    """Whose view it is: who is named, else the speaker where they speak of somebody else."""
    if proposed.holder:
        holder = named(proposed.holder, bound, request)
        if about and holder.key == about.key:
            raise Refusal("perspective_holder_is_target", "The holder is somebody else.")
        return holder
    voice = speaker(bound, request)
    return voice if voice and about and voice.key != about.key else None


def _when(proposed: ProposedItem, bound: Bound, request: FormationInput) -> Occurrence | None:
    """The date in the words, for an event or where a date was offered: the words win."""
    if proposed.occurred_at:
        require_date(proposed.occurred_at)
    if proposed.occurred_at or proposed.statement_kind is StatementKind.EVENT:
        return occurrence(bound, request)
    return None


def _time_expression(proposed: ProposedItem, bound: Bound, when: Occurrence | None) -> str | None:
    """The phrase as it was said: the one a date was worked out from, else the one chosen."""
    phrase = proposed.time_expression
    if phrase and not any(phrase in piece for piece in bound.pieces):
        raise Refusal("time_expression_not_in_span", "time_expression is a phrase of the words.")
    return phrase or (when.expression if when and not _is_plain(when) else None)


def _is_plain(when: Occurrence) -> bool:
    """Whether the words are the date itself: a phrase kept beside it would say nothing more."""
    return when.expression == when.occurred_at
