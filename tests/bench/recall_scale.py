"""Recall at 1,000, 10,000 and 100,000 turns: `python -m tests.bench.recall_scale [ROWS ...]`.

Each size is an account of its own with synthetic conversations: 60 % English-like words drawn by
Zipf's law, 40 % Han and kana runs, 12 to 80 terms a turn, 40 turns a conversation, an item for
every fifth turn. Questions are pieces of turns (4 to 8 words, or 4 to 10 characters). The floor is
FTS5's own ranking of the same terms over the same turns, in the same run: an OR of all terms,
`ORDER BY rank LIMIT 20`. Times are of the service in this process, without the wire. Also shown:
what `observe` pays for the index, per message of 100 characters.
"""

from __future__ import annotations

import argparse
import itertools
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import trio
from rich.console import Console
from rich.table import Table

from mnemod.accounts import Account, Accounts
from mnemod.config import Tier
from mnemod.domain.tokens import terms
from mnemod.ids import AccountId
from mnemod.services.recall import Recall, recall
from mnemod.store import lexical
from mnemod.store.database import Tx
from mnemod.store.lexical import encoded
from tests.support.inline_runner import inline_runner

SIZES = (1_000, 10_000, 100_000)
QUESTIONS = 200
_CONVERSATION = 40
_FIRST_MS = 1_700_000_000_000
_EVENT_MS = 60_000

_Q_EVIDENCE = """
INSERT INTO evidence (seq, evidence_id, source_kind, host_id, conversation_id, message_id,
    origin_hash, content, content_hash, said_at_ms, said_offset_min, recorded_at_ms, local_read,
    cloud_read, inference, outcome, trust)
VALUES (?, ?, 'spoken', 'bench', ?, ?, ?, ?, 'x', ?, 0, ?, 1, 1, 1, 'eligible', 1.0)
"""
_Q_ITEM = """
INSERT INTO item (seq, item_id, kind, layer, text, key, statement_kind, formed_by, importance,
    confidence, trust, recorded_at_ms, state, created_revision)
VALUES (?, ?, 'cognition', 'fact', ?, ?, 'attribute', 'stated', 5, 600, 1.0, ?, 'current', 1)
"""
_Q_SUPPORT = """
INSERT INTO support (item_id, evidence_id, relation, start, "end", span_hash, grp, position)
VALUES (?, ?, 'support', 0, ?, 'x', 0, 0)
"""

_Q_FLOOR = """
CREATE VIRTUAL TABLE floor USING fts5 (terms, tokenize = "unicode61 tokenchars '_'")
"""
_Q_RANKED = "SELECT rowid FROM floor WHERE floor MATCH ? ORDER BY rank LIMIT 20"


@dataclass(frozen=True, slots=True)
class Figures:
    """Milliseconds at one size; `index_us` is microseconds a message."""

    rows: int
    recall: Sequence[float]
    floor: Sequence[float]
    index_us: float


class Corpus:
    """Turns and questions of one seed: the same on every run."""

    def __init__(self, seed: int = 1) -> None:
        self._random = random.Random(seed)
        self._words = [f"{a}{b}{c}" for a, b, c in itertools.product(_HEADS, _MIDDLES, _TAILS)]
        self._random.shuffle(self._words)
        self._signs = [chr(0x4E00 + place) for place in range(2_500)]
        self._signs += [chr(0x3041 + place) for place in range(80)]
        self._word_weights = _zipf(len(self._words), 1.0)
        self._sign_weights = _zipf(len(self._signs), 0.9)

    def turn(self) -> str:
        """Words three times in five, else a run of Han and kana."""
        if self._random.random() < 0.6:
            count = self._random.randint(12, 28)
            return " ".join(
                self._random.choices(self._words, cum_weights=self._word_weights, k=count)
            )
        count = self._random.randint(10, 40)
        return "".join(self._random.choices(self._signs, cum_weights=self._sign_weights, k=count))

    def question(self, turn: str) -> str:
        """A piece of a turn."""
        parts: Sequence[str] = turn.split() if " " in turn else turn
        count = min(self._random.randint(4, 8 if " " in turn else 10), len(parts))
        start = self._random.randint(0, len(parts) - count)
        return (" " if " " in turn else "").join(parts[start : start + count])

    def some(self, turns: Sequence[str], count: int) -> list[str]:
        """Pieces of `count` turns."""
        return [self.question(turn) for turn in self._random.choices(turns, k=count)]


_HEADS = ["ba", "ce", "dri", "fo", "gu", "ha", "ki", "lo", "mu", "ne", "pa", "ri", "so", "tu", "ve"]
_MIDDLES = ["l", "nd", "rm", "st", "v", "ck", "mp", "t", "sh", "g", "rt", "n", "d", "ll", "b", "x"]
_TAILS = [
    f"{vowel}{end}" for vowel in "aeiou" for end in ("", "n", "r", "t", "m", "k", "la", "ro", "p")
]


def _zipf(count: int, power: float) -> list[float]:
    return list(itertools.accumulate(1 / (place + 5) ** power for place in range(count)))


async def measure(rows: int, folder: Path) -> Figures:
    """Build an account of that size and time its questions, recall and floor in turns."""
    corpus = Corpus()
    turns = [corpus.turn() for _ in range(rows)]
    accounts = Accounts(folder, runner=inline_runner)
    try:
        account = (await accounts.open(AccountId("bench"))).account
        index_us = await account.db.write(lambda tx: _fill(tx, turns))
        await account.db.write(lambda tx: _fill_floor(tx, turns))
        questions = corpus.some(turns, QUESTIONS)
        timed = [
            (await _recall_ms(account, one), await _floor_ms(account, one)) for one in questions
        ]
        return Figures(rows, [one for one, _ in timed], [other for _, other in timed], index_us)
    finally:
        await accounts.aclose()


def _fill(tx: Tx, turns: Sequence[str]) -> float:
    """Store the turns and their items; returns what indexing one turn took, in microseconds."""
    spent = 0.0
    for seq, text in enumerate(turns, 1):
        at_ms = _FIRST_MS + seq * _EVENT_MS
        names = (f"ev_{seq}", f"c{seq // _CONVERSATION}", f"m{seq}", f"o{seq}")
        tx.execute(_Q_EVIDENCE, (seq, *names, text, at_ms, at_ms))
        began = time.perf_counter()
        lexical.index_evidence(tx, seq, text)
        spent += time.perf_counter() - began
        if seq % 5 == 0:
            tx.execute(_Q_ITEM, (seq // 5, f"it_{seq}", text, f"k{seq}", at_ms))
            tx.execute(_Q_SUPPORT, (f"it_{seq}", f"ev_{seq}", len(text)))
            lexical.index_item(tx, seq // 5, text)
    return spent / len(turns) * 1e6


def _fill_floor(tx: Tx, turns: Sequence[str]) -> None:
    """The same turns in a plain FTS5 table."""
    tx.execute(_Q_FLOOR)
    rows = ((" ".join(map(encoded, terms(text))),) for text in turns)
    tx.executemany("INSERT INTO floor (terms) VALUES (?)", rows)


async def _recall_ms(account: Account, text: str) -> float:
    began = time.perf_counter()
    await recall(account, Recall(text, None, Tier.LOCAL))
    return (time.perf_counter() - began) * 1e3


async def _floor_ms(account: Account, text: str) -> float:
    """FTS5's own answer, in a snapshot of its own as recall's is."""
    query = " OR ".join(f'"{encoded(term)}"' for term in dict.fromkeys(terms(text))) or '""'
    began = time.perf_counter()
    await account.db.read(lambda tx: tx.execute(_Q_RANKED, (query,)).fetchall())
    return (time.perf_counter() - began) * 1e3


def table(all_figures: Sequence[Figures]) -> Table:
    """p50 and p99 beside the floor's."""
    made = Table(
        "turns", "recall p50 ms", "p99 ms", "FTS5 rank p50 ms", "p99 ms", "ratio p50", "index us"
    )
    for one in all_figures:
        made.add_row(
            f"{one.rows:,}",
            *(f"{_at(one.recall, share):.2f}" for share in (0.5, 0.99)),
            *(f"{_at(one.floor, share):.2f}" for share in (0.5, 0.99)),
            f"{statistics.median(one.recall) / statistics.median(one.floor):.2f}",
            f"{one.index_us:.0f}",
        )
    return made


def _at(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def main() -> None:
    """Measure each size and print one table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.recall_scale", description=__doc__)
    parser.add_argument("rows", nargs="*", type=int, metavar="ROWS")
    sizes = parser.parse_args().rows or SIZES
    console = Console(stderr=True)
    figures = []
    for rows in sizes:
        with console.status(f"{rows:,} turns"), tempfile.TemporaryDirectory() as folder:
            figures.append(trio.run(measure, rows, Path(folder)))
    Console().print(table(figures))


if __name__ == "__main__":
    main()
