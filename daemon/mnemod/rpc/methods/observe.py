"""`observe`: taking in what was said."""

from __future__ import annotations

from functools import partial
from typing import Final

from mnemod.accounts import Account
from mnemod.domain.evidence import Speaker
from mnemod.domain.instants import format_instant
from mnemod.domain.observation import Accepted, Message, Observation, Stored
from mnemod.domain.turns import Capture, Dependency, DependencyKind, Role
from mnemod.errors import InvalidParams
from mnemod.rpc import generated as wire
from mnemod.rpc.calls import Call, Underway
from mnemod.rpc.methods import shapes
from mnemod.services import observe as service


async def observe(call: Call[Account], params: wire.ObserveParams) -> wire.ObserveResult:
    """Store what is new, once."""
    accepted = await service.observe(call.account, _observation(call, params), call.in_order)
    return _result(params, accepted)


def begin(call: Call[Account], params: wire.ObserveParams) -> Underway[Accepted] | None:
    """The same without a task, where the texts are short."""
    write = service.begin(call.account, _observation(call, params))
    return None if write is None else Underway(write, partial(_result, params))


def _observation(call: Call[Account], params: wire.ObserveParams) -> Observation:
    return Observation(
        host_id=call.session.host_id,
        event_id=params.event_id,
        conversation_id=params.conversation_id,
        session_id=params.session_id,
        messages=tuple(
            _message(message, f"$.messages[{place}]")
            for place, message in enumerate(params.messages)
        ),
        request_hash=shapes.request_hash(call.account, "observe", params),
    )


def _result(params: wire.ObserveParams, accepted: Accepted) -> wire.ObserveResult:
    job = accepted.job_id
    return {
        "event_id": params.event_id,
        "replayed": accepted.replayed,
        "evidence": [_observed(row) for row in accepted.evidence],
        "job": None if job is None else {"job_id": job, "state": "pending"},
        "interaction_id": accepted.interaction_id,
        "accepted_at": format_instant(accepted.accepted_at_ms),
        "world_revision": accepted.world_revision,
    }


def _observed(row: Stored) -> wire.ObservedMessage:
    made: wire.ObservedMessage = {
        "message_id": row.message_id,
        "evidence_id": row.evidence_id,
        "outcome": row.outcome,
    }
    if row.gate is not None:
        made["gate"] = shapes.gate_row(row.gate)
    return made


def _message(given: wire.Message, path: str) -> Message:
    role = Role(given.role)
    _refuse_misplaced(given, role, path)
    return Message(
        message_id=given.message_id,
        role=role,
        content=given.content,
        said_at=shapes.moment(given.at, f"{path}.at"),
        permissions=shapes.permissions(given.permissions),
        speaker=None if given.speaker is None else Speaker(given.speaker.id, given.speaker.name),
        capture=None if given.dependencies is None else Capture(given.dependencies.capture),
        dependencies=_dependencies(given.dependencies, f"{path}.dependencies"),
    )


def _refuse_misplaced(given: wire.Message, role: Role, path: str) -> None:
    if role is Role.USER and given.dependencies is not None:
        raise InvalidParams(f"{path}.dependencies")
    if role is Role.ASSISTANT and given.speaker is not None:
        raise InvalidParams(f"{path}.speaker")
    if role is Role.ASSISTANT and given.permissions is not None:
        raise InvalidParams(f"{path}.permissions")


def _dependencies(given: wire.Dependencies | None, path: str) -> tuple[Dependency, ...]:
    """What was relied on. Only a complete capture names anything, and it names something."""
    if given is None:
        return ()
    found = (
        *(Dependency(DependencyKind.ITEM, ref.item_id) for ref in given.items or ()),
        *(Dependency(DependencyKind.EVIDENCE, ref) for ref in given.evidence_ids or ()),
        *(Dependency(DependencyKind.INTERACTION, ref) for ref in given.interaction_ids or ()),
    )
    if bool(found) != (Capture(given.capture) is Capture.COMPLETE):
        raise InvalidParams(f"{path}.capture")
    return found


HANDLERS: Final = {"observe": observe}
