"""A connection of an account that reads, in a transaction: one snapshot from first row to last.

A snapshot keeps the log from being reused. So a read has a deadline, checked inside SQLite every
few thousand steps, and one whose task has gone is broken off the same way.
"""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import Any, Final, TypeVar, final

from outcome import Error, capture

from mnemod.store import _sqlite
from mnemod.store.lane import Job, More, Tell
from mnemod.store.opening import configure

T = TypeVar("T")

_STEPS_BETWEEN_CHECKS: Final = 10_000
"""Of SQLite's virtual machine: about half a millisecond."""


@final
class Reader:
    """Serves an account's reader lane, one job at a time. Opens its connection at the first."""

    def __init__(self, path: Path, deadline_s: float) -> None:
        self._path = path
        self._deadline_s = deadline_s
        self._connection: _sqlite.Connection | None = None
        self._job: Job[Any] | None = None
        self._until = 0.0

    def serve(self, first: Job[Any], more: More, tell: Tell) -> None:
        """Run the read, if its task still wants it."""
        del more  # another reader may be free for it
        if not first.take():
            return
        self._job, self._until = first, monotonic() + self._deadline_s
        result = capture(self._read, first)
        first.result = Error(_sqlite.typed(result.error)) if isinstance(result, Error) else result
        self._job = None
        tell((first,))

    def rest(self) -> float | None:
        """Nothing waits."""
        return None

    def close(self) -> None:
        """Close the connection, if there was ever a read."""
        if self._connection is not None:
            self._connection.close()

    def _read(self, job: Job[T]) -> T:
        connection = self._opened()
        connection.execute("BEGIN")
        try:
            return job.work(connection)
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")

    def _opened(self) -> _sqlite.Connection:
        if self._connection is None:
            connection = _sqlite.connect(self._path)
            configure(connection)
            connection.execute("PRAGMA query_only = ON")
            connection.set_progress_handler(self._must_stop, _STEPS_BETWEEN_CHECKS)
            self._connection = connection
        return self._connection

    def _must_stop(self) -> bool:
        return monotonic() > self._until or (self._job is not None and self._job.abandoned)
