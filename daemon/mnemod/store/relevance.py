"""What of the world a text may be about: bounded by count, found by index, never all of it."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import orjson

from mnemod.domain.keys import comparison_key
from mnemod.domain.tokens import terms
from mnemod.domain.world import Item
from mnemod.ids import ItemId
from mnemod.store import items, lexical
from mnemod.store.database import Tx
from mnemod.store.lexical import Shelf

TERMS_MAX: Final = 200
RARE_TERMS_MAX: Final = 32
HOLDERS_MAX: Final = 2_000
"""A term that more items hold says too little, and would cost too much, to look its holders up."""
NAMED_CHARS_MAX: Final = 8_000

_Q_CURRENT = """
SELECT item_id
  FROM item
 WHERE seq IN (SELECT value FROM json_each(:seqs))
   AND state = 'current' AND layer = 'fact' AND kind <> 'entity' AND archived_at_ms IS NULL
"""

_Q_NEWEST = """
SELECT item_id
  FROM item
 WHERE kind IN ('cognition', 'relationship', 'event', 'evaluation')
   AND state = 'current' AND layer = 'fact' AND archived_at_ms IS NULL
 ORDER BY seq DESC
 LIMIT :limit
"""


def relevant_items(tx: Tx, text: str, limit: int) -> list[Item]:
    """Up to `limit` current facts: those that share rare words with `text`, then the newest.

    A share counts ln(1 + N / n) where n of N items hold the word (Robertson's idf, smoothed).
    """
    scores = _scores(tx, text)
    best = sorted(scores, key=lambda seq: (-scores[seq], -seq))[: 4 * limit]
    found = {item.seq: item for item in _items(tx, _Q_CURRENT, {"seqs": _array(best)})}
    chosen = [found[seq] for seq in best if seq in found][:limit]
    known = {item.item_id for item in chosen}
    newest = _items(tx, _Q_NEWEST, {"limit": limit})
    return [*chosen, *(item for item in newest if item.item_id not in known)][:limit]


# Names are few and mentions many: each name is looked for once.
_Q_NAMED = """
SELECT DISTINCT n.entity_id
  FROM (SELECT DISTINCT key FROM entity_name WHERE key <> '') k
  JOIN entity_name n ON n.key = k.key
 WHERE instr(:text, k.key) > 0
 LIMIT :limit
"""

_Q_SIZE = "SELECT coalesce(max(seq), 0) FROM item"


def named_entities(tx: Tx, text: str, limit: int) -> list[ItemId]:
    """Up to `limit` entities one of whose names stands in the text's first characters."""
    key = comparison_key(text[:NAMED_CHARS_MAX])
    return [ItemId(row[0]) for row in tx.execute(_Q_NAMED, {"text": key, "limit": limit})]


def _scores(tx: Tx, text: str) -> dict[int, float]:
    wanted = list(dict.fromkeys(terms(text)))[:TERMS_MAX]
    held = lexical.frequencies(tx, Shelf.ITEM, wanted)
    rare = sorted((term for term in wanted if 0 < held[term] <= HOLDERS_MAX), key=held.__getitem__)
    # Erased rows count too: counting the living would cost as much as there are.
    total = int(tx.execute(_Q_SIZE).fetchone()[0])
    scores: defaultdict[int, float] = defaultdict(float)
    for term in rare[:RARE_TERMS_MAX]:
        weight = math.log1p(total / held[term])
        for seq in lexical.holders(tx, Shelf.ITEM, term):
            scores[seq] += weight
    return scores


def _items(tx: Tx, query: str, given: dict[str, object]) -> list[Item]:
    ids = [ItemId(row[0]) for row in tx.execute(query, given)]
    return list(items.by_ids(tx, ids).values())


def _array(seqs: Sequence[int]) -> str:
    return orjson.dumps(seqs).decode()
