"""How rules read their words: one TOML file a locale, patterns made of named parts.

    [words]                       # lists of words and phrases, each usable as @name
    target = ["rules", "the instructions"]
    [parts]                       # patterns, each usable as @name by those below it
    aimed = "(?:your |the )?@target"
    [patterns]                    # what code asks for by name
    override = "ignore @aimed"

Everything is written as `folded.fold` gives it (lower case, half width), but in either Chinese
script: characters are simplified here, as they are in the text. Line breaks inside a pattern are
layout. Nothing is compiled until its name is asked for.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from mnemod.domain import han

LOCALES: Final = ("en", "zh", "ja")
_LAYOUT: Final = re.compile(r"\n\s*")
_NAME: Final = re.compile(r"@([a-z_]+)")
_Node = dict[str, "_Node"]


class Vocabulary:
    """The words, parts and patterns of one file. Raises KeyError for a name that is not there."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data: Mapping[str, Any] = data
        self.words: Mapping[str, tuple[str, ...]] = {
            name: tuple(han.simplified(word) for word in listed)
            for name, listed in data.get("words", {}).items()
        }
        self._parts = {name: any_of(listed) for name, listed in self.words.items()}
        for name, pattern in data.get("parts", {}).items():
            self._parts[name] = f"(?:{self.expand(pattern)})"
        self._compiled: dict[str, re.Pattern[str]] = {}

    def pattern(self, name: str) -> re.Pattern[str]:
        """The compiled pattern `name`."""
        found = self._compiled.get(name)
        if found is None:
            found = self._compiled[name] = re.compile(self.expand(self.data["patterns"][name]))
        return found

    def expand(self, source: str) -> str:
        """A pattern's source with its parts filled in."""
        plain = _LAYOUT.sub("", han.simplified(source))
        return _NAME.sub(lambda found: self._parts[found[1]], plain)


@cache
def load(folder: Path, locale: str) -> Vocabulary:
    """The vocabulary of `locale` in `folder`, read once."""
    source = (folder / f"{locale}.toml").read_text(encoding="utf-8")
    return Vocabulary(tomllib.loads(source))


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
