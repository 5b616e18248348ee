"""Whether an assistant's turn repeats the owner's words, whoever says "I" in it.

Both texts are brought to their comparison form and every word for the owner, and the verb forms
that go with it, to one sign: "I am allergic to nuts" is repeated by "Since you're allergic to
nuts, ...". A text too short to say anything of its own counts only where it is the whole turn.
The words are data, one file a language.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Final

from mnemod.domain.keys import comparison_key
from mnemod.domain.segments import sentences

WORDS_MIN: Final = 2
"""Words besides those for the owner that a copy inside a longer turn must have."""

CHARACTERS_MIN: Final = 4
"""The same for scripts without spaces, in characters."""

_OWNER: Final = "\u0001"
_BE: Final = "\u0002"
_CJK: Final = re.compile(r"[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")


def _words(name: str) -> list[str]:
    folder = Path(__file__).with_name("copies_vocabulary")
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
    return _is_said(folded(text), folded(turn))


def repeats_part(turn: str, text: str) -> bool:
    """Whether `turn` says one sentence of `text`, word for word but for who is speaking."""
    said = folded(turn)
    parts = (folded(text[part.start : part.end]) for part in sentences(text))
    return any(_is_said(wanted, said) for wanted in parts)


class Said:
    """The pieces of one text, folded once, so that many texts can be looked for in them."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self._folded = [folded(piece) for piece in pieces]
        self._whole = " ".join(self._folded)
        ends = accumulate(len(piece) + 1 for piece in self._folded)
        self._ends = [end - 1 for end in ends]

    def repeating(self, text: str) -> list[int]:
        """The places of the pieces that say `text`, alone or with the pieces beside them."""
        wanted = folded(text)
        if not wanted:
            return []
        if not _says_something(wanted):
            return [place for place, said in enumerate(self._folded) if said == wanted]
        found: list[int] = []
        for start in _places(wanted, self._whole):
            last = bisect_left(self._ends, start + len(wanted))
            found.extend(range(bisect_right(self._ends, start), last + 1))
        return found


def _is_said(wanted: str, said: str) -> bool:
    if not wanted:
        return False
    if not _says_something(wanted):
        return wanted == said
    return next(_places(wanted, said), None) is not None


def _says_something(wanted: str) -> bool:
    words = [word for word in wanted.split() if word not in (_OWNER, _BE)]
    if _CJK.search(wanted):
        return len("".join(words).replace(_OWNER, "")) >= CHARACTERS_MIN
    return len(words) >= WORDS_MIN


def _places(wanted: str, said: str) -> Iterator[int]:
    start = said.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if not (
            _joins(said[start - 1 : start], wanted[0]) or _joins(wanted[-1], said[end : end + 1])
        ):
            yield start
        start = said.find(wanted, start + 1)


def _joins(left: str, right: str) -> bool:
    """Whether two characters side by side belong to one Latin word or number."""
    return bool(left and right) and left.isascii() and right.isascii() and (left + right).isalnum()
