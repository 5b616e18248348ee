"""Whether a value in the place of a secret is one: no mask, no remark, no example."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from mnemod.domain import vocabulary
from mnemod.domain.folded import fold

FOLDER: Final = Path(__file__).with_name("secret_vocabulary")
AROUND: Final = 60
"""Characters before and after a value whose words say what it is."""

_MASK: Final = re.compile(
    r"[*xX\u2022._#?-]+"
    r"|[A-Za-z0-9_.:/-]{0,64}?[_.:/=-](?P<one>[*xX\u2022._#?-])(?P=one){7,}"
)
_MIXED: Final = re.compile(r"[0-9]|[a-z][A-Z]|[!@#$%^&*+=~|\\_]|[A-Z]{2}[a-z]")


def stands_for_one(value: str) -> bool:
    """Whether `value` only keeps the place of a secret: `****`, `<password>`, `your-key-here`."""
    return bool(_MASK.fullmatch(value)) or _any("placeholder").search(value.lower()) is not None


def shown(text: str, start: int, end: int) -> bool:
    """Whether the value there is made up, and the words around say so: an example of a document."""
    if not _any("made_up").search(text[start:end].lower()) and len(set(text[start:end])) > 5:
        return False
    before, after = text[max(0, start - AROUND) : start], text[end : end + AROUND]
    return any(_any("made_up").search(fold(words).text) for words in (before, after))


def called_made_up(words: str, *, in_documents: bool) -> bool:
    """Whether the words about a secret call it an example, or put it in a manual. Folded text."""
    return _any("said_of_it").search(words) is not None or (
        in_documents and _any("in_documents").search(words) is not None
    )


def numbers_something(text: str, start: int) -> bool:
    """Whether the words before a number name what else it numbers: an order, a parcel, a call."""
    return _any("numbered").search(fold(text[max(0, start - AROUND // 2) : start]).text) is not None


def is_mixed(value: str) -> bool:
    """Whether `value` has what words of a sentence do not: a digit, a sign, a capital inside."""
    return _MIXED.search(value) is not None


def is_remark(value: str) -> bool:
    """Whether `value` is a plain word that says something about a secret, in place of one."""
    word = value.lower().strip("'-")
    return word in _remarks() or word.endswith(_endings())


@cache
def counters() -> re.Pattern[str]:
    """What follows a number that counts something, white space before it included. Folded text."""
    return re.compile(rf"[ -]?(?:{_any('counter').pattern})")


def is_used(text: str, end: int) -> bool:
    """Whether the words after `end` say how what stands before is used. Folded text."""
    return _used().match(text, end) is not None


@cache
def _used() -> re.Pattern[str]:
    return re.compile(rf" (?:{_any('used').pattern})")


def is_filler(value: str) -> bool:
    """Whether `value` is what documents write in place of a secret: `user:password@host`."""
    return value.lower() in _remarks()


@cache
def _remarks() -> frozenset[str]:
    return frozenset(vocabulary.load(FOLDER, "en").words["remark"])


@cache
def _endings() -> tuple[str, ...]:
    return vocabulary.load(FOLDER, "en").words["remark_ending"]


@cache
def _any(name: str) -> re.Pattern[str]:
    """Any of the words `name` of all locales; Latin ones as whole words."""
    words = {
        word for each in vocabulary.LOCALES for word in vocabulary.load(FOLDER, each).words[name]
    }
    return re.compile(
        "|".join(_whole(word) for word in sorted(words, key=lambda word: (-len(word), word)))
    )


def _whole(word: str) -> str:
    start = "(?<![a-z])" if word[0].isalpha() and word.isascii() else ""
    end = "(?![a-z])" if word[-1].isalpha() and word.isascii() else ""
    return f"{start}{re.escape(word)}{end}"
