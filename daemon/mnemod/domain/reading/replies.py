"""A reply that is only a new value: "No, Fridays." said right after "I train on Wednesdays."."""

from __future__ import annotations

import re

from mnemod.domain.interpretation import (
    Action,
    EvidenceView,
    FormationInput,
    ItemView,
    ProposedItem,
    Selector,
)
from mnemod.domain.reading.folding import fold
from mnemod.domain.reading.lexicon import Lexicon, lexicon
from mnemod.domain.reading.scripts import is_japanese, locale_of
from mnemod.domain.world import StatementKind

_REPLY_CHARS_MAX = 40
# The reply must follow at once: the user's own turn, at most one of the assistant's between.
_TURNS_BACK = 2


def bare_correction(view: EvidenceView, request: FormationInput) -> ProposedItem | None:
    """The correction of the only item that the last turns state and that holds such a value."""
    if len(view.text) > _REPLY_CHARS_MAX or len(view.sentences) != 1:
        return None
    vocabulary = lexicon(locale_of(view.text, is_japanese(view.text)))
    reply = vocabulary.cue("bare_value").match(fold(view.text, vocabulary.fold))
    value_class = _class_of(reply["value"], vocabulary) if reply else None
    meant = [
        item
        for item in request.items
        if just_said(item, request)
        and value_class == _class_of(fold(item.text, vocabulary.fold), vocabulary)
    ]
    if value_class is None or len(meant) != 1:
        return None
    return ProposedItem(
        action=Action.CORRECT,
        statement_kind=meant[0].statement_kind or StatementKind.ATTRIBUTE,
        supports=(Selector(view.evidence_id, sentence_id=view.sentences[0].id),),
        corrects=(meant[0].item_id,),
        target=meant[0].subject,
    )


def _class_of(folded: str, vocabulary: Lexicon) -> str | None:
    """What sort of value a text holds: the name of the one group of `value_class` that matches."""
    sorts = {found.lastgroup for found in vocabulary.cue("value_class").finditer(folded)}
    return sorts.pop() if len(sorts) == 1 else None


def just_said(item: ItemView, request: FormationInput) -> bool:
    """Whether one of the last two turns is the user saying what the item says."""
    core = re.sub(r"\W+$", "", item.text)
    return any(core in turn.text for turn in request.turns[-_TURNS_BACK:] if turn.role == "user")
