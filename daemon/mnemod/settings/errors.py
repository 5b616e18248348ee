"""How a wrong setting is told."""

from __future__ import annotations

from mnemod.exits import Exit, Refused


class SettingsError(Refused):
    """A setting is wrong. `key` and `line` say which and where; `line` is None for a variable."""

    def __init__(self, where: str, key: str, why: str, line: int | None = None) -> None:
        place = f"{where}, line {line}" if line else where
        super().__init__(Exit.CONFIG, f"{place}: {key}: {why}" if key else f"{place}: {why}")
        self.key = key
        self.line = line
