"""Every limit and interval, its unit in its name, and what a person may set.

Limits are constants: they are part of the contract and go out in `initialize`. Settings are the
frozen `Config`, read once at start (see `settings.py` for where each value comes from).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

# --- what the wire allows
FRAME_BYTES_MAX: Final = 16 * 1024 * 1024
HEADER_BYTES_MAX: Final = 4 * 1024
BATCH_MEMBERS_MAX: Final = 100
IN_FLIGHT_MAX: Final = 32
QUEUED_MAX: Final = 256
QUEUED_BYTES_MAX: Final = 2 * FRAME_BYTES_MAX
OUTBOUND_FRAMES_MAX: Final = 256
OUTBOUND_BYTES_MAX: Final = 1024 * 1024
RECEIVE_BYTES: Final = 32 * 1024
BAD_LINES_MAX: Final = 8
REQUEST_ID_BYTES_MAX: Final = 128
REQUEST_ID_INT_MAX: Final = 2**53 - 1
FREE_JSON_DEPTH_MAX: Final = 32
CONNECTIONS_MAX: Final = 128
INITIALIZE_WITHIN_S: Final = 10.0
SUBSCRIPTIONS_MAX: Final = 16
FEED_PENDING_MAX: Final = 256
PROGRESS_PER_S_MAX: Final = 10

# --- what a call may carry
MESSAGE_BYTES_MAX: Final = 256 * 1024
MESSAGES_MAX: Final = 64
ID_CHARS_MAX: Final = 512
QUERY_CHARS_MAX: Final = 4_000
FORGET_TARGETS_MAX: Final = 32
CORRECTION_CHARS_MAX: Final = 16_000
PAGE_DEFAULT: Final = 50
PAGE_MAX: Final = 500
PAGE_TEXT_BYTES_MAX: Final = 2 * 1024 * 1024

# --- what recall shows (design: recall windows)
RECALL_ITEMS: Final = 5
RECALL_ITEM_CHARS: Final = 600
RECALL_QUOTES: Final = 5
RECALL_QUOTE_CHARS: Final = 2_600
RECALL_RECENT: Final = 4
RECALL_RECENT_CHARS: Final = 800
RECALL_RECENT_MS: Final = 24 * 3_600_000
RECALL_RECENT_TURNS: Final = 32
RENDER_TOKENS: Final = 2_200

# --- the gates
JUDGED_AT_ONCE_CHARS: Final = 4_096
"""More text than this is judged in a thread: at the budget of 1 ms a KiB the loop is kept 4 ms."""
KNOWN_AT_ONCE_CHARS: Final = 262_144
"""In more text than this even to tell what was judged before is a thread's work."""
JUDGED_KEPT: Final = 512
ANNOTATE_WITHIN_S: Final = 0.2

# --- jobs
LEASE_MS: Final = 300_000
LEASE_RENEW_MS: Final = 60_000
JOB_WAITS_S: Final = (5.0, 30.0, 300.0)
JOB_ATTEMPTS: Final = len(JOB_WAITS_S) + 1
OUTAGE_WAIT_MAX_S: Final = 900.0
JOB_CUTOFFS_MAX: Final = 8
LOOP_ERROR_WAIT_S: Final = 1.0
SHUTDOWN_RETURN_S: Final = 0.2
INTERPRET_TURNS: Final = 4
INTERPRET_ITEMS: Final = 24
INTERPRETED_ITEMS_MAX: Final = 5

# --- the store
BUSY_TIMEOUT_MS: Final = 5_000
READ_DEADLINE_S: Final = 10.0
READERS_PER_ACCOUNT: Final = 2
GROUP_WRITES_MAX: Final = 256
WAL_BYTES_MAX: Final = 64 * 1024 * 1024
WAL_CHECKPOINT_PAGES: Final = 2_000
JOURNAL_SIZE_LIMIT_BYTES: Final = 16 * 1024 * 1024
RESERVE_BYTES: Final = 1024 * 1024

# --- the process
COLLECT_AFTER_OBJECTS: Final = 5_000
OPEN_FILES_MAX: Final = 65_536
IDLE_EXIT_S: Final = 900.0
DRAIN_EOF_S: Final = 5.0
DRAIN_SIGTERM_S: Final = 10.0
EXIT_WITHIN_S: Final = 2.0
FLUSH_WITHIN_S: Final = 3.0
START_WAIT_S: Final = 15.0
WARM_AFTER_S: Final = 0.02
WARM_CALLS_AFTER_S: Final = 0.001
SOCKET_PATH_BYTES_MAX: Final = 100
LOG_BYTES_MAX: Final = 2 * 1024 * 1024
LOG_FILES_MAX: Final = 5

PROTOCOL_VERSIONS: Final = (1,)


class Interpreter(StrEnum):
    """Who reads the Evidence."""

    RULES = "rules"
    CHAT = "chat"
    NONE = "none"


class Tier(StrEnum):
    """Where text goes: a model on this machine, or one that is not."""

    LOCAL = "local"
    CLOUD = "cloud"


@dataclass(frozen=True, slots=True)
class ChatConfig:
    """An OpenAI-style endpoint. The key itself is never held here, only its variable's name."""

    base_url: str = ""
    model: str = ""
    api_key_env: str = ""
    tier: Tier = Tier.CLOUD
    timeout_s: float = 120.0


@dataclass(frozen=True, slots=True)
class Config:
    """What a person set, or its default. Read once; every part of the daemon gets this one."""

    data_dir: Path
    interpreter: Interpreter = Interpreter.RULES
    workers: int = 1
    chat: ChatConfig = field(default_factory=ChatConfig)
    retry_waits_s: tuple[float, ...] = JOB_WAITS_S
    idle_exit_s: float = IDLE_EXIT_S
    secrets: str = "hold"
    """What becomes of a text with a password or key in it: hold, redact or allow."""
    log_level: str = "info"
    log_format: str = "text"
