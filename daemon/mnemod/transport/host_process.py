"""The host's process, and noticing that it is gone when its pipe does not tell.

The end of input is what usually tells. It does not come when a sibling process has inherited the
pipe's other end. So whoever serves one host only (the proxy, `--alone`) watches the process that
`initialize` names, but only if that is one of its own ancestors: a number from the wire may be
anybody's, and the shared daemon never looks at it.

Linux has descriptors for processes. Elsewhere only the direct parent is watched, by its number
changing (untested).
"""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_ANCESTORS_MAX: Final = 64
_POLL_S: Final = 3.0


def is_ancestor(pid: int) -> bool:
    """Whether `pid` is our parent, or its parent, and so on; init is nobody's host."""
    return pid > 1 and pid in _ancestors()


def wait_for_end(pid: int) -> None:
    """Block until the ancestor `pid` has ended."""
    if sys.platform != "linux":
        while os.getppid() == pid:
            time.sleep(_POLL_S)
        return
    try:
        fd = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    poll.poll()
    os.close(fd)


def _ancestors() -> Iterator[int]:
    pid = os.getppid()
    yield pid
    for _ in range(_ANCESTORS_MAX):
        parent = _parent_of(pid)
        if parent is None:
            return
        yield parent
        pid = parent


def _parent_of(pid: int) -> int | None:
    """From /proc: the name in parentheses may hold anything, so count from its end."""
    try:
        after_name = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2]
        return int(after_name.split()[1]) or None
    except (OSError, ValueError, IndexError):
        return None
