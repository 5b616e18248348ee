"""Every refusal mnemod makes on purpose: one class per thing a caller would do differently.

The docstring is the message a person reads and says what to do. `code` is the JSON-RPC number,
`kind` the name clients switch on, `retryable` whether the same call can succeed later unchanged.
`details` holds numbers, ids and names of limits only: never user text, a path, or the text of
another exception. `rpc_schema/errors.json` lists the same table; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

Detail = str | int | float | bool | None


class MnemodError(Exception):
    """Something went wrong inside mnemod. Look for the error id in its log."""

    code: ClassVar[int] = -32603
    kind: ClassVar[str] = "internal"
    retryable: ClassVar[bool] = False

    def __init__(self, path: str | None = None, **details: Detail) -> None:
        """`path` is the JSON path of the offending member (`$.messages[0].role`), if one is."""
        super().__init__(self.kind)
        self.path = path
        self.details: Mapping[str, Detail] = details

    @property
    def message(self) -> str:
        """The sentence for people: the first paragraph of the class docstring."""
        return " ".join((type(self).__doc__ or "").split())


class ParseError(MnemodError):
    """This is not one JSON value in UTF-8. Send one JSON-RPC message a line."""

    code, kind = -32700, "parse_error"


class InvalidRequest(MnemodError):
    """This is not a JSON-RPC 2.0 request. Check jsonrpc, id, method and params."""

    code, kind = -32600, "invalid_request"


class MethodNotFound(MnemodError):
    """There is no such method. rpc.discover lists those there are."""

    code, kind = -32601, "method_not_found"


class InvalidParams(MnemodError):
    """The params do not match the schema. The path names the member at fault."""

    code, kind = -32602, "invalid_params"


class Internal(MnemodError):
    """Something went wrong inside mnemod. Look for the error id in its log."""

    code, kind = -32603, "internal"

    def __init__(self, error_id: str | None = None) -> None:
        """`error_id` stands in the log beside what happened, and nowhere else."""
        super().__init__()
        self.error_id = error_id


class Cancelled(MnemodError):
    """The call was cancelled before it took effect."""

    code, kind, retryable = -32800, "cancelled", True


class NotInitialized(MnemodError):
    """Send initialize first; only ping, health and rpc.discover work before it."""

    code, kind = 1001, "not_initialized"


class AlreadyInitialized(MnemodError):
    """This connection is bound to its account already. Open another for another account."""

    code, kind = 1002, "already_initialized"


class UnsupportedProtocol(MnemodError):
    """No protocol version in common. Update the host, or run `mnemod stop` and start again."""

    code, kind = 1003, "unsupported_protocol"


class AccountBusy(MnemodError):
    """Another process holds this account. Use the running daemon, or stop it first."""

    code, kind, retryable = 1010, "account_busy", True


class AccountNewerSchema(MnemodError):
    """A newer mnemod wrote this account. Update mnemod; the file was left as it is."""

    code, kind = 1011, "account_newer_schema"


class AccountCorrupt(MnemodError):
    """This account's file is damaged and was left as it is. Run `mnemod doctor --deep`."""

    code, kind = 1012, "account_corrupt"


class AccountForeign(MnemodError):
    """The file in this account's place is not one of mnemod's. It was left as it is."""

    code, kind = 1013, "account_foreign"


class Conflict(MnemodError):
    """The world has moved on since the revision you expected. Read again, then decide again."""

    code, kind = 1020, "conflict"


class CommandIdConflict(MnemodError):
    """This command id was used for another command. Take a new one."""

    code, kind = 1021, "command_id_conflict"


class EventIdConflict(MnemodError):
    """This event id was used for other messages. Take a new one."""

    code, kind = 1022, "event_id_conflict"


class EvidenceConflict(MnemodError):
    """This message id is known with another text. Nothing of the call was stored."""

    code, kind = 1023, "evidence_conflict"


class NotFound(MnemodError):
    """There is nothing of that id in this account."""

    code, kind = 1024, "not_found"


class AlreadyErased(MnemodError):
    """This was erased before. The details name the command that did it."""

    code, kind = 1025, "already_erased"


class HardDeletedSource(MnemodError):
    """A message of this call was erased by its owner. Nothing was stored; leave it out."""

    code, kind = 1026, "hard_deleted_source"


class LeaseLost(MnemodError):
    """The claim on this job has ended. Nothing was written; claim again."""

    code, kind = 1027, "lease_lost"


class JobNotRetryable(MnemodError):
    """Only a job that ended without effect can be formed again."""

    code, kind = 1028, "job_not_retryable"


class Overloaded(MnemodError):
    """Too many calls are waiting on this connection. Read replies, then send again."""

    code, kind, retryable = 1030, "overloaded", True


class ShuttingDown(MnemodError):
    """The daemon is leaving. Connect again; nothing of this call was stored."""

    code, kind, retryable = 1031, "shutting_down", True


class DeadlineExceeded(MnemodError):
    """The call took longer than its deadline. Ask for less, or try again."""

    code, kind, retryable = 1032, "deadline_exceeded", True


class Busy(MnemodError):
    """Another program holds the account's file. Nothing was stored; try again."""

    code, kind, retryable = 1033, "busy", True


class StorageFull(MnemodError):
    """The disk is full. Nothing of this call was stored; free space and send it again."""

    code, kind, retryable = 1040, "storage_full", True


class StorageCorrupt(MnemodError):
    """The account's file gave an I/O or corruption error. Run `mnemod doctor --deep`."""

    code, kind = 1041, "storage_corrupt"


class ReadOnly(MnemodError):
    """The account's file cannot be written. Check its permissions and the disk's."""

    code, kind = 1042, "read_only"


class StorageUnsupported(MnemodError):
    """The data directory is on a network disk, where a crash can damage it. Choose a local one."""

    code, kind = 1043, "storage_unsupported"


class FrameTooLong(MnemodError):
    """A message is longer than frame_bytes. Split it; this connection closes."""

    code, kind = 1050, "frame_too_long"


class ResultTooLarge(MnemodError):
    """The reply would be longer than frame_bytes. Ask for fewer rows."""

    code, kind = 1051, "result_too_large"


class TooDeep(MnemodError):
    """Free JSON in the params is nested too deep. The details name the limit."""

    code, kind = 1052, "too_deep"


class LimitExceeded(MnemodError):
    """A limit was passed; the details name it. Nothing was stored."""

    code, kind = 1053, "limit_exceeded"


class ForgetScopeRequired(MnemodError):
    """Preview first: forgetting needs the forget_scope that preview_forget returned."""

    code, kind = 1060, "forget_scope_required"


class ForgetScopeChanged(MnemodError):
    """What you confirmed is no longer what would be erased. Preview again."""

    code, kind = 1061, "forget_scope_changed"


class FormationInProgress(MnemodError):
    """Another message is being read against these memories. Wait for its job, then try again."""

    code, kind, retryable = 1062, "formation_in_progress", True


class InvalidForgetTargets(MnemodError):
    """The list of targets has too many members or names one twice."""

    code, kind = 1063, "invalid_forget_targets"


class PermissionDenied(MnemodError):
    """The words' permissions do not allow this on this connection."""

    code, kind = 1073, "permission_denied"


class NotCorrectable(MnemodError):
    """This kind of item, or this state of it, cannot be corrected by text."""

    code, kind = 1074, "not_correctable"


def kinds() -> Mapping[str, type[MnemodError]]:
    """Every error class by its kind."""
    return {cls.kind: cls for cls in MnemodError.__subclasses__()}
