"""The phrases of all vocabularies as one table, and what a first look at a text needs of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import IntFlag
from functools import cache
from typing import Final

from msgspec import Struct

from mnemod.domain import ready
from mnemod.domain.gates import noise_words
from mnemod.domain.gates.phrase_table import PhraseTable


class Kind(IntFlag):
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
    ADDRESS = 4096


class Grammar(Struct, frozen=True):
    """Phrases by their one form; `lengths` of those that begin with a character, longest first.
    `letters` are those phrases are written with; `first` and `last` the Latin words they begin and
    end with, `within` all that they hold if there are no others, `ends` the other characters at
    their end."""

    wide: bool
    phrases: PhraseTable[Kind]
    lengths: dict[str, tuple[int, ...]]
    laughing: frozenset[str]
    not_mash: frozenset[str]
    letters: frozenset[str]
    first: frozenset[str]
    last: frozenset[str]
    within: frozenset[str]
    ends: frozenset[str]


_LISTS: Final = {
    "filler": Kind.FILLER,
    "particle": Kind.PARTICLE,
    "laughter": Kind.LAUGHTER,
    "greeting": Kind.GREETING,
    "farewell": Kind.FAREWELL,
    "thanks": Kind.THANKS,
    "acknowledgement": Kind.ACKNOWLEDGEMENT,
    "heartbeat": Kind.HEARTBEAT,
    "mash": Kind.MASH_PART,
    "mash_sure": Kind.MASH,
    "remember_nothing": Kind.REMEMBER_NOTHING,
    "emoticon": Kind.EMOTICON,
}
_LENGTHENING: Final = "\u30fc\u3041\u3043\u3045\u3047\u3049\u30a1\u30a3\u30a5\u30a7\u30a9"
_LATIN: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_FIRST: Final = re.compile(r"\A[a-z0-9]+")
_LAST: Final = re.compile(r"[a-z0-9]+\Z")
_RUN: Final = re.compile(r"(.)\1+")


@cache
def grammar(*, wide: bool) -> Grammar:
    """The grammar of all three languages, or of what is written in ASCII; made when asked for."""
    ready.take_time()
    locales = noise_words.LOCALES if wide else noise_words.LOCALES[:1]
    phrases = _phrases(locales)
    lengths: dict[str, set[int]] = {}
    for first, length in {(form[0], len(form)) for form in phrases}:
        lengths.setdefault(first, set()).add(length)
    laughs = [noise_words.source(locale, "laugh") for locale in locales]
    latin = [form for form in phrases if form.isascii()]
    mixed = [form for form in phrases if not form.isascii()] if wide else []
    # A word is in thousands of phrases: one string does for all that is kept of them.
    words: dict[str, str] = {}
    for form in latin:
        for word in form.split():
            words.setdefault(word, word)
    return Grammar(
        wide,
        PhraseTable(phrases),
        {each: tuple(sorted(found, reverse=True)) for each, found in lengths.items()},
        frozenset().union(*laughs),
        frozenset().union(*(noise_words.phrases(each, "not_mash") for each in locales)),
        _in_both_kana({*_LATIN, *_LENGTHENING, *"".join(phrases), *"".join(laughs)}),
        frozenset({words[form.partition(" ")[0]] for form in latin} | _found(_FIRST, mixed)),
        frozenset({words[form.rpartition(" ")[2]] for form in latin} | _found(_LAST, mixed)),
        frozenset() if wide else frozenset(words),
        _in_both_kana({form[-1] for form in phrases}.union(_LENGTHENING, *laughs)),
    )


@cache
def laugh(*, wide: bool) -> re.Pattern[str]:
    """Laughter of any length."""
    locales = noise_words.LOCALES if wide else noise_words.LOCALES[:1]
    return ready.compiled("|".join(noise_words.source(locale, "laugh") for locale in locales))


@cache
def plain() -> dict[str, str]:
    """Words by what is left of them when every stretched letter is one."""
    ready.take_time()
    words = {
        word for form in _phrases(noise_words.LOCALES) if form.isascii() for word in form.split()
    }
    return {once(word): word for word in sorted(words, key=len)}


def _phrases(locales: Sequence[str]) -> dict[str, Kind]:
    phrases: dict[str, Kind] = {}
    for locale in locales:
        for name, kind in _LISTS.items():
            found = noise_words.phrases(locale, name)
            known = {form: phrases[form] | kind for form in found & phrases.keys()}
            phrases.update(dict.fromkeys(found, kind))
            phrases.update(known)
    # What a phrase or a filler names already may stand anywhere.
    for locale in locales:
        named = noise_words.phrases(locale, "address") - phrases.keys()
        phrases.update(dict.fromkeys(named, Kind.ADDRESS))
    return phrases


def _found(pattern: re.Pattern[str], forms: Iterable[str]) -> set[str]:
    """The Latin words at an end of `forms` that are written in two scripts."""
    ends = (pattern.search(form) for form in forms if form[0].isascii() or form[-1].isascii())
    return {found[0] for found in ends if found}


def once(word: str) -> str:
    """`word` with every run of a letter as one."""
    return _RUN.sub(r"\1", word)


def _in_both_kana(chars: Iterable[str]) -> frozenset[str]:
    found = frozenset(chars)
    return found | {chr(ord(char) + 0x60) for char in found if "\u3041" <= char <= "\u3096"}
