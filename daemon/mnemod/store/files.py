"""Where an account's file lies, who may read it, and on what kind of disk.

`<data_dir>/accounts/<folder>/memory.db`, folders 0700 and files 0600 whatever the umask. A
folder's name is its account's id written so that two ids have two folders, even on a disk that
takes `A` for `a` or one spelling of `é` for another, and so that no id can name a path:

    a-z 0-9 -        themselves
    A-Z              _ and the small letter           Mia -> _mia
    anything else    = and two hex digits a byte      a/b -> a=2fb
    over 120 long    == and the SHA-256 of the id     a name no other id can have
"""

from __future__ import annotations

import hashlib
import os
import string
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from mnemod.errors import StorageUnsupported
from mnemod.ids import AccountId

ACCOUNT_FILE: Final = "memory.db"
ACCOUNT_LOCK: Final = "account.lock"

_PLAIN: Final = frozenset(string.ascii_lowercase + string.digits + "-")
_FOLDER_CHARS_MAX: Final = 120

# Disks shared with another machine, or with a virtual machine's host: the shared memory that WAL
# needs is not shared there, and a lock may hold for one side alone.
_SHARED_DISKS: Final = frozenset(
    {"9p", "afs", "beegfs", "ceph", "cifs", "coda", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4"}
    | {"prl_fs", "s3fs", "smb2", "smb3", "smbfs", "sshfs", "vboxsf", "virtiofs", "vmhgfs"}
)
_MOUNTS: Final = Path("/proc/self/mountinfo")


def account_folder(account_id: AccountId) -> str:
    """The name of this account's folder, which no other account's can be."""
    name = "".join(map(_escaped, account_id))
    if len(name) <= _FOLDER_CHARS_MAX:
        return name
    # A single `=` is always followed by a digit, so no escaped id begins with two.
    return "==" + hashlib.sha256(account_id.encode("utf-8", "surrogatepass")).hexdigest()


def account_file(data_dir: Path, account_id: AccountId) -> Path:
    """The path of this account's file. Nothing is made or looked at."""
    return data_dir / "accounts" / account_folder(account_id) / ACCOUNT_FILE


def make_private_folder(folder: Path) -> None:
    """Make a folder only its owner can enter, and the missing ones above it. One there is kept."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(exist_ok=True)
        one.chmod(0o700)


def create_private(path: Path) -> None:
    """Create an empty file that only its owner can read. Raises FileExistsError."""
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    try:
        os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Put the names in this folder on disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def disk_kind(folder: Path) -> str:
    """The kind of file system a folder is on (`ext4`, `nfs4`); empty where that cannot be told."""
    if not sys.platform.startswith("linux") or not _MOUNTS.exists():
        return ""
    here = folder.resolve()
    best, kind = -1, ""
    for line in _MOUNTS.read_text("utf-8", "surrogateescape").splitlines():
        fields, _, rest = line.partition(" - ")
        mount = Path(_unescaped(fields.split()[4]))
        # Later mounts cover earlier ones of the same place.
        if here.is_relative_to(mount) and len(mount.parts) >= best:
            best, kind = len(mount.parts), rest.split()[0]
    return kind


def require_local_disk(folder: Path, kind_of: Callable[[Path], str] = disk_kind) -> None:
    """Raise StorageUnsupported if `folder` is on a disk that another machine can write too."""
    kind = kind_of(folder)
    if kind.removeprefix("fuse.") in _SHARED_DISKS:
        raise StorageUnsupported(disk_kind=kind)


def log_of(path: Path) -> Path:
    """The write-ahead log beside an account's file."""
    return path.with_name(path.name + "-wal")


def log_bytes(path: Path) -> int:
    """How long the write-ahead log beside an account's file is; 0 if there is none."""
    try:
        return log_of(path).stat().st_size
    except FileNotFoundError:
        return 0


def identity(path: Path) -> tuple[int, int] | None:
    """Which file has this name now; None if none has."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _escaped(char: str) -> str:
    if char in _PLAIN:
        return char
    if char in string.ascii_uppercase:
        return f"_{char.lower()}"
    return "".join(f"={byte:02x}" for byte in char.encode("utf-8", "surrogatepass"))


def _unescaped(field: str) -> str:
    """A path as `mountinfo` writes it: blanks and backslashes as octal numbers."""
    for code, char in ((r"\040", " "), (r"\011", "\t"), (r"\012", "\n"), (r"\134", "\\")):
        field = field.replace(code, char)
    return field
