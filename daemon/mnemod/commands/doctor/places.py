"""Checks of where things are kept: the directories, their disk, the clock that dates them."""

from __future__ import annotations

import os
import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mnemod.commands.doctor.finding import Finding, failed, ok, warning
from mnemod.errors import StorageUnsupported
from mnemod.store.files import ACCOUNT_FILE, disk_kind, require_local_disk

_GIB: Final = 1024**3
_FREE_WARNING_BYTES: Final = _GIB
_FREE_FAILED_BYTES: Final = 64 * 1024**2
_CLOCK_FLOOR_S: Final = 1_767_225_600
"""2026-01-01T00:00:00Z: no mnemod is older, so no clock may be."""
_CLOCK_BACK_S: Final = 300.0


def check(data_dir: Path) -> Iterator[Finding]:
    """Everything about the places. Nothing is made and nothing is changed."""
    if not data_dir.exists():
        yield ok("directories", f"{data_dir} is not there yet; the first start makes it")
    else:
        yield _modes(data_dir)
    disk = next(place for place in (data_dir, *data_dir.parents) if place.exists())
    yield _kind_of_disk(disk)
    yield _free(shutil.disk_usage(disk).free)
    yield _clock(time.time(), _newest(data_dir))


def _modes(data_dir: Path) -> Finding:
    wrong = [path for path in _private_places(data_dir) if not _is_private(path)]
    if not wrong:
        return ok("directories", f"{data_dir} is private")
    return failed(
        "directories",
        f"{wrong[0]} is open to others or not ours ({len(wrong)} in all)",
        f"chmod -R go-rwx '{data_dir}'",
    )


def _private_places(data_dir: Path) -> Iterator[Path]:
    yield data_dir
    for folder in _account_folders(data_dir):
        yield folder
        yield from (path for path in (folder / ACCOUNT_FILE,) if path.exists())


def _account_folders(data_dir: Path) -> list[Path]:
    accounts = data_dir / "accounts"
    return sorted(accounts.iterdir()) if accounts.is_dir() else []


def _is_private(path: Path) -> bool:
    found = path.lstat()
    mode_is_private = not found.st_mode & 0o077 and not stat.S_ISLNK(found.st_mode)
    return mode_is_private and found.st_uid == os.geteuid()


def _kind_of_disk(place: Path) -> Finding:
    kind = disk_kind(place) or "of a kind this system does not tell"
    try:
        require_local_disk(place)
    except StorageUnsupported:
        return failed(
            "disk", f"{kind} is shared with other machines", "choose a --data-dir on a local disk"
        )
    return ok("disk", f"the file system is {kind}")


def _free(free_bytes: int) -> Finding:
    found = f"{free_bytes / _GIB:.1f} GiB free"
    if free_bytes < _FREE_FAILED_BYTES:
        return failed("free space", found, "free some space: nothing can be stored soon")
    if free_bytes < _FREE_WARNING_BYTES:
        return warning("free space", found, "free some space")
    return ok("free space", found)


def _clock(now_s: float, newest_s: float) -> Finding:
    if now_s < _CLOCK_FLOOR_S:
        return failed("clock", "the clock stands before any mnemod", "set the system's clock")
    if newest_s > now_s + _CLOCK_BACK_S:
        return warning(
            "clock", "files here were written in what is now the future", "check the system's clock"
        )
    return ok("clock", "the clock is plausible")


def _newest(data_dir: Path) -> float:
    files = (folder / ACCOUNT_FILE for folder in _account_folders(data_dir))
    return max((file.stat().st_mtime for file in files if file.exists()), default=0.0)
