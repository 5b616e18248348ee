"""What makes a short yes a confirmation: the whole reply affirms, and one proposal matches.

The words of a confirmed item are the reply's. What it says yes to is a range of a preceding
assistant turn: shown beside it, and what it is found and compared by, but never a source.
"""

from __future__ import annotations

from typing import Final

from mnemod.config import INTERPRET_TURNS
from mnemod.domain.compiler.bind import Bound
from mnemod.domain.compiler.change_set import AssistantClaim
from mnemod.domain.compiler.refusal import Refusal
from mnemod.domain.interpretation import Action, FormationInput, ProposedItem
from mnemod.domain.reading.folding import fold
from mnemod.domain.reading.lexicon import lexicon
from mnemod.domain.reading.scripts import is_japanese, locale_of
from mnemod.domain.world import StatementKind

_CONFIRMABLE: Final = (StatementKind.ATTRIBUTE, StatementKind.PREFERENCE)


def confirmed_claim(item: ProposedItem, bound: Bound, request: FormationInput) -> AssistantClaim:
    """The proposal that the chosen words say yes to. Raises Refusal."""
    if item.action is not Action.FORM or item.statement_kind not in _CONFIRMABLE:
        raise Refusal("invalid_formed_by", "Only an attribute or a preference can be confirmed.")
    if item.target or item.holder or bound.speaker:
        raise Refusal("unsupported_target", "Only what is about the owner can be confirmed.")
    if not item.assistant_claim or not item.assistant_claim.strip():
        raise Refusal("missing_assistant_claim", "Quote what is confirmed as assistant_claim.")
    claim = _found(item.assistant_claim.strip(), request)
    whole = [view.text for view in request.evidence if view.evidence_id in _ids(bound)]
    if not all(affirms(said) for said in (bound.text, *whole)):
        raise Refusal("confirmed_span_not_confirmation", "The whole reply must say yes.")
    return claim


def affirms(text: str) -> bool:
    """Whether all of `text` says yes, in one of the languages known, with no negation in it."""
    words = lexicon(locale_of(text, is_japanese(text)))
    folded = fold(text.strip(), words.fold)
    return not words.cue("negates").search(folded) and bool(words.cue("affirms").match(folded))


def _found(claim: str, request: FormationInput) -> AssistantClaim:
    turns = request.turns[-INTERPRET_TURNS:]
    said = [turn for turn in turns if turn.role == "assistant" and claim in turn.text]
    if not said:
        raise Refusal("assistant_claim_not_in_context", "The assistant did not say that.")
    if len(said) > 1 or said[0].text.count(claim) > 1:
        raise Refusal("assistant_claim_context_ambiguous", "The assistant said that twice.")
    start = said[0].text.index(claim)
    return AssistantClaim(said[0].message_id, start, start + len(claim), claim)


def _ids(bound: Bound) -> set[str]:
    return {span.evidence_id for span in bound.spans}
