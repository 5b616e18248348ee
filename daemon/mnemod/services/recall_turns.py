"""The turns that bear on a question: candidates, their neighbours, and a score for each."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import tzinfo

from msgspec import Struct, field

from mnemod.domain.bm25 import NO_WORDS, Words
from mnemod.domain.ranking import Said, Score, rank_turns
from mnemod.domain.time_window import offset_min
from mnemod.domain.tokens import terms
from mnemod.services.recall_asked import Asked, passing
from mnemod.store import lexical, recalled_turns
from mnemod.store.candidates import candidates
from mnemod.store.database import Tx
from mnemod.store.lexical import Shelf
from mnemod.store.recalled_turns import SaidRow

OWNER = ""
"""Stands where a speaker's name would: the owner has none."""

TIME_ROWS = 8
"""How many rows are brought back for a time alone."""


class Turns(Struct, frozen=True):
    """Scored turns with their rows; `kept_back` are candidates that may not be shown."""

    rows: Mapping[int, SaidRow] = field(default_factory=dict)
    scores: Mapping[int, Score] = field(default_factory=dict)
    kept_back: int = 0
    outside: int = 0


def score_turns(tx: Tx, asked: Asked, hits: int) -> Turns:
    """The turns that match, by their words or a neighbour's, among the `hits` best candidates."""
    order = candidates(tx, Shelf.EVIDENCE, asked.question.weights, asked.turn_frequencies)
    inside = order
    if asked.window is not None:
        within = recalled_turns.seqs_within(tx, asked.window)
        inside = [seq for seq in order if seq in within]
    found, kept_back = passing(inside, lambda seqs: recalled_turns.said(tx, seqs, asked.tier), hits)
    rows = {**found, **_neighbours(tx, asked, found)}
    words = lexical.words_of(tx, Shelf.EVIDENCE, rows, asked.wanted)
    scores = _scored(asked, rows, words)
    return Turns(
        rows, _within(asked, rows, scores), len(kept_back), outside=len(order) - len(inside)
    )


def turns_near(tx: Tx, asked: Asked) -> Turns:
    """The turns inside the window, then the nearest to it: a time alone was asked for."""
    if asked.window is None:
        return Turns()
    near = recalled_turns.nearest(tx, asked.window, asked.tier, TIME_ROWS)
    scores = {row.seq: Score(1 / (1 + place), ()) for place, row in enumerate(near)}
    return Turns({row.seq: row for row in near}, scores)


def _neighbours(tx: Tx, asked: Asked, found: Mapping[int, SaidRow]) -> dict[int, SaidRow]:
    wanted = {seq for row in found.values() for seq in (row.before, row.after) if seq is not None}
    return recalled_turns.said(tx, wanted - found.keys(), asked.tier)


def _scored(
    asked: Asked, rows: Mapping[int, SaidRow], words: Mapping[int, Words]
) -> dict[int, Score]:
    speakers = {row.speaker_name for row in rows.values() if row.speaker_name is not None}
    named = {name for name in speakers if not set(asked.wanted).isdisjoint(terms(name))}
    if asked.question.first_person and speakers:
        named.add(OWNER)
    turns = {seq: _turn(asked.zone, row, words.get(seq, NO_WORDS)) for seq, row in rows.items()}
    return rank_turns(asked.question.knowing(speakers), turns, named)


def _turn(zone: tzinfo, row: SaidRow, words: Words) -> Said:
    said_offset = row.said_offset_min
    offset = offset_min(row.recorded_at_ms, zone) if said_offset is None else said_offset
    return Said(
        seq=row.seq,
        before=row.before,
        after=row.after,
        words=words,
        session=(row.conversation_id, row.session_id or ""),
        speaker=row.speaker_name or OWNER,
        head=row.head,
        moment_ms=row.moment_ms,
        offset_min=offset,
        trust=row.trust,
    )


def _within(
    asked: Asked, rows: Mapping[int, SaidRow], scores: Mapping[int, Score]
) -> Mapping[int, Score]:
    window = asked.window
    if window is None:
        return scores
    return {seq: score for seq, score in scores.items() if window.holds(rows[seq].moment_ms)}
