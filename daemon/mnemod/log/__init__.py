"""One line an event, for people (text) or programs (JSON), with nothing in it that a person said.

    2026-11-30T12:13:36.123Z info call_answered conn=3 method=observe id=9f2ac01b ms=1.8
    {"ts":"2026-11-30T12:13:36.123Z","level":"info","event":"call_answered","conn":3,...}

The fields are a closed set, so nobody can log a body by mistake: `conn` (a number), `method` (a
name from the schema), `id` (a request id, written as a keyed hash: hosts put anything in there),
`ms`, `error_id`, `kind`, `count`, `pid`, `version`, `at` (see `types_only`). Set up once, by
`configure`; until then warnings go to stderr, which is where a library user wants them.
"""

from __future__ import annotations

import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterator
from hashlib import blake2b
from types import TracebackType
from typing import Final, TypedDict, Unpack

from mnemod.log.faults import types_only
from mnemod.log.files import Sink, StderrSink

__all__ = ["LEVELS", "Fields", "Log", "configure", "current", "types_only"]

LEVELS: Final = ("debug", "info", "warning", "error")
_HASH_KEY: Final = secrets.token_bytes(16)


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
