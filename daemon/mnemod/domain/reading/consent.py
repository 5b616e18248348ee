"""What a short yes agrees to: exactly one proposal of the assistant, or nothing.

The whole reply must affirm. The proposal is sought in the assistant's last turn, and further back,
over at most CONSENT_TURNS turns, only past turns that neither ask nor offer anything. Two
proposals, an offer for now or a plain question leave the yes without a meaning that could be kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from mnemod.domain.interpretation import FormationInput, TurnView
from mnemod.domain.reading.claims import claim_of
from mnemod.domain.reading.clauses import Clause
from mnemod.domain.reading.folding import fold
from mnemod.domain.reading.lexicon import Lexicon, lexicon
from mnemod.domain.reading.scripts import is_japanese, locale_of
from mnemod.domain.segments import sentences
from mnemod.domain.world import StatementKind

CONSENT_TURNS: Final = 4
_REPLY_CHARS_MAX: Final = 60
_TURN_CHARS_MAX: Final = 4_000
_KEPT_AS: Final = {
    StatementKind.PREFERENCE: StatementKind.PREFERENCE,
    StatementKind.INTENTION: StatementKind.PREFERENCE,
}


class Proposal(Struct, frozen=True):
    """A claim about the owner, word for word from the assistant's turn, and how to keep it."""

    words: str
    kind: StatementKind
    importance: int
    is_offer: bool


def agreed_proposal(text: str, request: FormationInput) -> Proposal | None:
    """The one proposal that the reply `text` agrees to, None if it agrees to none or to several."""
    if len(text) > _REPLY_CHARS_MAX or not _affirms(text, is_japanese(text)):
        return None
    for turn in reversed(request.turns[-CONSENT_TURNS:]):
        if turn.role != "assistant" or not turn.text.strip():
            continue
        found = list(_proposals(turn))
        if len(found) == 1 and found[0] is not None:
            return found[0] if _fits(text, found[0], request) else None
        if found or _asks(turn):
            return None
    return None


def _fits(text: str, proposal: Proposal, request: FormationInput) -> bool:
    """Whether the reply can be meant for the proposal: "ok" takes an offer, it confirms no fact."""
    vocabulary = lexicon(locale_of(text, is_japanese(text)))
    only_accepts = vocabulary.cue("accepts").match(fold(text.strip(), vocabulary.fold))
    return (proposal.is_offer or not only_accepts) and _said_once(proposal.words, request)


def _said_once(words: str, request: FormationInput) -> bool:
    """Whether only one place of the turns can be meant."""
    turns = request.turns[-CONSENT_TURNS:]
    return sum(turn.text.count(words) for turn in turns if turn.role == "assistant") == 1


def claims_about_owner(turn: TurnView) -> bool:
    """Whether an assistant's turn says something of the owner that a short "I don't" would deny."""
    return turn.role == "assistant" and bool(list(_proposals(turn)))


def asks_or_proposes(turn: TurnView) -> bool:
    """Whether a short yes behind this turn may mean something."""
    return _asks(turn) or bool(list(_proposals(turn)))


def _affirms(text: str, japanese: bool) -> bool:
    vocabulary = lexicon(locale_of(text, japanese))
    folded = fold(text.strip(), vocabulary.fold)
    if vocabulary.cue("negates").search(folded):
        return False
    return vocabulary.cue("affirms").match(folded) is not None


def _asks(turn: TurnView) -> bool:
    return re.search(r"[?？]", turn.text) is not None


def _proposals(turn: TurnView) -> Iterator[Proposal | None]:
    """Each claim or offer of a turn; None stands for one that a yes cannot turn into a memory."""
    text = turn.text[:_TURN_CHARS_MAX]
    japanese = is_japanese(text)
    for sentence in sentences(text):
        words = text[sentence.start : sentence.end]
        vocabulary = lexicon(locale_of(words, japanese))
        folded = fold(words, vocabulary.fold)
        if vocabulary.cue("remarks").search(folded):
            continue
        if vocabulary.cue("offers").search(folded):
            yield _offer(words, folded, vocabulary)
        elif vocabulary.cue("proposes").search(folded):
            yield _claim(words, folded, vocabulary)


def _offer(words: str, folded: str, vocabulary: Lexicon) -> Proposal | None:
    if not vocabulary.cue("lasting").search(folded):
        return None
    head = vocabulary.cue("offer_head").match(folded)
    body = _without_tail(words, folded, vocabulary, head.end() if head else 0)
    return (
        Proposal(body, StatementKind.PREFERENCE, vocabulary.importance["preference"], is_offer=True)
        if body
        else None
    )


def _claim(words: str, folded: str, vocabulary: Lexicon) -> Proposal | None:
    head = vocabulary.cue("claim_head").match(folded)
    body = _without_tail(words, folded, vocabulary, head.end() if head else 0)
    if not body or vocabulary.cue("asks_directly").search(folded):
        return None
    if vocabulary.cue("several").search(fold(body, vocabulary.fold)):
        return None
    as_owner = _as_owner(fold(body, vocabulary.fold), vocabulary)
    claim = claim_of(Clause(0, len(body), body, as_owner, vocabulary), frozenset())
    if claim is None:
        return None
    kind = _KEPT_AS.get(claim.kind, StatementKind.ATTRIBUTE)
    return Proposal(body, kind, claim.importance, is_offer=False)


def _without_tail(words: str, folded: str, vocabulary: Lexicon, begin: int) -> str:
    """The words from `begin` on without a tail that asks for agreement ("..., right?")."""
    tail = vocabulary.cue("claim_tail").search(folded, begin)
    return words[begin : tail.start() if tail else len(words)].strip()


def _as_owner(folded: str, vocabulary: Lexicon) -> str:
    """The claim as the owner would say it, for the rules to read; never stored."""
    return vocabulary.cue("second_person").sub(
        lambda found: vocabulary.first_person[str(found.lastgroup)], folded
    )
