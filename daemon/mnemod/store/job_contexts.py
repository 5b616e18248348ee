"""The `job_context` table: what a job's interpreter was shown besides the job's own Evidence.

An answer may quote anything it was shown. So the context is recorded in the transaction that
reserves the request, and a forget finds by index the answers that may hold what goes, and the
claims under which somebody is reading it now. It goes with the answers.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import orjson
from msgspec import Struct

from mnemod.ids import EvidenceId, ItemId, JobId
from mnemod.store.database import Tx


class Shown(Struct, frozen=True):
    """Items and entities, Evidence behind names and earlier turns, and assistant turns."""

    item_ids: Collection[ItemId] = ()
    evidence_ids: Collection[EvidenceId] = ()
    turn_seqs: Collection[int] = ()


_Q_RECORD = """
INSERT INTO job_context (kind, ref_seq, job_seq)
SELECT ref.kind, ref.seq, job.seq
  FROM job
  JOIN (SELECT 'item' AS kind, seq
          FROM item
         WHERE item_id IN (SELECT value FROM json_each(:items))
        UNION ALL
        SELECT 'evidence', seq
          FROM evidence
         WHERE evidence_id IN (SELECT value FROM json_each(:evidence))
        UNION ALL
        SELECT 'turn', value
          FROM json_each(:turns)) ref
 WHERE job.job_id = :job_id
ON CONFLICT DO NOTHING
"""


def record(tx: Tx, job_id: JobId, shown: Shown) -> None:
    """Remember that a job's interpreter is being shown this, with what it was shown before."""
    tx.execute(_Q_RECORD, {**_given(shown), "job_id": job_id})


_Q_SHOWN_TO = """
SELECT DISTINCT job.job_id
  FROM job_context c
  JOIN job ON job.seq = c.job_seq
 WHERE (c.kind = 'item' AND c.ref_seq IN (
            SELECT seq FROM item WHERE item_id IN (SELECT value FROM json_each(:items))))
    OR (c.kind = 'evidence' AND c.ref_seq IN (
            SELECT seq FROM evidence WHERE evidence_id IN (SELECT value FROM json_each(:evidence))))
    OR (c.kind = 'turn' AND c.ref_seq IN (SELECT value FROM json_each(:turns)))
 ORDER BY job.seq
"""


def shown_to(tx: Tx, shown: Shown) -> list[JobId]:
    """The jobs, in any state, that were shown any of this."""
    return [JobId(row[0]) for row in tx.execute(_Q_SHOWN_TO, _given(shown))]


_Q_READING = """
SELECT job_id
  FROM job
 WHERE state = 'processing'
   AND EXISTS (
       SELECT 1
         FROM job_context c
        WHERE c.job_seq = job.seq
          AND c.kind = 'item'
          AND c.ref_seq IN (
              SELECT seq FROM item WHERE item_id IN (SELECT value FROM json_each(:items))))
 ORDER BY seq
"""


def reading(tx: Tx, item_ids: Collection[ItemId]) -> list[JobId]:
    """The jobs that a claim holds now and that were shown any of these items."""
    return [JobId(row[0]) for row in tx.execute(_Q_READING, _given(Shown(item_ids)))]


_Q_DROP = (
    "DELETE FROM checkpoint WHERE job_id = :job_id",
    "DELETE FROM job_context WHERE job_seq = (SELECT seq FROM job WHERE job_id = :job_id)",
)


def drop_answers(tx: Tx, job_id: JobId) -> None:
    """Delete all that models said about a job, and what they were shown for it."""
    for query in _Q_DROP:
        tx.execute(query, {"job_id": job_id})


def _given(shown: Shown) -> dict[str, Any]:
    return {
        "items": orjson.dumps(list(shown.item_ids)).decode(),
        "evidence": orjson.dumps(list(shown.evidence_ids)).decode(),
        "turns": orjson.dumps(list(shown.turn_seqs)).decode(),
    }
