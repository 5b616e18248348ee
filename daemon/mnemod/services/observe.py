"""Taking in what was said: each message once, word for word, in one transaction with its job.

Invariants: nothing is acknowledged before it is on disk; a message is stored once however often a
host sends it; a message its owner erased never comes back; assistant text is context, never
Evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import orjson

from mnemod.accounts import Account
from mnemod.domain.evidence import NewEvidence, SourceKind
from mnemod.domain.hashing import keyed
from mnemod.domain.observation import (
    Accepted,
    Message,
    Observation,
    Stored,
    check,
    origin_hash,
)
from mnemod.domain.turns import DependencyKind, NewTurn, Role
from mnemod.errors import EventIdConflict, EvidenceConflict, HardDeletedSource
from mnemod.ids import (
    EVIDENCE,
    INTERACTION,
    JOB,
    EvidenceId,
    InteractionId,
    JobId,
    MessageId,
    WorldRevision,
)
from mnemod.store import evidence, interactions, jobs, lexical, meta, tombstones, turn_index, turns
from mnemod.store.database import Tx
from mnemod.store.tombstones import Mark

_MARKS: Final = {
    DependencyKind.ITEM: Mark.ITEM,
    DependencyKind.EVIDENCE: Mark.EVIDENCE,
    DependencyKind.INTERACTION: Mark.CONTEXT,
}


async def observe(account: Account, observation: Observation) -> Accepted:
    """Store what is new of these messages, with one formation job over it.

    Raises LimitExceeded, InvalidParams, EventIdConflict, EvidenceConflict, HardDeletedSource and
    the store's errors; then nothing of the call is stored.
    """
    check(observation)
    intake = _Intake(account, observation)
    return await account.db.write(intake.run, after_commit=intake.tell)


class _Intake:
    """One call on its way in. Ids and the time are taken before the transaction."""

    def __init__(self, account: Account, observation: Observation) -> None:
        self._account = account
        self._call = observation
        self._now = account.now()
        self._new_job: JobId | None = None
        self._origins = [
            origin_hash(observation.host_id, message.message_id) for message in observation.messages
        ]

    def run(self, tx: Tx) -> Accepted:
        self._new_job = None  # may be run again
        self._refuse_erased(tx)
        earlier = interactions.find_event(tx, self._call.host_id, self._call.event_id)
        if earlier is not None:
            return self._replay(tx, *earlier)
        new_turns: list[NewTurn] = []
        stored: list[Stored] = []
        for message, origin in zip(self._call.messages, self._origins, strict=True):
            if message.role is Role.USER:
                stored.append(self._take_user(tx, message, origin, new_turns))
            else:
                self._take_assistant(tx, message, origin, new_turns)
        return self._accept(tx, stored, new_turns)

    def tell(self) -> None:
        """After the commit: wake the workers and tell subscribers."""
        if self._new_job is not None:
            self._account.bell.ring()
            self._account.job_changes.publish(self._new_job, self._new_job)

    def _refuse_erased(self, tx: Tx) -> None:
        for place, (message, origin) in enumerate(
            zip(self._call.messages, self._origins, strict=True)
        ):
            is_user = message.role is Role.USER
            if is_user and tombstones.erased_by(tx, Mark.ORIGIN, origin):
                raise HardDeletedSource(f"$.messages[{place}]")

    def _replay(self, tx: Tx, request_hash: str, reply: str) -> Accepted:
        if request_hash != self._call.request_hash:
            raise EventIdConflict("$.event_id")
        revision = meta.world_revision(tx)
        return self._accepted(orjson.loads(reply), replayed=True, revision=revision)

    def _take_user(self, tx: Tx, message: Message, origin: str, new_turns: list[NewTurn]) -> Stored:
        content_hash = keyed(self._account.hash_key, message.content)
        known = evidence.known(tx, origin)
        if known is not None:
            if known.content_hash != content_hash:
                raise EvidenceConflict(self._path_of(message))
            # A host that forgot to say so the first time may still close a door, never open one.
            evidence.tighten(tx, known.evidence_id, message.permissions)
            return Stored(message.message_id, known.evidence_id, "duplicate")
        evidence_id = EvidenceId(self._account.mint(EVIDENCE))
        seq = evidence.insert(tx, self._evidence(evidence_id, message, origin, content_hash))
        lexical.index_evidence(tx, seq, message.content)
        new_turns.append(self._turn(message, evidence_id))
        return Stored(message.message_id, evidence_id, "stored")

    def _take_assistant(
        self, tx: Tx, message: Message, origin: str, new_turns: list[NewTurn]
    ) -> None:
        # An erased turn is left out without a word: what it said was forgotten with its source. So
        # is one that was still being written when what it relied on was forgotten.
        if tombstones.erased_by(tx, Mark.CONTEXT, origin) or _relies_on_erased(tx, message):
            return
        known = turns.assistant_text(tx, self._call.host_id, message.message_id)
        known = known if known is not None else _text_among(new_turns, message.message_id)
        if known is None:
            new_turns.append(self._turn(message, None))
        elif known != message.content:
            raise EvidenceConflict(self._path_of(message))

    def _accept(self, tx: Tx, stored: Sequence[Stored], new_turns: list[NewTurn]) -> Accepted:
        interaction_id = InteractionId(self._account.mint(INTERACTION))
        self._new_job = self._enqueue(tx, stored)
        reply = self._reply(stored, interaction_id)
        interaction = interactions.NewInteraction(
            interaction_id,
            self._call.host_id,
            self._call.event_id,
            self._call.request_hash,
            self._call.conversation_id,
            self._call.session_id,
            self._now,
        )
        seq = interactions.insert(tx, interaction, orjson.dumps(reply).decode())
        for turn in new_turns:
            turn_seq = turns.insert(tx, seq, turn)
            if turn.content:
                turn_index.add(tx, turn_seq, turn.content)
        return self._accepted(reply, replayed=False, revision=meta.world_revision(tx))

    def _enqueue(self, tx: Tx, stored: Sequence[Stored]) -> JobId | None:
        """One job over what is new and may be read for memories; None if nothing is."""
        allowed = {
            message.message_id
            for message in self._call.messages
            if message.role is Role.USER and message.permissions.inference
        }
        fresh = tuple(
            row.evidence_id
            for row in stored
            if row.outcome == "stored" and row.message_id in allowed
        )
        if not fresh:
            return None
        job_id = JobId(self._account.mint(JOB))
        conversation = self._call.conversation_id
        jobs.enqueue(tx, jobs.NewJob(job_id, jobs.FORMATION, conversation, fresh, self._now))
        return job_id

    def _evidence(
        self, evidence_id: EvidenceId, message: Message, origin: str, content_hash: str
    ) -> NewEvidence:
        return NewEvidence(
            evidence_id=evidence_id,
            source_kind=SourceKind.SPOKEN,
            host_id=self._call.host_id,
            conversation_id=self._call.conversation_id,
            session_id=self._call.session_id,
            message_id=message.message_id,
            origin_hash=origin,
            speaker=message.speaker,
            content=message.content,
            content_hash=content_hash,
            said_at=message.said_at,
            recorded_at_ms=self._now,
            permissions=message.permissions,
            trust=1.0,
        )

    def _turn(self, message: Message, evidence_id: EvidenceId | None) -> NewTurn:
        return NewTurn(
            role=message.role,
            host_id=self._call.host_id,
            conversation_id=self._call.conversation_id,
            message_id=message.message_id,
            evidence_id=evidence_id,
            content=None if evidence_id else message.content,
            said_at_ms=message.said_at.at_ms if message.said_at else None,
            capture=message.capture,
            dependencies=message.dependencies,
        )

    def _path_of(self, message: Message) -> str:
        return f"$.messages[{self._call.messages.index(message)}]"

    def _reply(self, stored: Sequence[Stored], interaction_id: InteractionId) -> dict[str, Any]:
        """The first reply as it is kept: our own ids and the places of the messages, no more."""
        users = [
            place for place, message in enumerate(self._call.messages) if message.role is Role.USER
        ]
        rows = zip(users, stored, strict=True)
        return {
            "evidence": [[place, row.evidence_id, row.outcome] for place, row in rows],
            "job_id": self._new_job,
            "interaction_id": interaction_id,
            "accepted_at_ms": self._now,
        }

    def _accepted(
        self, reply: dict[str, Any], *, replayed: bool, revision: WorldRevision
    ) -> Accepted:
        messages = self._call.messages
        return Accepted(
            evidence=tuple(
                Stored(messages[place].message_id, evidence_id, outcome)
                for place, evidence_id, outcome in reply["evidence"]
            ),
            job_id=reply["job_id"],
            interaction_id=reply["interaction_id"],
            accepted_at_ms=reply["accepted_at_ms"],
            replayed=replayed,
            world_revision=revision,
        )


def _relies_on_erased(tx: Tx, message: Message) -> bool:
    return any(
        tombstones.erased_by(tx, _MARKS[needed.kind], needed.ref_id) is not None
        for needed in message.dependencies
    )


def _text_among(new_turns: Sequence[NewTurn], message_id: MessageId) -> str | None:
    """The words of an assistant's message that came before in this very call."""
    for turn in new_turns:
        if turn.role is Role.ASSISTANT and turn.message_id == message_id:
            return turn.content
    return None
