"""One account's file, open: the way every service reads and writes.

    db = await Database.open(path, now=clock())
    item = await db.read(lambda tx: items.get(tx, item_id))
    receipt = await db.write(erase, after_commit=bell.ring)
    receipt, cleanup = await db.erase(erase)
    await db.aclose()

A function given here runs on another thread, inside one transaction, and gets it as `tx`. It
takes time and ids as arguments, and returns values: no rows, no cursors, no `tx`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar, final

import trio

from mnemod import faults
from mnemod.config import READ_DEADLINE_S, READERS_PER_ACCOUNT
from mnemod.errors import ShuttingDown
from mnemod.ids import EpochMs
from mnemod.store.erasure import Cleanup, CleanupReason, CleanupState, scrub_indexes
from mnemod.store.files import log_bytes
from mnemod.store.lane import Job, Kind, Lane, Runner, ThreadLane
from mnemod.store.migrate import Schema, packaged
from mnemod.store.opening import open_file
from mnemod.store.reader import Reader
from mnemod.store.transaction import Rows, Tx
from mnemod.store.writer import Writer

__all__ = ["Cleanup", "CleanupReason", "CleanupState", "Database", "Job", "Rows", "Tx"]

T = TypeVar("T")


@final
class Database:
    """An account's file with one writer and a few readers, until `aclose`."""

    def __init__(
        self, path: Path, runner: Runner, make_writer: Callable[[], Writer], read_deadline_s: float
    ) -> None:
        """Use `Database.open`."""
        self._path = path
        self._make_writer = make_writer
        self._server: Writer | None = None
        self._writer = runner("mnemod-writer", self._start_writer)
        self._readers = runner(
            "mnemod-reader", partial(Reader, path, read_deadline_s), READERS_PER_ACCOUNT
        )
        self._is_open = True

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        now: EpochMs,
        schema: Schema | None = None,
        runner: Runner = ThreadLane,
        read_deadline_s: float = READ_DEADLINE_S,
    ) -> Database:
        """Open an account's file, building it if there is none, and become its only writer.

        The caller holds the account's lock. `now` goes into the record of migrations alone.
        Raises AccountCorrupt, AccountForeign, AccountNewerSchema, and the store's errors.
        """
        wanted = packaged() if schema is None else schema
        db = cls(path, runner, lambda: Writer(path, open_file(path, wanted, now)), read_deadline_s)
        await db._writer.start()
        await db._readers.start()
        return db

    @property
    def cleanup(self) -> Cleanup:
        """Whether all text erased so far has left the disk. Pending is retried by itself."""
        return self._live().cleanup

    def sizes(self) -> tuple[int, int]:
        """Bytes of the file and of its log, 0 for one that is not there."""
        file_bytes = self._path.stat().st_size if self._path.exists() else 0
        return file_bytes, log_bytes(self._path)

    async def write(
        self, work: Callable[[Tx], T], *, after_commit: Callable[[], object] | None = None
    ) -> T:
        """Run `work` whole inside one transaction; return once what it wrote is on disk.

        `work` may be run again, what it did before undone: it keeps nothing but what it returns.
        If it raises, nothing is written and its error is raised here. `after_commit` runs on the
        loop right after the commit, before the caller goes on, and even if the caller has been
        cancelled: a write that has begun ends and answers; one that still waits never runs.
        Raises Busy, StorageFull, StorageCorrupt, ReadOnly, AccountBusy, ShuttingDown.
        """
        return await self._do(self._writer, Job(Kind.WRITE, work, after_commit))

    def begin_write(
        self, work: Callable[[Tx], T], *, after_commit: Callable[[], object] | None = None
    ) -> Job[T]:
        """Queue a write and return at once: for `Job.then`, which needs no task, or `Job.wait`.

        Otherwise like `write`, whose errors are those of the job. Raises ShuttingDown.
        """
        return self._begin(self._writer, Job(Kind.WRITE, work, after_commit))

    async def read(self, work: Callable[[Tx], T]) -> T:
        """Run `work` on one snapshot, beside any write. It can change nothing.

        Raises DeadlineExceeded after READ_DEADLINE_S inside SQLite, and the store's errors.
        """
        return await self._do(self._readers, Job(Kind.READ, work))

    async def erase(
        self, work: Callable[[Tx], T], *, after_commit: Callable[[], object] | None = None
    ) -> tuple[T, Cleanup]:
        """Like `write`, for rows whose text must leave the disk too; says whether it has.

        It works on a full disk as well. `work` is run a second time there, the first undone.
        """

        def scrubbed(tx: Tx) -> T:
            result = work(tx)
            scrub_indexes(tx)
            return result

        result = await self._do(self._writer, Job(Kind.ERASE, scrubbed, after_commit))
        faults.hit("erase.before_cleanup")
        return result, await self.checkpoint_truncate()

    async def checkpoint_truncate(self) -> Cleanup:
        """Copy the log into the file and empty it, waiting a moment for readers and no longer."""
        return await self._do(self._writer, Job(Kind.CHORE, lambda _: self._live().clean_up()))

    async def aclose(self) -> None:
        """Finish what is queued, empty the log, close. Safe to call twice."""
        if self._is_open:
            self._is_open = False
            # The writer last: it alone may copy the log into the file.
            await self._readers.close()
            await self._writer.close()

    async def _do(self, lane: Lane, job: Job[T]) -> T:
        await trio.lowlevel.checkpoint_if_cancelled()
        return await self._begin(lane, job).wait()

    def _begin(self, lane: Lane, job: Job[T]) -> Job[T]:
        if not self._is_open:
            raise ShuttingDown()
        lane.put(job)
        return job

    def _start_writer(self) -> Writer:
        self._server = self._make_writer()
        return self._server

    def _live(self) -> Writer:
        assert self._server is not None, "the database was opened"
        return self._server
