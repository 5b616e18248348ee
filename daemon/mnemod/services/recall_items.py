"""The items that bear on a question: by their own words, or as successor of one that does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from mnemod.domain.bm25 import Words, bm25, is_match
from mnemod.domain.ranking import ITEM_LENGTH, Score, best_first, item_score
from mnemod.domain.time_window import covered, in_zone
from mnemod.domain.world import ItemKind, ItemState
from mnemod.services.recall_asked import Asked, passing
from mnemod.services.recall_turns import Turns
from mnemod.store import lexical, recalled_items
from mnemod.store.candidates import candidates
from mnemod.store.database import Tx
from mnemod.store.lexical import Shelf
from mnemod.store.recalled_items import FactRow

LEADING_TURNS = 24
"""So many of the best turns bring the items made of them."""

CHAIN_STEPS = 4
"""How far an item is followed to what took its place, and to what it took the place of."""

FOLLOWED = 0.98
"""An item that is shown because its predecessor matched comes just after it."""

NAME_ALONE = 0.5
"""What an entity is worth beside a statement: a name alone says little."""


class Items(Struct, frozen=True):
    """Scored items; `past` are those that no longer hold, `successors` what took their place."""

    rows: Mapping[int, FactRow] = field(default_factory=dict)
    scores: Mapping[int, Score] = field(default_factory=dict)
    past: frozenset[int] = frozenset()
    successors: Mapping[int, int] = field(default_factory=dict)
    kept_back: tuple[int, ...] = ()


def score_items(tx: Tx, asked: Asked, turns: Turns, hits: int) -> Items:
    """The items that may be shown, each with its score; past ones only if the past is asked for."""
    order = candidates(tx, Shelf.ITEM, asked.question.weights, asked.item_frequencies)
    leading = best_first(turns.scores)[:LEADING_TURNS]
    formed = [made.item_seq for made in recalled_items.formed_from(tx, leading)]
    order = list(dict.fromkeys([*formed, *order]))
    found, kept_back = passing(order, lambda seqs: recalled_items.facts(tx, seqs, asked.tier), hits)
    rows, successors = _with_chains(tx, asked, found)
    words = lexical.words_of(tx, Shelf.ITEM, rows, asked.wanted)
    matched = {s: words[s] for s in rows if s in words and is_match(asked.question, words[s])}
    scores = _followed(_scored(asked, turns, rows, matched), successors)
    inside = {seq: score for seq, score in scores.items() if _is_in(asked, rows[seq])}
    return _seen(asked, rows, inside, successors, kept_back)


def items_near(tx: Tx, asked: Asked, turns: Turns) -> Items:
    """The items made of these turns, and those dated inside the window."""
    window = asked.window
    if window is None:
        return Items()
    first, last = (in_zone(at_ms, asked.zone) for at_ms in (window.from_ms, window.to_ms))
    # Stored dates are as coarse as what was said: "2031" may mean any day of it.
    dated = recalled_items.occurred_between(tx, first[:4], last[:10])
    made = [formed.item_seq for formed in recalled_items.formed_from(tx, turns.rows)]
    rows = recalled_items.facts(tx, {*made, *dated}, asked.tier)
    values = {seq: _nearness(asked, row, turns) for seq, row in rows.items()}
    scores = {seq: Score(value, ()) for seq, value in values.items() if value}
    return _seen(asked, rows, scores, {}, [])


def _nearness(asked: Asked, row: FactRow, turns: Turns) -> float:
    return 1.0 if _is_in(asked, row) else _best_source(row, turns)


def _with_chains(
    tx: Tx, asked: Asked, found: Mapping[int, FactRow]
) -> tuple[dict[int, FactRow], dict[int, int]]:
    """The rows with their predecessors and successors, and who took whose place.

    Of a chain only what may be shown: an end that may not lends nobody its words.
    """
    rows, successors = dict(found), dict[int, int]()
    fresh = set(found)
    for _ in range(CHAIN_STEPS):
        pairs = recalled_items.successions(tx, fresh) if fresh else []
        successors.update(pairs)
        fresh = {seq for pair in pairs for seq in pair} - rows.keys()
        more = recalled_items.facts(tx, fresh, asked.tier)
        rows.update(more)
        fresh = set(more)
    shown = {old: new for old, new in successors.items() if old in rows and new in rows}
    return rows, shown


def _scored(
    asked: Asked, turns: Turns, rows: Mapping[int, FactRow], matched: Mapping[int, Words]
) -> dict[int, Score]:
    best_own = max((bm25(asked.question, w, ITEM_LENGTH) for w in matched.values()), default=0.0)
    scores = {}
    for seq, words in matched.items():
        source = _best_source(rows[seq], turns)
        score = item_score(asked.question, words, best_own, source)
        scores[seq] = Score(score.value * _weight(rows[seq]), score.terms)
    return scores


def _weight(row: FactRow) -> float:
    """Trust and importance scale a score; neither can lift a vague match over an exact one."""
    kind = NAME_ALONE if row.kind is ItemKind.ENTITY else 1.0
    return kind * (0.9 + 0.1 * row.trust) * (0.975 + 0.005 * row.importance)


def _best_source(row: FactRow, turns: Turns) -> float:
    return max(
        (turns.scores[seq].value for seq, _ in row.sources if seq in turns.scores), default=0.0
    )


def _followed(scores: Mapping[int, Score], successors: Mapping[int, int]) -> dict[int, Score]:
    """Whoever asks in the words of one end of a chain is answered with the other end too."""
    found = dict(scores)
    for _ in range(CHAIN_STEPS):
        for earlier, later in successors.items():
            for this, other in ((earlier, later), (later, earlier)):
                if this in found:
                    lent = Score(found[this].value * FOLLOWED, found[this].terms)
                    if other not in found or found[other].value < lent.value:
                        found[other] = lent
    return found


def _seen(
    asked: Asked,
    rows: Mapping[int, FactRow],
    scores: Mapping[int, Score],
    successors: Mapping[int, int],
    kept_back: Iterable[int],
) -> Items:
    past = frozenset(seq for seq in scores if _is_past(asked, rows[seq]))
    shown = {seq: score for seq, score in scores.items() if asked.past or seq not in past}
    return Items(rows, shown, past, successors, tuple(kept_back))


def _is_past(asked: Asked, row: FactRow) -> bool:
    if row.state is not ItemState.CURRENT:
        return True
    return row.valid_to_ms is not None and row.valid_to_ms <= asked.now


def _is_in(asked: Asked, row: FactRow) -> bool:
    """Whether the item is of the time asked for: by its own date, else by when it was said."""
    window = asked.window
    if window is None:
        return True
    occurred = covered(row.occurred_at, asked.zone) if row.occurred_at else None
    if occurred is not None:
        return window.overlaps(occurred)
    return any(window.holds(at_ms) for _, at_ms in row.sources)
