"""What takes its time when it is first asked for: files of words, and the patterns made of them.

A long pattern takes 50 ms to compile and a file of words as long to read, each once in the life of
a process; many are never asked for. Whoever works where others wait asks `at_once`: then nothing is
read or compiled, and what had to be is work for somebody who has the time.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final, TypeVar

T = TypeVar("T")


class NotReadyError(Exception):
    """Something had to be read or compiled first. Do the same where nobody waits for it."""


_CANNOT_WAIT: Final = ContextVar("cannot_wait", default=False)


def at_once(work: Callable[[], T]) -> T:
    """What `work` gives. Raises NotReadyError where it would read or compile something."""
    before = _CANNOT_WAIT.set(True)
    try:
        return work()
    finally:
        _CANNOT_WAIT.reset(before)


def take_time() -> None:
    """Said before what takes its time. Raises NotReadyError if whoever asks has none."""
    if _CANNOT_WAIT.get():
        raise NotReadyError


def compiled(source: str) -> re.Pattern[str]:
    """A pattern, compiled now. Whoever asks keeps it."""
    take_time()
    return re.compile(source)


class Pattern:
    """A pattern as it is written, compiled when it is first asked for and then `known`.

    `expand` gives its source with all it names filled in.
    """

    __slots__ = ("_expand", "_written", "known")

    def __init__(self, written: str, expand: Callable[[str], str]) -> None:
        self._written = written
        self._expand = expand
        self.known: re.Pattern[str] | None = None

    def expanded(self) -> str:
        """Its source."""
        return self._expand(self._written)

    def compiled(self) -> re.Pattern[str]:
        """The pattern itself. Raises NotReadyError if it is not known and nobody can wait."""
        if self.known is None:
            self.known = compiled(self.expanded())
        return self.known


def tables(path: Path) -> dict[str, Any]:
    """The tables of a TOML file, read now. Whoever asks keeps what is needed of them."""
    take_time()
    found: dict[str, Any] = _sharing(tomllib.loads(path.read_text(encoding="utf-8")), {})
    return found


def _sharing(value: Any, known: dict[str, str]) -> Any:
    """`value` with equal strings as one: rules name the same words hundreds of times."""
    match value:
        case str():
            return known.setdefault(value, value)
        case list():
            return [_sharing(each, known) for each in value]
        case dict():
            return {
                known.setdefault(name, name): _sharing(each, known) for name, each in value.items()
            }
        case _:
            return value
