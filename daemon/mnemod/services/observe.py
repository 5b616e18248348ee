"""Taking in what was said: each message once, word for word, in one transaction with its job.

Invariants: nothing is acknowledged before it is on disk; a message is stored once however often a
host sends it; a message its owner erased never comes back; assistant text is context, never
Evidence. Every text is judged before it is stored, and judged or not it is stored: what the gates
call noise, or hold, is kept word for word and out of reach.

Assistant turns are judged too. What they are is no concern of ours, except for `hold`: a turn that
repeats a held text, or brings a command or a secret of its own, is kept and is context for nobody.
How a message is known again whose secret was covered: see `services.covered`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Final

import orjson
import trio

from mnemod.accounts import Account
from mnemod.domain import trust
from mnemod.domain.evidence import IN_REACH, NewEvidence, Outcome, SourceKind
from mnemod.domain.hashing import keyed
from mnemod.domain.intake import Judged, is_same_but_covered
from mnemod.domain.observation import (
    Accepted,
    Message,
    Observation,
    ObserveOutcome,
    Stored,
    check,
    origin_hash,
)
from mnemod.domain.turns import DependencyKind, NewTurn, Role
from mnemod.errors import EventIdConflict, EvidenceConflict, HardDeletedSource
from mnemod.gating import Said, apart
from mnemod.ids import (
    EVIDENCE,
    INTERACTION,
    JOB,
    EvidenceId,
    InteractionId,
    JobId,
    MessageId,
)
from mnemod.services.answers import in_context, may_answer
from mnemod.services.covered import as_kept, covered_hash
from mnemod.services.observed_reply import as_json, stored_of
from mnemod.store import (
    evidence,
    interactions,
    jobs,
    lexical,
    meta,
    noted,
    tombstones,
    turn_index,
    turns,
)
from mnemod.store.database import Job, Tx
from mnemod.store.tombstones import Mark

_MARKS: Final = {
    DependencyKind.ITEM: Mark.ITEM,
    DependencyKind.EVIDENCE: Mark.EVIDENCE,
    DependencyKind.INTERACTION: Mark.CONTEXT,
}


_OUTCOME_WORD: Final[dict[Outcome, ObserveOutcome]] = {
    Outcome.ELIGIBLE: "stored",
    Outcome.NOISE: "noise",
    Outcome.HELD: "held",
}

InOrder = Callable[[], AbstractContextManager[None]]


async def observe(
    account: Account, observation: Observation, in_order: InOrder = nullcontext
) -> Accepted:
    """Store what is new of these messages, with one formation job over what may be formed.

    What takes long is judged in a thread; `in_order` is then entered, so that no command sent after
    this one comes before it. Raises LimitExceeded, InvalidParams, EventIdConflict,
    EvidenceConflict, HardDeletedSource and the store's errors; then nothing of the call is stored.
    """
    intake = _intake(account, observation)
    if account.gates.at_once(intake.texts, intake.judge):
        return await account.db.write(intake.run, after_commit=intake.tell)
    with in_order():
        await apart(partial(intake.judge, trio.from_thread.check_cancelled))
        return await account.db.write(intake.run, after_commit=intake.tell)


def begin(account: Account, observation: Observation) -> Job[Accepted] | None:
    """The write of an `observe`, on its way; None, and nothing done, if judging it takes long.

    What `observe` raises is raised here or is what the write comes to.
    """
    intake = _intake(account, observation)
    if account.gates.at_once(intake.texts, intake.judge):
        return account.db.begin_write(intake.run, after_commit=intake.tell)
    return None


def _intake(account: Account, observation: Observation) -> _Intake:
    check(observation)
    return _Intake(account, observation)


class _Intake:
    """One call on its way in. Ids and the time are taken before the transaction."""

    def __init__(self, account: Account, observation: Observation) -> None:
        self._account = account
        self._call = observation
        self._now = account.now()
        self._new_job: JobId | None = None
        self._judged: list[Judged] = []
        self._any_covered = False
        self.texts = [
            Said(
                message.content,
                message.said_at,
                notes=message.role is Role.USER,
                speaker=None if message.speaker is None else message.speaker.name,
            )
            for message in observation.messages
        ]
        self._origins = [
            origin_hash(observation.host_id, message.message_id) for message in observation.messages
        ]

    def judge(self, go_on: Callable[[], object] = lambda: None) -> bool:
        """Say what each text is. Pure work, before the transaction; `go_on` may end it."""
        self._judged = self._account.gates.judge_all(self.texts, go_on)
        return True

    def run(self, tx: Tx) -> Accepted:
        self._new_job, self._any_covered = None, False  # may be run again
        self._refuse_erased(tx)
        earlier = interactions.find_event(tx, self._call.host_id, self._call.event_id)
        if earlier is not None:
            return self._replay(tx, *earlier)
        new_turns: list[NewTurn] = []
        stored: list[Stored] = []
        messages = zip(self._call.messages, self._origins, self._judged, strict=True)
        for place, (message, origin, judged) in enumerate(messages):
            if message.role is Role.USER:
                if may_answer(judged):
                    judged = in_context(judged, self._before(tx, place))
                stored.append(self._take_user(tx, message, origin, judged, new_turns))
            else:
                self._take_assistant(tx, message, origin, judged, new_turns)
        return self._accept(tx, stored, new_turns)

    def _before(self, tx: Tx, place: int) -> str | None:
        """What the assistant said right before this message, unless it is kept back."""
        if place == 0:
            last = turns.last(tx, self._call.conversation_id)
            return None if last is None else last.told_by_assistant
        before, judged = self._call.messages[place - 1], self._judged[place - 1]
        return None if before.role is Role.USER or judged.is_held else judged.content

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
        # Asked in this order: the second is only so where something was covered.
        if request_hash != self._call.request_hash and request_hash != self._hash_as_kept(tx):
            raise EventIdConflict("$.event_id")
        revision = meta.world_revision(tx)
        kept = orjson.loads(reply)
        stored = tuple(stored_of(self._call.messages, row) for row in kept["evidence"])
        return Accepted(
            stored,
            kept["job_id"],
            kept["interaction_id"],
            kept["accepted_at_ms"],
            replayed=True,
            world_revision=revision,
        )

    def _take_user(
        self, tx: Tx, message: Message, origin: str, judged: Judged, new_turns: list[NewTurn]
    ) -> Stored:
        known = evidence.known(tx, origin)
        if known is not None:
            self._require_same(tx, message, known)
            self._any_covered |= known.is_covered
            # A host that forgot to say so the first time may still close a door, never open one.
            evidence.tighten(tx, known.evidence_id, message.permissions)
            return Stored(message.message_id, known.evidence_id, "duplicate")
        evidence_id = EvidenceId(self._account.mint(EVIDENCE))
        seq = evidence.insert(tx, self._evidence(evidence_id, message, origin, judged))
        noted.add(tx, seq, judged.noted)
        if judged.outcome in IN_REACH:
            lexical.index_evidence(tx, seq, judged.content)
        new_turns.append(self._turn(message, evidence_id, judged))
        gate = judged.gate if judged.gate.speaks else None
        return Stored(message.message_id, evidence_id, _OUTCOME_WORD[judged.outcome], gate)

    def _require_same(self, tx: Tx, message: Message, known: evidence.Known) -> None:
        if known.content_hash == keyed(self._account.hash_key, message.content):
            return
        row = evidence.by_id(tx, known.evidence_id) if known.is_covered else None
        if row is None or not is_same_but_covered(row.content, message.content):
            raise EvidenceConflict(self._path_of(message))

    def _take_assistant(
        self, tx: Tx, message: Message, origin: str, judged: Judged, new_turns: list[NewTurn]
    ) -> None:
        # An erased turn is left out without a word: what it said was forgotten with its source. So
        # is one that was still being written when what it relied on was forgotten.
        if tombstones.erased_by(tx, Mark.CONTEXT, origin) or _relies_on_erased(tx, message):
            return
        known = turns.assistant_text(tx, self._call.host_id, message.message_id)
        known = known if known is not None else _text_among(new_turns, message.message_id)
        if known is None:
            new_turns.append(self._turn(message, None, judged))
            return
        text, is_covered = known
        self._any_covered |= is_covered
        if text != message.content and not (
            is_covered and is_same_but_covered(text, message.content)
        ):
            raise EvidenceConflict(self._path_of(message))

    def _accept(self, tx: Tx, stored: Sequence[Stored], new_turns: list[NewTurn]) -> Accepted:
        interaction_id = InteractionId(self._account.mint(INTERACTION))
        self._new_job = self._enqueue(tx, stored)
        interaction = interactions.NewInteraction(
            interaction_id,
            self._call.host_id,
            self._call.event_id,
            self._hash_to_keep(tx),
            self._call.conversation_id,
            self._call.session_id,
            self._now,
        )
        seq = interactions.insert(tx, interaction, self._reply(stored, interaction_id))
        for turn in new_turns:
            turn_seq = turns.insert(tx, seq, turn)
            if turn.content:
                turn_index.add(tx, turn_seq, turn.content)
        return Accepted(
            tuple(stored),
            self._new_job,
            interaction_id,
            self._now,
            replayed=False,
            world_revision=meta.world_revision(tx),
        )

    def _hash_to_keep(self, tx: Tx) -> str:
        """What names this call's content: of texts with secrets, as they are stored.

        Those of a message that came before were covered by the setting of then.
        """
        is_plain = not self._any_covered and not any(one.gate.redacted for one in self._judged)
        return self._call.request_hash if is_plain else self._hash_as_kept(tx)

    def _hash_as_kept(self, tx: Tx) -> str:
        """What names it by its texts, covered as their stored rows are."""
        messages = zip(self._call.messages, self._origins, self._judged, strict=True)
        texts = [
            as_kept(tx, self._call.host_id, message, origin, judged)
            for message, origin, judged in messages
        ]
        return covered_hash(self._account.hash_key, self._call, texts)

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
        self, evidence_id: EvidenceId, message: Message, origin: str, judged: Judged
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
            content=judged.content,
            content_hash=keyed(self._account.hash_key, judged.content),
            said_at=message.said_at,
            recorded_at_ms=self._now,
            permissions=message.permissions,
            trust=trust.of_evidence(
                SourceKind.SPOKEN,
                by_owner=message.speaker is None,
                decision=judged.gate.decision,
                detector=judged.gate.detector,
                suspicion=judged.suspicion,
            ),
            outcome=judged.outcome,
            gate=judged.gate,
            noted=judged.noted,
        )

    def _turn(self, message: Message, evidence_id: EvidenceId | None, judged: Judged) -> NewTurn:
        return NewTurn(
            role=message.role,
            host_id=self._call.host_id,
            conversation_id=self._call.conversation_id,
            message_id=message.message_id,
            evidence_id=evidence_id,
            content=None if evidence_id else judged.content,
            said_at_ms=message.said_at.at_ms if message.said_at else None,
            capture=message.capture,
            dependencies=message.dependencies,
            held=evidence_id is None and judged.is_held,
            redacted=0 if evidence_id else judged.gate.redacted,
        )

    def _path_of(self, message: Message) -> str:
        return f"$.messages[{self._call.messages.index(message)}]"

    def _reply(self, stored: Sequence[Stored], interaction_id: InteractionId) -> str:
        """The first reply as it is kept: our own ids and the places of the messages, no more."""
        users = [
            place for place, message in enumerate(self._call.messages) if message.role is Role.USER
        ]
        rows = zip(users, stored, strict=True)
        kept = {
            "evidence": [as_json(place, row) for place, row in rows],
            "job_id": self._new_job,
            "interaction_id": interaction_id,
            "accepted_at_ms": self._now,
        }
        return orjson.dumps(kept).decode()


def _relies_on_erased(tx: Tx, message: Message) -> bool:
    return any(
        tombstones.erased_by(tx, _MARKS[needed.kind], needed.ref_id) is not None
        for needed in message.dependencies
    )


def _text_among(new_turns: Sequence[NewTurn], message_id: MessageId) -> tuple[str, bool] | None:
    """The words of an assistant's message that came before in this very call, as stored."""
    for turn in new_turns:
        if turn.role is Role.ASSISTANT and turn.message_id == message_id:
            return turn.content or "", turn.redacted > 0
    return None
