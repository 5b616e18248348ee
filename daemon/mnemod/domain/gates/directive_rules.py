"""The rules of one language about who is told to do what: read from its vocabulary, compiled late.

A `[[rule]]` of a vocabulary file has

    name      stable word, the reason of a verdict
    detector  what a hold by this rule alone is called; "injection" where it is left out
    weight    2 holds by itself; 1 needs a frame or a second rule beside it
    needs     word lists: a word of each must be near, or the pattern is not tried
    place     "opening"  only where an order can stand (a sentence begins, "you must", "please")
              "aimed"    as "opening"; what its object is decides how much that matters
              "anywhere" the words say it wherever they stand
    ending    true: what follows decides whether it is an order or a tale (Japanese)
    begins    words one of which the pattern begins with: it is tried only there
    hidden    true: counts only where a text hides: comments, role tags, behind fake boundaries
    loose     true: people say it of anything: only a rule that is not makes an order of it
    pattern   the words

and a `[[frame]]` has `detector` and `pattern`: what makes an order of a weak rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, Final

from mnemod.domain import vocabulary
from mnemod.domain.gates.cues import Cues, EastCues, LatinCues, Piece, Stretch
from mnemod.domain.gates.openings import openings
from mnemod.domain.gates.verdict import Detector
from mnemod.domain.vocabulary import Vocabulary

VOCABULARY: Final = Path(__file__).with_name("vocabulary")
BEFORE_CHARS: Final = 2
_LATIN: Final = re.compile("[a-z]{3}")
_EAST: Final = re.compile("[\u3041-\u30ff\u3400-\u9fff]")
_KANA: Final = re.compile("[\u3041-\u30ff]")


class Place(StrEnum):
    """Where the words of a rule are an order."""

    OPENING = "opening"
    AIMED = "aimed"
    ANYWHERE = "anywhere"


@dataclass(slots=True)
class Pattern:
    """A pattern of a vocabulary, compiled when it is first tried."""

    source: str
    words: Vocabulary
    _compiled: re.Pattern[str] | None = field(default=None, init=False)

    def compiled(self) -> re.Pattern[str]:
        if self._compiled is None:
            self._compiled = re.compile(self.expanded())
        return self._compiled

    def expanded(self) -> str:
        return self.words.expand(self.source)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of one language."""

    name: str
    detector: Detector
    weight: int
    needs: tuple[str, ...]
    begins: tuple[str, ...]
    place: Place
    ending: bool
    hidden: bool
    loose: bool
    pattern: Pattern


@dataclass(frozen=True, slots=True)
class Language:
    """The rules and frames of one language, and where the words they need stand together."""

    locale: str
    words: Vocabulary
    rules: tuple[Rule, ...]
    frames: tuple[Rule, ...]
    cues: Cues
    starts: Starts
    hidden: int
    """The rules, as bits, that count only where a text hides."""


class Starts:
    """Where the rules of a language may begin: by two characters, or by one."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = rules
        self._known = 0
        self._anywhere = 0
        self._pairs: dict[str, int] = {}
        self._alone: dict[str, int] = {}

    def places(self, text: str, piece: Piece, unasked: int) -> list[tuple[int, int]]:
        """Where in a piece which of its rules, as bits without `unasked`, are to be tried."""
        asked = piece.rules & ~unasked
        if not asked:
            return []
        if asked & ~self._known:
            self._learn(asked & ~self._known)
        # A pattern may begin with the sign that ends the sentence before.
        start = max(0, piece.start - BEFORE_CHARS)
        part = text[start : piece.end + 1]
        alone = map(self._alone.get, part[: piece.end - start])
        pairs = map(self._pairs.get, map(str.__add__, part, part[1:] + " "))
        anywhere = self._anywhere
        return [
            (at, rules)
            for at, pair, one in zip(count(start), pairs, alone, strict=False)
            if (rules := ((pair or one or 0) | anywhere) & asked)
        ]

    def _learn(self, numbers: int) -> None:
        self._known |= numbers
        for number, rule in enumerate(self._rules):
            if numbers >> number & 1:
                for first in openings(rule.pattern.expanded()) or ("",):
                    self._note(first, 1 << number)
        for pair in self._pairs:
            self._pairs[pair] |= self._alone.get(pair[0], 0)

    def _note(self, first: str, rule: int) -> None:
        if not first:
            self._anywhere |= rule
            return
        table = self._alone if len(first) == 1 else self._pairs
        table[first] = table.get(first, 0) | rule


def near(text: str) -> Iterator[tuple[Language, Stretch]]:
    """The stretches of `text` in which the words of a rule stand together, by language."""
    for each in languages(text):
        if isinstance(each.cues, LatinCues):
            for stretch in each.cues.stretches(text):
                yield each, stretch
    for each, stretches in _near_east(text):
        for stretch in stretches:
            yield each, stretch


def _near_east(text: str) -> Iterator[tuple[Language, list[Stretch]]]:
    written = tuple(each for each in languages(text) if not isinstance(each.cues, LatinCues))
    if written:
        cues = _east(tuple(each.locale for each in written))
        yield from zip(written, cues.stretches(text), strict=True)


@cache
def _east(locales: tuple[str, ...]) -> EastCues:
    return EastCues([language(locale).cues for locale in locales])


@cache
def language(locale: str) -> Language:
    """The rules of `locale`, read once."""
    words = vocabulary.load(VOCABULARY, locale)
    rules = tuple(_rule(data, words) for data in words.data.get("rule", ()))
    frames = tuple(_rule(data, words) for data in words.data.get("frame", ()))
    needed = {name: words.words[name] for rule in rules for name in rule.needs}
    hidden = sum(1 << at for at, rule in enumerate(rules) if rule.hidden)
    cues = (LatinCues if locale == "en" else Cues)(
        needed, [rule.needs for rule in rules], [rule.begins for rule in rules]
    )
    return Language(locale, words, rules, frames, cues, Starts(rules), hidden)


def languages(text: str) -> tuple[Language, ...]:
    """The languages whose letters are in `text`: without kana, no order is Japanese."""
    locales = ["en"] if _LATIN.search(text) else []
    if not text.isascii() and _EAST.search(text):
        locales += ["zh", "ja"] if _KANA.search(text) else ["zh"]
    return tuple(language(locale) for locale in locales)


def _rule(data: Mapping[str, Any], words: Vocabulary) -> Rule:
    return Rule(
        data.get("name", "frame"),
        Detector(data.get("detector", "injection")),
        data.get("weight", 1),
        tuple(data.get("needs", ())),
        tuple(word for name in data.get("begins", ()) for word in words.words.get(name, (name,))),
        Place(data.get("place", "anywhere")),
        data.get("ending", False),
        data.get("hidden", False),
        data.get("loose", False),
        Pattern(data["pattern"], words),
    )
