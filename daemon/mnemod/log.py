"""One line an event, for people (text) or programs (JSON), with nothing in it that a person said.

    2026-11-30T12:13:36.123Z info call_answered conn=3 method=observe id=9f2ac01b ms=1.8
    {"ts":"2026-11-30T12:13:36.123Z","level":"info","event":"call_answered","conn":3,...}

The fields are a closed set, so nobody can log a body by mistake: `conn` (a number), `method` (a
name from the schema), `id` (a request id, written as a keyed hash: hosts put anything in there),
`ms`, `error_id`, `kind`, `count`, `pid`, `version`, `at` (see `types_only`). Set up once, by
`configure`; until then warnings go to stderr, which is where a library user wants them.

A log file is append-only, 0600, and rotated while it runs: `daemon.log`, then `.1` to `.4`. The
daemon's own stderr is the same file and moves along, so that noise from native code is bounded too.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Final, Protocol, TypedDict, Unpack

from mnemod.config import LOG_BYTES_MAX, LOG_FILES_MAX

LEVELS: Final = ("debug", "info", "warning", "error")
_HASH_KEY: Final = secrets.token_bytes(16)
_FRAMES_MAX: Final = 6
_STDERR: Final = 2


class Fields(TypedDict, total=False):
    """All that a log line may say beside its event."""

    conn: int
    method: str
    id: str | int | None
    ms: float
    error_id: str
    kind: str
    count: int
    pid: int
    version: str
    at: str


class Sink(Protocol):
    """Where lines go."""

    def write(self, line: bytes) -> None:
        """Append `line`, which ends in a newline. Never raises: a full disk stops no call."""

    def reopen(self) -> None:
        """Look the file up again by its name (SIGHUP)."""


class StderrSink:
    """Lines to file descriptor 2, whatever that is."""

    def write(self, line: bytes) -> None:
        """Append `line`; a closed or full stderr loses it."""
        with contextlib.suppress(OSError):
            os.write(_STDERR, line)

    def reopen(self) -> None:
        """Nothing to look up."""


class RotatingFile:
    """An append-only file of `files` generations, each of at most about `bytes_max` bytes."""

    def __init__(
        self,
        path: Path,
        *,
        bytes_max: int = LOG_BYTES_MAX,
        files: int = LOG_FILES_MAX,
        is_stderr: bool = False,
    ) -> None:
        self._path = path
        self._bytes_max = bytes_max
        self._files = files
        self._is_stderr = is_stderr
        self._lock = threading.Lock()
        self._fd = -1
        self.reopen()

    def write(self, line: bytes) -> None:
        """Append `line`, rotating first if it would not fit."""
        with self._lock, contextlib.suppress(OSError):
            # fstat, not a counter: the starter and native code append to the same file.
            if os.fstat(self._fd).st_size + len(line) > self._bytes_max:
                self._rotate()
            os.write(self._fd, line)

    def reopen(self) -> None:
        """Open the file by its name; an external rotation has moved the old one away."""
        fd = open_append(self._path)
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = fd
        if self._is_stderr:
            os.dup2(fd, _STDERR)

    def close(self) -> None:
        """Let go of the file; tests only, a daemon's log ends with its process."""
        os.close(self._fd)

    def _rotate(self) -> None:
        for number in range(self._files - 2, 0, -1):
            with contextlib.suppress(FileNotFoundError):
                self._numbered(number).replace(self._numbered(number + 1))
        with contextlib.suppress(FileNotFoundError):
            self._path.replace(self._numbered(1))
        self.reopen()

    def _numbered(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}")


def open_append(path: Path) -> int:
    """A descriptor that appends to `path`, made 0600, starting on a line of its own."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    fd = os.open(path, flags, 0o600)
    size = os.fstat(fd).st_size
    if size and os.pread(fd, 1, size - 1) != b"\n":
        os.write(fd, b"\n")  # a kill cut the last line short
    return fd


class Log:
    """Writes events of at least `level` to `sink`. Safe from any thread."""

    def __init__(
        self,
        sink: Sink,
        *,
        level: str = "info",
        json_lines: bool = False,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        self._sink = sink
        self._threshold = LEVELS.index(level)
        self._render = _as_json if json_lines else _as_text
        self._wall_clock = wall_clock

    def debug(self, event: str, **fields: Unpack[Fields]) -> None:
        """What a developer follows."""
        self._write("debug", event, fields)

    def info(self, event: str, **fields: Unpack[Fields]) -> None:
        """What happened as it should."""
        self._write("info", event, fields)

    def warning(self, event: str, **fields: Unpack[Fields]) -> None:
        """What was not as it should be, and was dealt with."""
        self._write("warning", event, fields)

    def error(self, event: str, **fields: Unpack[Fields]) -> None:
        """What failed."""
        self._write("error", event, fields)

    def reopen(self) -> None:
        """Look the log file up again by its name."""
        self._sink.reopen()

    def _write(self, level: str, event: str, fields: Fields) -> None:
        if LEVELS.index(level) < self._threshold:
            return
        shown: dict[str, object] = dict(fields)
        if "id" in shown:
            shown["id"] = _hashed(shown["id"])
        stamp = _timestamp(self._wall_clock())
        self._sink.write(self._render(stamp, level, event, shown).encode() + b"\n")


def current() -> Log:
    """The process's log."""
    return _current


def configure(log: Log) -> None:
    """Make `log` the process's log, and let no crash print more than types either."""
    global _current
    _current = log
    sys.excepthook = _log_crash
    threading.excepthook = _log_thread_crash
    sys.unraisablehook = _log_unraisable


def types_only(exc: BaseException) -> str:
    """What an exception is and where it was raised, without its text, values or file paths.

    `ExceptionGroup(KeyError,ValueError)@mnemod.store.jobs:41<mnemod.formation.worker:88`: the
    innermost frame first, at most six; of a group, those of its first member.
    """
    places = "<".join(_places(_traceback(exc)))
    return f"{_type_names(exc)}@{places}" if places else _type_names(exc)


def _traceback(exc: BaseException) -> TracebackType | None:
    """The innermost one there is: a member that was never raised has none of its own."""
    inner = _traceback(exc.exceptions[0]) if isinstance(exc, BaseExceptionGroup) else None
    return inner or exc.__traceback__


def _type_names(exc: BaseException) -> str:
    name = type(exc).__name__
    if isinstance(exc, BaseExceptionGroup):
        return f"{name}({','.join(_type_names(inner) for inner in exc.exceptions)})"
    return name


def _places(traceback: TracebackType | None) -> list[str]:
    found: list[str] = []
    while traceback is not None:
        module = traceback.tb_frame.f_globals.get("__name__", "?")
        found.append(f"{module}:{traceback.tb_lineno}")
        traceback = traceback.tb_next
    return found[: -_FRAMES_MAX - 1 : -1]


def _log_crash(
    _kind: type[BaseException], exc: BaseException, _traceback: TracebackType | None
) -> None:
    _current.error("crashed", at=types_only(exc))


def _log_thread_crash(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None:
        _current.error("thread_crashed", at=types_only(args.exc_value))


def _log_unraisable(unraisable: sys.UnraisableHookArgs) -> None:
    if unraisable.exc_value is not None:
        _current.error("unraisable", at=types_only(unraisable.exc_value))


def _hashed(request_id: object) -> str:
    return blake2b(repr(request_id).encode(), key=_HASH_KEY, digest_size=4).hexdigest()


def _timestamp(seconds: float) -> str:
    whole, ms = divmod(int(seconds * 1000), 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + f".{ms:03d}Z"


def _as_text(stamp: str, level: str, event: str, fields: dict[str, object]) -> str:
    return " ".join((stamp, level, event, *_pairs(fields)))


def _pairs(fields: dict[str, object]) -> Iterator[str]:
    return (f"{name}={value}" for name, value in fields.items())


def _as_json(stamp: str, level: str, event: str, fields: dict[str, object]) -> str:
    import json  # the proxy logs nothing and should not carry it

    line = {"ts": stamp, "level": level, "event": event, **fields}
    return json.dumps(line, ensure_ascii=True, separators=(",", ":"))


_current = Log(StderrSink(), level="warning")
