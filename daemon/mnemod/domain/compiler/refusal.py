"""Why a reply cannot be used: a stable code, and a hint that helps whoever wrote it to do better.

Inside the compiler a refusal is raised, because it ends the whole reply from any depth; what leaves
the compiler is the value.
"""

from __future__ import annotations

from msgspec import Struct


class CompileError(Struct, frozen=True):
    """`code` is stored and shown; `hint` goes to the interpreter alone, and is never stored."""

    code: str
    hint: str


class Refusal(Exception):
    """Carries a CompileError to the compiler's door."""

    def __init__(self, code: str, hint: str) -> None:
        super().__init__(code)
        self.error = CompileError(code, hint)
