"""The one connection of an account that writes, and every commit and checkpoint it makes.

A write is a function run whole inside BEGIN IMMEDIATE. All that queued up while the last commit
was on its way to the disk shares the next one, and one fsync. One that fails takes back its own
rows alone: the others are undone with it and run again, with a savepoint each. So a function may
be run more than once, of which the last time counts. If the commit fails, it fails for all.

Nobody else checkpoints. The log is copied into the file when it has grown by about
WAL_CHECKPOINT_PAGES, after the group that filled it has been answered, and then written from its
start; it is cut to JOURNAL_SIZE_LIMIT_BYTES if it was longer. A reader can hold the copying up,
but no longer than its deadline; past WAL_BYTES_MAX the log is emptied as soon as none does.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Any, Final, final

from outcome import Error, Outcome, Value, capture

from mnemod import faults
from mnemod.config import BUSY_TIMEOUT_MS, GROUP_WRITES_MAX, WAL_BYTES_MAX, WAL_CHECKPOINT_PAGES
from mnemod.errors import AccountBusy, Busy, Internal, StorageCorrupt, StorageFull
from mnemod.store import _sqlite
from mnemod.store.erasure import (
    CLEAN,
    COPY_LEFT,
    NOT_OURS,
    Cleanup,
    remove_copies,
    truncate_log,
)
from mnemod.store.files import identity, log_bytes, log_of
from mnemod.store.lane import Job, Kind, More, Tell
from mnemod.store.opening import PAGE_BYTES, Opened
from mnemod.store.reserve import Reserve

_log = logging.getLogger(__name__)

# A file another program holds is asked for again and again in slices this long, so that a write
# that waits can still be cancelled, joined by others, and refused at its own time.
_BUSY_SLICE_MS: Final = 200
# Asking how long the log is costs the loop a turn of the interpreter's lock.
_CHANGES_BETWEEN_LOOKS: Final = 16
_RETRY_S: Final = 0.5

_Q_EPOCH = """
SELECT value
  FROM meta
 WHERE key = 'owner_epoch'
"""


@final
class Writer:
    """Serves an account's writer lane: writes in groups, chores alone, all in order."""

    def __init__(self, path: Path, opened: Opened) -> None:
        """`path` is the account's file, `opened` what opening it gave."""
        self.cleanup = opened.cleanup
        self._connection = connection = opened.connection
        self._path = path
        self._epoch = opened.owner_epoch
        self._is_owner = True
        self._files = {each: identity(each) for each in (path, log_of(path)) if each.exists()}
        self._waiting: deque[Job[Any]] = deque()
        self._reserve = Reserve(path)
        self._retry_at = None if self.cleanup == CLEAN else monotonic()
        self._changes_copied = self._changes_looked_at = connection.total_changes
        self._bytes_copied = 0
        self._pages_tried = 0
        connection.execute(f"PRAGMA busy_timeout = {_BUSY_SLICE_MS}")

    def serve(self, first: Job[Any], more: More, tell: Tell) -> None:
        """Commit `first` with all that has queued up behind it; again, for what that left over."""
        self._waiting.append(first)
        while self._waiting:
            if self._waiting[0].kind is Kind.CHORE:
                self._do(self._waiting.popleft(), tell)
            else:
                self._write(more, tell)

    def rest(self) -> float | None:
        """Copy the log if it has grown, and try an unfinished cleanup again."""
        if self._retry_at is None and self._connection.total_changes < self._changes_looked_at:
            # The usual case, and short: the loop has been woken and wants the interpreter's lock.
            return None
        rested = capture(self._rest)
        if isinstance(rested, Value):
            return rested.value
        # Nothing is lost: the log keeps what could not be copied, and the next rest tries again.
        _log.warning("checkpoint failed: %s", type(_sqlite.typed(rested.error)).__name__)
        return _RETRY_S

    def clean_up(self) -> Cleanup:
        """Empty the log, and remove older copies of the file, so that no erased text is left."""
        removed = capture(remove_copies, self._path)
        self.cleanup = self._empty_log() if isinstance(removed, Value) else COPY_LEFT
        self._retry_at = None if self.cleanup == CLEAN else monotonic() + _RETRY_S
        return self.cleanup

    def close(self) -> None:
        """Empty the log and close. A log that could not be emptied is read at the next start."""
        capture(self._empty_log)
        self._connection.close()

    def _rest(self) -> float | None:
        self._keep_log_short()
        if self._retry_at is not None and monotonic() >= self._retry_at:
            self.clean_up()
        if self._retry_at is not None:
            return _RETRY_S
        # Not before: a cleanup needs the room more.
        self._reserve.keep()
        return None

    def _do(self, chore: Job[Any], tell: Tell) -> None:
        if chore.take():
            chore.result = _typed(capture(chore.work, self._connection))
            tell((chore,))

    def _write(self, more: More, tell: Tell) -> None:
        """One group, from BEGIN to the replies; or one more slice of waiting for the file."""
        began = capture(self._begin)
        self._pull(more)
        if isinstance(began, Value) and not began.value:
            members = self._overdue()
            _refuse(members, Busy())
        else:
            # Only now: until the file is ours a write has not begun, and may be cancelled.
            members = self._next_group()
            self._settle(members, began)
            self._settle_starved(members)
        if members:
            tell(members)

    def _settle(self, members: Sequence[Job[Any]], began: Outcome[bool]) -> None:
        """Give each its result: what it returned, on disk now, or why nothing of it was kept."""
        ended = capture(self._commit, members) if isinstance(began, Value) else began
        if isinstance(ended, Error):
            capture(self._roll_back)
            _refuse(members, ended.error)

    def _settle_starved(self, members: Sequence[Job[Any]]) -> None:
        """Run once more what would erase and found the disk full, in the space kept for it."""
        starved = [member for member in members if _is_starved(member)]
        if starved and self._reserve.spend():
            for member in starved:
                member.result = None
            self._settle(starved, capture(self._begin))

    def _begin(self) -> bool:
        """Whether the file is ours to write; False if another program holds it just now."""
        faults.hit("write.before_begin")
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except _sqlite.Error as error:
            if _sqlite.is_busy(error):
                return False
            raise
        return True

    def _pull(self, more: More) -> None:
        while len(self._waiting) < GROUP_WRITES_MAX and (job := more()) is not None:
            self._waiting.append(job)

    def _next_group(self) -> list[Job[Any]]:
        """Take the writes at the head of the queue, up to the first chore."""
        members: list[Job[Any]] = []
        while self._waiting and self._waiting[0].kind is not Kind.CHORE:
            job = self._waiting.popleft()
            if job.take():
                members.append(job)
        return members

    def _overdue(self) -> list[Job[Any]]:
        """Take the writes that have waited for the file as long as a write may."""
        since = monotonic() - BUSY_TIMEOUT_MS / 1000
        wanted = [job for job in self._waiting if not job.abandoned]
        self._waiting = deque(job for job in wanted if job.queued_at > since)
        return [job for job in wanted if job.queued_at <= since and job.take()]

    def _commit(self, members: Sequence[Job[Any]]) -> None:
        """Run them all and commit. Raises if the group as a whole cannot be kept."""
        if not self._connection.in_transaction:
            raise Busy()
        self._require_ownership()
        if not self._run_all(members):
            return self._roll_back()
        faults.hit("write.before_commit")
        self._connection.execute("COMMIT")
        faults.hit("write.after_commit")
        return None

    def _require_ownership(self) -> None:
        row = self._connection.execute(_Q_EPOCH).fetchone()
        if row is None or int(row[0]) != self._epoch:
            self._is_owner = False
            raise AccountBusy()
        # A file that was removed, or exchanged for a copy, can be written as if nothing had
        # happened; what goes there is never read again.
        if any(identity(path) != opened for path, opened in self._files.items()):
            raise StorageCorrupt()

    def _run(self, member: Job[Any]) -> bool:
        """Run one member; whether it has something to commit."""
        member.result = _typed(capture(member.work, self._connection))
        # SQLite ends the whole transaction by itself when the disk fails under a statement.
        if not self._connection.in_transaction:
            raise member.result.error if isinstance(member.result, Error) else Internal()
        kept = isinstance(member.result, Value)
        if kept and member.kind is Kind.ERASE:
            # Its task asks for a cleanup next; if it was cancelled, there is one all the same.
            self._retry_at = monotonic() + _RETRY_S
        return kept

    def _run_all(self, members: Sequence[Job[Any]]) -> int:
        """Run them in order; how many have something to commit.

        With nothing between them first: a savepoint each makes the full-text index write out its
        entries for each. Only if one fails after it has written is all undone and run apart.
        """
        kept = self._run_together(members)
        if kept is not None:
            return kept
        self._roll_back()
        if not self._begin():
            raise Busy()
        self._require_ownership()
        return sum(map(self._run_apart, members))

    def _run_together(self, members: Sequence[Job[Any]]) -> int | None:
        """How many have something to commit; None if one that failed left something to undo."""
        kept = 0
        for member in members:
            before = self._connection.total_changes
            if self._run(member):
                kept += 1
            elif self._connection.total_changes != before:
                return None if len(members) > 1 else 0
        return kept

    def _run_apart(self, member: Job[Any]) -> bool:
        """Run one of several: if it fails, what it did is undone and the others stand."""
        self._connection.execute("SAVEPOINT member")
        kept = self._run(member)
        if not kept:
            self._connection.execute("ROLLBACK TO member")
        self._connection.execute("RELEASE member")
        return kept

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def _keep_log_short(self) -> None:
        """Checkpoint if enough has been written since the last time."""
        if not self._is_owner:
            return
        changes = self._connection.total_changes
        if changes < self._changes_looked_at:
            return
        self._changes_looked_at = changes + _CHANGES_BETWEEN_LOOKS
        pages = self._pages() if _sqlite.TELLS_LOG_PAGES else self._about_pages()
        if pages < WAL_CHECKPOINT_PAGES:
            return
        if log_bytes(self._path) > WAL_BYTES_MAX:
            self._empty_log()
        else:
            self._copy_log()

    def _pages(self) -> int:
        """Pages written to the log since it was last copied, or since a reader held that up."""
        pages, copied = self._log_pages()
        self._pages_tried = min(self._pages_tried, pages)  # less: it is written from its start
        return pages - max(copied, self._pages_tried)

    def _log_pages(self) -> tuple[int, int]:
        """Pages in the log, and how many of them are in the file too."""
        row = self._connection.execute("PRAGMA wal_checkpoint(NOOP)").fetchone()
        return int(row[1]), int(row[2])

    def _about_pages(self) -> int:
        """The same, guessed: rows changed stand in for pages where the log is being reused from
        its start, as many of them as share a page; where rows are long, its file grows."""
        size = log_bytes(self._path)
        self._bytes_copied = min(self._bytes_copied, size)
        changed = self._connection.total_changes - self._changes_copied
        return max(changed, (size - self._bytes_copied) // PAGE_BYTES)

    def _copy_log(self) -> None:
        """As far as readers let it go. From its end the log is written from the start again."""
        faults.hit("checkpoint")
        self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        self._mark_log()

    def _empty_log(self) -> Cleanup:
        if not self._is_owner:
            return NOT_OURS  # two that checkpoint at once are what old versions of SQLite break on
        faults.hit("checkpoint")
        cleanup = truncate_log(self._connection)
        self._connection.execute(f"PRAGMA busy_timeout = {_BUSY_SLICE_MS}")
        self._mark_log()
        return cleanup

    def _mark_log(self) -> None:
        self._changes_copied = self._connection.total_changes
        self._bytes_copied = log_bytes(self._path)
        if _sqlite.TELLS_LOG_PAGES:
            self._pages_tried, _ = self._log_pages()


def _typed(result: Any) -> Any:
    """The same outcome, its error one that a caller can act on."""
    return Error(_sqlite.typed(result.error)) if isinstance(result, Error) else result


def _is_starved(member: Job[Any]) -> bool:
    if member.kind is not Kind.ERASE or not isinstance(member.result, Error):
        return False
    return isinstance(member.result.error, StorageFull)


def _refuse(members: Sequence[Job[Any]], error: BaseException) -> None:
    """Nothing of the group was kept: each that had not failed by itself gets this error."""
    for member in members:
        if not isinstance(member.result, Error):
            member.result = Error(_sqlite.typed(error))
