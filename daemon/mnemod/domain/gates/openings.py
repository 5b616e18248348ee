"""With which characters a pattern may begin: its first two, worked out from the pattern itself.

A pattern of many alternatives is slow to search with and quick to try where one of them begins.
Read from the tree that `re` compiles: what that module calls it is not promised, so whatever is
not known here makes a pattern one that may begin anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

OPENINGS_MAX: Final = 4_000
"""Where two characters have more ways to stand side by side, one has to do."""
SPAN_MAX: Final = 128
"""A class of more characters is any character."""
_SPACES: Final = frozenset(" \n")
_DIGITS: Final = frozenset("0123456789")
_LENGTH: Final = 2


class _AnywhereError(Exception):
    """The pattern may begin with anything."""


def openings(source: str) -> frozenset[str] | None:
    """What a match of `source` begins with, two characters or one; None for anything."""
    parser: Any = getattr(re, "_parser", None)
    if parser is None:
        return None
    try:
        more, done = _row(parser.parse(source))
    except _AnywhereError:
        return None
    found = more | done
    return None if "" in found else frozenset(found)


_First = tuple[set[str], set[str]]
"""Beginnings that what follows adds to, and those that are as long as is known."""


def _row(nodes: Iterable[tuple[Any, Any]]) -> _First:
    more, done = {""}, set[str]()
    for node in nodes:
        if not more:
            break
        more, done = _then((more, done), _first(*node))
    return more, done


def _then(before: _First, after: _First) -> _First:
    more, done = set[str](), set(before[1])
    if len(before[0]) * (len(after[0]) + len(after[1])) > OPENINGS_MAX:
        return _then_one(before, after)
    for first in before[0]:
        done.update((first + then)[:_LENGTH] for then in after[1])
        for then in after[0]:
            both = (first + then)[:_LENGTH]
            (done if len(both) == _LENGTH else more).add(both)
    return more, done


def _then_one(before: _First, after: _First) -> _First:
    done = before[1] | before[0] - {""}
    if "" not in before[0]:
        return set(), done
    return after[0] & {""}, done | {then[:1] for then in (after[0] | after[1]) - {""}} | (
        after[1] & {""}
    )


def _first(kind: Any, value: Any) -> _First:
    match str(kind):
        case "LITERAL":
            return {chr(value)}, set()
        case "IN":
            return _of_class(value)
        case "ANY" | "NOT_LITERAL":
            return set(), {""}
        case "AT" | "ASSERT" | "ASSERT_NOT":
            return {""}, set()
        case "SUBPATTERN":
            return _row(value[3])
        case "ATOMIC_GROUP":
            return _row(value)
        case "BRANCH":
            return _either(map(_row, value[1]))
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return _repeated(*value)
    raise _AnywhereError


def _repeated(least: int, most: int, nodes: Any) -> _First:
    once = _row(nodes)
    ways = [once, _then(once, once)] if most > 1 else [once]
    if least == 0:
        ways.append(({""}, set()))
    return _either(ways)


def _either(ways: Iterable[_First]) -> _First:
    more, done = set[str](), set[str]()
    for way in ways:
        more |= way[0]
        done |= way[1]
    return more, done


def _of_class(members: Iterable[tuple[Any, Any]]) -> _First:
    chars = set[str]()
    for kind, value in members:
        match str(kind), str(value):
            case "LITERAL", _:
                chars.add(chr(value))
            case "RANGE", _ if value[1] - value[0] < SPAN_MAX:
                chars.update(map(chr, range(value[0], value[1] + 1)))
            case "CATEGORY", "CATEGORY_SPACE":
                chars |= _SPACES
            case "CATEGORY", "CATEGORY_DIGIT":
                chars |= _DIGITS
            case _:
                return set(), {""}
    return chars, set()
