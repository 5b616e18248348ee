"""How work reaches a connection: jobs in a queue, threads that serve it, tasks that wait.

A connection belongs to one thread. A task puts a Job in that thread's Lane and sleeps until the
thread tells the loop that it is done; or it leaves word what to call then. Measured, this costs
half of what a worker-thread call costs, and the server sees all that has queued up behind a job,
which is what group commit needs.

A job is taken once: by the server, which then finishes it, or by its task's cancellation, and
then it never runs. `Job.take` decides which of the two came first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, auto
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Any, Generic, Protocol, TypeVar, final

import trio
from outcome import Error, Outcome, Value, capture

from mnemod.store.transaction import Tx

T = TypeVar("T")


class Kind(Enum):
    """What a server must know of a job before it runs it."""

    READ = auto()
    """Changes nothing; a cancelled task need not wait for its end."""
    WRITE = auto()
    ERASE = auto()
    """A write whose rows must leave the disk too."""
    CHORE = auto()
    """Works on the connection outside any transaction, alone."""


@final
class Job(Generic[T]):
    """One function to run on a connection, and whoever waits for what it returns."""

    __slots__ = (
        "_gate",
        "_task",
        "_told",
        "abandoned",
        "after",
        "kind",
        "queued_at",
        "result",
        "work",
    )

    def __init__(
        self,
        kind: Kind,
        work: Callable[[Tx], T],
        after: Callable[[], object] | None = None,
    ) -> None:
        """`after` runs on the loop once the work has succeeded, before the task goes on."""
        self.kind = kind
        self.work = work
        self.after = after
        self.abandoned = False
        self.result: Outcome[T] | None = None
        self.queued_at = monotonic()
        self._gate = Lock()
        self._task: trio.lowlevel.Task | None = None
        self._told: Callable[[Outcome[T]], object] | None = None

    def take(self) -> bool:
        """Whether the caller is the first to ask, and so decides what becomes of this job."""
        return self._gate.acquire(blocking=False)

    async def wait(self) -> T:
        """Sleep until the job is finished; return or raise what its work did."""
        if self.result is None:
            self._task = trio.lowlevel.current_task()
            await trio.lowlevel.wait_task_rescheduled(self._cancelled)
        else:
            await trio.lowlevel.cancel_shielded_checkpoint()
        assert self.result is not None
        return self.result.unwrap()

    def then(self, told: Callable[[Outcome[T]], object]) -> None:
        """Call `told` on the loop with what came of the work: no task need wait for it.

        Instead of `wait`. `told` raises nothing.
        """
        if self.result is None:
            self._told = told
        else:
            told(self.result)

    def withdraw(self) -> bool:
        """Whether the job had not begun; it never will, and nobody is told of it."""
        if not self.take():
            return False
        self.abandoned = True
        self._told = None
        return True

    def finish(self) -> None:
        """On the loop: run the hook of a job that succeeded, then wake or tell who waits."""
        if self.after is not None and isinstance(self.result, Value):
            # The work stands; an error of the hook is for the caller to hear, not for the loop.
            hooked = capture(self.after)
            if isinstance(hooked, Error):
                self.result = hooked
        if self._task is not None:
            trio.lowlevel.reschedule(self._task)
            self._task = None
        elif self._told is not None and self.result is not None:
            told, self._told = self._told, None
            told(self.result)

    def _cancelled(self, _: trio.lowlevel.RaiseCancelT) -> trio.lowlevel.Abort:
        if self.take() or self.kind is Kind.READ:
            self.abandoned = True
            self._task = None
            return trio.lowlevel.Abort.SUCCEEDED
        return trio.lowlevel.Abort.FAILED


Tell = Callable[[Sequence[Job[Any]]], None]
"""Says, from any thread, that these jobs have their results. One call wakes them all."""

More = Callable[[], Job[Any] | None]
"""Takes another job out of the queue, if one is there now."""


def finish(jobs: Sequence[Job[Any]]) -> None:
    """Finish every one of them. Runs on the loop."""
    for job in jobs:
        job.finish()


class Server(Protocol):
    """What a lane's thread does with jobs. Made, used and closed in that thread."""

    def serve(self, first: Job[Any], more: More, tell: Tell) -> None:
        """Run `first`, and of the rest at least what was taken out; tell of each. Never raises."""

    def rest(self) -> float | None:
        """Do what can wait until all is told; seconds until it is wanted again, None for never."""

    def close(self) -> None:
        """Let go of the connection."""


class Lane(Protocol):
    """A queue of jobs and whoever serves it."""

    async def start(self) -> None:
        """Make the servers. Raises what making one raised, and then nothing is left running."""

    def put(self, job: Job[Any]) -> None:
        """Queue a job. Call `job.wait()` next, with no checkpoint between."""

    async def close(self) -> None:
        """Serve what is queued, close the servers, end. Not cancelled half-way."""


class Runner(Protocol):
    """Makes a lane of `count` servers. `ThreadLane` is one; tests pass one that runs in place."""

    def __call__(self, name: str, make: Callable[[], Server], count: int = ...) -> Lane: ...


@final
class ThreadLane:
    """A lane served by threads of its own, one for each server."""

    def __init__(self, name: str, make: Callable[[], Server], count: int = 1) -> None:
        self._name = name
        self._make = make
        self._count = count
        self._inbox: SimpleQueue[Job[Any] | None] = SimpleQueue()
        self._ends: list[Job[None]] = []

    async def start(self) -> None:
        token = trio.lowlevel.current_trio_token()
        starts = [self._spawn(token) for _ in range(self._count)]
        have_started = False
        try:
            for start in starts:
                await start.wait()
            have_started = True
        finally:
            if not have_started:
                await self.close()

    def put(self, job: Job[Any]) -> None:
        self._inbox.put(job)

    async def close(self) -> None:
        with trio.CancelScope(shield=True):
            for _ in self._ends:
                self._inbox.put(None)
            for end in self._ends:
                await end.wait()

    def _spawn(self, token: trio.lowlevel.TrioToken) -> Job[None]:
        start, end = _milestone(), _milestone()
        thread = Thread(target=self._run, args=(token, start, end), name=self._name, daemon=True)
        self._ends.append(end)
        thread.start()
        return start

    def _run(self, token: trio.lowlevel.TrioToken, start: Job[None], end: Job[None]) -> None:
        made = capture(self._make)
        start.result = made if isinstance(made, Error) else Value(None)
        token.run_sync_soon(finish, (start,))
        if isinstance(made, Value):
            served = capture(
                self._serve, made.value, lambda jobs: token.run_sync_soon(finish, jobs)
            )
            if isinstance(served, Error):
                # A bug. Tasks would wait for this thread for ever; end the daemon, which can start
                # again and finds all it acknowledged.
                token.run_sync_soon(served.unwrap)
        end.result = Value(None)
        token.run_sync_soon(finish, (end,))

    def _serve(self, server: Server, tell: Tell) -> None:
        while self._serve_next(server, tell, server.rest()):
            pass

    def _serve_next(self, server: Server, tell: Tell, wait_s: float | None) -> bool:
        """Serve one job, or wake from waiting for one; False at the end.

        A function of its own, so that a thread that waits holds on to nobody's words.
        """
        try:
            job = self._inbox.get(timeout=wait_s)
        except Empty:
            return True
        if job is None:
            server.close()
            return False
        server.serve(job, self._more, tell)
        return True

    def _more(self) -> Job[Any] | None:
        try:
            job = self._inbox.get_nowait()
        except Empty:
            return None
        if job is None:
            # The sign to stop. Nothing is queued behind it, so it can go to the end again.
            self._inbox.put(None)
        return job


def _milestone() -> Job[None]:
    """A job nobody runs or cancels: a task waits for the moment it gets its result."""
    job: Job[None] = Job(Kind.CHORE, lambda _: None)
    job.take()
    return job
