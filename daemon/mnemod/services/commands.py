"""What every command does first and last: replay, conflict, revision, receipt.

A command id is bound to its request once the command has an answer. A refusal leaves it free.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from mnemod.domain.receipts import Receipt, ResultState, sealed
from mnemod.errors import CommandIdConflict, Conflict
from mnemod.ids import CommandId, EpochMs, TransitionId, WorldRevision
from mnemod.store import meta, receipts
from mnemod.store.database import Tx


class Command(Struct, frozen=True):
    """The part that all commands share. `request_hash` is keyed and covers the whole request."""

    command_id: CommandId
    operation: str
    expected_revision: WorldRevision | None
    request_hash: str


class Rejection(Struct, frozen=True):
    """Why a command was taken down and changed nothing of the world: a stable word.

    `affected_ids` are rows that were kept all the same.
    """

    word: str
    affected_ids: tuple[str, ...] = ()


class Effect(Struct, frozen=True):
    """What a command did to the world: the ids it touched and the transitions it made."""

    affected_ids: tuple[str, ...]
    transition_ids: tuple[TransitionId, ...] = ()


def run(
    tx: Tx,
    command: Command,
    now: EpochMs,
    work: Callable[[WorldRevision], Effect | Rejection | None],
) -> Receipt:
    """Do `work` once and record its receipt; `work` gets the revision it will make.

    `work` returns None where there is nothing to change, a Rejection where what was asked is not
    done. Raises Conflict on another revision than the expected one, and whatever `work` raises:
    then nothing is recorded.
    """
    done = _earlier(tx, command)
    if done is not None:
        return done
    before = meta.world_revision(tx)
    if command.expected_revision not in (None, before):
        raise Conflict("$.expected_world_revision", world_revision=before)
    effect = work(WorldRevision(before + 1))
    receipt = Receipt(
        command_id=command.command_id,
        operation=command.operation,
        result_state=_state(effect),
        rejection=effect.word if isinstance(effect, Rejection) else None,
        before_revision=before,
        after_revision=meta.raise_revision(tx) if isinstance(effect, Effect) else before,
        affected_ids=() if effect is None else effect.affected_ids,
        transition_ids=effect.transition_ids if isinstance(effect, Effect) else (),
        completed_at_ms=now,
    )
    return receipts.record(tx, command.request_hash, sealed(receipt))


def _state(effect: Effect | Rejection | None) -> ResultState:
    match effect:
        case Effect():
            return ResultState.APPLIED
        case Rejection():
            return ResultState.REJECTED
        case None:
            return ResultState.NO_CHANGE


def _earlier(tx: Tx, command: Command) -> Receipt | None:
    """The receipt of the same command done before. Raises CommandIdConflict for another one."""
    found = receipts.find(tx, command.command_id)
    if found is None:
        return None
    request_hash, receipt = found
    if request_hash != command.request_hash:
        raise CommandIdConflict("$.command_id")
    return receipt
