"""A TOML file whose mistakes can be pointed at: values by dotted key, and the line of each.

tomllib says the line of a mistake only inside its message's prose, with the reader's text beside
it, and of a value not at all. So lines are found by parsing ever longer beginnings of the file;
configuration files are short.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from mnemod.settings.errors import SettingsError


class TomlFile:
    """Read whole, once. Raises SettingsError if it cannot be read or parsed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines = _read(path).split("\n")
        parsed = _parsed(self._lines)
        if parsed is None:
            raise SettingsError(str(path), "", "not valid TOML", self._broken_line())
        self._parsed = parsed

    def values(self, sections: Collection[str]) -> Iterator[tuple[str, object]]:
        """`section.key` and its value. An empty table of `sections` holds nothing."""
        return _flat(self._parsed, sections)

    def line_of(self, name: str) -> int | None:
        """The line on which `name` gets its value: the end of the shortest part that holds it."""
        for count in range(1, len(self._lines) + 1):
            parsed = _parsed(self._lines[:count])
            if parsed is not None and any(found == name for found, _ in _flat(parsed, ())):
                return count
        return None

    def _broken_line(self) -> int:
        """The line after the longest beginning that parses."""
        counts = range(len(self._lines) - 1, -1, -1)
        return next(n for n in counts if _parsed(self._lines[:n]) is not None) + 1


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as exc:
        line = exc.object[: exc.start].count(b"\n") + 1
        raise SettingsError(str(path), "", "not UTF-8", line) from None
    except OSError as exc:
        raise SettingsError(str(path), "", f"cannot be read ({type(exc).__name__})") from None


def _parsed(lines: list[str]) -> dict[str, object] | None:
    try:
        return tomllib.loads("\n".join(lines))
    except tomllib.TOMLDecodeError:
        return None


def _flat(
    table: Mapping[str, object], sections: Collection[str], prefix: str = ""
) -> Iterator[tuple[str, object]]:
    """Two levels deep, no deeper: what is below is a value, and one that fits nowhere."""
    for name, value in table.items():
        if isinstance(value, dict) and value and not prefix:
            yield from _flat(value, sections, f"{name}.")
        elif value != {} or f"{prefix}{name}" not in sections:
            yield f"{prefix}{name}", value
