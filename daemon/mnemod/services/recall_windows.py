"""Filling the windows of a recall: items, quotes, and what is not formed yet.

Order matters: what is provisional is found first, so that it is not quoted as if it were settled;
items are chosen before quotes, so that a quote never repeats an item.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache

from msgspec import Struct

from mnemod import config
from mnemod.domain.bm25 import NO_WORDS, is_match
from mnemod.domain.evidence import Instant
from mnemod.domain.excerpts import asking_share, excerpt
from mnemod.domain.ranking import Score, best_first
from mnemod.domain.recall_windows import diverse, fitting, scaled
from mnemod.domain.tokens import terms
from mnemod.domain.world import Item, ItemState
from mnemod.ids import EpochMs, EvidenceId, ItemId
from mnemod.services.recall_asked import Asked
from mnemod.services.recall_items import Items
from mnemod.services.recall_shown import Explained, ShownItem, ShownQuote, ShownRecent, saying
from mnemod.services.recall_turns import Turns
from mnemod.services.showing import Sourced, show
from mnemod.store import evidence, items, lexical, recalled_items, recalled_turns
from mnemod.store.database import Tx
from mnemod.store.jobs import JobState
from mnemod.store.lexical import Shelf
from mnemod.store.recalled_turns import SaidRow

UNFORMED = frozenset(
    {
        JobState.PENDING,
        JobState.PROCESSING,
        JobState.RETRY,
        JobState.CLARIFICATION,
        JobState.DEAD,
    }
)
"""Jobs that have not settled what was said. `no_change` has: there was nothing to keep."""

STANDING_MAX = 200
"""How many turns are looked at to fill the quotes."""

QUOTE_CHARS = config.RECALL_QUOTE_CHARS // config.RECALL_QUOTES
"""A longer message is quoted in part."""


class Quotes(Struct, frozen=True):
    """The quotes and how many more would have matched, or were kept back as overtaken."""

    shown: tuple[ShownQuote, ...]
    cut: int
    overtaken: int


def recent(tx: Tx, asked: Asked, turns: Turns) -> tuple[tuple[ShownRecent, ...], int]:
    """What came in lately and is not formed, oldest first; and how many more did not fit."""
    since = EpochMs(asked.now - config.RECALL_RECENT_MS)
    latest = recalled_turns.latest(tx, asked.tier, since, asked.now, config.RECALL_RECENT_TURNS)
    unformed = [seq for seq, state in latest if state in UNFORMED]
    known = recalled_turns.said(tx, unformed, asked.tier) if unformed else {}
    rows = [row for row in known.values() if _is_wanted(asked, row)]
    matching = _matching(tx, asked, turns, rows)
    whole = [(row, _content(tx, row)) for row in rows if row.seq in matching]
    whole.sort(key=lambda pair: (-_value(turns.scores, pair[0].seq), -pair[0].seq))
    chosen = fitting(
        whole, lambda pair: len(pair[1]), config.RECALL_RECENT, config.RECALL_RECENT_CHARS
    )
    shown = sorted((ShownRecent(*pair) for pair in chosen), key=lambda one: one.row.seq)
    return tuple(shown), len(whole) - len(shown)


def choose_items(
    tx: Tx, asked: Asked, found: Items, limit: int
) -> tuple[tuple[ShownItem, ...], int]:
    """The best items that do not echo each other, and how many more matched."""
    order = best_first(found.scores)

    @cache
    def item(seq: int) -> Item:
        # Read when its turn comes: of many that match, few are looked at.
        row = items.by_id(tx, found.rows[seq].item_id)
        assert row is not None, "the snapshot that found an item holds it"
        return row

    chosen = diverse(order, lambda seq: frozenset(terms(item(seq).text)), limit)
    shown = []
    for seq in chosen:
        seen = show(tx, item(seq), asked.tier)
        successor = found.successors.get(seq)
        shown.append(
            ShownItem(
                seq=seq,
                shown=seen,
                is_past=seq in found.past,
                said_at=_last_said(saying(seen)),
                successor_id=None if successor is None else found.rows[successor].item_id,
                explained=_explained(asked, found.scores[seq]),
            )
        )
    return tuple(shown), len(order) - len(shown)


def choose_quotes(
    tx: Tx,
    asked: Asked,
    turns: Turns,
    found: Items,
    told: AbstractSet[EvidenceId],
    limit: int,
) -> Quotes:
    """The best turns that no item and no recent row shows already, in their exact words."""
    untold = [seq for seq in best_first(turns.scores) if turns.rows[seq].evidence_id not in told]
    standing = _standing(tx, untold[:STANDING_MAX], found)
    overtaken = {s for s, later in standing.items() if later is None or not asked.past}
    order = [seq for seq in untold if seq not in overtaken]
    heads = diverse(order, lambda seq: frozenset(terms(turns.rows[seq].head)), limit)
    quotes = [_quote(tx, asked, turns, seq, standing.get(seq)) for seq in heads]
    budget = scaled(config.RECALL_QUOTE_CHARS, limit, config.RECALL_QUOTES)
    shown = fitting(quotes, lambda quote: len(quote.text), limit, budget)
    return Quotes(tuple(shown), len(order) - len(shown), len(overtaken))


def _is_wanted(asked: Asked, row: SaidRow) -> bool:
    """A statement, of the person asked about, of the time asked for."""
    if asked.question.first_person and row.speaker_id is not None:
        return False
    if asked.window is not None and not asked.window.holds(row.moment_ms):
        return False
    return asking_share(row.head) < 1


def _matching(tx: Tx, asked: Asked, turns: Turns, rows: Sequence[SaidRow]) -> set[int]:
    if not asked.wanted:
        return {row.seq for row in rows} if asked.window is not None else set()
    seqs = [row.seq for row in rows]
    words = lexical.words_of(tx, Shelf.EVIDENCE, seqs, asked.wanted)
    return {
        seq
        for seq in seqs
        if seq in turns.scores or is_match(asked.question, words.get(seq, NO_WORDS))
    }


def _standing(tx: Tx, seqs: Sequence[int], found: Items) -> dict[int, ItemId | None]:
    """Turns whose words were overtaken, each with what took their place, if that is known."""
    by_turn: dict[int, list[recalled_items.Formed]] = {}
    for formed in recalled_items.formed_from(tx, seqs):
        by_turn.setdefault(formed.said_seq, []).append(formed)
    overtaken: dict[int, ItemId | None] = {}
    for seq, made in by_turn.items():
        gone = [f for f in made if f.state in (ItemState.SUPERSEDED, ItemState.RETRACTED)]
        if gone:
            overtaken[seq] = _successor(gone, found)
    return overtaken


def _successor(gone: Sequence[recalled_items.Formed], found: Items) -> ItemId | None:
    for formed in gone:
        later = found.successors.get(formed.item_seq)
        if later is not None:
            return found.rows[later].item_id
    return None


def _quote(
    tx: Tx, asked: Asked, turns: Turns, seq: int, superseded_by: ItemId | None
) -> ShownQuote:
    row = turns.rows[seq]
    text = excerpt(_content(tx, row), asked.question.weights.keys(), QUOTE_CHARS)
    return ShownQuote(row, text, superseded_by, _explained(asked, turns.scores[seq]))


def _content(tx: Tx, row: SaidRow) -> str:
    """The whole of what was said; the row at hand may hold its beginning alone."""
    if len(row.head) < recalled_turns.HEAD_CHARS:
        return row.head
    whole = evidence.by_id(tx, row.evidence_id)
    return row.head if whole is None else whole.content


def _explained(asked: Asked, score: Score) -> Explained:
    return Explained(score.terms, 0, round(score.value, 6), asked.channel)


def _last_said(sources: Iterable[Sourced]) -> Instant | None:
    said = [source.row.said_at for source in sources if source.row.said_at is not None]
    return max(said, key=lambda moment: moment.at_ms, default=None)


def _value(scores: Mapping[int, Score], seq: int) -> float:
    return scores[seq].value if seq in scores else 0.0
