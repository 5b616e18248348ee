"""The lock of a data directory."""

from __future__ import annotations

import fcntl
import os
import stat
from pathlib import Path

import pytest

from mnemod.exits import Exit, Refused
from mnemod.transport import daemon_lock


def test_there_is_one_holder_and_then_another(tmp_path: Path) -> None:
    first = daemon_lock.try_take(tmp_path)
    assert first is not None
    assert daemon_lock.try_take(tmp_path) is None

    first.close()
    second = daemon_lock.try_take(tmp_path)
    assert second is not None
    second.close()


def test_a_handed_on_descriptor_keeps_the_lock_when_ours_is_closed(tmp_path: Path) -> None:
    starter = daemon_lock.try_take(tmp_path)
    assert starter is not None
    daemon = daemon_lock.DaemonLock(os.dup(starter.fileno()))
    starter.close()

    assert daemon_lock.try_take(tmp_path) is None
    daemon.close()


def test_it_is_not_the_lock_of_a_directory_that_was_removed_or_made_anew(tmp_path: Path) -> None:
    lock = daemon_lock.try_take(tmp_path)
    assert lock is not None
    assert lock.is_of(tmp_path)

    (tmp_path / "daemon.lock").unlink()
    assert not lock.is_of(tmp_path)
    (tmp_path / "daemon.lock").touch()
    assert not lock.is_of(tmp_path)
    lock.close()


def test_a_stale_file_with_a_living_strangers_number_is_no_lock(tmp_path: Path) -> None:
    (tmp_path / "daemon.lock").write_text(f"{os.getppid()}\n")

    lock = daemon_lock.try_take(tmp_path)

    assert lock is not None
    lock.close()


def test_the_file_stays_and_names_its_last_owner(tmp_path: Path) -> None:
    lock = daemon_lock.try_take(tmp_path)
    assert lock is not None
    lock.write_owner(4_194_304)
    lock.write_owner(7)
    lock.close()

    assert daemon_lock.owner_pid(tmp_path) == 7
    assert stat.S_IMODE((tmp_path / "daemon.lock").stat().st_mode) == 0o600


@pytest.mark.parametrize("content", [b"", b"half\xff", b"\n"])
def test_a_damaged_file_names_nobody(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "daemon.lock").write_bytes(content)

    assert daemon_lock.owner_pid(tmp_path) is None


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "daemon.lock").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(Refused) as caught:
        daemon_lock.try_take(tmp_path)
    assert caught.value.code is Exit.CANNOT_CREATE


def test_programs_started_from_here_do_not_inherit_it(tmp_path: Path) -> None:
    lock = daemon_lock.try_take(tmp_path)
    assert lock is not None

    assert fcntl.fcntl(lock.fileno(), fcntl.F_GETFD) & fcntl.FD_CLOEXEC
    lock.close()
