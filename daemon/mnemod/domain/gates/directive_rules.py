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
    loose     true: people say it of anything: only a rule that is not makes an order of it, or two
              more that are, one of the three "addressed": words that name who is ordered
    faint     true: loose, and said in comments, too: where it is not part of another sign
    unowned   true: what somebody says of an assistant of his own (our support bot must) is a fact
    pattern   the words

and a `[[frame]]` has `detector` and `pattern`: what makes an order of a weak rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache, reduce
from itertools import islice, product
from operator import or_
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from mnemod.domain import ready
from mnemod.domain.gates.cues import (
    Cues,
    EastCues,
    EastWords,
    LatinCues,
    Piece,
    Stretch,
    Try,
    bits,
    joined,
)
from mnemod.domain.gates.openings import openings
from mnemod.domain.gates.verdict import Detector
from mnemod.domain.vocabulary import Vocabulary

VOCABULARY: Final = Path(__file__).with_name("vocabulary")
BEFORE_CHARS: Final = 2
_LATIN: Final = re.compile("[a-z][a-z][a-z]")
_EAST: Final = re.compile("[\u3041-\u30ff\u3400-\u9fff]")
_KANA: Final = re.compile("[\u3041-\u30ff]")


Span = tuple[int, int]
"""Start and end in a text."""


class Place(StrEnum):
    """Where the words of a rule are an order."""

    OPENING = "opening"
    AIMED = "aimed"
    ANYWHERE = "anywhere"


class Rule(Struct, frozen=True):
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
    faint: bool
    unowned: bool
    pattern: ready.Pattern


class Language(Struct, frozen=True):
    """The rules and frames of one language, and where the words they need stand together."""

    locale: str
    words: Vocabulary
    rules: tuple[Rule, ...]
    frames: tuple[Rule, ...]
    cues: Cues
    hidden: int
    """The rules, as bits, that count only where a text hides."""


class Starts:
    """Where the rules of a language that do not say so may begin.

    `words` has them from bit `shift`.
    """

    def __init__(self, rules: Sequence[Rule], words: EastWords, shift: int) -> None:
        self._rules = rules
        self.words = words
        self._shift = shift
        self._known = 0
        self._anywhere = 0

    def learn(self, asked: int) -> bool:
        """Have the words of these rules among the others; whether there are new ones."""
        unknown = asked & ~self._known
        self._known |= asked
        for number in bits(unknown):
            first = openings(self._rules[number].pattern.expanded())
            if first is None:
                self._anywhere |= 1 << number
            of_rule = 1 << number + self._shift
            for word in first or ():
                self.words.add(word, of_rule)
        return unknown != 0

    def tries(
        self, hits: Iterable[tuple[int, int]], pieces: Iterable[Piece], asked: int
    ) -> Iterator[tuple[Piece, list[Try]]]:
        """Each piece with the rules asked for that are to be tried there, and where."""
        least = 1 << self._shift
        begun = [(at, found >> self._shift & asked) for at, found in hits if found >= least]
        first = 0
        for piece in pieces:
            # A pattern may begin with the sign that ends the sentence before.
            while first < len(begun) and begun[first][0] < piece.start - BEFORE_CHARS:
                first += 1
            tries: list[Try] = []
            for at, rules in islice(begun, first, None):
                if at >= piece.end:
                    break
                tries += [(number, at) for number in bits(rules & piece.rules)]
            if anywhere := self._anywhere & asked & piece.rules:
                tries += product(bits(anywhere), range(piece.start, piece.end))
            yield piece, tries


def near(
    text: str, written: Sequence[Language], hiding: Sequence[Span]
) -> Iterator[tuple[Language, Stretch]]:
    """The stretches of `text` in which the words of a rule stand together, by language.

    `written` are its languages, `hiding` the places in which it may hide: some rules count only
    there.
    """
    for each in written:
        if isinstance(each.cues, LatinCues):
            for stretch in each.cues.stretches(text):
                if hiding and stretch.pieces:
                    stretch.others += _latin_others(text, each, stretch, hiding)
                yield each, stretch
    eastern = tuple(each for each in written if not isinstance(each.cues, LatinCues))
    if eastern:
        yield from _near_east(text, eastern, bool(hiding))


def _latin_others(
    text: str, language: Language, stretch: Stretch, hiding: Sequence[Span]
) -> list[tuple[int, int]]:
    starts = _latin_starts(language.locale)
    starts.learn(language.hidden)
    others: list[tuple[int, int]] = []
    for piece in stretch.pieces:
        if any(start < piece.end and piece.start < end for start, end in hiding):
            first = max(0, piece.start - BEFORE_CHARS)
            hits = starts.words.hits(text[first : piece.end + 1])
            placed = [(first + at, found) for at, found in hits]
            for _, tries in starts.tries(placed, [piece], language.hidden):
                others += tries
    return sorted(others)


def _near_east(
    text: str, written: tuple[Language, ...], hidden: bool
) -> Iterator[tuple[Language, Stretch]]:
    cues, starts = _east(tuple(each.locale for each in written))
    hits = cues.words.hits(text)
    found = cues.pieces(text, hits)
    asked = [reduce(or_, (piece.rules for piece in pieces), 0) for pieces in found]
    if not hidden:
        asked = [rules & ~each.hidden for rules, each in zip(asked, written, strict=True)]
    learnt = [each.learn(rules) for each, rules in zip(starts, asked, strict=True)]
    if any(learnt):
        hits = cues.words.hits(text)
    for number, each in enumerate(written):
        for stretch in joined(starts[number].tries(hits, found[number], asked[number])):
            stretch.tries.sort()
            yield each, stretch


@cache
def _latin_starts(locale: str) -> Starts:
    return Starts(language(locale).rules, EastWords(), 0)


@cache
def _east(locales: tuple[str, ...]) -> tuple[EastCues, tuple[Starts, ...]]:
    known = [language(locale) for locale in locales]
    cues = EastCues([each.cues for each in known])
    shift, starts = cues.width, []
    for each in known:
        starts.append(Starts(each.rules, cues.words, shift))
        shift += len(each.rules)
    return cues, tuple(starts)


@cache
def language(locale: str) -> Language:
    """The rules of `locale`, read once."""
    data = ready.tables(VOCABULARY / f"{locale}.toml")
    listed = Vocabulary(data)
    needed = {name: listed.words[name] for name in _needed(data)}
    words = listed.of_patterns(needed)
    expand = words.expand  # one for all: a rule asks for no more than its own words
    rules = tuple(_rule(each, listed, expand) for each in data.get("rule", ()))
    frames = tuple(_rule(each, listed, expand) for each in data.get("frame", ()))
    hidden = sum(1 << at for at, rule in enumerate(rules) if rule.hidden)
    cues = (LatinCues if locale == "en" else Cues)(
        needed, [rule.needs for rule in rules], [rule.begins for rule in rules]
    )
    return Language(locale, words, rules, frames, cues, hidden)


def _needed(data: Mapping[str, Any]) -> dict[str, None]:
    return dict.fromkeys(name for rule in data.get("rule", ()) for name in rule.get("needs", ()))


def languages(text: str) -> tuple[Language, ...]:
    """The languages whose letters are in `text`: without kana, no order is Japanese."""
    locales = ["en"] if _LATIN.search(text) else []
    if not text.isascii() and _EAST.search(text):
        locales += ["zh", "ja"] if _KANA.search(text) else ["zh"]
    return tuple(language(locale) for locale in locales)


def _rule(data: Mapping[str, Any], listed: Vocabulary, expand: Callable[[str], str]) -> Rule:
    return Rule(
        data.get("name", "frame"),
        Detector(data.get("detector", "injection")),
        data.get("weight", 1),
        tuple(data.get("needs", ())),
        tuple(word for name in data.get("begins", ()) for word in listed.words.get(name, (name,))),
        Place(data.get("place", "anywhere")),
        data.get("ending", False),
        data.get("hidden", False),
        data.get("loose", False) or data.get("faint", False),
        data.get("faint", False),
        data.get("unowned", False),
        ready.Pattern(data["pattern"], expand),
    )
