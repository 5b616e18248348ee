"""All that one job may look at, read in one snapshot: only what may be read, only what is near.

A job over several messages is read in parts, each a request of its own, so that a long `observe`
loses nothing to the bound on items a reply may hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from mnemod.accounts import Account
from mnemod.config import INTERPRET_ITEMS, Tier
from mnemod.domain.evidence import Evidence, Outcome
from mnemod.domain.hashing import keyed
from mnemod.domain.interpretation import (
    EntityView,
    EvidenceView,
    FormationInput,
    ItemView,
    TurnView,
)
from mnemod.domain.segments import segments, sentences
from mnemod.domain.sourcing import DAMAGED, ERASED, why_not
from mnemod.domain.turns import Role, Turn
from mnemod.domain.world import Item
from mnemod.formation.interpret import Interpreter
from mnemod.formation.permitted import (
    evidence_permitted,
    item_permitted,
    preceding_turns,
    source_of,
)
from mnemod.ids import EvidenceId, ItemId, JobId, WorldRevision
from mnemod.store import entity_names, jobs, meta
from mnemod.store.database import Tx
from mnemod.store.job_contexts import Shown
from mnemod.store.jobs import JobState
from mnemod.store.relevance import named_entities, relevant_items

TURN_CHARS_MAX: Final = 4_000
"""A preceding turn is context: its beginning is enough, and offsets in it stay true."""
ITEM_CHARS_MAX: Final = 8_000
ENTITIES_MAX: Final = 24


NOTHING: Final = "no_world_mutation"
"""The reason of a job that was read and changed nothing."""


class End(Struct, frozen=True):
    """How a job ends, and why, as a stable code: of one that is done, what was left out."""

    state: JobState
    reason: str | None


class Part(Struct, frozen=True):
    """One request. `request_hash` names the Evidence in it as it stood when it was read.

    `shown` is what else is in it, as it stood at `revision`. `released` is the Evidence in it that
    its owner vouched for against the gates.
    """

    number: int
    request: FormationInput
    request_hash: str
    shown: Shown
    revision: WorldRevision
    released: frozenset[EvidenceId] = frozenset()


def prepare(
    tx: Tx, account: Account, job_id: JobId, interpreter: Interpreter
) -> tuple[Part, ...] | End:
    """The job's requests, or how it ends without one."""
    rows: list[Evidence] = []
    refused: list[str] = []
    for evidence_id in jobs.evidence_of(tx, job_id):
        source = source_of(tx, evidence_id)
        code = why_not(source, interpreter.tier, account.hash_key)
        if code is None and source.row is not None:
            rows.append(source.row)
        else:
            refused.append(code or "evidence_missing")
    if not rows or not DAMAGED.isdisjoint(refused):
        return ending_for(refused)
    size = interpreter.messages_a_call
    cuts = range(0, len(rows), size)
    return tuple(
        _part(tx, account, interpreter, number, rows[cut : cut + size])
        for number, cut in enumerate(cuts)
    )


def ending_for(codes: Sequence[str]) -> End:
    """The end of a job whose Evidence may not be formed from. The owner's wish is no failure."""
    worst = next((code for code in codes if code in DAMAGED), codes[0] if codes else ERASED)
    failed = worst in DAMAGED or worst == ERASED
    return End(JobState.DEAD if failed else JobState.NO_CHANGE, worst)


def _part(
    tx: Tx, account: Account, interpreter: Interpreter, number: int, rows: Sequence[Evidence]
) -> Part:
    first, tier = rows[0], interpreter.tier
    before = preceding_turns(tx, account.gates, first.conversation_id, first.evidence_id, tier)
    turns = tuple(
        TurnView(turn.role.value, (turn.content or "")[:TURN_CHARS_MAX], turn.message_id)
        for turn in before
    )
    said = [turn.text for turn in turns if turn.role == Role.USER.value]
    text = "\n".join((*(row.content for row in rows), *said))
    near = _each_claim_once(
        item
        for item in _fitting(relevant_items(tx, text, INTERPRET_ITEMS))
        if item_permitted(tx, item.item_id, tier) and _is_told_of_somebody(tx, item, tier)
    )
    entities = _entities(tx, interpreter, text, near)
    request = FormationInput(
        evidence=tuple(_evidence(row) for row in rows),
        turns=turns,
        items=tuple(_item(tx, item, tier) for item in near),
        entities=entities,
        locale=account.locale,
        zone=account.zone,
    )
    parts = [part for row in rows for part in (row.evidence_id, row.content)]
    return Part(
        number,
        request,
        keyed(account.hash_key, *parts),
        _shown(tx, before, near, entities),
        meta.world_revision(tx),
        frozenset(row.evidence_id for row in rows if row.outcome is Outcome.RELEASED),
    )


def _shown(
    tx: Tx, turns: Sequence[Turn], near: Sequence[Item], entities: Sequence[EntityView]
) -> Shown:
    """All that goes to the interpreter besides the Evidence, and what each name comes from."""
    subjects = [item.subject_entity_id for item in near if item.subject_entity_id]
    entity_ids = dict.fromkeys((*(entity.entity_id for entity in entities), *subjects))
    names = [name for entity_id in entity_ids for name in entity_names.of(tx, entity_id)]
    said = [turn.evidence_id for turn in turns if turn.evidence_id is not None]
    return Shown(
        item_ids=(*(item.item_id for item in near), *entity_ids),
        evidence_ids=(*said, *(name.evidence_id for name in names)),
        turn_seqs=tuple(turn.turn_seq for turn in turns if turn.role is Role.ASSISTANT),
    )


def _each_claim_once(found: Iterable[Item]) -> list[Item]:
    """Without what says the same to other readers: two that are alike would leave it open which
    one is meant, and what ends one ends the other."""
    claims: dict[tuple[object, ...], Item] = {}
    for item in found:
        claim = (item.key, item.kind, item.subject_entity_id, item.holder_entity_id)
        claims.setdefault(claim, item)
    return list(claims.values())


def _fitting(found: Sequence[Item]) -> list[Item]:
    """The first of these whose texts together stay within ITEM_CHARS_MAX."""
    fitting: list[Item] = []
    left = ITEM_CHARS_MAX
    for item in found:
        left -= len(item.text)
        if left >= 0:
            fitting.append(item)
    return fitting


def _evidence(row: Evidence) -> EvidenceView:
    return EvidenceView(
        evidence_id=row.evidence_id,
        text=row.content,
        sentences=sentences(row.content),
        segments=segments(row.content),
        speaker=None if row.speaker is None else row.speaker.name,
        said_at=row.said_at,
    )


def _item(tx: Tx, item: Item, tier: Tier | None) -> ItemView:
    names = _names(tx, item.subject_entity_id, tier)
    return ItemView(
        item.item_id, item.kind, item.statement_kind, item.text, names[0] if names else None
    )


def _is_told_of_somebody(tx: Tx, item: Item, tier: Tier | None) -> bool:
    """Whether its subject may be named: without one it would be told of the owner."""
    return item.subject_entity_id is None or bool(_names(tx, item.subject_entity_id, tier))


def _names(tx: Tx, entity_id: ItemId | None, tier: Tier | None) -> list[str]:
    """What an entity may be called, the canonical name first."""
    found = () if entity_id is None else entity_names.of(tx, entity_id)
    permitted = (name for name in found if evidence_permitted(tx, name.evidence_id, tier))
    return list(dict.fromkeys(name.name for name in permitted))


def _entities(
    tx: Tx, interpreter: Interpreter, text: str, near: Sequence[Item]
) -> tuple[EntityView, ...]:
    """Whom the text names, and whom the offered items are about."""
    about = [item.subject_entity_id for item in near if item.subject_entity_id]
    wanted = dict.fromkeys((*named_entities(tx, text, ENTITIES_MAX), *about))
    views = (_entity(tx, interpreter, entity_id) for entity_id in wanted)
    return tuple(view for view in views if view is not None)


def _entity(tx: Tx, interpreter: Interpreter, entity_id: ItemId) -> EntityView | None:
    """An entity by the names that may be shown, the canonical one first; None if none may."""
    names = _names(tx, entity_id, interpreter.tier)
    if not names:
        return None
    first, *others = names
    return EntityView(entity_id, first, tuple(others))


def evidence_ids(parts: Sequence[Part]) -> tuple[EvidenceId, ...]:
    """All the Evidence the parts hold, in order."""
    return tuple(view.evidence_id for part in parts for view in part.request.evidence)
