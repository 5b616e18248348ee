"""The `entity_name` table: what an entity is called, and which Evidence says so."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import StrEnum

import orjson
from msgspec import Struct

from mnemod.config import Tier
from mnemod.ids import EvidenceId, ItemId
from mnemod.store.database import Tx


class NameKind(StrEnum):
    CANONICAL = "canonical"
    ALIAS = "alias"


class EntityName(Struct, frozen=True):
    """One name as one Evidence writes it. `key` is its comparison form."""

    entity_id: ItemId
    key: str
    name: str
    kind: NameKind
    evidence_id: EvidenceId


_Q_ADD = """
INSERT INTO entity_name (entity_id, key, name, kind, evidence_id)
VALUES (?, ?, ?, ?, ?)
ON CONFLICT DO NOTHING
"""


def add(tx: Tx, name: EntityName) -> None:
    """Remember that this Evidence calls the entity so."""
    tx.execute(_Q_ADD, (name.entity_id, name.key, name.name, name.kind.value, name.evidence_id))


_Q_OF = """
SELECT entity_id, key, name, kind, evidence_id
  FROM entity_name
 WHERE entity_id = ?
 ORDER BY kind = 'alias', key, evidence_id
"""


def of(tx: Tx, entity_id: ItemId) -> list[EntityName]:
    """All the names of an entity, the canonical ones first."""
    return [_name(row) for row in tx.execute(_Q_OF, (entity_id,))]


_READ_BY = {Tier.LOCAL: "local_read", Tier.CLOUD: "cloud_read"}
# Held words name nobody.

_TOLD = """
SELECT n.name
  FROM entity_name n
  JOIN evidence e ON e.evidence_id = n.evidence_id
 WHERE n.entity_id = :entity_id
   AND e.{allowed} = 1 AND e.outcome IN ('eligible', 'released')
"""

_Q_TOLD = {tier: _TOLD.format(allowed=column) + " LIMIT 1" for tier, column in _READ_BY.items()}

_Q_TOLD_SO = {
    tier: _TOLD.format(allowed=column) + "   AND n.key = :key LIMIT 1"
    for tier, column in _READ_BY.items()
}


def told(tx: Tx, entity_id: ItemId, key: str, tier: Tier) -> str | None:
    """A name of an entity that words readable there give, that of `key` first; None if none do."""
    for query in (_Q_TOLD_SO[tier], _Q_TOLD[tier]):
        row = tx.execute(query, {"entity_id": entity_id, "key": key}).fetchone()
        if row is not None:
            return str(row[0])
    return None


_Q_BEARERS = "SELECT DISTINCT entity_id FROM entity_name WHERE key = ? ORDER BY entity_id"


def bearers(tx: Tx, key: str) -> list[ItemId]:
    """The entities that go by a name of this comparison form."""
    return [ItemId(row[0]) for row in tx.execute(_Q_BEARERS, (key,))]


_Q_SO = """
SELECT entity_id, key, name, kind, evidence_id
  FROM entity_name
 WHERE entity_id = ? AND key = ?
"""


def so(tx: Tx, entity_id: ItemId, key: str) -> Iterator[EntityName]:
    """The namings of an entity by a name of this comparison form, read as they are asked for."""
    yield from map(_name, tx.execute(_Q_SO, (entity_id, key)))


_Q_BY_EVIDENCE = "SELECT entity_id, key FROM entity_name WHERE evidence_id = ?"


def named_by(tx: Tx, evidence_id: EvidenceId) -> list[tuple[ItemId, str]]:
    """The entities that this Evidence names, and the comparison form of each name."""
    rows = tx.execute(_Q_BY_EVIDENCE, (evidence_id,))
    return [(ItemId(entity_id), key) for entity_id, key in rows]


_Q_DROP = "DELETE FROM entity_name WHERE evidence_id = ?"


def drop(tx: Tx, evidence_id: EvidenceId) -> None:
    """Forget what this Evidence called anybody."""
    tx.execute(_Q_DROP, (evidence_id,))


_Q_KEEP_ONLY = """
DELETE FROM entity_name
 WHERE entity_id = :entity_id AND key NOT IN (SELECT value FROM json_each(:keys))
"""

_Q_MAKE_CANONICAL = """
UPDATE entity_name SET kind = 'canonical' WHERE entity_id = :entity_id AND key = :key
"""


def keep_only(tx: Tx, entity_id: ItemId, keys: Collection[str], canonical: str) -> None:
    """Let an entity go by names of these comparison forms alone, `canonical` being its own."""
    given = {"entity_id": entity_id, "keys": orjson.dumps(list(keys)).decode()}
    tx.execute(_Q_KEEP_ONLY, given)
    tx.execute(_Q_MAKE_CANONICAL, {"entity_id": entity_id, "key": canonical})


def _name(row: tuple[str, str, str, str, str]) -> EntityName:
    return EntityName(ItemId(row[0]), row[1], row[2], NameKind(row[3]), EvidenceId(row[4]))
