"""Takes off what hides words from a rule but not from a reader: look-alikes and letters set apart.

- look-alikes of Latin letters (Cyrillic, Greek, small capitals, accents; digits inside a word):
  only in a word that has a Latin letter too, or that is made of nothing but look-alikes; a letter
  stands for a letter, so places stay as they are;
- letters set apart (`i g n o r e`, `i.g.n.o.r.e`): joined, with a space where the gap is wider, or
  where a known word ends when all gaps are alike;
- Chinese and Japanese characters set apart in the same way;
- runs of spaces and line ends made one.

What this gives is only read by rules, never stored or compared.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

from mnemod.domain.folded import Folded
from mnemod.domain.vocabulary import any_of

_SOURCE: Final = Path(__file__).with_name("vocabulary") / "look_alikes.toml"
WORD_GAP_CHARS: Final = 2
"""A wider gap between letters that are set apart ends a word."""
_GAP: Final = r"[ \t.\u00b7\u2022\u30fb\-_*|/,~+]{1,4}"
_APART: Final = re.compile(rf"(?<![a-z0-9'])[a-z](?:{_GAP}[a-z](?![a-z])){{3,}}(?![a-z0-9'])")
_APART_SIGN: Final = re.compile(rf"[ \t.\u00b7\u2022\u30fb\-_*|/,~+][a-z]{_GAP}[a-z](?![a-z])")
_LETTER_OR_GAP: Final = re.compile(rf"[a-z]|{_GAP}")
_EAST: Final = "[\u3041-\u30ff\u3400-\u9fff]"
_EAST_GAP: Final = r"[ \t\n.\u00b7\u2022\u30fb\-_*|/\u3001,~+]{1,3}"
_EAST_APART: Final = re.compile(
    rf"(?:(?<!{_EAST}){_EAST}{_EAST_GAP})(?:{_EAST}{_EAST_GAP}){{2,}}{_EAST}(?!{_EAST})"
)
_EAST_SIGN: Final = re.compile(rf"(?:{_EAST}{_EAST_GAP}){{3}}{_EAST}")
_NOT_EAST: Final = re.compile("[^\u3041-\u30ff\u3400-\u9fff]+")
_DIGIT_IN_WORD: Final = re.compile(r"[013457@$](?:(?<=[a-z].)|(?=[a-z]))")
_MIXED: Final = re.compile(r"(?<![a-z0-9@$])(?=[a-z0-9@$]*[a-z])[a-z0-9@$]{4,24}(?![a-z0-9])")
_RUNS: Final = ("  ", "\n\n", " \n", "\n ")


def undisguised(folded: Folded) -> Folded:
    """`folded` as a reader sees it. Linear; most texts come back as they are."""
    plain = folded
    if not folded.text.isascii():
        plain = _same_places(plain, _looks().sub(_as_latin, plain.text))
        if _EAST_SIGN.search(plain.text):
            plain = plain.sub(_EAST_APART, lambda found: _NOT_EAST.sub("", found[0]))
    if _DIGIT_IN_WORD.search(plain.text):
        plain = _same_places(plain, _MIXED.sub(_without_digits, plain.text))
    if _APART_SIGN.search(plain.text):
        plain = plain.sub(_APART, lambda found: _joined(found[0]))
    if any(run in plain.text for run in _RUNS):
        return plain.collapsed()
    return plain


def _same_places(folded: Folded, text: str) -> Folded:
    return folded if text == folded.text else Folded(text, folded.layers)


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(_SOURCE.read_text(encoding="utf-8"))


@cache
def _letters() -> dict[int, str]:
    return {ord(like): latin for latin, likes in _data()["letters"].items() for like in likes}


@cache
def _looks() -> re.Pattern[str]:
    likes = "".join(map(re.escape, map(chr, _letters())))
    return re.compile(f"(?<![a-z{likes}])[a-z]*+[{likes}][a-z{likes}]*")


@cache
def _word_end() -> re.Pattern[str]:
    return re.compile(any_of(_data()["words"]))


@cache
def _disguised() -> frozenset[str]:
    return frozenset(_data()["words"])


def _as_latin(found: re.Match[str]) -> str:
    start, end = found.span()
    beside = found.string[max(0, start - 1) : start] + found.string[end : end + 1]
    if any(char.isalpha() and not _east(char) for char in beside):
        return found[0]  # part of a word of another script
    return found[0].translate(_letters())


def _east(char: str) -> bool:
    return "\u3041" <= char <= "\u9fff"


def _without_digits(found: re.Match[str]) -> str:
    plain = found[0].translate(_digits())
    return plain if plain != found[0] and plain in _disguised() else found[0]


@cache
def _digits() -> dict[int, str]:
    return {ord(sign): letter for sign, letter in _data()["digits"].items()}


def _joined(apart: str) -> str:
    pieces = _LETTER_OR_GAP.findall(apart)
    gaps = set(pieces[1::2])
    if all(gap.isspace() for gap in gaps):
        narrow = max(min(map(len, gaps)), WORD_GAP_CHARS if max(map(len, gaps)) > 2 else 1)
        wide = {gap for gap in gaps if len(gap) > narrow}
    else:
        wide = {gap for gap in gaps if " " in gap}
    if wide and wide != gaps:
        return "".join(
            piece if at % 2 == 0 else " " if piece in wide else ""
            for at, piece in enumerate(pieces)
        )
    return _word_end().sub(lambda word: f" {word[0]} ", "".join(pieces[::2])).strip()
