"""Evidence: what a person said, word for word, with who may read it and what the gates said of it.

Assistant text is never Evidence. Erased Evidence keeps its id and nothing else. Evidence that the
gates called noise, or hold, is kept word for word and out of every reach but its owner's.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from mnemod.domain.annotation import Annotation
from mnemod.domain.gates.verdict import Decision, Detector
from mnemod.ids import ConversationId, EpochMs, EvidenceId, HostId, MessageId, SessionId


class SourceKind(StrEnum):
    """How the words came in."""

    SPOKEN = "spoken"
    OBSERVED = "observed"
    CORRECTION = "correction"


class Outcome(StrEnum):
    """What the gates said. Only eligible and released rows are formed and recalled."""

    ELIGIBLE = "eligible"
    NOISE = "noise"
    HELD = "held"
    RELEASED = "released"


IN_REACH: Final = frozenset({Outcome.ELIGIBLE, Outcome.RELEASED})
"""What may be formed from, found and shown."""


class Gate(Struct, frozen=True):
    """What the gates of `rules_version` said of a text. It holds no word of it.

    `start` and `end` are code points of the text; `redacted` counts the secrets that were covered
    in it before it was stored.
    """

    decision: Decision
    rules_version: int
    reason: str | None = None
    detector: Detector | None = None
    start: int | None = None
    end: int | None = None
    redacted: int = 0

    @property
    def speaks(self) -> bool:
        """Whether there is anything to tell of: most texts just pass."""
        return self.decision is not Decision.PASS or self.redacted > 0


NOT_JUDGED: Final = Gate(Decision.PASS, rules_version=0)
"""What stands on a row that no gate has seen."""


class Noted(Struct, frozen=True):
    """What passages of a row's words mean. `failed` if that could not be worked out.

    `anchor` is the moment relative dates were counted from, as ISO 8601.
    """

    annotations: tuple[Annotation, ...] = ()
    anchor: str | None = None
    failed: bool = False


NOTHING_NOTED: Final = Noted()


class Instant(Struct, frozen=True):
    """A moment with the offset its speaker gave. `offset_min` is minutes east of UTC."""

    at_ms: EpochMs
    offset_min: int


class Permissions(Struct, frozen=True):
    """Which destinations may read the words, and whether anything may be inferred from them."""

    local_read: bool = True
    cloud_read: bool = True
    inference: bool = True

    def strictest(self, other: Permissions) -> Permissions:
        """What both allow."""
        return Permissions(
            self.local_read and other.local_read,
            self.cloud_read and other.cloud_read,
            self.inference and other.inference,
        )


EVERYTHING_ALLOWED: Final = Permissions()
"""What holds where nobody said otherwise."""


class Speaker(Struct, frozen=True):
    """A participant other than the owner: "I" in their words is them."""

    id: str
    name: str


class NewEvidence(Struct, frozen=True):
    """A row about to be stored. `origin_hash` names the message, `content_hash` is keyed."""

    evidence_id: EvidenceId
    source_kind: SourceKind
    host_id: HostId
    conversation_id: ConversationId
    session_id: SessionId | None
    message_id: MessageId
    origin_hash: str
    speaker: Speaker | None
    content: str
    content_hash: str
    said_at: Instant | None
    recorded_at_ms: EpochMs
    permissions: Permissions
    trust: float
    outcome: Outcome = Outcome.ELIGIBLE
    gate: Gate = NOT_JUDGED
    noted: Noted = NOTHING_NOTED


class Evidence(Struct, frozen=True):
    """One row of what was said. `seq` orders rows by arrival; `content` is empty once erased."""

    seq: int
    evidence_id: EvidenceId
    source_kind: SourceKind
    host_id: HostId
    conversation_id: ConversationId
    session_id: SessionId | None
    message_id: MessageId
    speaker: Speaker | None
    content: str
    said_at: Instant | None
    recorded_at_ms: EpochMs
    permissions: Permissions
    outcome: Outcome
    gate: Gate
    annotations_failed: bool
    trust: float
    erased_at_ms: EpochMs | None
