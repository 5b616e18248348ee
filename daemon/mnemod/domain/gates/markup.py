"""Places where a text hides from its reader or pretends to end: comments, role tags, boundaries.

A region is such a place; what is an order in it is told by `directives`. Script, handlers with
code and addresses that run code are orders by themselves (`active`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from mnemod.domain import vocabulary
from mnemod.domain.gates.verdict import Detector

REACH_CHARS: Final = 400
REGIONS_MAX: Final = 64
"""Of one kind in one text; past it, one region reaches to the end."""


@dataclass(frozen=True, slots=True)
class Region:
    """`start` to `end` of the text looked at, and what an order in it is called."""

    start: int
    end: int
    detector: Detector
    reason: str


_SPECIAL: Final = re.compile(r"[<>\[\]{}#/*=|_~]|--|:|end of")
_WORDS: Final = Path(__file__).with_name("vocabulary")


@dataclass(frozen=True, slots=True)
class _Comment:
    sign: str
    opening: re.Pattern[str]
    closings: tuple[str, ...]


def _pattern(name: str) -> re.Pattern[str]:
    return vocabulary.load(_WORDS, "markup").pattern(name)


@cache
def _kinds_of_comment() -> tuple[_Comment, ...]:
    listed = vocabulary.load(_WORDS, "markup").data["comment"]
    return tuple(
        _Comment(each["sign"], re.compile(each["opening"]), tuple(each["closings"]))
        for each in listed
    )


def regions(text: str) -> Iterator[Region]:
    """The regions of a folded text. A comment that is never closed reaches to the end."""
    if not _SPECIAL.search(text):
        return
    yield from _comments(text)
    if "<" in text or "[" in text or "{" in text:
        yield from _reaching(_pattern("tag"), text, Detector.INJECTION, "role_tag")
        yield from _reaching(_pattern("hidden_html"), text, Detector.INJECTION, "hidden_element")
    if (
        "--" in text
        or "==" in text
        or "#" in text
        or "**" in text
        or "__" in text
        or "~~" in text
        or "end of" in text
    ):
        yield from _reaching(_pattern("boundary"), text, Detector.INJECTION, "boundary")
    if _pattern("prefix_sign").search(text):
        yield from _reaching(_pattern("prefix"), text, Detector.ROLE, "role_prefix")


def active(text: str) -> Iterator[tuple[int, int]]:
    """Markup that runs code when shown."""
    if (
        ("<" in text and "=" in text)
        or "script:" in text
        or "data:text" in text
        or "<script" in text
    ):
        for found in _pattern("active").finditer(text):
            yield found.span()


def forged_turns(text: str) -> tuple[int, int] | None:
    """Turns of a conversation made up inside one message, in which the assistant agrees."""
    if not _pattern("prefix_sign").search(text):
        return None
    turns = list(_pattern("prefix").finditer(text))
    if len({turn[1] for turn in turns}) < 2:
        return None
    assisting = vocabulary.load(_WORDS, "markup").data["roles"]["assisting"]
    for turn in turns:
        if turn[1] in assisting and _pattern("agrees").match(text, turn.end()):
            return turns[0].start(), turns[-1].end()
    return None


def _comments(text: str) -> Iterator[Region]:
    for kind in _kinds_of_comment():
        if kind.sign not in text:
            continue
        at = count = 0
        while found := kind.opening.search(text, at):
            count += 1
            ends = [text.find(closing, found.end()) for closing in kind.closings]
            end = min((each for each in ends if each >= 0), default=-1)
            if end < 0 or count > REGIONS_MAX:
                end = len(text)
            yield Region(found.start(), end, Detector.COMMENT, "comment")
            at = max(end, found.end())


def _reaching(
    pattern: re.Pattern[str], text: str, detector: Detector, reason: str
) -> Iterator[Region]:
    for count, found in enumerate(pattern.finditer(text)):
        if count == REGIONS_MAX:
            yield Region(found.start(), len(text), detector, reason)
            return
        yield Region(found.start(), min(len(text), found.end() + REACH_CHARS), detector, reason)
