"""How gate G1 reads its words: one TOML file a locale, phrases by kind, and patterns beside them.

    [thanks]                                    # a kind; a table's groups are for its readers
    plain = "thank you, thanks (a lot|a ton|)"  # phrases; of words in brackets each is one

Phrases are compared in one form (`form`): folded, katakana as hiragana, no vowel drawn out, one
space between words and nothing else. They are made when first asked for, a text at a time and not
a phrase at a time, since a process pays for it with its first message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Final

from mnemod.domain import han, ready

LOCALES: Final = ("en", "zh", "ja")
FOLDER: Final = Path(__file__).parent / "noise_vocabulary"

_APART: Final = re.compile(r"[\W_]+")
_BRACKETS: Final = re.compile(r"\(([^()]*)\)")
_INITIALS: Final = re.compile(r"\b([a-z])\.(?=[a-z]\b)")
# A vowel drawn out: a long mark or a small vowel after hiragana, a long mark that ends a word.
_DRAWN: Final = re.compile(
    "(?<=[\u3041-\u3096])[\u30fc\u3041\u3043\u3045\u3047\u3049]+|(?<=[\u30a1-\u30f6]{2})\u30fc+(?![\\w\u30fc])"
)
_ANY_KANA: Final = re.compile("[\u3041-\u30fc]")
# Katakana as hiragana; apostrophes out.
_KANA: Final = str.maketrans(
    {**{chr(code): chr(code - 0x60) for code in range(0x30A1, 0x30F7)}, "'": ""}
)
# The same in lists, where marks part words and only these part phrases: , ( | )
_IN_LISTS: Final = {**dict.fromkeys(map(ord, '\n!"#$%&*+-./:;<=>?@[\\]^_`{}~'), " "), **_KANA}


def form(folded: str) -> str:
    """Words with one space between them: what phrases and texts are compared in."""
    return _APART.sub(" ", _plain(folded)).strip()


def phrases(locale: str, kind: str) -> frozenset[str]:
    """Every phrase of `kind` in its one form, made now; none where the locale has none."""
    groups = _read(locale).get(kind, {}).values()
    # As `fold` would give it, without a look at each character for the first time.
    folded = han.simplified(",".join(groups)).lower()
    listed = (folded if folded.isascii() else _DRAWN.sub("", folded)).translate(_IN_LISTS)
    found: set[str] = set()
    for phrase in listed.split(","):
        if "(" in phrase:
            found.update(
                " ".join(each.split()) if "  " in each else each.strip() for each in _each(phrase)
            )
        else:
            found.add(phrase.strip())
    return frozenset(found - {""})


@cache
def pattern(locale: str, name: str) -> re.Pattern[str]:
    """The pattern `name` of the file's `patterns`. Raises KeyError where there is none."""
    return ready.compiled(source(locale, name))


def source(locale: str, name: str) -> str:
    """The pattern `name` as it is written, without its layout. Raises KeyError likewise."""
    return re.sub(r"\n\s*", "", _read(locale)["patterns"][name])


@cache
def _read(locale: str) -> Mapping[str, Any]:
    return ready.tables(FOLDER / f"{locale}.toml")


def _plain(folded: str) -> str:
    kana = not folded.isascii() and _ANY_KANA.search(folded) is not None
    if kana:
        folded = _DRAWN.sub("", folded)
    if "." in folded:
        folded = _INITIALS.sub(r"\1", folded)
    return folded.translate(_KANA) if kana else folded.replace("'", "")


def _each(phrase: str) -> Iterator[str]:
    """What a phrase with alternatives stands for."""
    parts = _BRACKETS.split(phrase)
    ways = [part.split("|") if place % 2 else (part,) for place, part in enumerate(parts)]
    return map("".join, product(*ways))
