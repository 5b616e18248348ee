"""Whether an assistant's turn repeats the owner's words, whoever says "I" in it.

Both texts are brought to their comparison form and every word for the owner, and the verb forms
that go with it, to one sign: "I am allergic to nuts" is repeated by "Since you're allergic to
nuts, ...". A text too short to say anything of its own counts only where it is the whole turn.
The words are data, one file a language.
"""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import Final

from mnemod.domain.keys import comparison_key

WORDS_MIN: Final = 2
"""Words besides those for the owner that a copy inside a longer turn must have."""

CHARACTERS_MIN: Final = 4
"""The same for scripts without spaces, in characters."""

_OWNER: Final = "\u0001"
_BE: Final = "\u0002"
_CJK: Final = re.compile(r"[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")


def _words(name: str) -> list[str]:
    folder = files("mnemod.domain.copies_vocabulary")
    found: list[str] = []
    for locale in ("en", "zh", "ja"):
        data = tomllib.loads(folder.joinpath(f"{locale}.toml").read_text(encoding="utf-8"))
        found.extend(data[name])
    return sorted(found, key=lambda word: (-len(word), word))


def _pattern(words: list[str]) -> re.Pattern[str]:
    latin = "|".join(re.escape(word) for word in words if word.isascii())
    other = "|".join(re.escape(word) for word in words if not word.isascii())
    return re.compile(rf"\b(?:{latin})\b|(?:{other})")


_OWNERS: Final = _pattern(_words("owner"))
_BES: Final = re.compile(rf"\b(?:{'|'.join(map(re.escape, _words('be')))})\b|'(?:m|re|s)\b")


def folded(text: str) -> str:
    """`text` in the form that copies share."""
    plain = _BES.sub(f" {_BE} ", comparison_key(text))
    plain = _OWNERS.sub(_OWNER, plain)
    return " ".join(re.sub(r"[.,;:!?\"]", " ", plain).split())


def shared(text: str) -> str:
    """The words of `text` that every copy has, whoever is speaking."""
    return folded(text).replace(_OWNER, " ").replace(_BE, " ")


def repeats(turn: str, text: str) -> bool:
    """Whether `turn` says `text`, word for word but for who is speaking."""
    wanted, said = folded(text), folded(turn)
    if not wanted:
        return False
    if not _says_something(wanted):
        return wanted == said
    return _stands_in(wanted, said)


def _says_something(wanted: str) -> bool:
    words = [word for word in wanted.split() if word not in (_OWNER, _BE)]
    if _CJK.search(wanted):
        return len("".join(words).replace(_OWNER, "")) >= CHARACTERS_MIN
    return len(words) >= WORDS_MIN


def _stands_in(wanted: str, said: str) -> bool:
    start = said.find(wanted)
    while start >= 0:
        before, after = said[start - 1 : start], said[start + len(wanted) :][:1]
        if not (_joins(before, wanted[0]) or _joins(wanted[-1], after)):
            return True
        start = said.find(wanted, start + 1)
    return False


def _joins(left: str, right: str) -> bool:
    """Whether two characters side by side belong to one Latin word or number."""
    return bool(left and right) and left.isascii() and right.isascii() and (left + right).isalnum()
