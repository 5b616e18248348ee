"""Whether an account's jobs are worked on, as its workers say and everybody else reads."""

from __future__ import annotations

from enum import StrEnum


class WorkerState(StrEnum):
    RUNNING = "running"
    IDLE = "idle"
    STOPPED = "stopped"


class WorkerSign:
    """Stopped, until workers start. `reason` says why, as a stable code."""

    def __init__(self) -> None:
        self._started = False
        self._busy = 0
        self._reason: str | None = "starting"

    @property
    def state(self) -> WorkerState:
        if not self._started:
            return WorkerState.STOPPED
        return WorkerState.RUNNING if self._busy else WorkerState.IDLE

    @property
    def reason(self) -> str | None:
        """Why no job is worked on, or what the last claim failed with; None if all is well."""
        return self._reason

    def started(self) -> None:
        self._started, self._reason = True, None

    def stopped(self, reason: str) -> None:
        """Nobody works here now, and why."""
        self._started, self._reason = False, reason

    def stumbled(self, reason: str | None) -> None:
        """The workers run, but cannot get at their jobs; None when they can again."""
        self._reason = reason

    def took(self) -> None:
        """A worker has a job."""
        self._busy += 1

    def gave(self) -> None:
        """A worker has none any more."""
        self._busy -= 1
