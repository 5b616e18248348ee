"""Places where a text hides from its reader or pretends to end: comments, role tags, boundaries.

A region is such a place; what is an order in it is told by `directives`. Script, handlers with
code and addresses that run code are orders by themselves (`active`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from mnemod.domain import vocabulary
from mnemod.domain.gates.verdict import Detector

REACH_CHARS: Final = 400
TURNS_MAX: Final = 256
REGIONS_MAX: Final = 64
"""Of one kind in one text; past it, one region reaches to the end."""


class Region(Struct, frozen=True):
    """`start` to `end` of the text looked at, what an order in it is called, where it may begin."""

    start: int
    end: int
    detector: Detector
    reason: str
    inside: int


_SPECIAL: Final = re.compile(r"[<>\[\]{}#/*=|_~:]")
_RULES_OF_A_LINE: Final = ("--", "==", "#", "**", "__", "~~", "end of")
_WORDS: Final = Path(__file__).with_name("vocabulary")


class _Comment(Struct, frozen=True):
    sign: str
    opening: re.Pattern[str]
    closings: tuple[str, ...]
    code: bool


def _pattern(name: str) -> re.Pattern[str]:
    return vocabulary.load(_WORDS, "markup").pattern(name)


@cache
def _kinds_of_comment() -> tuple[_Comment, ...]:
    listed = vocabulary.load(_WORDS, "markup").data["comment"]
    return tuple(
        _Comment(
            each["sign"],
            re.compile(each["opening"]),
            tuple(each["closings"]),
            each.get("code", False),
        )
        for each in listed
    )


@cache
def _comment_signs() -> re.Pattern[str]:
    signs = {kind.sign.lstrip(" ") for kind in _kinds_of_comment()}
    return re.compile("|".join(map(re.escape, sorted(signs))))


def regions(text: str) -> Iterator[Region]:
    """The regions of a folded text. A comment that is never closed reaches to the end."""
    if not _SPECIAL.search(text) and "--" not in text and "end of" not in text:
        return
    # With a line end in front every line begins in one way.
    for region in _regions(f"\n{text}"):
        yield replace(region, start=max(0, region.start - 1), end=region.end - 1)


def _regions(text: str) -> Iterator[Region]:
    yield from _comments(text)
    if "<" in text or "[" in text or "{" in text:
        yield from _reaching("tag", text, Detector.INJECTION)
        yield from _reaching("hidden_html", text, Detector.INJECTION)
    if ("=" in text and "<" in text) or "![" in text:
        yield from _reaching("attribute", text, Detector.INJECTION)
    if any(rule in text for rule in _RULES_OF_A_LINE):
        yield from _reaching("boundary", text, Detector.INJECTION)
    if ":" in text or ">" in text:
        yield from _reaching("prefix", text, Detector.ROLE)
    if ":" in text:
        yield from _reaching("field", text, Detector.INJECTION)


def is_reminder(text: str, region: Region) -> bool:
    """Whether a comment is a note to people: of what is left to do, or on code and naming no AI."""
    inside = max(0, region.inside)
    if region.reason == "code" and not _pattern("named").search(text, inside, region.end):
        return True
    return _pattern("todo").match(text, inside) is not None


def active(text: str) -> Iterator[tuple[int, int]]:
    """Markup that runs code when shown."""
    found: list[tuple[int, int]] = []
    if "<" in text and ("=" in text or "script" in text):
        found += (match.span() for match in _pattern("active_tag").finditer(text))
    if "script:" in text or "data:text" in text:
        found += (match.span() for match in _pattern("active_link").finditer(text))
    yield from sorted(found)


def forged_turns(text: str) -> tuple[int, int] | None:
    """Turns of a conversation made up inside one message, in which the assistant agrees."""
    if text.count(":") < 2:
        return None
    lines = f"\n{text}"
    turns = list(islice(_pattern("prefix").finditer(lines), TURNS_MAX))
    if len({turn[1] for turn in turns}) < 2:
        return None
    assisting = vocabulary.load(_WORDS, "markup").data["roles"]["assisting"]
    for turn in turns:
        if turn[1] in assisting and _pattern("agrees").match(lines, turn.end()):
            return turns[0].start(), turns[-1].end() - 1
    return None


def _comments(text: str) -> Iterator[Region]:
    if not _comment_signs().search(text):
        return
    for kind in _kinds_of_comment():
        if kind.sign not in text:
            continue
        at = count = 0
        reason = "code" if kind.code else "comment"
        while found := kind.opening.search(text, at):
            count += 1
            ends = [text.find(closing, found.end()) for closing in kind.closings]
            end = min((each for each in ends if each >= 0), default=-1)
            if end < 0 or count > REGIONS_MAX:
                end = len(text)
            yield Region(found.start(), end, Detector.COMMENT, reason, found.start() - 1)
            at = max(end, found.end())


def _reaching(name: str, text: str, detector: Detector) -> Iterator[Region]:
    for count, found in enumerate(_pattern(name).finditer(text)):
        if count == REGIONS_MAX:
            yield Region(found.start(), len(text), detector, name, found.end() - 1)
            return
        end = min(len(text), found.end() + REACH_CHARS)
        yield Region(found.start(), end, detector, name, found.end() - 1)
