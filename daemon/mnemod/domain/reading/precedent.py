"""Which current item a statement corrects, ends or replaces, if it says so and only one can be
meant.

A statement says so by its cues ("actually", "no longer", "now"). The item meant is the one of the
same subject that shares most words with it, or, for a change, the only one on the same matter
(where one lives, where one works). A tie is no answer: nothing is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from mnemod.domain.interpretation import Action, ItemView, ProposedItem
from mnemod.domain.reading.claims import Claim, after_openers, claim_of
from mnemod.domain.reading.clauses import Clause
from mnemod.domain.reading.folding import fold
from mnemod.domain.reading.lexicon import Lexicon, lexicon
from mnemod.domain.reading.scripts import is_japanese, locale_of
from mnemod.domain.reading.topics import matter, topics
from mnemod.domain.world import ItemKind, StatementKind

_SHARED_CHARS_MIN: Final = 2
_MORE_THAN_DENIED_MAX: Final = 4
_SHORT_VALUE_CHARS: Final = 3


class Precedent(Struct, frozen=True):
    """The item meant and what is done to it. `supersedes`: it was right, and has changed."""

    action: Action
    item: ItemView
    supersedes: bool = False


def precedent(
    claim: Claim, subject: str | None, items: Iterable[ItemView], just_said: frozenset[str]
) -> Precedent | None:
    """The one item that `claim` corrects, ends or replaces; None if of none, or of several.

    `just_said` are the ids of the items that the turns right before state.
    """
    clause = claim.clause
    candidates = [item for item in items if _comparable(claim, item, subject)]
    if clause.lexicon.cue("denies").search(clause.folded):
        denied = _denied(claim, candidates)
        return Precedent(Action.RETRACT, denied) if denied else None
    if clause.lexicon.cue("ends").search(clause.folded):
        ended = closest(clause.folded, clause.lexicon, candidates)
        return Precedent(Action.RETRACT, ended) if ended else None
    if clause.lexicon.cue("corrects").search(clause.folded):
        corrected = (
            _holding_old_value(claim, candidates)
            or closest(clause.folded, clause.lexicon, candidates)
            or _only_recent(claim, candidates, just_said)
        )
        return Precedent(Action.CORRECT, corrected) if corrected else None
    if clause.lexicon.cue("changes").search(clause.folded):
        replaced = _on_the_samematter(claim, candidates)
        return Precedent(Action.FORM, replaced, supersedes=True) if replaced else None
    return None


def following(item: ProposedItem, earlier: Precedent) -> ProposedItem:
    """`item` as what comes after `earlier`, of the same kind as that: a matter keeps its kind."""
    target = (earlier.item.item_id,)
    kept = replace(item, statement_kind=earlier.item.statement_kind or item.statement_kind)
    if earlier.supersedes:
        return replace(kept, supersedes=target)
    if earlier.action is Action.RETRACT:
        return replace(kept, action=Action.RETRACT, relation_type=None, contradicts=target)
    if kept.statement_kind is StatementKind.RELATIONSHIP and kept.relation_type is None:
        kept = replace(kept, relation_type=_role_in(earlier.item))
    return replace(kept, action=Action.CORRECT, corrects=target)


def closest(folded: str, vocabulary: Lexicon, items: Sequence[ItemView]) -> ItemView | None:
    """The item that shares most words with the statement; None on a tie or without any."""
    said, chars = topics(folded, vocabulary), matter(folded, vocabulary)
    by_words = _only_best(
        items, lambda item: len(said & topics(_folded(item, vocabulary), vocabulary))
    )
    # Short Han words share no pair of characters: then two single ones must do.
    return by_words or _only_best(
        items,
        lambda item: len(chars & matter(_folded(item, vocabulary), vocabulary)),
        _SHARED_CHARS_MIN,
    )


def _holding_old_value(claim: Claim, items: list[ItemView]) -> ItemView | None:
    """The item that holds the value the statement names as wrong ("not 14 June")."""
    clause = claim.clause
    named = clause.lexicon.cue("old_value").search(clause.folded)
    if named is None:
        return None
    old = named["old"].strip()
    wrong = topics(old, clause.lexicon)
    said = topics(clause.folded, clause.lexicon)
    holding = [item for item in items if _holds(old, wrong, _folded(item, clause.lexicon), claim)]
    if len(holding) == 1:
        return holding[0]
    return _only_best(
        holding, lambda item: len(said & topics(_folded(item, clause.lexicon), clause.lexicon))
    )


def _holds(old: str, wrong: frozenset[str], text: str, claim: Claim) -> bool:
    """Whether a text holds the old value: its words, or itself where it is too short for words."""
    if wrong and wrong <= topics(text, claim.clause.lexicon):
        return True
    return 0 < len(old) < _SHORT_VALUE_CHARS and old in text


def _only_recent(claim: Claim, items: list[ItemView], just_said: frozenset[str]) -> ItemView | None:
    """The one item of the claim's kind that was said right before."""
    recent = [
        item for item in items if item.item_id in just_said and item.statement_kind is claim.kind
    ]
    return recent[0] if len(recent) == 1 else None


def _denied(claim: Claim, items: list[ItemView]) -> ItemView | None:
    """The positive item that says hardly more than what the statement says is not so."""
    clause = claim.clause
    begin = after_openers(clause.folded, clause.lexicon)
    said = matter(clause.folded[begin:], clause.lexicon)
    denied = [
        item
        for item in items
        if said
        and said <= (held := matter(_folded(item, clause.lexicon), clause.lexicon))
        and len(held - said) <= _MORE_THAN_DENIED_MAX
        and not clause.lexicon.cue("denies").search(_folded(item, clause.lexicon))
    ]
    return denied[0] if len(denied) == 1 else None


def _on_the_samematter(claim: Claim, items: list[ItemView]) -> ItemView | None:
    clause = claim.clause
    of_any = (matter.compiled() for matter in clause.lexicon.dimensions.values())
    matters = [matter for matter in of_any if matter.search(clause.folded)]
    same = [
        item
        for item in items
        if any(matter.search(_folded(item, clause.lexicon)) for matter in matters)
    ]
    return same[0] if len(same) == 1 else None


def _role_in(item: ItemView) -> str | None:
    """The role that a relationship's own words state."""
    japanese = is_japanese(item.text)
    vocabulary = lexicon(locale_of(item.text, japanese))
    folded = _folded(item, vocabulary)
    claim = claim_of(Clause(0, len(item.text), item.text, folded, vocabulary), frozenset())
    return claim.role if claim else None


def _only_best(
    items: Iterable[ItemView], score: Callable[[ItemView], int], least: int = 1
) -> ItemView | None:
    ranked = sorted(((score(item), item) for item in items), key=lambda pair: -pair[0])
    if not ranked or ranked[0][0] < least:
        return None
    if len(ranked) > 1 and ranked[1][0] == ranked[0][0]:
        return None
    return ranked[0][1]


def _folded(item: ItemView, vocabulary: Lexicon) -> str:
    return fold(item.text, vocabulary.fold)


def _comparable(claim: Claim, item: ItemView, subject: str | None) -> bool:
    """Whether one may follow the other: of one subject, and a tie only where a tie was."""
    if (claim.about in ("tie", "renamed")) != (item.kind is ItemKind.RELATIONSHIP):
        return False
    return (subject or "").casefold() == (item.subject or "").casefold()
