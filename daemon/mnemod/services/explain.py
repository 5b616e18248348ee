"""What the gates and the normaliser see in a text, step by step, for whoever wonders why.

Stores nothing, and asks the same rules that judge what is observed.
"""

from __future__ import annotations

from functools import partial

from msgspec import Struct

from mnemod.accounts import Account
from mnemod.config import MESSAGE_BYTES_MAX
from mnemod.domain import trust
from mnemod.domain.evidence import Instant, Noted, SourceKind
from mnemod.domain.gates.chain import Explanation, SecretPolicy, explain
from mnemod.domain.intake import Judged, judged
from mnemod.errors import InvalidParams, LimitExceeded
from mnemod.gating import apart
from mnemod.ids import WorldRevision
from mnemod.store import meta


class Explained(Struct, frozen=True):
    """Each gate's word, and what would become of the text if its owner said it."""

    seen: Explanation
    judged: Judged
    noted: Noted
    trust: float
    world_revision: WorldRevision


async def explain_gates(account: Account, text: str, said_at: Instant | None) -> Explained:
    """Explain `text` as said at `said_at`, or now. Raises InvalidParams, LimitExceeded."""
    if not text:
        raise InvalidParams("$.content")
    if len(text.encode()) > MESSAGE_BYTES_MAX:
        raise LimitExceeded("$.content", limit="message_bytes", maximum=MESSAGE_BYTES_MAX)
    moment = said_at or Instant(account.now(), 0)
    revision = await account.db.read(meta.world_revision)
    return await apart(partial(_explained, account, text, moment, revision))


def _explained(account: Account, text: str, moment: Instant, revision: WorldRevision) -> Explained:
    gates = account.gates
    seen = explain(text, SecretPolicy(gates.secrets))
    found = judged(text, seen.judgement, gates.version)
    # Whatever becomes of it, the person is shown what its passages would mean.
    noted = found.noted if found.noted.annotations else gates.notes(found.content, moment)
    trusted = trust.of_evidence(
        SourceKind.SPOKEN,
        by_owner=True,
        decision=found.gate.decision,
        detector=found.gate.detector,
        suspicion=found.suspicion,
    )
    return Explained(seen, found, noted, trusted, revision)
