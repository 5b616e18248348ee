"""An exception as a log line may show it: what it is and where, and nothing that it holds."""

from __future__ import annotations

from types import TracebackType
from typing import Final

_FRAMES_MAX: Final = 6


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
