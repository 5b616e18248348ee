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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Final

from mnemod.domain import vocabulary
from mnemod.domain.gates.cues import Cues, Stretch
from mnemod.domain.gates.verdict import Detector
from mnemod.domain.vocabulary import Vocabulary

VOCABULARY: Final = Path(__file__).with_name("vocabulary")
_LATIN: Final = re.compile("[a-z]{3}")
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
            self._compiled = re.compile(self.words.expand(self.source))
        return self._compiled


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

    def near(self, text: str) -> Iterator[Stretch]:
        """The stretches of `text` in which the words of a rule stand together."""
        return self.cues.stretches(text)


@cache
def language(locale: str) -> Language:
    """The rules of `locale`, read once."""
    words = vocabulary.load(VOCABULARY, locale)
    rules = tuple(_rule(data, words) for data in words.data.get("rule", ()))
    frames = tuple(_rule(data, words) for data in words.data.get("frame", ()))
    needed = {name: words.words[name] for rule in rules for name in rule.needs}
    cues = Cues(
        needed,
        [rule.needs for rule in rules],
        [rule.begins for rule in rules],
        spaced=locale == "en",
    )
    return Language(locale, words, rules, frames, cues)


def languages(text: str) -> tuple[Language, ...]:
    """The languages whose letters are in `text`: without kana, no order is Japanese."""
    locales = ["en"] if _LATIN.search(text) else []
    if not text.isascii():
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
