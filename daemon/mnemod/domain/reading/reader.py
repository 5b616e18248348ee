"""The deterministic interpreter: which clauses of a message become items, and as what.

Precision before recall: only a clause whose shape a rule of the vocabulary describes is chosen,
and never a word is written that was not said. With a speaker other than the owner, "I" is the
speaker and nothing becomes the owner's. Pure: the same input gives the same answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from mnemod.config import INTERPRETED_ITEMS_MAX
from mnemod.domain.interpretation import (
    Action,
    EvidenceView,
    FormationInput,
    Interpretation,
    ProposedItem,
    Result,
    Selector,
)
from mnemod.domain.keys import comparison_key
from mnemod.domain.reading.claims import Claim, claim_of
from mnemod.domain.reading.clauses import clauses
from mnemod.domain.reading.consent import agreed_proposal, claims_about_owner
from mnemod.domain.reading.dates import occurred_at, time_expression
from mnemod.domain.reading.precedent import following, precedent
from mnemod.domain.reading.replies import bare_correction, just_said
from mnemod.domain.world import FormedBy, StatementKind

# Statements for which a relative phrase says when.
_TIMED = frozenset({StatementKind.EVENT, StatementKind.INTENTION, StatementKind.STATE})


def read(request: FormationInput) -> Interpretation:
    """The items in the request's Evidence: at most INTERPRETED_ITEMS_MAX, or `no_change`.

    More are cut to the most important, earlier ones first among equals, and given in reading order.
    """
    found = [item for view in request.evidence for item in _items(view, request)]
    best = sorted(range(len(found)), key=lambda at: (-found[at].importance, at))
    chosen = tuple(found[at] for at in sorted(best[:INTERPRETED_ITEMS_MAX]))
    return Interpretation(Result.ITEMS, chosen) if chosen else Interpretation(Result.NO_CHANGE)


def _items(view: EvidenceView, request: FormationInput) -> Iterator[ProposedItem]:
    if view.speaker is None and (agreed := _agreement(view, request)):
        yield agreed
        return
    if view.speaker is None and (corrected := bare_correction(view, request)):
        yield corrected
        return
    taken: set[str] = set()
    for claim in _claims(view, request):
        item = _item(claim, view, request, taken)
        if item is not None and _is_clear(item, view.speaker, request):
            taken.update((*item.corrects, *item.supersedes, *item.contradicts))
            yield item


def _is_clear(item: ProposedItem, speaker: str | None, request: FormationInput) -> bool:
    """Whether each name in an item can only mean one, and no two of its roles are the same."""
    names = [name for name in (item.target, item.holder) if name]
    if any(_bearers(name, request) > 1 for name in names) or len(set(names)) < len(names):
        return False
    return item.statement_kind is not StatementKind.RELATIONSHIP or item.target != speaker


def _bearers(name: str, request: FormationInput) -> int:
    key = comparison_key(name)
    return sum(
        any(key == comparison_key(known) for known in (entity.name, *entity.aliases))
        for entity in request.entities
    )


def _agreement(view: EvidenceView, request: FormationInput) -> ProposedItem | None:
    proposal = agreed_proposal(view.text, request)
    if proposal is None or not view.sentences:
        return None
    whole = _selector(view, view.sentences[0].start, view.sentences[-1].end)
    return ProposedItem(
        action=Action.FORM,
        statement_kind=proposal.kind,
        supports=(whole,),
        formed_by=FormedBy.CONFIRMED,
        importance=proposal.importance,
        assistant_claim=proposal.words,
    )


def _claims(view: EvidenceView, request: FormationInput) -> Iterator[Claim]:
    """The message's claims, each once."""
    known = {
        name.casefold() for entity in request.entities for name in (entity.name, *entity.aliases)
    }
    denies = bool(request.turns) and claims_about_owner(request.turns[-1])
    said: set[str] = set()
    for clause in clauses(view):
        claim = claim_of(clause, frozenset(known))
        key = comparison_key(clause.source)
        if claim is None or key in said or (claim.negative and denies):
            continue
        if claim.standing and view.speaker is not None:
            continue
        if claim.about == "tie" and claim.name:
            known.add(claim.name.casefold())
        said.add(key)
        yield claim


def _item(
    claim: Claim, view: EvidenceView, request: FormationInput, taken: set[str]
) -> ProposedItem | None:
    plain = _attributed(_plain(claim, view), claim, view.speaker)
    open_items = [item for item in request.items if item.item_id not in taken]
    recent = frozenset(item.item_id for item in open_items if just_said(item, request))
    # A tie is the speaker's: its item has the other one as target, not as subject.
    subject = view.speaker if claim.about in ("tie", "renamed") else plain.target
    earlier = precedent(claim, subject, open_items, recent)
    if earlier is None:
        return None if claim.bound else plain
    return following(plain, earlier)


def _plain(claim: Claim, view: EvidenceView) -> ProposedItem:
    clause = claim.clause
    return ProposedItem(
        action=Action.FORM,
        statement_kind=claim.kind,
        supports=(_selector(view, clause.start, clause.end),),
        target=None if claim.about == "self" else claim.name,
        holder=claim.holder,
        relation_type=claim.role,
        occurred_at=occurred_at(clause) if claim.kind is StatementKind.EVENT else None,
        time_expression=time_expression(clause) if claim.kind in _TIMED else None,
        importance=claim.importance,
    )


def _attributed(item: ProposedItem, claim: Claim, speaker: str | None) -> ProposedItem:
    """The item as another speaker's: "I" is them, and what they say of others is their view."""
    if speaker is None:
        return item
    if claim.about in ("owner", "self"):
        return replace(item, target=speaker)
    if claim.about in ("tie", "renamed"):
        return item
    return replace(item, holder=item.holder or speaker)


def _selector(view: EvidenceView, start: int, end: int) -> Selector:
    """The range by the name of its sentence or segment where it has one."""
    for sentence in view.sentences:
        if (sentence.start, sentence.end) == (start, end):
            return Selector(view.evidence_id, sentence_id=sentence.id)
    for segment in view.segments:
        if (segment.start, segment.end) == (start, end):
            return Selector(view.evidence_id, segment_id=segment.id)
    return Selector(view.evidence_id, start=start, end=end)
