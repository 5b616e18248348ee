"""The phrases of three vocabularies as one table, and what the first look at a text needs of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntFlag
from functools import cache
from typing import Final

from mnemod.domain.gates import noise_words


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


@dataclass(frozen=True, slots=True)
class Grammar:
    """Phrases by their one form; `lengths` of those that begin with a character, longest first;
    single words by what is left of them when every stretched letter is one. `letters` are those
    phrases are written with; `first` and `last` the Latin words they begin and end with, `ends` the
    other characters at their end."""

    phrases: dict[str, Kind]
    lengths: dict[str, tuple[int, ...]]
    plain: dict[str, str]
    laugh: re.Pattern[str]
    laughing: frozenset[str]
    not_mash: frozenset[str]
    letters: frozenset[str]
    first: frozenset[str]
    last: frozenset[str]
    ends: frozenset[str]


_LISTS: Final = {
    "filler": Kind.FILLER,
    "particle": Kind.PARTICLE,
    "address": Kind.ADDRESS,
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
_FIRST: Final = re.compile(r"[a-z0-9]+")
_LAST: Final = re.compile(r"[a-z0-9]+\Z")
_RUN: Final = re.compile(r"(.)\1+")


@cache
def grammar() -> Grammar:
    """The one grammar, made when first asked for."""
    phrases: dict[str, Kind] = {}
    for locale in noise_words.LOCALES:
        for name, kind in _LISTS.items():
            for form in noise_words.phrases(locale, name):
                phrases[form] = phrases.get(form, kind) | kind
    lengths: dict[str, set[int]] = {}
    for form in phrases:
        lengths.setdefault(form[0], set()).add(len(form))
    laughs = [noise_words.pattern(locale, "laugh").pattern for locale in noise_words.LOCALES]
    words = {word for form in phrases if form.isascii() for word in form.split()}
    return Grammar(
        phrases,
        {first: tuple(sorted(found, reverse=True)) for first, found in lengths.items()},
        {once(word): word for word in sorted(words, key=len)},
        re.compile("|".join(laughs)),
        frozenset().union(*laughs),
        frozenset().union(*(noise_words.phrases(each, "not_mash") for each in noise_words.LOCALES)),
        _in_both_kana({*_LATIN, *_LENGTHENING}.union(*phrases, *laughs)),
        frozenset(found[0] for form in phrases if (found := _FIRST.match(form))),
        frozenset(found[0] for form in phrases if (found := _LAST.search(form))),
        _in_both_kana({form[-1] for form in phrases}.union(_LENGTHENING, *laughs)),
    )


def once(word: str) -> str:
    """`word` with every run of a letter as one."""
    return _RUN.sub(r"\1", word)


def _in_both_kana(chars: Iterable[str]) -> frozenset[str]:
    found = frozenset(chars)
    return found | {chr(ord(char) + 0x60) for char in found if "\u3041" <= char <= "\u3096"}
