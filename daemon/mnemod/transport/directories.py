"""Where things are kept, and that nobody else can get at them.

    data     --data-dir, else $MNEMOD_DATA_DIR, else the user's data directory
             accounts/  daemon.lock  daemon.json  logs/daemon.log
    runtime  $XDG_RUNTIME_DIR/mnemod if that variable names a private directory of ours, else
             mnemod-<uid> in the system's temporary directory
             <first 12 hex of sha256(real data directory)>.sock

Each is made 0700 and must be a directory, ours, and closed to group and others: anything else is
refused with exit code 77. The data directory is resolved first, so a link to it is the same
directory under the same lock; the runtime directory is not, for a link there is an attack.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from mnemod.config import SOCKET_PATH_BYTES_MAX
from mnemod.exits import Exit, Refused


def find_data_dir(named: str | None, env: Mapping[str, str]) -> Path:
    """The real path of the data directory, which need not exist yet."""
    given = named or env.get("MNEMOD_DATA_DIR")
    if given:
        return Path(given).resolve()
    from platformdirs import user_data_path

    return user_data_path("mnemod", appauthor=False).resolve()


def log_file(data_dir: Path) -> Path:
    """The detached daemon's log."""
    return data_dir / "logs" / "daemon.log"


def make_private(directory: Path) -> Path:
    """`directory`, made 0700 if missing and checked. Raises Refused (73, 77)."""
    try:
        _make(directory)
        found = directory.lstat()
    except OSError as exc:
        reason = f"{directory} cannot be made ({type(exc).__name__})"
        raise Refused(Exit.CANNOT_CREATE, reason) from None
    _require_private(directory, found)
    return directory


def socket_path(data_dir: Path, env: Mapping[str, str]) -> Path:
    """Where this data directory's daemon listens, in a directory that exists and is private."""
    from hashlib import sha256

    name = sha256(os.fsencode(data_dir)).hexdigest()[:12] + ".sock"
    for folder in (_runtime_dir(env), _temporary_dir()):
        if fits(folder / name):
            return make_private(folder) / name
    raise Refused(Exit.CONFIG, "every place for the socket has too long a path: shorten TMPDIR")


def fits(path: Path) -> bool:
    """Whether `path` fits into a socket address, with room for the name it is bound under."""
    return len(os.fsencode(path)) <= SOCKET_PATH_BYTES_MAX


def _make(directory: Path) -> None:
    """Like `mkdir -p`, but every directory it makes is 0700, whatever the umask lets through."""
    missing = [directory, *directory.parents]
    for parent in reversed([path for path in missing if not os.path.lexists(path)]):
        parent.mkdir(mode=0o700, exist_ok=True)


def _require_private(directory: Path, found: os.stat_result) -> None:
    if not stat.S_ISDIR(found.st_mode):
        raise Refused(Exit.NO_PERMISSION, f"{directory} is not a directory; move it away")
    if found.st_uid != os.geteuid():
        raise Refused(Exit.NO_PERMISSION, f"{directory} belongs to another user")
    if found.st_mode & 0o077:
        reason = f"{directory} is open to other users; run: chmod 700 '{directory}'"
        raise Refused(Exit.NO_PERMISSION, reason)


def _runtime_dir(env: Mapping[str, str]) -> Path:
    named = env.get("XDG_RUNTIME_DIR")
    if named and _is_private_dir(Path(named)):
        return Path(named) / "mnemod"
    return _temporary_dir()


def _is_private_dir(path: Path) -> bool:
    try:
        found = path.lstat()
        _require_private(path, found)
    except (OSError, Refused):
        return False
    return path.is_absolute()


def _temporary_dir() -> Path:
    import tempfile

    return Path(tempfile.gettempdir()) / f"mnemod-{os.geteuid()}"
