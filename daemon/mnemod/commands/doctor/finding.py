"""What a check found: a state, what is so, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum


class State(StrEnum):
    """How a check came out."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Finding:
    """One check. `found` is what is so; `todo` is one thing to do, empty where nothing is."""

    check: str
    state: State
    found: str
    todo: str = ""

    def as_dict(self) -> dict[str, str]:
        """As JSON members."""
        return asdict(self)


def ok(check: str, found: str) -> Finding:
    """All is well."""
    return Finding(check, State.OK, found)


def warning(check: str, found: str, todo: str) -> Finding:
    """It works, and somebody should look."""
    return Finding(check, State.WARNING, found, todo)


def failed(check: str, found: str, todo: str) -> Finding:
    """It does not work."""
    return Finding(check, State.FAILED, found, todo)


def exit_code(findings: Iterable[Finding], *, strict: bool) -> int:
    """2 for anything failed; 1 for a warning, if warnings count; else 0."""
    states = {finding.state for finding in findings}
    if State.FAILED in states:
        return 2
    return 1 if strict and State.WARNING in states else 0
