"""Many writes, one commit: each keeps its own fate, and a commit that fails fails for all."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from outcome import Error, Value

from mnemod import faults
from mnemod.config import GROUP_WRITES_MAX
from mnemod.errors import AccountBusy, Busy, StorageCorrupt, StorageFull
from mnemod.ids import EpochMs
from mnemod.store import _sqlite, opening, writer
from mnemod.store.database import Cleanup, CleanupReason, CleanupState, Tx
from mnemod.store.lane import Job, Kind
from mnemod.store.writer import Writer
from tests.support.small_schema import SMALL, add_note, notes


class Bench:
    """A writer with nobody around it: jobs go in as one queue, statements are listed."""

    def __init__(self, path: Path) -> None:
        opened = opening.open_file(path, SMALL, EpochMs(1))
        self.connection = opened.connection
        self.writer = Writer(path, opened)
        self.told: list[Job[Any]] = []
        self.statements: list[str] = []
        self.connection.set_trace_callback(self.statements.append)

    def serve(self, *jobs: Job[Any]) -> None:
        """Serve the first; the rest are what queued up behind it. Again, for what that left."""
        queue = deque(jobs)
        while queue:
            first = queue.popleft()
            self.writer.serve(first, lambda: queue.popleft() if queue else None, self._tell)

    def commits(self) -> int:
        return self.statements.count("COMMIT")

    def notes(self) -> list[str]:
        return notes(self.connection)

    def _tell(self, jobs: Sequence[Job[Any]]) -> None:
        self.told.extend(jobs)


@pytest.fixture
def bench(path: Path) -> Iterator[Bench]:
    bench = Bench(path)
    yield bench
    bench.writer.close()


@pytest.fixture
def strike(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Arms one fault in this process."""

    def arm(fault: str) -> None:
        environ = {"MNEMOD_TEST_BUILD": "1", "MNEMOD_FAULT": fault}
        monkeypatch.setattr(faults, "hit", faults.armed(environ))

    return arm


def _write(text: str) -> Job[int]:
    return Job(Kind.WRITE, partial(add_note, text=text))


def _failing(text: str) -> Job[None]:
    def add_and_fail(tx: Tx) -> None:
        add_note(tx, text)
        raise LookupError

    return Job(Kind.WRITE, add_and_fail)


def _errors(*jobs: Job[Any]) -> list[type[BaseException] | None]:
    return [type(job.result.error) if isinstance(job.result, Error) else None for job in jobs]


def test_writes_that_queued_up_share_one_commit(bench: Bench) -> None:
    jobs = [_write("a"), _write("b"), _write("c")]

    bench.serve(*jobs)

    assert [job.result for job in jobs] == [Value(1), Value(2), Value(3)]
    assert (bench.commits(), bench.notes()) == (1, ["a", "b", "c"])


def test_one_write_alone_needs_no_savepoint(bench: Bench) -> None:
    bench.serve(_write("a"))

    assert [one for one in bench.statements if "SAVEPOINT" in one] == []


def test_a_group_that_goes_well_needs_no_savepoints(bench: Bench) -> None:
    bench.serve(*(_write(text) for text in "abc"))

    assert not [s for s in bench.statements if "SAVEPOINT" in s]


def test_a_member_that_fails_before_it_writes_costs_the_others_nothing(bench: Bench) -> None:
    runs: list[str] = []

    def refuse(tx: Tx) -> None:
        runs.append("refused")
        raise KeyError

    def keep(tx: Tx) -> int:
        runs.append("kept")
        return add_note(tx, "a")

    bench.serve(Job(Kind.WRITE, keep), Job(Kind.WRITE, refuse))

    assert runs == ["kept", "refused"]
    assert bench.notes() == ["a"]


def test_after_a_member_that_fails_half_way_the_others_are_run_again_and_kept_once(
    bench: Bench,
) -> None:
    first, broken, last = _write("a"), _failing("x"), _write("b")

    bench.serve(first, broken, last)

    assert bench.notes() == ["a", "b"]
    assert isinstance(broken.result, Error)
    assert isinstance(first.result, Value)
    assert isinstance(last.result, Value)
    assert bench.commits() == 1
    assert bench.statements.count("BEGIN IMMEDIATE") == 2


def test_a_member_that_fails_takes_back_its_own_rows_alone(bench: Bench) -> None:
    first, failing, last = _write("a"), _failing("b"), _write("c")

    bench.serve(first, failing, last)

    assert _errors(first, failing, last) == [None, LookupError, None]
    assert bench.notes() == ["a", "c"]


def test_a_member_that_meets_a_constraint_fails_alone(bench: Bench) -> None:
    first, same, last = _write("a"), _write("a"), _write("c")

    bench.serve(first, same, last)

    assert _errors(first, last) == [None, None]
    assert isinstance(same.result, Error)
    assert bench.notes() == ["a", "c"]


def test_a_group_in_which_all_failed_commits_nothing(bench: Bench) -> None:
    bench.serve(_failing("a"), _failing("b"))

    assert (bench.commits(), bench.notes()) == (0, [])


def test_a_commit_that_finds_the_disk_full_fails_for_all_and_the_next_one_works(
    bench: Bench, strike: Callable[[str], None]
) -> None:
    jobs = [_write("a"), _write("b")]
    strike("write.before_commit:1:full")

    bench.serve(*jobs)
    bench.serve(_write("c"))

    assert _errors(*jobs) == [StorageFull, StorageFull]
    assert bench.notes() == ["c"]


def test_a_disk_that_fails_under_one_member_ends_the_group_and_keeps_nothing_of_it(
    bench: Bench,
) -> None:
    def lose_the_transaction(tx: Tx) -> None:
        # What SQLite does by itself on some full disks and I/O errors.
        tx.execute("ROLLBACK")
        raise OSError(5, "I/O error")

    jobs = [_write("a"), Job(Kind.WRITE, lose_the_transaction), _write("c")]

    bench.serve(*jobs)
    bench.serve(_write("d"))

    assert _errors(*jobs) == [StorageCorrupt, StorageCorrupt, StorageCorrupt]
    assert bench.notes() == ["d"]


def test_a_full_file_refuses_what_does_not_fit_and_takes_what_does_later(bench: Bench) -> None:
    (pages,) = bench.connection.execute("PRAGMA page_count").fetchone()
    bench.connection.execute(f"PRAGMA max_page_count = {pages}")
    large = _write("x" * 100_000)
    bench.serve(large)
    bench.connection.execute("PRAGMA max_page_count = 1000000")
    bench.serve(_write("x" * 100_000))

    assert _errors(large) == [StorageFull]
    assert len(bench.notes()) == 1


def test_a_member_cancelled_while_it_waited_is_left_out(bench: Bench) -> None:
    first, cancelled = _write("a"), _write("b")
    assert cancelled.take()

    bench.serve(first, cancelled)

    assert bench.told == [first]
    assert bench.notes() == ["a"]


def test_a_group_has_a_bound_and_the_rest_goes_into_the_next(bench: Bench) -> None:
    jobs = [_write(str(number)) for number in range(GROUP_WRITES_MAX + 1)]

    bench.serve(*jobs)

    assert (bench.told, bench.commits()) == (jobs, 2)


def test_a_chore_runs_alone_between_the_groups_before_and_after_it(bench: Bench) -> None:
    chore: Job[bool] = Job(Kind.CHORE, lambda _: bench.connection.in_transaction)
    before, after = _write("a"), _write("b")

    bench.serve(before, chore, after)

    assert bench.told == [before, chore, after]
    assert (chore.result, bench.commits()) == (Value(False), 2)


def test_another_owner_of_the_file_refuses_the_whole_group(bench: Bench, path: Path) -> None:
    other = opening.open_file(path, SMALL, EpochMs(1)).connection
    jobs = [_write("a"), _write("b")]

    bench.serve(*jobs)

    assert _errors(*jobs) == [AccountBusy, AccountBusy]
    assert bench.notes() == []
    other.close()


@pytest.mark.parametrize("which", ["memory.db", "memory.db-wal"])
@pytest.mark.parametrize("is_exchanged", [False, True], ids=["removed", "exchanged"])
def test_nothing_is_acknowledged_that_goes_to_a_file_nobody_will_read_again(
    bench: Bench, path: Path, which: str, is_exchanged: bool
) -> None:
    taken = path.with_name(path.name + which.removeprefix("memory.db"))
    aside = taken.with_name("aside")
    content = taken.read_bytes()
    taken.rename(aside)
    if is_exchanged:
        taken.write_bytes(content)
    jobs = [_write("a"), _write("b")]

    bench.serve(*jobs)
    assert _errors(*jobs) == [StorageCorrupt, StorageCorrupt]
    assert bench.notes() == []

    aside.replace(taken)
    late = _write("c")
    bench.serve(late)
    assert (late.result, bench.notes()) == (Value(1), ["c"])


def test_a_write_waits_for_a_file_another_program_holds_and_no_longer_than_it_may(
    bench: Bench, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "BUSY_TIMEOUT_MS", 1)
    bench.connection.execute("PRAGMA busy_timeout = 2")
    other = _sqlite.connect(path)
    other.execute("BEGIN IMMEDIATE")
    late = _write("late")

    bench.serve(late)
    other.execute("ROLLBACK")
    bench.serve(_write("in time"))

    assert _errors(late) == [Busy]
    assert bench.notes() == ["in time"]
    other.close()


def test_a_write_can_be_cancelled_while_another_program_holds_the_file(
    bench: Bench, path: Path
) -> None:
    bench.connection.execute("PRAGMA busy_timeout = 1")
    other = _sqlite.connect(path)
    other.execute("BEGIN IMMEDIATE")
    first, second = _write("a"), _write("b")
    arrivals: deque[Callable[[], Job[Any] | None]] = deque(
        # As if each happened during one more slice of waiting.
        [lambda: second, lambda: None, lambda: first.take() and None, lambda: _free(other)]
    )

    bench.writer.serve(first, lambda: arrivals.popleft()() if arrivals else None, bench._tell)

    assert bench.told == [second]
    assert bench.notes() == ["b"]
    other.close()


def test_who_has_lost_the_file_leaves_its_log_alone(bench: Bench, path: Path) -> None:
    other = opening.open_file(path, SMALL, EpochMs(1)).connection
    bench.serve(_write("a"))
    bench.statements.clear()

    cleanup = bench.writer.clean_up()
    bench.writer.rest()

    assert cleanup == Cleanup(CleanupState.PENDING, CleanupReason.FILE_BUSY)
    assert [one for one in bench.statements if "wal_checkpoint" in one] == []
    other.close()


def _free(other: _sqlite.Connection) -> None:
    other.execute("ROLLBACK")
