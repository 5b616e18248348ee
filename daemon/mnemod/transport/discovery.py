"""How a client finds the running daemon of a data directory: `daemon.json`, and a connection.

    {"socket": path, "pid": 4711, "instance": "9b…", "version": "0.1.0", "protocol_versions": [1],
     "home": "2049:131"}

It lies in the data directory because that is the one place two starters surely share: a desktop
program and a shell may see different TMPDIR and XDG_RUNTIME_DIR. `home` is the device and inode
of the data directory, so that a copied directory does not lead to the original's daemon. The file
is a hint: it may be stale, damaged or missing, and only a connection to a process of the same
user proves that there is a daemon. `pid` is for people; nobody signals it.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from mnemod.exits import Exit, Refused
from mnemod.transport.peers import is_ours

_NAME: Final = "daemon.json"
_CONNECT_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class Record:
    """What a daemon says about itself."""

    socket: str
    pid: int
    instance: str
    version: str
    protocol_versions: Sequence[int]


def as_dict(record: Record) -> dict[str, object]:
    """`record` as JSON members."""
    return asdict(record)


def write(data_dir: Path, record: Record) -> None:
    """Publish `record`, whole or not at all, even if the power goes. Raises Refused (74)."""
    content = json.dumps({**as_dict(record), "home": _home(data_dir)}).encode()
    temporary = data_dir / f"{_NAME}.new"
    try:
        _write_durably(temporary, content)
        temporary.replace(data_dir / _NAME)
    except OSError as exc:
        reason = f"{temporary} cannot be written ({type(exc).__name__})"
        raise Refused(Exit.IO, reason) from None


def withdraw(data_dir: Path, instance: str) -> None:
    """Remove the file if it is still the one `instance` wrote."""
    record = read(data_dir)
    if record is not None and record.instance == instance:
        with contextlib.suppress(OSError):
            (data_dir / _NAME).unlink()


def read(data_dir: Path) -> Record | None:
    """What the last daemon of `data_dir` said; None if nothing usable is there."""
    try:
        found = json.loads((data_dir / _NAME).read_bytes())
        if found["home"] != _home(data_dir):
            return None
        return Record(
            socket=str(found["socket"]),
            pid=int(found["pid"]),
            instance=str(found["instance"]),
            version=str(found["version"]),
            protocol_versions=[int(number) for number in found["protocol_versions"]],
        )
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None


def connect(data_dir: Path) -> socket.socket | None:
    """A blocking connection to the running daemon; None if there is none.

    Raises Refused (77) if what listens there is another user's, and (75) if it does not accept.
    """
    record = read(data_dir)
    return connect_to(Path(record.socket)) if record else None


def connect_to(path: Path) -> socket.socket | None:
    """A blocking connection to whoever of ours listens at `path`; None if nobody does."""
    sock = socket.socket(socket.AF_UNIX)
    try:
        sock.settimeout(_CONNECT_S)
        sock.connect(os.fspath(path))
        sock.settimeout(None)
        _require_ours(sock)
    except TimeoutError:
        sock.close()
        raise Refused(Exit.TRY_AGAIN, "the daemon does not accept connections") from None
    except PermissionError:
        sock.close()
        raise Refused(Exit.NO_PERMISSION, f"{path} cannot be opened by this user") from None
    except (OSError, ValueError):  # of a damaged record: no file can be called so
        sock.close()
        return None
    except Refused:
        sock.close()
        raise
    return sock


def _require_ours(sock: socket.socket) -> None:
    if not is_ours(sock):
        raise Refused(Exit.NO_PERMISSION, "the daemon found belongs to another user")


def _write_durably(path: Path, content: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
    fd = os.open(path, flags, 0o600)
    try:
        os.write(fd, content)
        os.fsync(fd)
    finally:
        os.close(fd)


def _home(data_dir: Path) -> str:
    found = data_dir.stat()
    return f"{found.st_dev}:{found.st_ino}"
