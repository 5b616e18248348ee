"""How rules read their words: one TOML file a locale, patterns made of named parts.

    [words]                       # lists of words and phrases, each usable as @name
    target = ["rules", "the instructions"]
    [parts]                       # patterns, each usable as @name by those below it
    aimed = "(?:your |the )?@target"
    [patterns]                    # what code asks for by name
    override = "ignore @aimed"

Everything is written as `folded.fold` gives it (lower case, half width), but in either Chinese
script: characters are simplified here, as they are in the text. Line breaks inside a pattern are
layout. Nothing is compiled until its name is asked for, and parts are kept as they are written: in
full, those of a hundred patterns are ten times as long.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from mnemod.domain import han, ready

LOCALES: Final = ("en", "zh", "ja")
_LAYOUT: Final = re.compile(r"\n\s*")
_NAME: Final = re.compile(r"@([a-z_]+)")
_Node = dict[str, "_Node"]


class Vocabulary:
    """The words, parts and patterns of one file. Raises KeyError for a name that is not there."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data: Mapping[str, Any] = data
        self.words: Mapping[str, tuple[str, ...]] = {
            name: tuple(map(han.simplified, listed))
            for name, listed in data.get("words", {}).items()
        }
        self._compiled: dict[str, re.Pattern[str]] = {}

    def pattern(self, name: str) -> re.Pattern[str]:
        """The compiled pattern `name`."""
        found = self._compiled.get(name)
        if found is None:
            found = ready.compiled(self.expand(self.data["patterns"][name]))
            self._compiled[name] = found
        return found

    def expand(self, source: str) -> str:
        """A pattern's source with its parts filled in."""
        plain = _LAYOUT.sub("", han.simplified(source))
        return _NAME.sub(lambda found: self._part(found[1]), plain)

    def of_patterns(self, names: Iterable[str]) -> Vocabulary:
        """The same patterns, and of the words these lists alone: others are parts now."""
        parts = {name: any_of(listed) for name, listed in self.words.items()}
        return Vocabulary(
            {
                "words": {name: self.words[name] for name in names},
                "parts": parts | self.data.get("parts", {}),
                "patterns": self.data.get("patterns", {}),
            }
        )

    def _part(self, name: str) -> str:
        part = self.data.get("parts", {}).get(name)
        return any_of(self.words[name]) if part is None else f"(?:{self.expand(part)})"


@cache
def load(folder: Path, locale: str) -> Vocabulary:
    """The vocabulary of `locale` in `folder`, read once."""
    return Vocabulary(ready.tables(folder / f"{locale}.toml"))


def any_of(words: Iterable[str]) -> str:
    """A pattern's source for any of `words`, the longest first.

    It tries one letter at a time, so that a place where no word begins costs one look.
    """
    root: _Node = {}
    for word in words:
        node = root
        for char in word:
            node = node.setdefault(char, {})
        node[""] = {}
    return f"(?:{_source(root)})"


def _source(node: _Node) -> str:
    branches = [re.escape(char) + _source(below) for char, below in sorted(node.items()) if char]
    if not branches:
        return ""
    whole = branches[0] if len(branches) == 1 and "" not in node else f"(?:{'|'.join(branches)})"
    return f"{whole}?" if "" in node else whole
