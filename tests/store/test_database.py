"""What a service may count on when it writes and reads."""

from __future__ import annotations

import weakref
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from mnemod.config import BUSY_TIMEOUT_MS
from mnemod.errors import AccountBusy, DeadlineExceeded, ReadOnly, ShuttingDown
from mnemod.ids import EpochMs
from mnemod.store import _sqlite
from mnemod.store.database import Database, Tx
from tests.support.held import Held
from tests.support.inline_runner import inline_runner
from tests.support.small_schema import SMALL, add_note, notes

_ENDLESS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


class Refused(Exception):
    """A service changed its mind inside its transaction."""


class Words:
    """What somebody said."""


def _add_and_refuse(tx: Tx, text: str) -> None:
    add_note(tx, text)
    raise Refused


def _endless(tx: Tx) -> None:
    tx.execute(_ENDLESS).fetchone()


async def test_what_a_write_returned_is_there_for_the_next_read(db: Database) -> None:
    seq = await db.write(partial(add_note, text="tea"))

    assert seq == 1
    assert await db.read(notes) == ["tea"]


async def test_a_write_that_raises_leaves_nothing_and_its_error_comes_out(db: Database) -> None:
    with pytest.raises(Refused):
        await db.write(partial(_add_and_refuse, text="tea"))

    assert await db.read(notes) == []


async def test_a_write_after_one_that_raised_works(db: Database) -> None:
    with pytest.raises(Refused):
        await db.write(partial(_add_and_refuse, text="tea"))
    await db.write(partial(add_note, text="coffee"))

    assert await db.read(notes) == ["coffee"]


async def test_the_hook_of_a_write_runs_after_its_commit_and_before_its_caller(
    db: Database,
) -> None:
    order: list[str] = []

    await db.write(lambda tx: order.append("write"), after_commit=lambda: order.append("hook"))
    order.append("caller")

    assert order == ["write", "hook", "caller"]


async def test_the_hook_of_a_write_that_failed_never_runs(db: Database) -> None:
    rung: list[str] = []

    with pytest.raises(Refused):
        await db.write(
            partial(_add_and_refuse, text="tea"), after_commit=lambda: rung.append("rung")
        )

    assert rung == []


async def test_a_write_of_a_task_that_was_cancelled_before_it_never_runs(path: Path) -> None:
    db = await Database.open(path, now=EpochMs(1), schema=SMALL, runner=inline_runner)

    with trio.CancelScope() as scope:
        scope.cancel()
        await db.write(partial(add_note, text="never"))

    assert scope.cancelled_caught
    assert await db.read(notes) == []
    await db.aclose()


async def test_a_hook_that_fails_is_heard_by_its_caller_and_the_write_stands(db: Database) -> None:
    def ring() -> None:
        raise Refused

    with pytest.raises(Refused):
        await db.write(partial(add_note, text="tea"), after_commit=ring)

    assert await db.read(notes) == ["tea"]


async def test_a_cancelled_write_that_still_waits_never_runs(db: Database) -> None:
    held = Held()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(db.write, held)
        await held.begun()
        with trio.move_on_after(0):
            await db.write(partial(add_note, text="never"))
        held.let_go()

    assert await db.read(notes) == []


async def test_a_write_cancelled_while_it_waits_in_the_queue_never_runs(db: Database) -> None:
    held, queued = Held(), trio.CancelScope()

    async def queue() -> None:
        with queued:
            await db.write(partial(add_note, text="never"))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(db.write, held)
        await held.begun()
        nursery.start_soon(queue)
        await wait_all_tasks_blocked()
        queued.cancel()
        held.let_go()

    assert queued.cancelled_caught
    assert await db.read(notes) == []


async def test_a_write_cancelled_once_it_has_begun_ends_and_answers(db: Database) -> None:
    held, begun = Held(), trio.CancelScope()
    answers: list[object] = []
    rung: list[str] = []

    async def write() -> None:
        with begun:
            answers.append(await db.write(held, after_commit=lambda: rung.append("rung")))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(write)
        await held.begun()
        begun.cancel()
        await wait_all_tasks_blocked()
        held.let_go()

    assert (answers, rung) == ([[]], ["rung"])


async def test_a_read_sees_one_snapshot_whatever_is_written_beside_it(db: Database) -> None:
    held, seen = Held(), []

    async def read() -> None:
        def twice(tx: Tx) -> tuple[object, object]:
            return held(tx), notes(tx)

        seen.append(await db.read(twice))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(read)
        await held.begun()
        await db.write(partial(add_note, text="tea"))
        held.let_go()

    assert seen == [([], [])]
    assert await db.read(notes) == ["tea"]


async def test_a_read_does_not_wait_for_a_write(db: Database) -> None:
    held = Held()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(db.write, held)
        await held.begun()

        assert await db.read(notes) == []

        held.let_go()


async def test_a_read_can_change_nothing(db: Database) -> None:
    with pytest.raises(ReadOnly):
        await db.read(partial(add_note, text="tea"))


async def test_a_read_without_end_meets_its_deadline(path: Path) -> None:
    db = await Database.open(path, now=EpochMs(1), schema=SMALL, read_deadline_s=0.05)

    with pytest.raises(DeadlineExceeded):
        await db.read(_endless)

    assert await db.read(notes) == []
    await db.aclose()


async def test_a_cancelled_read_returns_at_once_and_frees_its_thread(path: Path) -> None:
    db = await Database.open(path, now=EpochMs(1), schema=SMALL, read_deadline_s=60)

    with trio.fail_after(5):
        with trio.move_on_after(0.02):
            await db.read(_endless)
        with trio.move_on_after(0.02):
            await db.read(_endless)
        assert await db.read(notes) == []

    await db.aclose()


async def test_a_thread_that_waits_holds_on_to_nothing_it_read_or_wrote(db: Database) -> None:
    read, written = await db.read(lambda tx: Words()), await db.write(lambda tx: Words())
    left = [weakref.ref(read), weakref.ref(written)]
    del read, written

    with trio.fail_after(5):
        while any(words() for words in left):  # the thread goes back to waiting in its own time
            await trio.sleep(0.001)

    assert [words() for words in left] == [None, None]


async def test_who_opened_the_file_before_can_write_no_more(path: Path) -> None:
    first = await Database.open(path, now=EpochMs(1), schema=SMALL)
    second = await Database.open(path, now=EpochMs(1), schema=SMALL)

    with pytest.raises(AccountBusy):
        await first.write(partial(add_note, text="old"))
    await second.write(partial(add_note, text="new"))

    assert await second.read(notes) == ["new"]
    await first.aclose()
    await second.aclose()


async def test_a_closed_database_takes_no_more_work(path: Path) -> None:
    db = await Database.open(path, now=EpochMs(1), schema=SMALL)
    await db.aclose()
    await db.aclose()

    with pytest.raises(ShuttingDown):
        await db.write(partial(add_note, text="late"))


async def test_closing_does_not_wait_for_a_file_that_another_program_holds(path: Path) -> None:
    db = await Database.open(path, now=EpochMs(1), schema=SMALL)
    with closing(_sqlite.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with trio.move_on_after(0.01) as handing_back:
            await db.write(partial(add_note, text="never"))

        closing_at = trio.current_time()
        await db.aclose()

    assert handing_back.cancelled_caught
    assert trio.current_time() - closing_at < BUSY_TIMEOUT_MS / 1000 / 2


async def test_closing_ends_what_is_queued_and_leaves_one_file(path: Path) -> None:
    db = await Database.open(path, now=EpochMs(1), schema=SMALL)
    held = Held()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(db.write, held)
        await held.begun()
        nursery.start_soon(db.write, partial(add_note, text="queued"))
        await wait_all_tasks_blocked()
        nursery.start_soon(db.aclose)
        # Long enough for the sign to stop to stand in the queue behind the write.
        await wait_all_tasks_blocked(0.05)
        held.let_go()

    assert {file.name for file in path.parent.iterdir()} == {"memory.db", "memory.db.reserve"}
    again = await Database.open(path, now=EpochMs(1), schema=SMALL)
    assert await again.read(notes) == ["queued"]
    await again.aclose()


async def test_a_database_that_runs_in_place_keeps_pace_with_a_mock_clock(
    path: Path, autojump_clock: MockClock
) -> None:
    db = await Database.open(path, now=EpochMs(1), schema=SMALL, runner=inline_runner)
    started = trio.current_time()

    await trio.sleep(300)
    await db.write(partial(add_note, text="tea"))
    assert await db.read(notes) == ["tea"]
    await db.aclose()

    assert trio.current_time() - started == pytest.approx(300)
