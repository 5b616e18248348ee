"""A table for `str.translate` that works out each character once, when it is first met."""

from __future__ import annotations

from collections.abc import Callable


class PerCharacter(dict[int, str]):
    """Maps code points by a rule; a rule gives the text that stands for a character."""

    def __init__(self, rule: Callable[[str], str]) -> None:
        super().__init__()
        self._rule = rule

    def __missing__(self, code: int) -> str:
        self[code] = found = self._rule(chr(code))
        return found
