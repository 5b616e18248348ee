"""The turns of a conversation as they went, and what an assistant's turn relied on."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from mnemod.ids import ConversationId, EpochMs, EvidenceId, HostId, InteractionId, MessageId


class Role(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"


class Capture(StrEnum):
    """Whether the host knows what an assistant turn relied on."""

    COMPLETE = "complete"
    COMPLETE_EMPTY = "complete_empty"
    UNAVAILABLE = "unavailable"
    WITHHELD = "withheld"


class DependencyKind(StrEnum):
    ITEM = "item"
    EVIDENCE = "evidence"
    INTERACTION = "interaction"


class Dependency(Struct, frozen=True):
    """One thing an assistant turn relied on."""

    kind: DependencyKind
    ref_id: str


class NewTurn(Struct, frozen=True):
    """A turn about to be stored: a user's points at its Evidence, an assistant's has its words."""

    role: Role
    host_id: HostId
    conversation_id: ConversationId
    message_id: MessageId
    evidence_id: EvidenceId | None
    content: str | None
    said_at_ms: EpochMs | None
    capture: Capture | None
    dependencies: tuple[Dependency, ...] = ()
    held: bool = False
    redacted: int = 0


class Turn(Struct, frozen=True):
    """A stored turn. `content` of a user turn is its Evidence's, None once erased.

    `held` is an assistant's turn that the gates hold: it is context for nobody. `redacted` counts
    the secrets covered in it.
    """

    turn_seq: int
    interaction_id: InteractionId
    conversation_id: ConversationId
    role: Role
    message_id: MessageId
    evidence_id: EvidenceId | None
    content: str | None
    said_at_ms: EpochMs | None
    capture: Capture | None
    held: bool
    redacted: int
    erased_at_ms: EpochMs | None

    @property
    def told_by_assistant(self) -> str | None:
        """The words, if they are an assistant's that nothing keeps back."""
        return None if self.role is Role.USER or self.held else self.content
