"""What a host hands in with one `observe`, and what becomes of it."""

from __future__ import annotations

from hashlib import sha256
from typing import Literal

from msgspec import Struct

from mnemod.config import MESSAGE_BYTES_MAX, MESSAGES_MAX
from mnemod.domain.evidence import EVERYTHING_ALLOWED, Gate, Instant, Permissions, Speaker
from mnemod.domain.turns import Capture, Dependency, Role
from mnemod.errors import InvalidParams, LimitExceeded
from mnemod.ids import (
    ConversationId,
    EpochMs,
    EventId,
    EvidenceId,
    HostId,
    InteractionId,
    JobId,
    MessageId,
    SessionId,
    WorldRevision,
)

ObserveOutcome = Literal["stored", "duplicate", "noise", "held"]


class Message(Struct, frozen=True):
    """One message as a host sends it. `capture` and `dependencies` are an assistant's alone."""

    message_id: MessageId
    role: Role
    content: str
    said_at: Instant | None = None
    permissions: Permissions = EVERYTHING_ALLOWED
    speaker: Speaker | None = None
    capture: Capture | None = None
    dependencies: tuple[Dependency, ...] = ()


class Observation(Struct, frozen=True):
    """One `observe`. `request_hash` is keyed and covers all that the host sent."""

    host_id: HostId
    event_id: EventId
    conversation_id: ConversationId
    session_id: SessionId | None
    messages: tuple[Message, ...]
    request_hash: str


class Stored(Struct, frozen=True):
    """What became of one user message. `gate` is there if the gates had anything to say of it."""

    message_id: MessageId
    evidence_id: EvidenceId
    outcome: ObserveOutcome
    gate: Gate | None = None


class Accepted(Struct, frozen=True):
    """The answer, the same each time but for `replayed` and the world's revision now."""

    evidence: tuple[Stored, ...]
    job_id: JobId | None
    interaction_id: InteractionId
    accepted_at_ms: EpochMs
    replayed: bool
    world_revision: WorldRevision


def check(observation: Observation) -> None:
    """Raises LimitExceeded or InvalidParams, naming the member, before anything is read."""
    if len(observation.messages) > MESSAGES_MAX:
        raise LimitExceeded("$.messages", limit="messages", maximum=MESSAGES_MAX)
    for place, message in enumerate(observation.messages):
        path = f"$.messages[{place}]"
        if len(message.content.encode()) > MESSAGE_BYTES_MAX:
            raise LimitExceeded(f"{path}.content", limit="message_bytes", maximum=MESSAGE_BYTES_MAX)
        if message.role is Role.USER and not message.content:
            raise InvalidParams(f"{path}.content")


def origin_hash(host_id: HostId, message_id: MessageId) -> str:
    """Names a message of a host for ever: 128 bits of the SHA-256 of both, behind their lengths.

    Half the digest is half the index, which every new message writes to at a place of chance.
    """
    host, message = host_id.encode(), message_id.encode()
    whole = sha256(b"%d:%b%d:%b" % (len(host), host, len(message), message)).hexdigest()
    return whole[:32]
