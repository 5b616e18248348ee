"""One request put to an interpreter, at most twice, with every answer on disk before it is used.

The first answer is used if it compiles. If it does not, or says "nothing" where there plainly is
something, the interpreter is asked once more with the reason. That second request is reserved on
disk before it is sent: a worker that was cut off in it does not send it again.
"""

from __future__ import annotations

from typing import Final, final

from mnemod import faults
from mnemod.accounts import Account
from mnemod.domain.compiler.change_set import ChangeSet
from mnemod.domain.compiler.check import compile_reply
from mnemod.domain.compiler.parse import parse
from mnemod.domain.compiler.refusal import CompileError
from mnemod.domain.compiler.statements import declares
from mnemod.domain.interpretation import Interpretation, Result
from mnemod.domain.reading.reader import read
from mnemod.formation.gated import gated
from mnemod.formation.interpret import Again, Interpreter, Malformed, Outage, Reply
from mnemod.formation.prepare import NOTHING, End, Part
from mnemod.ids import EpochMs
from mnemod.store import checkpoints, job_contexts, meta
from mnemod.store.checkpoints import Checkpoint, CheckpointState, Step
from mnemod.store.claims import Claim
from mnemod.store.database import Tx
from mnemod.store.jobs import JobState

PURE_INQUIRY: Final = "pure_inquiry_no_declarative_facts"
NO_CHANGE_DOUBTED: Final = CompileError(
    "model_no_change", "There is a plain statement in the Evidence. Look again."
)


class ForgottenMeanwhile(Exception):
    """Something was erased since the request was put together: it may hold words that are gone."""


Verdict = ChangeSet | End | CompileError
"""What an answer comes to; a CompileError may be worth asking again."""


@final
class Reading:
    """The asking of one part of one job, under its claim."""

    def __init__(
        self, account: Account, interpreter: Interpreter, claim: Claim, part: Part
    ) -> None:
        self._account = account
        self._interpreter = interpreter
        self._claim = claim
        self._part = part

    async def outcome(self) -> ChangeSet | End | Outage | Malformed:
        """What this part comes to. Raises LeaseLost, ForgottenMeanwhile, the store's errors."""
        if not any(declares(view) for view in self._part.request.evidence):
            return End(JobState.NO_CHANGE, PURE_INQUIRY)
        first = await self._ask(Step.FIRST, None)
        assert first is not None, "a first request may always be sent again"
        if not isinstance(first, Reply):
            return first
        verdict = await self._judge(first, may_doubt=self._interpreter.rewrites)
        if not isinstance(verdict, CompileError):
            return verdict
        if not self._interpreter.rewrites:
            return await self._given_up(Step.FIRST, verdict)
        return await self._second(first, verdict)

    async def _second(
        self, first: Reply, error: CompileError
    ) -> ChangeSet | End | Outage | Malformed:
        await self._note(Step.FIRST, error)
        second = await self._ask(Step.REWRITE, Again(first.text, error.code, error.hint))
        if second is None:
            return _ended_by(error)
        if not isinstance(second, Reply):
            return second
        verdict = await self._judge(second, may_doubt=False)
        if isinstance(verdict, CompileError):
            return await self._given_up(Step.REWRITE, verdict)
        return verdict

    async def _ask(self, step: Step, again: Again | None) -> Reply | Outage | Malformed | None:
        """The stored answer of a step, or a new one; None if it may not be asked for again."""
        kept = await self._account.db.write(lambda tx: self._reserve(tx, step))
        if kept is not None:
            return _stored(kept)
        outcome = await self._interpreter.interpret(self._part.request, again)
        if isinstance(outcome, Reply):
            await self._keep(step, outcome)
        elif isinstance(outcome, Outage):
            await self._release(step)
        return outcome

    def _reserve(self, tx: Tx, step: Step) -> Checkpoint | None:
        """Reserve a step, or give what is kept of it that rules a new request out."""
        if meta.last_forget(tx) > self._part.revision:
            raise ForgottenMeanwhile
        name, claim = checkpoints.name_of(step, self._part.number), self._claim
        kept = checkpoints.find(tx, claim.job_id, name)
        is_same = kept is not None and kept.request_hash == self._part.request_hash
        if kept and is_same and (kept.state is CheckpointState.COMPLETED or step is Step.REWRITE):
            return kept
        checkpoints.reserve(tx, claim, name, self._part.request_hash, self._now())
        # From here on a forget of anything shown takes this claim, and the answer with it.
        job_contexts.record(tx, claim.job_id, self._part.shown)
        return None

    async def _keep(self, step: Step, reply: Reply) -> None:
        name, now = checkpoints.name_of(step, self._part.number), self._now()
        await self._account.db.write(
            lambda tx: checkpoints.complete(tx, self._claim, name, reply.text, reply.usage(), now)
        )
        faults.hit("formation.after_reply_stored")

    async def _release(self, step: Step) -> None:
        name, now = checkpoints.name_of(step, self._part.number), self._now()
        await self._account.db.write(lambda tx: checkpoints.release(tx, self._claim, name, now))

    async def _note(self, step: Step, error: CompileError) -> None:
        name, now = checkpoints.name_of(step, self._part.number), self._now()
        await self._account.db.write(
            lambda tx: checkpoints.note_error(tx, self._claim, name, error.code, now)
        )

    async def _given_up(self, step: Step, error: CompileError) -> End:
        await self._note(step, error)
        return End(JobState.DEAD, error.code)

    async def _judge(self, reply: Reply, *, may_doubt: bool) -> Verdict:
        parsed = parse(reply.text, reply.finish_reason)
        if isinstance(parsed, CompileError):
            return parsed
        if parsed.result is Result.ITEMS:
            return await self._compiled(parsed)
        if parsed.result is Result.NO_CHANGE and may_doubt and self._states_something():
            return NO_CHANGE_DOUBTED
        return _END_OF[parsed.result]

    async def _compiled(self, parsed: Interpretation) -> Verdict:
        changes = compile_reply(parsed, self._part.request)
        if isinstance(changes, ChangeSet):
            changes = await gated(changes, self._account.gates, self._part.released)
        if isinstance(changes, ChangeSet) and not changes.changes:
            return End(JobState.NO_CHANGE, changes.dropped[0])
        return changes

    def _states_something(self) -> bool:
        """Whether the built-in reader, which would rather miss than invent, finds a statement."""
        return read(self._part.request).result is Result.ITEMS

    def _now(self) -> EpochMs:
        return self._account.now()


_END_OF: Final = {
    Result.NO_CHANGE: End(JobState.NO_CHANGE, NOTHING),
    Result.CLARIFICATION: End(JobState.CLARIFICATION, Result.CLARIFICATION.value),
    Result.OUT_OF_SCOPE: End(JobState.OUT_OF_SCOPE, Result.OUT_OF_SCOPE.value),
}


def _stored(kept: Checkpoint) -> Reply | None:
    return None if kept.reply is None else Reply.stored(kept.reply, kept.usage)


def _ended_by(error: CompileError) -> End:
    """The end where the first answer has to stand."""
    if error is NO_CHANGE_DOUBTED:
        return _END_OF[Result.NO_CHANGE]
    return End(JobState.DEAD, error.code)
