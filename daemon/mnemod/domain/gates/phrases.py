"""Texts made of set phrases alone: greetings, thanks, yes and no, laughter, tests, "remember this".

A closed grammar: the text, without punctuation and stretched letters, must be phrases of the three
vocabularies from its first character to its last, in any mixture of languages, with light fillers
between them. Whoever is spoken to is named after a phrase, or first of all. A hand run over the
keyboard counts as a phrase (`mash`). One word that is in no vocabulary, or a number that no test
message asks for, and the text is not noise.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import partial
from typing import Final

from msgspec import Struct

from mnemod.domain.gates.faces import without_faces
from mnemod.domain.gates.mash import is_mash, is_short_run
from mnemod.domain.gates.noise_reason import NoiseReason
from mnemod.domain.gates.noise_words import form
from mnemod.domain.gates.phrase_grammar import Grammar, Kind, grammar, laugh, once, plain

TEXT_CHARS_MAX: Final = 400
_WORDS_CHARS_MAX: Final = 160

_THRICE: Final = re.compile("([a-z\u3041-\u3096\u4e00-\u9fff])\\1\\1")
_STRETCHED: Final = re.compile(r"[a-z]*?([a-z])\1{2,}[a-z]*")
_EAST_STRETCH: Final = re.compile("([\u3041-\u3096\u4e00-\u9fff])\\1{2,}")
_WORD: Final = re.compile(r"[a-z0-9]+")
_NUMBER: Final = re.compile(r"[0-9]{1,4}(?![0-9])")
_FIRST: Final = re.compile(r"[\W_]{0,40}([a-z0-9']+|[^\W_])")
_INNER: Final = re.compile(r"[^a-z0-9']+")
_MARKS: Final = (
    " \n\t.,!?~:;-_()[]{}\"'/|\\*<>=+#&%$@^\u3002\u3001\u30fb\u300c\u300d\u300e\u300f\u2026"
)
_LAUGH_LETTERS_MAX: Final = 4
_FIRST_CHARS: Final = 40
"""Characters that are looked at before all others are: nearly all prose is told by them."""
_DIGITS: Final = "0123456789"

_REASONS: Final = (
    (Kind.REMEMBER_NOTHING, NoiseReason.REMEMBER_NOTHING),
    (Kind.MASH, NoiseReason.MASH),
    (Kind.HEARTBEAT, NoiseReason.HEARTBEAT),
    (Kind.ACKNOWLEDGEMENT, NoiseReason.ACKNOWLEDGEMENT),
    (Kind.THANKS, NoiseReason.THANKS),
    (Kind.FAREWELL, NoiseReason.FAREWELL),
    (Kind.GREETING, NoiseReason.GREETING),
    (Kind.LAUGHTER, NoiseReason.LAUGHTER),
    (Kind.EMOTICON, NoiseReason.EMOJI),
)
"""What a mixture is called: by the most telling of its phrases."""
_HEADS: Final = (
    Kind.GREETING
    | Kind.FAREWELL
    | Kind.THANKS
    | Kind.ACKNOWLEDGEMENT
    | Kind.HEARTBEAT
    | Kind.REMEMBER_NOTHING
    | Kind.LAUGHTER
)


def find(folded: str) -> NoiseReason | None:
    """What a text of set phrases is, None for any other text."""
    if len(folded) > TEXT_CHARS_MAX:
        return None
    known = grammar(wide=not folded.isascii())
    faceless = without_faces(folded)
    if not _may_be_phrases(faceless, known):
        return None
    text = _canonical(faceless, known)
    if not text and faceless != folded:
        return NoiseReason.EMOJI
    if not text or len(text) > _WORDS_CHARS_MAX:
        return None
    if not known.wide and not all(_may_be_within(word, known) for word in text.split()):
        return None  # nearly every text that begins and ends like a phrase
    kinds = _parsed(text, known)
    if kinds is None:
        return None
    if kinds & Kind.NUMBER and not kinds & Kind.HEARTBEAT:
        return None
    if kinds & Kind.MASH_PART and not kinds & Kind.MASH:
        words = text.split()
        is_repeated = text.isascii() and len(words) > 1 and len(set(words)) == 1
        return NoiseReason.MASH if is_repeated else None
    return next((reason for kind, reason in _REASONS if kinds & kind), None)


def _may_be_phrases(folded: str, known: Grammar) -> bool:
    """One look at the letters, the last word and the first, which tells nearly every text."""
    if not folded.isascii() and (
        any(map(str.isalpha, set(folded[:_FIRST_CHARS]) - known.letters))
        or any(map(str.isalpha, set(folded[_FIRST_CHARS:]) - known.letters))
    ):
        return False
    words = folded.rstrip(_MARKS)[-40:]
    if not words:
        return True
    if not words[-1].isascii():
        if words[-1].isalnum() and words[-1] not in known.ends:
            return False
    elif not _is_known(_INNER.split(words.rpartition(" ")[2])[-1], known.last, known):
        return False
    found = _FIRST.match(folded)
    if found is None or not found[1][0].isascii():
        return True
    return _is_known(found[1], known.first, known)


def _is_known(word: str, words: frozenset[str], known: Grammar) -> bool:
    whole = word.replace("'", "")
    if whole in words or not whole:
        return True
    bare = whole.rstrip(_DIGITS)
    if not bare or bare in words or bare[-1] == bare[-2:-1]:
        return True
    return (
        (len(set(whole)) <= _LAUGH_LETTERS_MAX and _laughs_at(whole, 0, known) == len(whole))
        or is_short_run(whole)
        or is_mash(whole)
        or _STRETCHED.fullmatch(bare) is not None
    )


def _may_be_within(word: str, known: Grammar) -> bool:
    """Whether some way through a text could pass `word`, with no space before its end."""
    return (
        word in known.within
        or not word.isalpha()
        or word[-1] == word[-2:-1]
        or _laughs_at(word, 0, known) > 0
        or is_short_run(word)
        or is_mash(word)
    )


def _canonical(folded: str, known: Grammar) -> str:
    text = form(folded)
    if _THRICE.search(text) is None:
        return text
    # A word with a stretched letter ("heyyyy") as it is spelled, where it is one of ours.
    apart = _STRETCHED.sub(lambda word: plain().get(once(word[0]), word[0]), text)
    return apart if apart.isascii() else _EAST_STRETCH.sub(partial(_unstretched, known), apart)


def _unstretched(known: Grammar, run: re.Match[str]) -> str:
    # Laughter is told from its length; any other sound is only drawn out.
    return run[0] if _laughs_at(run[0], 0, known) else run[1]


class _After(IntEnum):
    """What a way has just passed, where that decides what may follow."""

    OTHER = 0
    SHORT = 1
    HEAD = 2


class _Way(Struct, frozen=True):
    """Phrases up to a place: how many, and of which kinds."""

    phrases: int
    kinds: Kind

    def then(self, kind: Kind) -> _Way:
        return _Way(self.phrases + 1, self.kinds | kind)

    def or_shorter(self, other: _Way | None) -> _Way:
        if other is None or other.phrases > self.phrases:
            return self
        if other.phrases < self.phrases:
            return other
        return _Way(self.phrases, self.kinds | other.kinds)


class _Step(Struct, frozen=True):
    """A phrase at a place. Two short ones of kana or Chinese characters without a mark between
    them are as likely a name as they are phrases, so they do not follow each other."""

    length: int
    kind: Kind
    is_short: bool = False

    def may_follow(self, after: _After, at: int, text: str) -> bool:
        if after is _After.SHORT and self.is_short and not self.kind & Kind.PARTICLE:
            return False
        if self.kind == Kind.ADDRESS:
            return after is _After.HEAD or (at == 0 and text[0].isascii())
        return True

    def leads_to(self, after: _After) -> _After:
        if self.length == 1 and self.kind is Kind.FILLER and after is _After.HEAD:
            return after  # a space, or a light word of one letter
        if self.kind & _HEADS:
            return _After.SHORT if self.is_short else _After.HEAD
        return _After.SHORT if self.is_short else _After.OTHER


def _parsed(text: str, known: Grammar) -> Kind | None:
    """The kinds of the fewest phrases that `text` is made of, None if they do not cover it."""
    ahead: dict[int, dict[_After, _Way]] = {0: {_After.OTHER: _Way(0, Kind.FILLER)}}
    for at in range(len(text)):
        ways = ahead.pop(at, None)
        if ways is None:
            continue
        for step in _steps(text, at, known):
            for after, way in ways.items():
                if step.may_follow(after, at, text):
                    place = ahead.setdefault(at + step.length, {})
                    now = step.leads_to(after)
                    place[now] = way.then(step.kind).or_shorter(place.get(now))
        if not ahead:
            return None
    ends = list(ahead.get(len(text), {}).values())
    fewest = min((way.phrases for way in ends), default=0)
    found = Kind.FILLER
    for way in ends:
        found |= way.kinds if way.phrases == fewest else Kind.FILLER
    return found if ends else None


def _steps(text: str, at: int, known: Grammar) -> list[_Step]:
    if text[at] == " ":
        return [_Step(1, Kind.FILLER)]
    steps = []
    for length in known.lengths.get(text[at], ()):
        end = at + length
        if end > len(text) or not _ends(text, end):
            continue  # asked first: it is answered sooner than whether there is such a phrase
        kind = known.phrases.get(text[at:end])
        if kind is not None:
            steps.append(_Step(length, kind, _is_short(text[at:end])))
    if end := _laughs_at(text, at, known):
        steps.append(_Step(end - at, Kind.LAUGHTER))
    if not steps and (number := _NUMBER.match(text, at)):
        steps.append(_Step(number.end() - at, Kind.NUMBER))
    if not steps and (word := _WORD.match(text, at)):
        kind = _of_word(word[0], known)
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


def _laughs_at(text: str, at: int, known: Grammar) -> int:
    """Where laughter that begins at `at` ends, 0 where nobody laughs."""
    if text[at] not in known.laughing:
        return 0
    found = laugh(wide=known.wide).match(text, at)
    return found.end() if found else 0


def _of_word(word: str, known: Grammar) -> Kind | None:
    """What a word is that no vocabulary holds as it stands: stretched, or a hand on the keys."""
    spelled = plain().get(once(word), "") if word[-1] == word[-2:-1] else ""
    if spelled in known.phrases and _doubles_its_end(word, spelled):
        return known.phrases[spelled]
    if is_short_run(word):
        return Kind.MASH_PART
    return Kind.MASH if word not in known.not_mash and is_mash(word) else None


def _doubles_its_end(word: str, plain: str) -> bool:
    return len(plain) >= 3 and word[:-1] == plain and word[-1] == plain[-1]
