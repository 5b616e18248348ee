"""Finds orders: what the words of a directive mean where they stand.

An order begins a sentence, or follows who is addressed ("you must", "please", 助理必须); the same
words after somebody else's name are a tale about that person. `directive_rules` says how the rules
are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from msgspec import Struct

from mnemod.domain.gates import directive_rules
from mnemod.domain.gates.cues import Stretch, Try
from mnemod.domain.gates.directive_rules import Language, Place, Rule
from mnemod.domain.gates.openings import openings
from mnemod.domain.gates.verdict import Detector

BEFORE_CHARS: Final = 64
AFTER_CHARS: Final = 120
FOUND_MAX: Final = 256
"""No person writes as many near-orders in one text: what has more is one."""


class Finding(Struct, frozen=True):
    """Words of a rule at `start` to `end` of the text looked at. A tale has weight 0."""

    start: int
    end: int
    name: str
    detector: Detector
    weight: int
    hidden: bool = False
    loose: bool = False
    faint: bool = False


class Frame(Struct, frozen=True):
    """What makes an order of weak words near it: an authority, a role, a newer rule."""

    start: int
    end: int
    detector: Detector


def findings(text: str, language: Language, stretch: Stretch) -> Iterator[Finding]:
    """What the rules find in a stretch of `text`."""
    for rule, match in _matches(text, language, stretch):
        found = _weighed(text, match, rule, language)
        if found is not None:
            yield found


def frames(text: str, start: int, end: int, language: Language) -> Iterator[Frame]:
    """Where the frames of the language stand in `text[start:end]`."""
    for number, match in sorted(_framed(text, start, end, language), key=_by_frame):
        yield Frame(match.start(), match.end(), language.frames[number].detector)


def _framed(
    text: str, start: int, end: int, language: Language
) -> Iterator[tuple[int, re.Match[str]]]:
    """Each frame with its matches. It is tried only where one can begin: searching takes longer."""
    known = _frame_openings(language.locale)
    past = [start] * len(language.frames)
    for place in known.begins.finditer(text, start, end):
        at = place.start()
        for number in known.frames.get(text[at : at + 2], ()) + known.frames.get(text[at], ()):
            if at < past[number]:
                continue
            match = language.frames[number].pattern.compiled().match(text, at, end)
            if match:
                past[number] = match.end()
                yield number, match
    for number in known.anywhere:
        for match in language.frames[number].pattern.compiled().finditer(text, start, end):
            yield number, match


def _by_frame(found: tuple[int, re.Match[str]]) -> tuple[int, int]:
    return found[0], found[1].start()


class _Openings(Struct, frozen=True):
    """Where frames may begin: the frames by their first characters, and those without any."""

    begins: re.Pattern[str]
    frames: dict[str, tuple[int, ...]]
    anywhere: tuple[int, ...]


@cache
def _frame_openings(locale: str) -> _Openings:
    frames: dict[str, tuple[int, ...]] = {}
    anywhere: list[int] = []
    for number, frame in enumerate(directive_rules.language(locale).frames):
        first = openings(frame.pattern.expanded())
        if first is None:
            anywhere.append(number)
        for word in first or ():
            frames[word] = (*frames.get(word, ()), number)
    return _Openings(_begins(frames, apart=locale == "en"), frames, tuple(anywhere))


def _begins(words: Iterable[str], *, apart: bool) -> re.Pattern[str]:
    """Where words of one or two characters may begin; `apart` if none does within another word.

    A row of dashes is no word, and none begins within it.
    """
    first = _class({word[0] for word in words})
    after = _class({word[1] for word in words if len(word) > 1})
    alone = _class({word for word in words if len(word) == 1})
    either = f"(?:(?=[{after}])|(?<=[{alone}]))" if alone else f"(?=[{after}])"
    return re.compile(f"[{first}]{'(?<![a-z][a-z]|--)' if apart else ''}{either}")


def _class(chars: Iterable[str]) -> str:
    return re.escape("".join(sorted(chars)))


def _matches(
    text: str, language: Language, stretch: Stretch
) -> Iterator[tuple[Rule, re.Match[str]]]:
    past: dict[int, int] = {}
    for number, at in tries(stretch):
        rule = language.rules[number]
        found = rule.pattern.compiled().match(text, at)
        if found and at >= past.get(number, 0):
            past[number] = found.end()
            yield rule, found


def tries(stretch: Stretch) -> list[Try]:
    """The rules to be tried in a stretch, by number, each with the places where it may begin."""
    return stretch.others + stretch.tries


def _weighed(text: str, match: re.Match[str], rule: Rule, language: Language) -> Finding | None:
    weight = rule.weight
    before = text[max(0, match.start() - BEFORE_CHARS) : match.start()]
    if rule.unowned and language.words.pattern("owned").search(before):
        return None
    if rule.place is not Place.ANYWHERE:
        weight = _weight_in_place(before, match, rule, language)
        if weight < 0:
            return None
    if rule.ending and weight and _narrates(text, match.end(), language):
        weight = 0
    if weight and _is_of_others(text, before, match, language):
        weight = 0
    return Finding(
        match.start(),
        match.end(),
        rule.name,
        rule.detector,
        weight,
        rule.hidden,
        rule.loose,
        rule.faint,
    )


def _weight_in_place(before: str, match: re.Match[str], rule: Rule, language: Language) -> int:
    """How much it weighs there: 0 for a tale, less than 0 for the opposite of an order."""
    words = language.words
    if words.pattern("denies").search(before):
        return -1
    opens = words.pattern("opens").search(before) is not None
    refused = not opens and words.pattern("refuses").search(before) is not None
    if rule.place is Place.OPENING:
        return rule.weight if opens else 0
    aimed = match[0]
    if words.pattern("addressed").search(aimed):
        return 0 if refused else rule.weight
    if not opens:
        return 0
    after = match.string[match.end() : match.end() + AFTER_CHARS]
    if words.pattern("excused").match(after):
        return 0
    return rule.weight if words.pattern("whole").search(aimed) else rule.weight - 1


def _narrates(text: str, end: int, language: Language) -> bool:
    after = text[end : end + AFTER_CHARS]
    return language.words.pattern("narrates").match(after) is not None


def _is_of_others(text: str, before: str, match: re.Match[str], language: Language) -> bool:
    """Whether somebody else was told, or it is a thing, a place or data of the speaker's own."""
    words = language.words
    if words.pattern("questions").search(before):
        return True
    after = text[match.end() : match.end() + BEFORE_CHARS]
    is_elsewhere = words.pattern("elsewhere").search(before) or words.pattern("own_place").match(
        after
    )
    return is_elsewhere is not None and not words.pattern("concerns").search(match[0] + after)
