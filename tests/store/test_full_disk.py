"""On a full disk nothing acknowledged is lost, forgetting works, and room is all it takes."""

from __future__ import annotations

import shutil
import sys

import pytest

from tests.support import faults

CHILD = "tests.support.full_disk_child"
_OWN_DISK = ["unshare", "--map-root-user", "--mount"]


def _can_mount() -> bool:
    if sys.platform != "linux" or shutil.which("unshare") is None:
        return False
    script = "mount -t tmpfs -o size=64k none /mnt"
    return faults.run_command([*_OWN_DISK, "sh", "-c", script]).returncode == 0


@pytest.fixture(scope="module")
def said() -> list[str]:
    """What a process found that filled a disk of 6 MiB, forgot, made room and went on."""
    if not _can_mount():
        pytest.skip("needs a user namespace to mount a small disk of its own in")
    script = f"mount -t tmpfs -o size=6m none /mnt && exec {sys.executable} -m {CHILD} /mnt"
    ended = faults.run_command([*_OWN_DISK, "sh", "-c", script])
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.splitlines()


def test_a_write_that_finds_no_room_is_refused_by_name(said: list[str]) -> None:
    assert said[0] == "refused storage_full"


def test_what_was_acknowledged_before_is_all_there(said: list[str]) -> None:
    assert said[1] == "missing 0"


def test_forgetting_works_while_the_disk_is_full_and_says_what_waits_for_room(
    said: list[str],
) -> None:
    assert said[2] == "forgot 1 storage_full"


def test_once_there_is_room_writes_and_the_cleanup_work_with_no_restart(said: list[str]) -> None:
    assert said[3] == "written"


def test_the_file_is_sound_afterwards(said: list[str]) -> None:
    assert said[4] == "integrity ok"


def test_space_is_kept_back_again(said: list[str]) -> None:
    assert said[5] == "reserve True"
