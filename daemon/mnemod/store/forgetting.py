"""Carrying out a cascade: every row that names or quotes what goes, in the order keys allow.

Takes a closed cascade and decides nothing. After it no column of the file holds the erased words,
and no row points at an erased item. Jobs over the Evidence are fenced first, so that a worker that
is reading it now loses its claim in this same transaction.
"""

from __future__ import annotations

from collections.abc import Sequence

from mnemod.domain.cascade_rows import Cascade, Name
from mnemod.domain.evidence import IN_REACH
from mnemod.domain.hashing import HashKey, keyed
from mnemod.domain.keys import comparison_key
from mnemod.domain.turns import Turn
from mnemod.domain.wording import worded
from mnemod.domain.world import Item, ItemKind, Relation, Support, weighed
from mnemod.ids import EpochMs, EvidenceId, ItemId, JobId
from mnemod.store import (
    claims,
    entity_names,
    evidence,
    interactions,
    item_trust,
    items,
    job_contexts,
    jobs,
    lexical,
    meta,
    noted,
    supports,
    tombstones,
    transitions,
    turn_index,
    turns,
)
from mnemod.store.database import Tx
from mnemod.store.job_contexts import Shown
from mnemod.store.tombstones import Erasure, Mark


def carry_out(tx: Tx, cascade: Cascade, erasure: Erasure, key: HashKey) -> None:
    """Erase and change all of `cascade`, and place the tombstones that keep it out."""
    # Fence before erasing: the rows that tie a job to its Evidence go next.
    claims.fence_sources(tx, list(cascade.evidence), erasure.at_ms)
    _restart_readers(tx, cascade, erasure.at_ms)
    meta.note_forget(tx, erasure.revision)
    for turn, _ in cascade.turns.values():
        _erase_turn(tx, turn, erasure)
    # What stays takes its other words while it is still told which ones it had.
    for item_id, remaining in cascade.kept.items():
        _keep(tx, item_id, remaining)
    for entity_id, names in cascade.named.items():
        _rename(tx, entity_id, names)
    _erase_items(tx, cascade, erasure)
    for evidence_id in cascade.evidence:
        _erase_evidence(tx, evidence_id, erasure)
    _blank_episodes(tx, cascade)
    for evidence_id, redaction in cascade.redactions.items():
        row = evidence.by_id(tx, evidence_id)
        assert row is not None
        _mark_origin(tx, evidence_id, erasure)
        evidence.redact(tx, evidence_id, redaction.text, keyed(key, redaction.text))
        noted.drop_within(tx, row.seq, redaction.cuts)
        lexical.unindex_evidence(tx, row.seq)
        if row.outcome in IN_REACH:
            lexical.index_evidence(tx, row.seq, redaction.text)


def _erase_turn(tx: Tx, turn: Turn, erasure: Erasure) -> None:
    tombstones.place(tx, Mark.CONTEXT, turns.origin_of(tx, turn.turn_seq), erasure)
    tombstones.place(tx, Mark.CONTEXT, turn.interaction_id, erasure)
    turn_index.drop(tx, turn.turn_seq)
    turns.erase(tx, turn.turn_seq, erasure.at_ms)


def _erase_items(tx: Tx, cascade: Cascade, erasure: Erasure) -> None:
    found = items.by_ids(tx, cascade.items)
    for item_id in found:
        items.erase_ties(tx, item_id)
        tombstones.place(tx, Mark.ITEM, item_id, erasure)
    # What speaks of an entity goes before the entity.
    for item in sorted(found.values(), key=lambda item: item.kind is ItemKind.ENTITY):
        items.erase_row(tx, item.item_id)
        lexical.unindex_item(tx, item.seq)


def _erase_evidence(tx: Tx, evidence_id: EvidenceId, erasure: Erasure) -> None:
    _mark_origin(tx, evidence_id, erasure)
    tombstones.place(tx, Mark.EVIDENCE, evidence_id, erasure)
    for episode in turns.episodes_of(tx, evidence_id):
        tombstones.place(tx, Mark.CONTEXT, episode, erasure)
    supports.drop_evidence(tx, evidence_id)
    transitions.forget_evidence(tx, evidence_id)
    entity_names.drop(tx, evidence_id)
    turns.blank_for(tx, evidence_id)
    _drop_jobs(tx, evidence_id)
    seq = evidence.erase(tx, evidence_id, erasure.at_ms)
    noted.drop(tx, seq)
    lexical.unindex_evidence(tx, seq)


def _blank_episodes(tx: Tx, cascade: Cascade) -> None:
    said_in = (i for evidence_id in cascade.evidence for i in turns.episodes_of(tx, evidence_id))
    answered_in = (turn.interaction_id for turn, _ in cascade.turns.values())
    for interaction_id in dict.fromkeys((*said_in, *answered_in)):
        interactions.blank_if_empty(tx, interaction_id)


def _mark_origin(tx: Tx, evidence_id: EvidenceId, erasure: Erasure) -> None:
    origin = evidence.origin_of(tx, evidence_id)
    if origin is not None:
        tombstones.place(tx, Mark.ORIGIN, origin, erasure)


def _keep(tx: Tx, item_id: ItemId, remaining: Sequence[Support]) -> None:
    """An item that loses some spans takes the words of the first group that is whole."""
    item = items.by_id(tx, item_id)
    assert item is not None
    before = _first_group(supports.of(tx, item_id))
    supports.keep_only(tx, item_id, remaining)
    items.set_confidence(tx, item_id, weighed(item.formed_by, remaining))
    item_trust.renew(tx, item_id)
    first = _first_group(remaining)
    if first != before:
        _reword(tx, item, first)


def _first_group(ties: Sequence[Support]) -> list[Support]:
    """The spans an item takes its words from."""
    carrying = [support for support in ties if support.relation is Relation.SUPPORT]
    return [support for support in carrying if support.group == carrying[0].group]


def _reword(tx: Tx, item: Item, group: Sequence[Support]) -> None:
    """Words and dates of an item are those of one group; of a date only what its words say."""
    rows = [evidence.by_id(tx, support.span.evidence_id) for support in group]
    pieces = [
        row.content[support.span.start : support.span.end]
        for support, row in zip(group, rows, strict=True)
        if row is not None
    ]
    text = worded(pieces)
    said_at = rows[0].said_at if rows[0] is not None else None
    since = None if said_at is None else said_at.at_ms
    items.reword(tx, item.item_id, text, comparison_key(text), since)
    lexical.reindex_item(tx, item.seq)


def _rename(tx: Tx, entity_id: ItemId, names: Sequence[Name]) -> None:
    """An entity that loses its canonical name goes by the first of the others."""
    entity = items.by_id(tx, entity_id)
    assert entity is not None
    keys = {name.key: name.name for name in names}
    key = entity.key if entity.key in keys else names[0].key
    entity_names.keep_only(tx, entity_id, keys, key)
    if key != entity.key:
        items.retext(tx, entity_id, keys[key], key)
        lexical.reindex_item(tx, entity.seq)


_Q_RESTART = """
UPDATE job
   SET state = iif(state = 'processing', 'retry', state),
       attempts = max(attempts - (state = 'processing'), 0),
       next_attempt_at_ms = iif(state = 'processing', :now, next_attempt_at_ms),
       claim_owner = NULL, claim_token = NULL, lease_expires_at_ms = NULL,
       generation = generation + 1
 WHERE job_id = :job_id AND state IN ('pending', 'retry', 'processing')
"""


def shown_by(cascade: Cascade) -> Shown:
    """All of a cascade that an interpreter may have been shown and may have quoted."""
    return Shown(
        (*cascade.items, *cascade.changed_items), cascade.touched_evidence, tuple(cascade.turns)
    )


def _restart_readers(tx: Tx, cascade: Cascade, now: EpochMs) -> None:
    about = [job_id for row in cascade.redactions for job_id in jobs.over(tx, row)]
    restart_readers(tx, about, shown_by(cascade), now)


def restart_readers(tx: Tx, about: Sequence[JobId], shown: Shown, now: EpochMs) -> None:
    """Jobs that read what goes or changes begin again with what is left; their answers go."""
    for job_id in dict.fromkeys((*about, *job_contexts.shown_to(tx, shown))):
        _restart(tx, job_id, now)


def _restart(tx: Tx, job_id: JobId, now: EpochMs) -> None:
    tx.execute(_Q_RESTART, {"job_id": job_id, "now": now})
    job_contexts.drop_answers(tx, job_id)


_Q_DROP_LINK = "DELETE FROM job_evidence WHERE job_id = :job_id AND evidence_id = :evidence_id"

_Q_IS_EMPTY = "SELECT NOT EXISTS (SELECT 1 FROM job_evidence WHERE job_id = ?)"

_Q_DROP_JOB = (
    "DELETE FROM job_item WHERE job_id = ?",
    "DELETE FROM job_retry WHERE job_id = ?",
    "DELETE FROM job WHERE job_id = ?",
)


def _drop_jobs(tx: Tx, evidence_id: EvidenceId) -> None:
    """A job goes with the last Evidence it was about, whatever its state."""
    for job_id in jobs.over(tx, evidence_id):
        tx.execute(_Q_DROP_LINK, {"job_id": job_id, "evidence_id": evidence_id})
        if tx.execute(_Q_IS_EMPTY, (job_id,)).fetchone()[0]:
            job_contexts.drop_answers(tx, job_id)
            for query in _Q_DROP_JOB:
                tx.execute(query, (job_id,))
