"""Kinds of things by locale: "what drink do I like" is answered by "prefers iced americano".

A kind is asked for by one of its names; its members are then searched for in its place: only where
the question's own words found nothing, and only where the kind is all that it asks about.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from mnemod.domain.tokens import terms

LOCALES: Final = ("en", "zh", "ja")


class Kind(NamedTuple):
    """What a kind is called, as folded text, and the terms of what is of that kind."""

    names: tuple[str, ...]
    members: tuple[str, ...]


def _kinds(locale: str) -> list[Kind]:
    source = Path(__file__).with_name(f"{locale}.toml")
    tables = tomllib.loads(source.read_text(encoding="utf-8")).values()
    return [Kind(tuple(t["names"].split()), _told_by(t["members"].split())) for t in tables]


def _told_by(members: list[str]) -> tuple[str, ...]:
    # Of a member in a script without spaces, a single character tells too little.
    found = [term for member in members for term in terms(member) if len(term) > 1]
    return tuple(dict.fromkeys(found))


@cache
def _known() -> tuple[Kind, ...]:
    # Read for the first question whose own words find nothing.
    return tuple(kind for locale in LOCALES for kind in _kinds(locale))


def members_asked_for(query: str, content: Collection[str]) -> tuple[str, ...]:
    """The terms of all that is of the kinds named in `query`; none if it asks about more.

    `content` are the terms of the query that say what it is about.
    """
    folded = query.casefold()
    named = [kind for kind in _known() if any(_stands_in(folded, name) for name in kind.names)]
    called = {term for kind in named for name in kind.names for term in terms(name)}
    if not called.issuperset(content):
        return ()
    return tuple(dict.fromkeys(term for kind in named for term in kind.members))


def _stands_in(folded: str, name: str) -> bool:
    if not name.isascii():
        return name in folded
    return re.search(rf"(?<!\w){name}(?!\w)", folded) is not None
