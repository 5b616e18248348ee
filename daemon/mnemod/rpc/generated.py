"""DO NOT EDIT: generated from rpc_schema/ by `python -m rpc_schema.generate`.

A memory daemon: keeps what a person said word for word, forms memories that trace back to it,
recalls, corrects and forgets them. JSON-RPC 2.0, one value a line, over stdio or a Unix socket.

Structs named `...Params`, and the Structs they hold, are requests: closed and checked on conversion
(`msgspec.convert`). TypedDicts are replies: plain dicts, open. A type that travels both ways has
its reply under the name `...Row`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    NotRequired,
    TypeAlias,
    TypedDict,
    TypeVar,
)

from msgspec import Meta, Struct, field

from mnemod.config import Tier
from mnemod.domain.evidence import Outcome, SourceKind
from mnemod.domain.world import (
    FormedBy,
    ItemKind,
    ItemState,
    Layer,
    Precision,
    Relation,
    StatementKind,
    TransitionKind,
)
from mnemod.ids import (
    AccountId,
    CommandId,
    ConversationId,
    EventId,
    EvidenceId,
    HostId,
    InteractionId,
    ItemId,
    JobId,
    MessageId,
    SessionId,
    TransitionId,
    WorldRevision,
)


SCHEMA_VERSION: Final = "1.0.0"
PROTOCOL_VERSION: Final = 1

_T = TypeVar("_T")

if TYPE_CHECKING:
    Maybe: TypeAlias = _T | None
else:

    class Maybe:
        """Absent reads as None, and null is refused: what is checked is the type without None."""

        def __class_getitem__(cls, kind):
            return kind


Role: TypeAlias = Literal["user", "assistant"]
TargetKind: TypeAlias = Literal[
    "evidence", "entity", "relationship", "event", "cognition", "evaluation", "reflection",
    "persona",
]
ObserveOutcome: TypeAlias = Literal["stored", "duplicate", "noise", "held"]
Decision: TypeAlias = Literal["pass", "flag", "noise", "hold"]
Detector: TypeAlias = Literal[
    "injection", "authority", "role", "comment", "temporal", "encoded", "secret",
]
AnnotationKind: TypeAlias = Literal[
    "date", "interval", "amount", "proportion", "duration", "repair",
]
JobState: TypeAlias = Literal[
    "pending", "processing", "retry", "done", "no_change", "clarification", "out_of_scope", "dead",
]
Recovery: TypeAlias = Literal["restart_recovered", "shutdown_recovered"]
Capture: TypeAlias = Literal["complete", "complete_empty", "unavailable", "withheld"]
ResultState: TypeAlias = Literal["applied", "no_change", "rejected"]
CleanupState: TypeAlias = Literal["complete", "pending"]
History: TypeAlias = Literal["auto", "never", "always"]
Projection: TypeAlias = Literal["history", "model"]
StopMode: TypeAlias = Literal["drain", "now"]
Topic: TypeAlias = Literal["jobs"]
WorldOperation: TypeAlias = Literal["list", "get", "history"]
ListOperation: TypeAlias = Literal["list", "get"]
JobOperation: TypeAlias = Literal["list", "get", "summary"]

_AccountId: TypeAlias = Annotated[AccountId, Meta(pattern="^[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}\\Z")]
_HostId: TypeAlias = Annotated[HostId, Meta(min_length=1, max_length=512)]
_ConversationId: TypeAlias = Annotated[ConversationId, Meta(min_length=1, max_length=512)]
_SessionId: TypeAlias = Annotated[SessionId, Meta(min_length=1, max_length=512)]
_MessageId: TypeAlias = Annotated[MessageId, Meta(min_length=1, max_length=512)]
_EventId: TypeAlias = Annotated[EventId, Meta(min_length=1, max_length=512)]
_CommandId: TypeAlias = Annotated[CommandId, Meta(min_length=1, max_length=128)]
_RequestId: TypeAlias = Annotated[str, Meta(min_length=1, max_length=128)]
_EvidenceId: TypeAlias = Annotated[EvidenceId, Meta(min_length=1, max_length=512)]
_ItemId: TypeAlias = Annotated[ItemId, Meta(min_length=1, max_length=512)]
_JobId: TypeAlias = Annotated[JobId, Meta(min_length=1, max_length=512)]
_InteractionId: TypeAlias = Annotated[InteractionId, Meta(min_length=1, max_length=512)]
_Cursor: TypeAlias = Annotated[str, Meta(min_length=1, max_length=512)]
_ForgetScope: TypeAlias = Annotated[str, Meta(min_length=1, max_length=512)]
_SnapshotToken: TypeAlias = Annotated[str, Meta(min_length=1, max_length=512)]
_Instant: TypeAlias = Annotated[str, Meta(min_length=20, max_length=40)]
_Query: TypeAlias = Annotated[str, Meta(min_length=1, max_length=4000)]
_TimeZone: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
_Locale: TypeAlias = Annotated[str, Meta(min_length=1, max_length=35)]
_WorldRevision: TypeAlias = Annotated[WorldRevision, Meta(ge=0)]
_Limit: TypeAlias = Annotated[int, Meta(ge=1, le=500)]
_ProtocolVersion: TypeAlias = Annotated[int, Meta(ge=1, le=1000000)]


class Client(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The host program, for the log."""

    name: Annotated[str, Meta(min_length=1, max_length=128)]
    version: Annotated[str, Meta(min_length=1, max_length=64)]


class Permissions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Who may read the words. What is left out is allowed."""

    # A model on this machine.
    local_read: Maybe[bool] = None
    # A model that is not.
    cloud_read: Maybe[bool] = None
    # Whether memories may be formed from them.
    inference: Maybe[bool] = None


class Speaker(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A participant other than the owner."""

    id: Annotated[str, Meta(min_length=1, max_length=512)]
    name: Annotated[str, Meta(min_length=1, max_length=512)]


class ItemRef(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Names one World item."""

    object_kind: ItemKind
    item_id: _ItemId


class Dependencies(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What an assistant turn relied on; `dependencies` of a recall is one."""

    capture: Capture
    items: Maybe[Annotated[tuple[ItemRef, ...], Meta(max_length=64)]] = None
    evidence_ids: Maybe[Annotated[tuple[_EvidenceId, ...], Meta(max_length=64)]] = None
    interaction_ids: Maybe[Annotated[tuple[_InteractionId, ...], Meta(max_length=64)]] = None
    snapshot_token: Maybe[_SnapshotToken] = None


class Message(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """One message of a conversation. `permissions` and `speaker` stand on user messages,
    `dependencies` on assistant ones.
    """

    message_id: _MessageId
    role: Role
    # At most 256 KiB of UTF-8.
    content: str
    at: Maybe[_Instant] = None
    permissions: Maybe[Permissions] = None
    speaker: Maybe[Speaker] = None
    dependencies: Maybe[Dependencies] = None


class ForgetTarget(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """One more thing to forget in the same command."""

    target_kind: TargetKind
    target_id: Annotated[str, Meta(min_length=1, max_length=512)]


class CallMeta(Struct, frozen=True, kw_only=True, gc=False):
    """About the call, not of it. Unknown members are kept and not read."""

    # Asks for `$/progress` with this token.
    progress_token: Maybe[str | int] = None


class CheckAccountParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `check_account` takes."""

    deep: bool = False
    repair: bool = False


class CorrectWorldItemParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `correct_world_item` takes."""

    command_id: _CommandId
    expected_world_revision: Maybe[_WorldRevision] = None
    target_kind: ItemKind
    target_id: _ItemId
    # At most 16,000 characters.
    correction_text: Annotated[str, Meta(min_length=1)]
    valid_from: Maybe[_Instant] = None
    permissions: Maybe[Permissions] = None


class DaemonStopParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `daemon.stop` takes."""

    mode: StopMode = "drain"


class DeleteEvidenceParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `delete_evidence` takes."""

    command_id: _CommandId
    expected_world_revision: Maybe[_WorldRevision] = None
    target_kind: TargetKind
    target_id: Annotated[str, Meta(min_length=1, max_length=512)]
    additional_targets: Maybe[tuple[ForgetTarget, ...]] = None
    # From preview_forget; without it nothing is erased.
    forget_scope: Maybe[_ForgetScope] = None


class DeleteWorldItemParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `delete_world_item` takes."""

    command_id: _CommandId
    expected_world_revision: Maybe[_WorldRevision] = None
    target_kind: TargetKind
    target_id: Annotated[str, Meta(min_length=1, max_length=512)]
    additional_targets: Maybe[tuple[ForgetTarget, ...]] = None
    # From preview_forget; without it nothing is erased.
    forget_scope: Maybe[_ForgetScope] = None


class ExplainGatesParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `explain_gates` takes."""

    content: str
    # When it was said: relative dates are counted from here. Now if left out.
    at: Maybe[_Instant] = None


class HealthParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `health` takes."""


class InitializeParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `initialize` takes."""

    protocol_versions: Annotated[tuple[_ProtocolVersion, ...], Meta(min_length=1, max_length=32)]
    client: Client
    account: _AccountId
    host_id: _HostId
    # Where what is read here goes.
    tier: Tier = Tier("cloud")
    locale: Maybe[_Locale] = None
    # Kept at first use.
    time_zone: Maybe[_TimeZone] = None
    process_id: Maybe[Annotated[int, Meta(ge=1, le=4194304)]] = None
    capabilities: Maybe[dict[str, Any]] = None


class ObserveParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `observe` takes."""

    event_id: _EventId
    conversation_id: _ConversationId
    session_id: Maybe[_SessionId] = None
    messages: Annotated[tuple[Message, ...], Meta(min_length=1)]


class PingParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `ping` takes."""


class PreviewForgetParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `preview_forget` takes."""

    target_kind: TargetKind
    target_id: Annotated[str, Meta(min_length=1, max_length=512)]
    additional_targets: Maybe[tuple[ForgetTarget, ...]] = None
    # How many rows at most; all without it.
    limit: Maybe[_Limit] = None
    cursor: Maybe[_Cursor] = None


class QueryEvidenceParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `query_evidence` takes."""

    operation: ListOperation
    evidence_id: Maybe[_EvidenceId] = None
    outcome: Maybe[Outcome] = None
    conversation_id: Maybe[_ConversationId] = None
    limit: Maybe[_Limit] = None
    cursor: Maybe[_Cursor] = None


class QueryInteractionsParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `query_interactions` takes."""

    conversation_id: Maybe[_ConversationId] = None
    limit: Maybe[_Limit] = None
    cursor: Maybe[_Cursor] = None


class QueryJobsParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `query_jobs` takes."""

    operation: JobOperation
    job_id: Maybe[_JobId] = None
    state: Maybe[JobState] = None
    kind: Maybe[Annotated[str, Meta(min_length=1, max_length=64)]] = None
    limit: Maybe[_Limit] = None
    cursor: Maybe[_Cursor] = None


class QueryProvenanceParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `query_provenance` takes."""

    object_kind: ItemKind
    item_id: _ItemId
    projection: Projection = "history"
    cursor: Maybe[_Cursor] = None


class QueryReceiptsParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `query_receipts` takes."""

    command_id: Maybe[_CommandId] = None
    limit: Maybe[_Limit] = None
    cursor: Maybe[_Cursor] = None


class QueryWorldParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `query_world` takes."""

    operation: WorldOperation
    object_kind: Maybe[ItemKind] = None
    item_id: Maybe[_ItemId] = None
    state: Maybe[ItemState] = None
    limit: Maybe[_Limit] = None
    cursor: Maybe[_Cursor] = None


class RecallPreviewParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `recall_preview` takes."""

    query: Maybe[_Query] = None
    # A date, month, year, or a range with / or .. between; a query or a time is needed.
    time: Maybe[Annotated[str, Meta(min_length=1, max_length=200)]] = None
    # Only ever stricter than the connection's own: what leaves for a cloud must be allowed to.
    tier: Maybe[Tier] = None
    history: History = "auto"
    max_items: Maybe[Annotated[int, Meta(ge=1, le=50)]] = None
    max_quotes: Maybe[Annotated[int, Meta(ge=0, le=50)]] = None
    explain: bool = False


class RejudgeEvidenceParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `rejudge_evidence` takes."""

    cursor: Maybe[_Cursor] = None
    # How many messages to judge; fewer are where they are long.
    limit: Maybe[_Limit] = None
    # Say what would change and change nothing.
    dry_run: bool = False
    # Also those that the rules of today judged already.
    all: bool = False


class ReleaseEvidenceParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `release_evidence` takes."""

    command_id: _CommandId
    expected_world_revision: Maybe[_WorldRevision] = None
    evidence_id: _EvidenceId


class RetryFormationParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `retry_formation` takes."""

    job_id: _JobId
    request_id: _RequestId


class RetryStorageCleanupParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `retry_storage_cleanup` takes."""

    command_id: _CommandId


class RpcDiscoverParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `rpc.discover` takes."""


class ShutdownParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `shutdown` takes."""


class SubscribeParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `subscribe` takes."""

    topic: Topic


class UnsubscribeParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `unsubscribe` takes."""

    subscription_id: Annotated[str, Meta(min_length=1, max_length=128)]


class CancelRequestParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `$/cancelRequest` takes."""

    id: str | int


class ExitParams(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `exit` takes."""


if TYPE_CHECKING:

    class SpeakerRow(TypedDict):
        """A participant other than the owner."""

        id: str
        name: str

    class ItemRefRow(TypedDict):
        """Names one World item."""

        object_kind: ItemKind
        item_id: ItemId

    class DependenciesRow(TypedDict):
        """What an assistant turn relied on; `dependencies` of a recall is one."""

        capture: Capture
        items: NotRequired[list[ItemRefRow]]
        evidence_ids: NotRequired[list[EvidenceId]]
        interaction_ids: NotRequired[list[InteractionId]]
        snapshot_token: NotRequired[str]

    class Server(TypedDict):
        """The daemon that answers."""

        name: str
        version: str
        pid: int
        instance: str

    class Encoder(TypedDict):
        """The sentence encoder's state."""

        state: Literal["ready", "loading", "absent"]
        model: NotRequired[str]

    class Capabilities(TypedDict):
        """What a host must test before use. What is left out is not served."""

        forget_scope_fence: int
        forget_batch: int
        recall_tier: bool
        batch: bool
        subscriptions: list[Topic]
        interpreter: Literal["rules", "chat", "none"]
        encoder: Encoder
        methods: list[str]

    class Limits(TypedDict):
        """The limits this daemon holds, units in the names."""

        frame_bytes: int
        in_flight: int
        queued: int
        batch_members: int
        message_bytes: int
        messages: int
        query_chars: int
        id_chars: int
        forget_targets: int
        page: int
        free_json_depth: int

    class AccountHealth(TypedDict):
        """How the account of this connection does."""

        # Rows that hold words.
        evidence: int
        # Current items.
        items: int
        # Rows in the search index.
        indexed: int
        # Rows that should be in the index and are not, or the other way round.
        index_gap: int
        jobs: JobCounts
        # Forgets whose bytes may still lie in the log file.
        cleanup_pending: int
        gates: GateCounts
        file_bytes: int
        wal_bytes: int

    class Health(TypedDict):
        """Whether the daemon does all it can."""

        status: Literal["ok", "degraded"]
        # What does not work, each a stable word.
        degraded: list[str]
        uptime_s: float
        connections: int
        # Driver and version.
        sqlite: str
        worker: Worker
        account: NotRequired[AccountHealth]

    class Finding(TypedDict):
        """One check of an account's file, and how many rows failed it."""

        # A stable word: file, foreign_keys, index_gap, stale_index, altered_words, unsourced_items,
        # stuck_jobs, dead_jobs.
        check: str
        state: Literal["ok", "warning", "failed"]
        count: int

    class Worker(TypedDict):
        """Whether jobs are worked on."""

        state: Literal["running", "idle", "stopped"]
        reason: NotRequired[str]

    class ObservedMessage(TypedDict):
        """What became of one user message."""

        message_id: MessageId
        evidence_id: EvidenceId
        outcome: ObserveOutcome
        gate: NotRequired[Gate]

    class Gate(TypedDict):
        """What the gates said of a text. A text that just passed has none."""

        decision: Decision
        # A stable word.
        reason: NotRequired[str]
        detector: NotRequired[Detector]
        # Where it begins.
        start: NotRequired[int]
        # Where it ends.
        end: NotRequired[int]
        # Secrets that were covered before the text was stored.
        redacted: NotRequired[int]
        # Of the rules that judged it.
        rules_version: int

    class Verdict(TypedDict):
        """Where a message stands, and why."""

        outcome: Outcome
        gate: NotRequired[Gate]

    class GateStep(TypedDict):
        """What one gate alone says of a text."""

        gate: Literal["noise", "guard", "secrets"]
        decision: Decision
        # A stable word.
        reason: NotRequired[str]
        detector: NotRequired[Detector]
        start: NotRequired[int]
        end: NotRequired[int]

    class RejudgedRow(TypedDict):
        """A message before and after it was judged again; never any text."""

        evidence_id: EvidenceId
        before: Verdict
        after: Verdict
        changed: bool

    class DetectorCounts(TypedDict):
        """How many held messages each rule spoke of; none where no rule did."""

        injection: int
        authority: int
        role: int
        comment: int
        temporal: int
        encoded: int
        secret: int
        none: int

    class GateCounts(TypedDict):
        """What the gates say of the messages of an account."""

        noise: int
        held: int
        held_by: DetectorCounts
        flagged: int
        released: int
        # Messages in which secrets were covered.
        redacted: int
        # Messages whose passages could not be worked out.
        annotations_failed: int
        # Messages that are held because judging them failed.
        gate_failed: int
        # Of the rules that judge now.
        rules_version: int
        # Messages that rejudge_evidence would judge again.
        judged_by_older: int

    class SpanRow(TypedDict):
        """A passage of a text, half open."""

        start: int
        end: int

    class AmountRow(TypedDict):
        """Money; no currency where the words name none."""

        amount: float
        currency: str | None

    class AmbiguousRow(TypedDict):
        """All that the words may mean, ascending."""

        ambiguous: list[str | float | list[str] | AmountRow]

    class Annotation(TypedDict):
        """What a passage means in one form, beside the text and never in its place."""

        span: SpanRow
        kind: AnnotationKind
        value: str | float | list[str] | AmountRow | AmbiguousRow
        precision: Precision | None
        confidence: float

    class JobRef(TypedDict):
        """A job and where it stands."""

        job_id: JobId
        state: JobState

    class SupportRow(TypedDict):
        """One exact span under an item."""

        evidence_id: EvidenceId
        relation: Relation
        start: int
        end: int
        # The span itself; null where this reader may not see it.
        quote: str | None

    class ItemRow(TypedDict):
        """A World item. No subject or holder means the owner."""

        item_id: ItemId
        object_kind: ItemKind
        layer: Layer
        text: str
        state: ItemState
        statement_kind: NotRequired[StatementKind]
        formed_by: FormedBy
        subject: NotRequired[str]
        holder: NotRequired[str]
        confidence: int
        trust: float
        importance: int
        occurred_at: NotRequired[str]
        precision: NotRequired[Precision]
        time_expression: NotRequired[str]
        valid_from: NotRequired[str]
        valid_to: NotRequired[str]
        recorded_at: str
        archived: bool
        muted: bool
        pinned: bool
        support: list[SupportRow]
        derived_from: list[ItemId]
        name: NotRequired[str]
        aliases: NotRequired[list[str]]
        source_entity_id: NotRequired[ItemId]
        target_entity_id: NotRequired[ItemId]
        relation_type: NotRequired[str]

    class PermissionsRow(TypedDict):
        """Who may read the words."""

        local_read: bool
        cloud_read: bool
        inference: bool

    class EvidenceRow(TypedDict):
        """What was said. `content` is null where this reader may not see it, and empty once erased;
        noise and what is held are shown on this machine alone. `annotations` are told by
        query_evidence.
        """

        evidence_id: EvidenceId
        source_kind: SourceKind
        speaker: NotRequired[SpeakerRow]
        conversation_id: str
        session_id: NotRequired[str]
        message_id: str
        content: str | None
        said_at: NotRequired[str]
        recorded_at: str
        outcome: Outcome
        gate: NotRequired[Gate]
        annotations: list[Annotation]
        # That they could not be worked out.
        annotations_failed: NotRequired[bool]
        trust: float
        permissions: PermissionsRow
        erased_at: NotRequired[str]

    class TransitionRow(TypedDict):
        """One item gave way to another, or to nothing."""

        transition_id: TransitionId
        kind: TransitionKind
        prior_item_id: ItemId
        successor_item_id: NotRequired[ItemId]
        evidence_id: NotRequired[EvidenceId]
        world_revision: WorldRevision
        at: str

    class ProvenanceRow(TypedDict):
        """A span with the whole Evidence it stands in."""

        support: SupportRow
        evidence: EvidenceRow

    class TurnRow(TypedDict):
        """A turn of a conversation. An erased turn keeps its place and no words."""

        interaction_id: InteractionId
        conversation_id: str
        role: Role
        message_id: str
        evidence_id: NotRequired[EvidenceId]
        content: str | None
        at: NotRequired[str]
        dependencies: NotRequired[TurnDependencies]
        # Why the words are kept out of reach: noise or held.
        outcome: NotRequired[Outcome]
        erased_at: NotRequired[str]

    class TurnDependencies(TypedDict):
        """What a stored assistant turn relied on."""

        capture: Capture
        item_ids: list[ItemId]
        evidence_ids: list[EvidenceId]
        interaction_ids: list[InteractionId]

    class JobCounts(TypedDict):
        """How many jobs stand in each state."""

        pending: int
        processing: int
        retry: int
        done: int
        no_change: int
        clarification: int
        out_of_scope: int
        dead: int

    class JobRow(TypedDict):
        """A piece of background work; never any text."""

        job_id: JobId
        kind: str
        state: JobState
        reason: NotRequired[str]
        attempts: int
        next_attempt_at: NotRequired[str]
        last_error: NotRequired[str]
        recovery: NotRequired[Recovery]
        # How long the present claim has been held.
        claimed_for_ms: NotRequired[int]
        evidence_ids: list[EvidenceId]
        item_ids: list[ItemId]
        created_at: str
        completed_at: NotRequired[str]

    class Receipt(TypedDict):
        """The durable answer to a command; holds no text."""

        command_id: CommandId
        operation: str
        result_state: ResultState
        rejection: NotRequired[str]
        before_revision: WorldRevision
        after_revision: WorldRevision
        affected_ids: list[str]
        transition_ids: list[TransitionId]
        completed_at: str
        # Hexadecimal SHA-256 of the UTF-8 of this receipt as it came, without `receipt_hash` and
        # `storage_cleanup`, as JSON with its keys sorted and no white space.
        receipt_hash: str
        storage_cleanup: NotRequired[StorageCleanup]

    class StorageCleanup(TypedDict):
        """Whether erased bytes are gone from the disk."""

        state: CleanupState
        reason: NotRequired[str]

    class PreviewRow(TypedDict):
        """One thing a forget would erase or change."""

        # A kind of item, or evidence or turn.
        object_kind: str
        item_id: str
        # Enough of its text to know it by; null where this reader may not see it.
        name: str | None
        # The statement kind, source kind or role.
        item_type: str
        # Why it is in the cascade, a stable word: target, revision, source, unsupported, derived,
        # attached, orphaned, relied, copy, keeps_other_support.
        reason: str
        effect: Literal["erased", "changed"]

    class RecalledItem(TypedDict):
        """An item that bears on the question."""

        item: ItemRow
        label: Literal["current", "past"]
        said_at: NotRequired[str]
        successor_item_id: NotRequired[ItemId]
        explain: NotRequired[Explain]

    class Quote(TypedDict):
        """Exact words that bear on the question."""

        evidence_id: EvidenceId
        text: str
        speaker: NotRequired[SpeakerRow]
        said_at: NotRequired[str]
        recorded_at: str
        conversation_id: str
        superseded_by: NotRequired[ItemId]
        explain: NotRequired[Explain]

    class RecentEvidence(TypedDict):
        """Said lately and not formed yet: provisional."""

        evidence_id: EvidenceId
        text: str
        speaker: NotRequired[SpeakerRow]
        said_at: NotRequired[str]
        recorded_at: str
        conversation_id: str
        provisional: bool

    class Explain(TypedDict):
        """Why a row stands where it does. Higher scores are better."""

        # Terms of the query that matched.
        terms: list[str]
        rank: int
        score: float
        channel: str

    TimeWindow = TypedDict(
        "TimeWindow",
        {
            "from": "str",
            "to": "str",
            "time_zone": "str",
        },
    )
    """The window a recall looked in, half open."""

    class CutCounts(TypedDict):
        """Rows that matched and did not fit."""

        items: int
        quotes: int
        recent_evidence: int

    class WithheldRow(TypedDict):
        """Rows kept back, by kind and reason; never their text."""

        object_kind: str
        reason: str
        count: int

    class ProgressValue(TypedDict):
        """Grows; none after the reply."""

        done: int
        total: NotRequired[int]
        message: NotRequired[str]

    class ProgressParams(TypedDict):
        """What `$/progress` takes."""

        token: str | int
        value: ProgressValue

    class JobChangedParams(TypedDict):
        """What `job_changed` takes."""

        subscription_id: str
        seq: int
        job: JobRow

    class SubscriptionLaggedParams(TypedDict):
        """What `subscription_lagged` takes."""

        subscription_id: str
        dropped: int

    class CheckAccountResult(TypedDict):
        """What `check_account` answers."""

        findings: list[Finding]
        # Entries of the search index made anew.
        rebuilt: NotRequired[int]
        world_revision: WorldRevision

    class CorrectWorldItemResult(TypedDict):
        """What `correct_world_item` answers."""

        receipt: Receipt
        world_revision: WorldRevision

    class DaemonStopResult(TypedDict):
        """What `daemon.stop` answers."""

        pid: int

    class DeleteEvidenceResult(TypedDict):
        """What `delete_evidence` answers."""

        receipt: Receipt
        world_revision: WorldRevision

    class DeleteWorldItemResult(TypedDict):
        """What `delete_world_item` answers."""

        receipt: Receipt
        world_revision: WorldRevision

    class ExplainGatesResult(TypedDict):
        """What `explain_gates` answers."""

        # The text as the rules read it.
        folded: str
        steps: list[GateStep]
        outcome: Outcome
        gate: Gate
        # How far it would be trusted, said by the owner: 0 to 1.
        trust: float
        # The text as it would be stored: itself, or with its secrets covered.
        stored: str
        annotations: list[Annotation]
        annotations_failed: bool
        world_revision: WorldRevision

    class InitializeResult(TypedDict):
        """What `initialize` answers."""

        protocol_version: int
        schema_version: str
        server: Server
        account: AccountId
        world_revision: WorldRevision
        capabilities: Capabilities
        limits: Limits
        health: Health

    class ObserveResult(TypedDict):
        """What `observe` answers."""

        event_id: EventId
        replayed: bool
        evidence: list[ObservedMessage]
        job: JobRef | None
        interaction_id: InteractionId
        accepted_at: str
        world_revision: WorldRevision

    class PingResult(TypedDict):
        """What `ping` answers."""

    class PreviewForgetResult(TypedDict):
        """What `preview_forget` answers."""

        items: list[PreviewRow]
        # Where the rows go on. The counts and the token are of the whole.
        next_cursor: NotRequired[str]
        item_count: int
        evidence_ids: list[EvidenceId]
        evidence_count: int
        forget_scope: str
        world_revision: WorldRevision

    class QueryEvidenceResult(TypedDict):
        """What `query_evidence` answers."""

        evidence: NotRequired[list[EvidenceRow]]
        evidence_row: NotRequired[EvidenceRow]
        next_cursor: NotRequired[str]
        world_revision: WorldRevision

    class QueryInteractionsResult(TypedDict):
        """What `query_interactions` answers."""

        turns: list[TurnRow]
        next_cursor: NotRequired[str]
        world_revision: WorldRevision

    class QueryJobsResult(TypedDict):
        """What `query_jobs` answers."""

        jobs: NotRequired[list[JobRow]]
        job: NotRequired[JobRow]
        worker: Worker
        counts: JobCounts
        next_cursor: NotRequired[str]
        world_revision: WorldRevision

    class QueryProvenanceResult(TypedDict):
        """What `query_provenance` answers."""

        item: ItemRow
        support: list[ProvenanceRow]
        transitions: list[TransitionRow]
        successor_provenance: list[ProvenanceRow]
        # There where spans are left; only of an item said in very many or very long messages.
        next_cursor: NotRequired[str]
        world_revision: WorldRevision

    class QueryReceiptsResult(TypedDict):
        """What `query_receipts` answers."""

        receipts: list[Receipt]
        next_cursor: NotRequired[str]
        world_revision: WorldRevision

    class QueryWorldResult(TypedDict):
        """What `query_world` answers."""

        items: NotRequired[list[ItemRow]]
        item: NotRequired[ItemRow]
        transitions: NotRequired[list[TransitionRow]]
        next_cursor: NotRequired[str]
        world_revision: WorldRevision

    class RecallPreviewResult(TypedDict):
        """What `recall_preview` answers."""

        items: list[RecalledItem]
        quotes: list[Quote]
        recent_evidence: list[RecentEvidence]
        rendered: str
        rendered_tokens: int
        dependencies: DependenciesRow
        snapshot_token: str
        query_hash: str
        tier: Tier
        time_window: NotRequired[TimeWindow]
        degraded: list[str]
        cut: CutCounts
        withheld: NotRequired[list[WithheldRow]]
        model_call_count: int
        world_write_count: int
        world_revision: WorldRevision

    class RejudgeEvidenceResult(TypedDict):
        """What `rejudge_evidence` answers."""

        judged: list[RejudgedRow]
        # How many of these have, or would have, another verdict.
        changed: int
        rules_version: int
        dry_run: bool
        next_cursor: NotRequired[str]
        world_revision: WorldRevision

    class ReleaseEvidenceResult(TypedDict):
        """What `release_evidence` answers."""

        receipt: Receipt
        world_revision: WorldRevision

    class RetryFormationResult(TypedDict):
        """What `retry_formation` answers."""

        job: JobRow
        prior_job_id: JobId
        replayed: bool
        world_revision: WorldRevision

    class RetryStorageCleanupResult(TypedDict):
        """What `retry_storage_cleanup` answers."""

        storage_cleanup: StorageCleanup
        world_revision: WorldRevision

    class ShutdownResult(TypedDict):
        """What `shutdown` answers."""

    class SubscribeResult(TypedDict):
        """What `subscribe` answers."""

        subscription_id: str
        cursor: str

    class UnsubscribeResult(TypedDict):
        """What `unsubscribe` answers."""

else:
    SpeakerRow = dict
    ItemRefRow = dict
    DependenciesRow = dict
    Server = dict
    Encoder = dict
    Capabilities = dict
    Limits = dict
    AccountHealth = dict
    Health = dict
    Finding = dict
    Worker = dict
    ObservedMessage = dict
    Gate = dict
    Verdict = dict
    GateStep = dict
    RejudgedRow = dict
    DetectorCounts = dict
    GateCounts = dict
    SpanRow = dict
    AmountRow = dict
    AmbiguousRow = dict
    Annotation = dict
    JobRef = dict
    SupportRow = dict
    ItemRow = dict
    PermissionsRow = dict
    EvidenceRow = dict
    TransitionRow = dict
    ProvenanceRow = dict
    TurnRow = dict
    TurnDependencies = dict
    JobCounts = dict
    JobRow = dict
    Receipt = dict
    StorageCleanup = dict
    PreviewRow = dict
    RecalledItem = dict
    Quote = dict
    RecentEvidence = dict
    Explain = dict
    TimeWindow = dict
    CutCounts = dict
    WithheldRow = dict
    ProgressValue = dict
    ProgressParams = dict
    JobChangedParams = dict
    SubscriptionLaggedParams = dict
    CheckAccountResult = dict
    CorrectWorldItemResult = dict
    DaemonStopResult = dict
    DeleteEvidenceResult = dict
    DeleteWorldItemResult = dict
    ExplainGatesResult = dict
    InitializeResult = dict
    ObserveResult = dict
    PingResult = dict
    PreviewForgetResult = dict
    QueryEvidenceResult = dict
    QueryInteractionsResult = dict
    QueryJobsResult = dict
    QueryProvenanceResult = dict
    QueryReceiptsResult = dict
    QueryWorldResult = dict
    RecallPreviewResult = dict
    RejudgeEvidenceResult = dict
    ReleaseEvidenceResult = dict
    RetryFormationResult = dict
    RetryStorageCleanupResult = dict
    ShutdownResult = dict
    SubscribeResult = dict
    UnsubscribeResult = dict


class MethodSpec(NamedTuple):
    """What the dispatcher must know of a method. `errors` are the kinds it may answer with."""

    name: str
    kind: Literal["query", "command", "session", "notification"]
    params: type[Struct]
    errors: frozenset[str]
    idempotent: bool
    before_initialize: bool


METHODS: Final[Mapping[str, MethodSpec]] = {
    "check_account": MethodSpec(
        name="check_account",
        kind="query",
        params=CheckAccountParams,
        errors=frozenset({
            "busy", "cancelled", "deadline_exceeded", "frame_too_long", "internal",
            "invalid_params", "invalid_request", "method_not_found", "not_initialized",
            "overloaded", "parse_error", "read_only", "result_too_large", "shutting_down",
            "storage_corrupt", "storage_full", "too_deep",
        }),
        idempotent=True,
        before_initialize=False,
    ),
    "correct_world_item": MethodSpec(
        name="correct_world_item",
        kind="command",
        params=CorrectWorldItemParams,
        errors=frozenset({
            "already_erased", "busy", "cancelled", "command_id_conflict", "conflict",
            "deadline_exceeded", "frame_too_long", "internal", "invalid_params", "invalid_request",
            "limit_exceeded", "method_not_found", "not_correctable", "not_found", "not_initialized",
            "overloaded", "parse_error", "permission_denied", "read_only", "result_too_large",
            "shutting_down", "storage_corrupt", "storage_full", "too_deep",
        }),
        idempotent=True,
        before_initialize=False,
    ),
    "daemon.stop": MethodSpec(
        name="daemon.stop",
        kind="session",
        params=DaemonStopParams,
        errors=frozenset({
            "cancelled", "frame_too_long", "internal", "invalid_params", "invalid_request",
            "method_not_found", "overloaded", "parse_error", "result_too_large", "shutting_down",
            "too_deep",
        }),
        idempotent=True,
        before_initialize=True,
    ),
    "delete_evidence": MethodSpec(
        name="delete_evidence",
        kind="command",
        params=DeleteEvidenceParams,
        errors=frozenset({
            "already_erased", "busy", "cancelled", "command_id_conflict", "conflict",
            "deadline_exceeded", "forget_scope_changed", "forget_scope_required",
            "formation_in_progress", "frame_too_long", "internal", "invalid_forget_targets",
            "invalid_params", "invalid_request", "method_not_found", "not_found", "not_initialized",
            "overloaded", "parse_error", "read_only", "result_too_large", "shutting_down",
            "storage_corrupt", "storage_full", "too_deep",
        }),
        idempotent=True,
        before_initialize=False,
    ),
    "delete_world_item": MethodSpec(
        name="delete_world_item",
        kind="command",
        params=DeleteWorldItemParams,
        errors=frozenset({
            "already_erased", "busy", "cancelled", "command_id_conflict", "conflict",
            "deadline_exceeded", "forget_scope_changed", "forget_scope_required",
            "formation_in_progress", "frame_too_long", "internal", "invalid_forget_targets",
            "invalid_params", "invalid_request", "method_not_found", "not_found", "not_initialized",
            "overloaded", "parse_error", "read_only", "result_too_large", "shutting_down",
            "storage_corrupt", "storage_full", "too_deep",
        }),
        idempotent=True,
        before_initialize=False,
    ),
    "explain_gates": MethodSpec(
        name="explain_gates",
        kind="query",
        params=ExplainGatesParams,
        errors=frozenset({
            "busy", "cancelled", "deadline_exceeded", "frame_too_long", "internal",
            "invalid_params", "invalid_request", "limit_exceeded", "method_not_found",
            "not_initialized", "overloaded", "parse_error", "result_too_large", "shutting_down",
            "storage_corrupt", "too_deep",
        }),
        idempotent=True,
        before_initialize=False,
    ),
    "health": MethodSpec(
        name="health",
        kind="session",
        params=HealthParams,
        errors=frozenset({
            "cancelled", "frame_too_long", "internal", "invalid_params", "invalid_request",
            "method_not_found", "overloaded", "parse_error", "result_too_large", "shutting_down",
            "too_deep",
        }),
        idempotent=True,
        before_initialize=True,
    ),
    "initialize": MethodSpec(
        name="initialize",
        kind="session",
        params=InitializeParams,
        errors=frozenset({
            "account_busy", "account_corrupt", "account_foreign", "account_newer_schema",
            "already_initialized", "busy", "cancelled", "deadline_exceeded", "frame_too_long",
            "internal", "invalid_params", "invalid_request", "method_not_found", "overloaded",
            "parse_error", "result_too_large", "shutting_down", "storage_corrupt",
            "storage_unsupported", "too_deep", "unsupported_protocol",
        }),
        idempotent=False,
        before_initialize=True,
    ),
    "observe": MethodSpec(
        name="observe",
        kind="command",
        params=ObserveParams,
        errors=frozenset({
            "busy", "cancelled", "deadline_exceeded", "event_id_conflict", "evidence_conflict",
            "frame_too_long", "hard_deleted_source", "internal", "invalid_params",
            "invalid_request", "limit_exceeded", "method_not_found", "not_initialized",
            "overloaded", "parse_error", "read_only", "result_too_large", "shutting_down",
            "storage_corrupt", "storage_full", "too_deep",
        }),
        idempotent=True,
        before_initialize=False,
    ),
    "ping": MethodSpec(
        name="ping",
        kind="session",
        params=PingParams,
        errors=frozenset({
            "cancelled", "frame_too_long", "internal", "invalid_params", "invalid_request",
            "method_not_found", "overloaded", "parse_error", "result_too_large", "shutting_down",
            "too_deep",
        }),
        idempotent=True,
        before_initialize=True,
    ),
    "preview_forget": MethodSpec(
        name="preview_forget",
        kind="query",
        params=PreviewForgetParams,
        errors=frozenset({
            "already_erased", "busy", "cancelled", "deadline_exceeded", "formation_in_progress",
            "frame_too_long", "internal", "invalid_forget_targets", "invalid_params",
            "invalid_request", "method_not_found", "not_found", "not_initialized", "overloaded",
            "parse_error", "result_too_large", "shutting_down", "storage_corrupt", "too_deep",
        }),
        idempotent=True,
        before_initialize=False,
    ),
    "query_evidence": MethodSpec(
        name="query_evidence",
        kind="query",
        params=QueryEvidenceParams,
        errors=frozenset({
            "already_erased", "busy", "cancelled", "deadline_exceeded", "frame_too_long",
            "internal", "invalid_params", "invalid_request", "method_not_found", "not_found",
            "not_initialized", "overloaded", "parse_error", "result_too_large", "shutting_down",
            "storage_corrupt", "too_deep",
        }),
        idempotent=True,
        before_initialize=False,
    ),
    "query_interactions": MethodSpec(
        name="query_interactions",
        kind="query",
        params=QueryInteractionsParams,
        errors=frozenset({
            "busy", "cancelled", "deadline_exceeded", "frame_too_long", "internal",
            "invalid_params", "invalid_request", "method_not_found", "not_initialized",
            "overloaded", "parse_error", "result_too_large", "shutting_down", "storage_corrupt",
            "too_deep",
        }),
        idempotent=True,
        before_initialize=False,
    ),
    "query_jobs": MethodSpec(
        name="query_jobs",
        kind="query",
        params=QueryJobsParams,
        errors=frozenset({
            "busy", "cancelled", "deadline_exceeded", "frame_too_long", "internal",
            "invalid_params", "invalid_request", "method_not_found", "not_found", "not_initialized",
            "overloaded", "parse_error", "result_too_large", "shutting_down", "storage_corrupt",
            "too_deep",
        }),
        idempotent=True,
        before_initialize=False,
    ),
    "query_provenance": MethodSpec(
        name="query_provenance",
        kind="query",
        params=QueryProvenanceParams,
        errors=frozenset({
            "already_erased", "busy", "cancelled", "deadline_exceeded", "frame_too_long",
            "internal", "invalid_params", "invalid_request", "method_not_found", "not_found",
            "not_initialized", "overloaded", "parse_error", "permission_denied", "result_too_large",
            "shutting_down", "storage_corrupt", "too_deep",
        }),
        idempotent=True,
        before_initialize=False,
    ),
    "query_receipts": MethodSpec(
        name="query_receipts",
        kind="query",
        params=QueryReceiptsParams,
        errors=frozenset({
            "busy", "cancelled", "deadline_exceeded", "frame_too_long", "internal",
            "invalid_params", "invalid_request", "method_not_found", "not_found", "not_initialized",
            "overloaded", "parse_error", "result_too_large", "shutting_down", "storage_corrupt",
            "too_deep",
        }),
        idempotent=True,
        before_initialize=False,
    ),
    "query_world": MethodSpec(
        name="query_world",
        kind="query",
        params=QueryWorldParams,
        errors=frozenset({
            "already_erased", "busy", "cancelled", "deadline_exceeded", "frame_too_long",
            "internal", "invalid_params", "invalid_request", "method_not_found", "not_found",
            "not_initialized", "overloaded", "parse_error", "permission_denied", "result_too_large",
            "shutting_down", "storage_corrupt", "too_deep",
        }),
        idempotent=True,
        before_initialize=False,
    ),
    "recall_preview": MethodSpec(
        name="recall_preview",
        kind="query",
        params=RecallPreviewParams,
        errors=frozenset({
            "busy", "cancelled", "deadline_exceeded", "frame_too_long", "internal",
            "invalid_params", "invalid_request", "limit_exceeded", "method_not_found",
            "not_initialized", "overloaded", "parse_error", "result_too_large", "shutting_down",
            "storage_corrupt", "too_deep",
        }),
        idempotent=True,
        before_initialize=False,
    ),
    "rejudge_evidence": MethodSpec(
        name="rejudge_evidence",
        kind="command",
        params=RejudgeEvidenceParams,
        errors=frozenset({
            "busy", "cancelled", "deadline_exceeded", "frame_too_long", "internal",
            "invalid_params", "invalid_request", "method_not_found", "not_initialized",
            "overloaded", "parse_error", "read_only", "result_too_large", "shutting_down",
            "storage_corrupt", "storage_full", "too_deep",
        }),
        idempotent=True,
        before_initialize=False,
    ),
    "release_evidence": MethodSpec(
        name="release_evidence",
        kind="command",
        params=ReleaseEvidenceParams,
        errors=frozenset({
            "already_erased", "busy", "cancelled", "command_id_conflict", "conflict",
            "deadline_exceeded", "frame_too_long", "internal", "invalid_params", "invalid_request",
            "method_not_found", "not_found", "not_initialized", "overloaded", "parse_error",
            "permission_denied", "read_only", "result_too_large", "shutting_down",
            "storage_corrupt", "storage_full", "too_deep",
        }),
        idempotent=True,
        before_initialize=False,
    ),
    "retry_formation": MethodSpec(
        name="retry_formation",
        kind="command",
        params=RetryFormationParams,
        errors=frozenset({
            "busy", "cancelled", "command_id_conflict", "deadline_exceeded", "frame_too_long",
            "hard_deleted_source", "internal", "invalid_params", "invalid_request",
            "job_not_retryable", "method_not_found", "not_found", "not_initialized", "overloaded",
            "parse_error", "read_only", "result_too_large", "shutting_down", "storage_corrupt",
            "storage_full", "too_deep",
        }),
        idempotent=True,
        before_initialize=False,
    ),
    "retry_storage_cleanup": MethodSpec(
        name="retry_storage_cleanup",
        kind="command",
        params=RetryStorageCleanupParams,
        errors=frozenset({
            "busy", "cancelled", "deadline_exceeded", "frame_too_long", "internal",
            "invalid_params", "invalid_request", "method_not_found", "not_found", "not_initialized",
            "overloaded", "parse_error", "result_too_large", "shutting_down", "storage_corrupt",
            "too_deep",
        }),
        idempotent=True,
        before_initialize=False,
    ),
    "rpc.discover": MethodSpec(
        name="rpc.discover",
        kind="session",
        params=RpcDiscoverParams,
        errors=frozenset({
            "cancelled", "frame_too_long", "internal", "invalid_params", "invalid_request",
            "method_not_found", "overloaded", "parse_error", "result_too_large", "shutting_down",
            "too_deep",
        }),
        idempotent=True,
        before_initialize=True,
    ),
    "shutdown": MethodSpec(
        name="shutdown",
        kind="session",
        params=ShutdownParams,
        errors=frozenset({
            "cancelled", "frame_too_long", "internal", "invalid_params", "invalid_request",
            "method_not_found", "overloaded", "parse_error", "result_too_large", "shutting_down",
            "too_deep",
        }),
        idempotent=True,
        before_initialize=False,
    ),
    "subscribe": MethodSpec(
        name="subscribe",
        kind="session",
        params=SubscribeParams,
        errors=frozenset({
            "cancelled", "frame_too_long", "internal", "invalid_params", "invalid_request",
            "limit_exceeded", "method_not_found", "not_initialized", "overloaded", "parse_error",
            "result_too_large", "shutting_down", "too_deep",
        }),
        idempotent=False,
        before_initialize=False,
    ),
    "unsubscribe": MethodSpec(
        name="unsubscribe",
        kind="session",
        params=UnsubscribeParams,
        errors=frozenset({
            "cancelled", "frame_too_long", "internal", "invalid_params", "invalid_request",
            "method_not_found", "not_found", "not_initialized", "overloaded", "parse_error",
            "result_too_large", "shutting_down", "too_deep",
        }),
        idempotent=True,
        before_initialize=False,
    ),
}
"""Every call a host may make."""


NOTIFICATIONS: Final[Mapping[str, MethodSpec]] = {
    "$/cancelRequest": MethodSpec(
        name="$/cancelRequest",
        kind="notification",
        params=CancelRequestParams,
        errors=frozenset(),
        idempotent=True,
        before_initialize=False,
    ),
    "exit": MethodSpec(
        name="exit",
        kind="notification",
        params=ExitParams,
        errors=frozenset(),
        idempotent=True,
        before_initialize=False,
    ),
}
"""Every notification a host may send."""
