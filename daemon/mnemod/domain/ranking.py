"""How well rows bear on a question, by their words alone: BM25 done well, and no model.

A turn is scored together with the turn before it (and a little of the one after): what was asked in
one is answered in the next. The window is put together here, for one question; no row's words ever
stand in another row's index entry, so a forgotten turn leaves nothing behind.

Scores of one question are scaled to its best row, then adjusted: a date that is asked for, who
speaks, questions (they state nothing), and neighbours that score too. Every constant was chosen on
LoCoMo conversations 0 to 2 (conversation 0 tuned, 1 and 2 as check): recall@10 of categories 1 to 4
is .776 with the values below, .759 on conversation 0; a comment says what it is when one value
alone is another. `python -m tests.bench.locomo --direct` measures it again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final

from msgspec import Struct

from mnemod.domain.bm25 import SHARE_MIN, Words, bm25, share
from mnemod.domain.excerpts import asking_share
from mnemod.domain.question import Question
from mnemod.domain.trust import OF_ANOTHER

LENGTH: Final = 12.0
"""Terms in a usual turn. Fixed, so that a row's score does not change with its neighbours."""
BEFORE: Final = 0.7  # of the turn before: .741 at 0, .772 at .4, .770 at 1
AFTER: Final = 0.25  # of the turn after: .773 at 0, .771 at .5; recall@20 .818, .824, .826
DATE: Final = 0.5  # for a date that fits: .758 at 0, .774 at 1
SPEAKER: Final = 0.2  # .766 at 0, .778 at .4; category 5 .920, .920, .911
QUESTION: Final = 0.5  # taken from what is all questions; recall@20 .815 at 0, .816 at .8
NEAR: Final = 0.2  # of each neighbour's score, half as much of the next: .755 at 0, .771 at .3
NEXT_TO_NEAR: Final = 0.1
SESSION: Final = 0.3  # of the best score in the session: .762 at 0, .773 at .6
IDENTIFIER: Final = 4.0
"""More than everything else together: an exact rare number or code can't be outranked."""
NEIGHBOUR_SHARE: Final = 0.4
"""A turn with no word of the question needs this of it next to it, or a question just before it:
.758 if any neighbour speaks for a turn, .762 if only a question does."""
ITEM_LENGTH: Final = 8.0
OWN_WORDS: Final = 0.2
"""What an item's own words add to the score of the turn it was said in."""
TRUST: Final = 0.3
"""The share of a score that depends on trust. What is flagged (.5) comes to .87 of what a clean
equal one has: below it, and above what answers less. An exact number or code is not scaled."""


_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Said(Struct, frozen=True):
    """A turn as ranking sees it. `head` is the beginning of its words; `offset_min` east of UTC."""

    seq: int
    before: int | None
    after: int | None
    words: Words
    session: tuple[str, str]
    speaker: str | None
    head: str
    moment_ms: int
    offset_min: int
    trust: float = 1.0

    @property
    def told_on(self) -> date:
        """The day it was said, for whoever said it."""
        return (_EPOCH + timedelta(milliseconds=self.moment_ms, minutes=self.offset_min)).date()


class Score(Struct, frozen=True):
    """`value` orders rows, higher is better; `terms` are the question's that the row holds."""

    value: float
    terms: tuple[str, ...]


def rank_turns(question: Question, turns: Mapping[int, Said], names: set[str]) -> dict[int, Score]:
    """Scores of the turns that bear on the question, by `seq`; the rest are left out.

    `turns` are the rows that hold terms of the question and their neighbours; `names` the speakers
    that the question names.
    """
    windows = {seq: _window(turn, turns) for seq, turn in turns.items()}
    passing = {
        seq: words
        for seq, words in windows.items()
        if words.counts and _bears(question, turns[seq], words, turns)
    }
    raw = {
        seq: bm25(question, words, LENGTH * _width(turns[seq])) for seq, words in passing.items()
    }
    best = max(raw.values(), default=0.0)
    alone = {
        seq: _adjusted(question, turns[seq], value / best, names) for seq, value in raw.items()
    }
    smooth = _smoothed(alone, turns)
    return {
        seq: Score(
            value * trusted(turns[seq].trust)
            + IDENTIFIER * _identified(question, turns[seq].words),
            _held(question, turns[seq].words),
        )
        for seq, value in smooth.items()
    }


def item_score(question: Question, words: Words, best_own: float, source: float) -> Score:
    """The score of an item: that of the turn it was said in, and something for its own words."""
    own = bm25(question, words, ITEM_LENGTH)
    value = source + (OWN_WORDS * own / best_own if best_own else 0.0)
    return Score(value, _held(question, words))


def trusted(trust: float) -> float:
    """What of a score is left to words that are trusted so far, 0 to 1.

    Whether the owner or another person spoke is no reason here (.773 if it is): SPEAKER weighs it.
    """
    return 1 - TRUST * (1 - min(trust / OF_ANOTHER, 1.0))


def _bears(question: Question, turn: Said, window: Words, turns: Mapping[int, Said]) -> bool:
    """Whether the window matches: by the turn's own words, or by neighbours that speak for it."""
    if question.telling.isdisjoint(window.counts):
        return False
    held = share(question, window)
    if held >= NEIGHBOUR_SHARE or not question.telling.isdisjoint(turn.words.counts):
        return held >= SHARE_MIN
    before = None if turn.before is None else turns.get(turn.before)
    return held >= SHARE_MIN and before is not None and asking_share(before.head) > 0


def _width(turn: Said) -> float:
    return 1 + (BEFORE if turn.before else 0) + (AFTER if turn.after else 0)


def _window(turn: Said, turns: Mapping[int, Said]) -> Words:
    """The turn's words with those of its neighbours, weighed; a neighbour not at hand is usual."""
    counts = dict(turn.words.counts)
    length = turn.words.length
    for seq, weight in ((turn.before, BEFORE), (turn.after, AFTER)):
        if seq is None:
            continue
        near = turns.get(seq)
        if near is None:
            length += weight * LENGTH
            continue
        length += weight * near.words.length
        for term, count in near.words.counts.items():
            counts[term] = counts.get(term, 0.0) + weight * count
    return Words(length, counts)


def _adjusted(question: Question, turn: Said, score: float, names: set[str]) -> float:
    value = score * (1 - QUESTION * asking_share(turn.head))
    if question.dates and any(asked.told_on(turn.told_on) for asked in question.dates):
        value += DATE
    if len(names) == 1 and turn.speaker in names:
        value += SPEAKER
    return value


def _smoothed(scores: Mapping[int, float], turns: Mapping[int, Said]) -> dict[int, float]:
    """Scores with something of the neighbours' and of the session's best."""
    near = {
        seq: value
        + NEAR * _around(scores, turns, seq, 1)
        + NEXT_TO_NEAR * _around(scores, turns, seq, 2)
        for seq, value in scores.items()
    }
    best: dict[tuple[str, str], float] = {}
    for seq, value in near.items():
        session = turns[seq].session
        best[session] = max(best.get(session, 0.0), value)
    return {seq: value + SESSION * best[turns[seq].session] for seq, value in near.items()}


def _around(scores: Mapping[int, float], turns: Mapping[int, Said], seq: int, steps: int) -> float:
    return sum(scores.get(at, 0.0) for at in (_back(turns, seq, steps), _on(turns, seq, steps)))


def _back(turns: Mapping[int, Said], seq: int | None, steps: int) -> int:
    for _ in range(steps):
        turn = turns.get(seq) if seq is not None else None
        seq = turn.before if turn else None
    return -1 if seq is None else seq


def _on(turns: Mapping[int, Said], seq: int | None, steps: int) -> int:
    for _ in range(steps):
        turn = turns.get(seq) if seq is not None else None
        seq = turn.after if turn else None
    return -1 if seq is None else seq


def _identified(question: Question, words: Words) -> float:
    if not question.identifiers:
        return 0.0
    met = sum(1 for term in question.identifiers if words.counts.get(term))
    return met / len(question.identifiers)


def _held(question: Question, words: Words) -> tuple[str, ...]:
    return tuple(term for term in question.weights if words.counts.get(term))


def best_first(scores: Mapping[int, Score]) -> Sequence[int]:
    """The rows by score, the newer first where scores are equal."""
    return sorted(scores, key=lambda seq: (-scores[seq].value, -seq))
