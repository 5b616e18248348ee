"""Word lists as patterns that a long text is searched for quickly.

A trie's source tries one letter at a time, so that a place where no word begins costs one look.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_Node = dict[str, "_Node"]


def trie(words: Iterable[str]) -> str:
    """A pattern's source for any of `words`, the longest that fits first."""
    root: _Node = {}
    for word in words:
        node = root
        for char in word:
            node = node.setdefault(char, {})
        node[""] = {}
    return _source(root)


def _source(node: _Node) -> str:
    branches = [re.escape(char) + _source(below) for char, below in sorted(node.items()) if char]
    if not branches:
        return ""
    whole = branches[0] if len(branches) == 1 and "" not in node else f"(?:{'|'.join(branches)})"
    return f"{whole}?" if "" in node else whole
