"""A daemon is alive as long as it holds its lock, and nothing else says so."""

from __future__ import annotations

import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemod.errors import AccountBusy
from mnemod.ids import OwnerId
from mnemod.store.lifetime_lock import AccountLock, LifetimeLock, owner_is_dead
from tests.support.faults import ROOT

_GONE = OwnerId("0" * 32)


@pytest.fixture
def owners(tmp_path: Path) -> Path:
    return tmp_path / "owners"


@pytest.fixture
def elsewhere(owners: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that has taken a lifetime lock, and says under which id."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.living_child", str(owners)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        yield process
        process.kill()


def _said(process: subprocess.Popen[str]) -> OwnerId:
    assert process.stdout is not None
    return OwnerId(process.stdout.readline().strip())


def test_an_owner_id_is_32_hex_digits_and_never_the_same(owners: Path) -> None:
    first, second = LifetimeLock.take(owners), LifetimeLock.take(owners)

    assert re.fullmatch("[0-9a-f]{32}", first.owner_id)
    assert first.owner_id != second.owner_id
    first.release()
    second.release()


def test_an_owner_in_this_process_is_alive_until_it_lets_go(owners: Path) -> None:
    lock = LifetimeLock.take(owners)
    alive = not owner_is_dead(owners, lock.owner_id)
    lock.release()

    assert alive
    assert owner_is_dead(owners, lock.owner_id)


def test_an_owner_in_another_process_is_alive_until_it_is_killed(
    owners: Path, elsewhere: subprocess.Popen[str]
) -> None:
    owner_id = _said(elsewhere)
    alive = not owner_is_dead(owners, owner_id)

    elsewhere.send_signal(signal.SIGKILL)
    elsewhere.wait()

    assert alive
    assert owner_is_dead(owners, owner_id)


def test_an_owner_whose_file_is_gone_is_dead(owners: Path) -> None:
    assert owner_is_dead(owners, _GONE)


def test_a_file_that_names_a_live_process_but_is_not_locked_is_a_dead_owners(
    owners: Path,
) -> None:
    owners.mkdir()
    (owners / f"{_GONE}.lock").write_text(str(os.getppid()))

    assert owner_is_dead(owners, _GONE)


def test_a_lock_that_is_held_is_a_live_owners_whatever_process_id_it_names(owners: Path) -> None:
    lock = LifetimeLock.take(owners)
    (owners / f"{lock.owner_id}.lock").write_text("999999999")

    assert not owner_is_dead(owners, lock.owner_id)
    lock.release()


def test_a_file_that_cannot_be_looked_at_is_a_live_owners(owners: Path) -> None:
    owners.mkdir()
    # A link in a circle cannot be opened by anybody, not even by root.
    (owners / f"{_GONE}.lock").symlink_to(owners / f"{_GONE}.lock")

    assert not owner_is_dead(owners, _GONE)


@pytest.mark.parametrize("owner_id", ["worker-7", "../../etc/passwd", ""])
def test_an_external_worker_has_no_lock_and_is_never_called_dead(
    owners: Path, owner_id: str
) -> None:
    assert not owner_is_dead(owners, OwnerId(owner_id))


def test_coming_alive_removes_the_files_of_the_dead_and_no_other(
    owners: Path, elsewhere: subprocess.Popen[str]
) -> None:
    living = _said(elsewhere)
    (owners / f"{_GONE}.lock").touch()
    (owners / "account.lock").touch()

    mine = LifetimeLock.take(owners)

    names = {path.name for path in owners.iterdir()}
    assert names == {f"{living}.lock", f"{mine.owner_id}.lock", "account.lock"}
    mine.release()


def test_a_sweep_between_a_file_and_its_lock_does_not_leave_an_owner_nobody_can_see(
    owners: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    swept: list[Path] = []

    def sweep_then_open(path: Path, *args: int) -> int:
        descriptor = real_open(path, *args)
        if not swept and str(path).endswith(".lock"):
            swept.append(path)
            path.unlink()
        return descriptor

    real_open = os.open
    monkeypatch.setattr(os, "open", sweep_then_open)
    lock = LifetimeLock.take(owners)

    assert swept != []
    assert not owner_is_dead(owners, lock.owner_id)
    lock.release()


def test_lock_files_are_their_owners_alone(owners: Path) -> None:
    lock = LifetimeLock.take(owners)

    (file,) = owners.iterdir()
    modes = (stat.S_IMODE(owners.stat().st_mode), stat.S_IMODE(file.stat().st_mode))
    lock.release()

    assert modes == (0o700, 0o600)


def test_an_account_is_one_processs_at_a_time_and_the_refusal_names_it(tmp_path: Path) -> None:
    path = tmp_path / "account" / "account.lock"
    lock = AccountLock.take(path)

    with pytest.raises(AccountBusy) as busy:
        AccountLock.take(path)
    lock.release()
    again = AccountLock.take(path)
    again.release()

    assert dict(busy.value.details) == {"owner_pid": os.getpid()}


def test_an_account_lock_cut_to_half_a_line_is_no_hindrance(tmp_path: Path) -> None:
    path = tmp_path / "account.lock"
    path.write_bytes(b"12\xff")

    AccountLock.take(path).release()

    assert path.read_text() == str(os.getpid())


def test_a_held_account_lock_with_nonsense_in_it_is_busy_all_the_same(tmp_path: Path) -> None:
    lock = AccountLock.take(tmp_path / "account.lock")
    (tmp_path / "account.lock").write_bytes(b"\xff\xfe")

    with pytest.raises(AccountBusy) as busy:
        AccountLock.take(tmp_path / "account.lock")
    lock.release()

    assert dict(busy.value.details) == {"owner_pid": None}
