"""Texts made of set phrases alone: greetings, thanks, yes and no, laughter, tests, "remember this".

A closed grammar: the text, without punctuation and stretched letters, must be phrases of the three
vocabularies from its first character to its last, in any mixture of languages, with light fillers
between them. A hand run over the keyboard counts as a phrase (`mash`). One word that is in no
vocabulary, or a number that no test message asks for, and the text is not noise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntFlag
from functools import cache
from pathlib import Path
from typing import Final

from mnemod.domain import vocabulary
from mnemod.domain.folded import fold
from mnemod.domain.gates.faces import without_faces
from mnemod.domain.gates.mash import is_mash, is_short_run
from mnemod.domain.gates.noise_reason import NoiseReason

TEXT_CHARS_MAX: Final = 400
_WORDS_CHARS_MAX: Final = 160
FOLDER: Final = Path(__file__).parent / "noise_vocabulary"

_APART: Final = re.compile(r"[\W_]+")
_STRETCHED: Final = re.compile(r"[a-z]*?([a-z])\1{2,}[a-z]*")
_EAST_STRETCH: Final = re.compile("([\u3041-\u3096\u4e00-\u9fff])\\1{2,}")
_WORD: Final = re.compile(r"[a-z0-9]+")
_NUMBER: Final = re.compile(r"[0-9]{1,4}(?![0-9])")
# A vowel drawn out: a long mark or a small vowel after hiragana, a long mark that ends a word.
_DRAWN: Final = re.compile(
    "(?<=[\u3041-\u3096])[\u30fc\u3041\u3043\u3045\u3047\u3049]+|(?<=[\u30a1-\u30f6]{2})\u30fc+(?![\\w\u30fc])"
)
_LENGTHENING: Final = "\u30fc\u3041\u3043\u3045\u3047\u3049\u30a1\u30a3\u30a5\u30a7\u30a9"
_LAST: Final = re.compile(r"([a-z0-9']+|[^\W_])[\W_]*\Z")
_LAST_CHARS: Final = 40
_DIGITS: Final = "0123456789"
_INITIALS: Final = re.compile(r"\b([a-z])\.(?=[a-z]\b)")
# Katakana as hiragana; apostrophes out.
_KANA: Final = str.maketrans(
    {**{chr(code): chr(code - 0x60) for code in range(0x30A1, 0x30F7)}, "'": ""}
)


class _Kind(IntFlag):
    """What phrases a text was made of. A filler is no kind: alone it says nothing we know."""

    FILLER = 0
    LAUGHTER = 1
    GREETING = 2
    FAREWELL = 4
    THANKS = 8
    ACKNOWLEDGEMENT = 16
    HEARTBEAT = 32
    MASH_PART = 64
    MASH = 128
    REMEMBER_NOTHING = 256
    EMOTICON = 512
    NUMBER = 1024
    PARTICLE = 2048


_REASONS: Final = (
    (_Kind.REMEMBER_NOTHING, NoiseReason.REMEMBER_NOTHING),
    (_Kind.MASH, NoiseReason.MASH),
    (_Kind.HEARTBEAT, NoiseReason.HEARTBEAT),
    (_Kind.ACKNOWLEDGEMENT, NoiseReason.ACKNOWLEDGEMENT),
    (_Kind.THANKS, NoiseReason.THANKS),
    (_Kind.FAREWELL, NoiseReason.FAREWELL),
    (_Kind.GREETING, NoiseReason.GREETING),
    (_Kind.LAUGHTER, NoiseReason.LAUGHTER),
    (_Kind.EMOTICON, NoiseReason.EMOJI),
)
"""What a mixture is called: by the most telling of its phrases."""


@dataclass(frozen=True, slots=True)
class _Grammar:
    """Phrases by their canonical form; `lengths` of those that begin with a character, longest
    first; single words by what is left of them when every stretched letter is one."""

    phrases: dict[str, _Kind]
    lengths: dict[str, tuple[int, ...]]
    plain: dict[str, str]
    laugh: re.Pattern[str]
    laughing: frozenset[str]
    not_mash: frozenset[str]
    last_words: frozenset[str]
    ends: frozenset[str]


def find(folded: str) -> NoiseReason | None:
    """What a text of set phrases is, None for any other text."""
    if len(folded) > TEXT_CHARS_MAX:
        return None
    faceless = without_faces(folded)
    if not _may_end_a_phrase(faceless):
        return None
    text = _canonical(faceless)
    if not text or len(text) > _WORDS_CHARS_MAX:
        return None
    kinds = _parsed(text, _grammar())
    if kinds is None:
        return None
    if kinds & _Kind.NUMBER and not kinds & _Kind.HEARTBEAT:
        return None
    if kinds & _Kind.MASH_PART and not kinds & _Kind.MASH:
        return None
    return next((reason for kind, reason in _REASONS if kinds & kind), None)


def _may_end_a_phrase(folded: str) -> bool:
    """One look at the last word, which tells nearly every text with content from a set phrase."""
    found = _LAST.search(folded, max(0, len(folded) - _LAST_CHARS))
    if found is None:
        return True
    last = found[1]
    if not last.isascii():
        return last in _grammar().ends
    word = last.replace("'", "").rstrip(_DIGITS) or last
    return (
        word in _grammar().last_words
        or word.isdigit()
        or word[-1] == word[-2:-1]
        or _laughs_at(word, 0) == len(word)
        or is_short_run(word)
        or is_mash(last)
        or _STRETCHED.fullmatch(word) is not None
    )


def _canonical(folded: str) -> str:
    apart = _STRETCHED.sub(_plain, _form(folded))
    return apart if apart.isascii() else _EAST_STRETCH.sub(_unstretched, apart)


def _plain(word: re.Match[str]) -> str:
    """A word with a stretched letter ("heyyyy") as it is spelled, where it is one of ours."""
    return _grammar().plain.get(_once(word[0]), word[0])


def _unstretched(run: re.Match[str]) -> str:
    # Laughter is told from its length; any other sound is only drawn out.
    return run[0] if _laughs_at(run[0], 0) else run[1]


def _parsed(text: str, grammar: _Grammar) -> _Kind | None:
    """The kinds of the fewest phrases that `text` is made of, None if they do not cover it."""
    ways: dict[tuple[int, bool], _Way] = {(0, False): _Way(0, _Kind.FILLER)}
    for at in range(len(text)):
        for after_short in (False, True):
            way = ways.get((at, after_short))
            if way is None:
                continue
            for step in _steps(text, at, grammar):
                if after_short and step.is_short and not step.kind & _Kind.PARTICLE:
                    continue
                place, longer = (at + step.length, step.is_short), way.then(step.kind)
                ways[place] = longer.or_shorter(ways.get(place))
    ends = [way for is_short in (False, True) if (way := ways.get((len(text), is_short)))]
    return ends[0].or_shorter(ends[-1]).kinds if ends else None


@dataclass(frozen=True, slots=True)
class _Way:
    """Phrases up to a place: how many, and of which kinds."""

    phrases: int
    kinds: _Kind

    def then(self, kind: _Kind) -> _Way:
        return _Way(self.phrases + 1, self.kinds | kind)

    def or_shorter(self, other: _Way | None) -> _Way:
        if other is None or other.phrases > self.phrases:
            return self
        if other.phrases < self.phrases:
            return other
        return _Way(self.phrases, self.kinds | other.kinds)


@dataclass(frozen=True, slots=True)
class _Step:
    """A phrase at a place. Two short ones of kana or Chinese characters without a mark between
    them are as likely a name as they are phrases, so they do not follow each other."""

    length: int
    kind: _Kind
    is_short: bool = False


def _steps(text: str, at: int, grammar: _Grammar) -> list[_Step]:
    if text[at] == " ":
        return [_Step(1, _Kind.FILLER)]
    steps = []
    for length in grammar.lengths.get(text[at], ()):
        kind = grammar.phrases.get(text[at : at + length])
        if kind is not None and _ends(text, at + length):
            steps.append(_Step(length, kind, _is_short(text[at : at + length])))
    if end := _laughs_at(text, at):
        steps.append(_Step(end - at, _Kind.LAUGHTER))
    if number := _NUMBER.match(text, at):
        steps.append(_Step(number.end() - at, _Kind.NUMBER))
    if not steps and (word := _WORD.match(text, at)):
        kind = _of_word(word[0], grammar)
        if kind is not None and _ends(text, word.end()):
            steps.append(_Step(len(word[0]), kind))
    return steps


_KANA_ONLY: Final = re.compile("[\u3041-\u30ff]{1,2}")


def _is_short(phrase: str) -> bool:
    return (len(phrase) == 1 and not phrase.isascii()) or _KANA_ONLY.fullmatch(phrase) is not None


def _ends(text: str, at: int) -> bool:
    """Whether a phrase may end at `at`: not inside a Latin word or a number."""
    return at >= len(text) or not (text[at - 1].isascii() and _is_plain(text[at]))


def _is_plain(char: str) -> bool:
    return char.isascii() and char.isalpha()


def _laughs_at(text: str, at: int) -> int:
    """Where laughter that begins at `at` ends, 0 where nobody laughs."""
    grammar = _grammar()
    if text[at] not in grammar.laughing:
        return 0
    found = grammar.laugh.match(text, at)
    return found.end() if found else 0


def _of_word(word: str, grammar: _Grammar) -> _Kind | None:
    """What a word is that no vocabulary holds as it stands: stretched, or a hand on the keys."""
    plain = grammar.plain.get(_once(word), "")
    if plain in grammar.phrases and _doubles_its_end(word, plain):
        return grammar.phrases[plain]
    if is_short_run(word):
        return _Kind.MASH_PART
    return _Kind.MASH if word not in grammar.not_mash and is_mash(word) else None


def _doubles_its_end(word: str, plain: str) -> bool:
    return len(plain) >= 3 and word[:-1] == plain and word[-1] == plain[-1]


_RUN: Final = re.compile(r"(.)\1+")


def _once(word: str) -> str:
    return _RUN.sub(r"\1", word)


@cache
def _grammar() -> _Grammar:
    read = [vocabulary.load(FOLDER, locale) for locale in vocabulary.LOCALES]
    phrases: dict[str, _Kind] = {}
    for kind, name in _LISTS:
        for each in read:
            for phrase in each.words.get(name, ()):
                form = _form(fold(phrase).text)
                phrases[form] = phrases.get(form, _Kind.FILLER) | kind
    lengths: dict[str, set[int]] = {}
    for form in phrases:
        lengths.setdefault(form[0], set()).add(len(form))
    return _Grammar(
        phrases,
        {first: tuple(sorted(found, reverse=True)) for first, found in lengths.items()},
        {_once(word): word for word in sorted(_latin_words(phrases), key=len)},
        re.compile("|".join(each.pattern("laugh").pattern for each in read)),
        frozenset().union(*(each.pattern("laugh").pattern for each in read)),
        frozenset(word for each in read for word in each.words.get("not_mash", ())),
        frozenset(found[1] for form in phrases if (found := _LAST.search(form))),
        _ends_of(phrases, (each.pattern("laugh").pattern for each in read)),
    )


def _ends_of(phrases: Iterable[str], laughs: Iterable[str]) -> frozenset[str]:
    """The characters that phrases may end with, in both kana, and the marks that lengthen."""
    ends = {form[-1] for form in phrases}.union(*laughs)
    katakana = {chr(ord(char) + 0x60) for char in ends if "\u3041" <= char <= "\u3096"}
    return frozenset(ends | katakana | set(_LENGTHENING))


def _latin_words(phrases: Iterable[str]) -> set[str]:
    return {word for form in phrases if form.isascii() for word in form.split()}


def _form(folded: str) -> str:
    """Words with one space between them: what phrases and texts are compared in."""
    if not folded.isascii():
        folded = _DRAWN.sub("", folded)
    return _APART.sub(" ", _INITIALS.sub(r"\1", folded).translate(_KANA)).strip()


_LISTS: Final = (
    (_Kind.FILLER, "filler"),
    (_Kind.PARTICLE, "particle"),
    (_Kind.GREETING, "greeting"),
    (_Kind.FAREWELL, "farewell"),
    (_Kind.THANKS, "thanks"),
    (_Kind.ACKNOWLEDGEMENT, "acknowledgement"),
    (_Kind.HEARTBEAT, "heartbeat"),
    (_Kind.MASH_PART, "mash"),
    (_Kind.MASH, "mash_sure"),
    (_Kind.REMEMBER_NOTHING, "remember_nothing"),
    (_Kind.EMOTICON, "emoticon"),
)
