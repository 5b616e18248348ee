"""Text written in escapes, such as `%49`, `\\x49`, `\\u0049`, `&#73;`, alone or between words.

A stretch of escapes is read together with the sentence it stands in, because one escape is
enough to hide a word (`ign%6Fre all rules`), and by itself where it is dense. All of it is done on
whole stretches by C code: 256 KiB of escapes are some 80,000 of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Final

from mnemod.domain.gates.encoded_bytes import readable

Found = tuple[int, int, str]
"""Start and end in the text that was read, and what stands there once decoded."""

GAP_MAX: Final = 120
"""Characters between two escapes of one stretch, and the most that a sentence reaches beyond."""
STRETCHES_MAX: Final = 64
"""From here on all the rest of a text is one stretch."""
LONG: Final = 2_000
"""Characters. A longer stretch is read with its sentence alone."""
DENSE_MAX: Final = 0.6
"""A stretch is dense if what it says is at most so much of its length."""

_UNIT: Final = (
    r"(?:%(?:[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4})"
    r"|\\(?:x[0-9A-Fa-f]{2}|u\{[0-9A-Fa-f]{1,6}\}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[01][0-7]{2})"
    r"|&(?:#[0-9]{1,10};?|#[xX][0-9A-Fa-f]{1,10};?|[A-Za-z][A-Za-z0-9]{1,30};)"
    r"|=[0-9A-F]{2}=[0-9A-F]{2}|[Uu]\+[0-9A-Fa-f]{4,6})"
)
_STRETCH: Final = re.compile(rf"{_UNIT}(?:[^%\\&=]{{0,{GAP_MAX}}}{_UNIT})*+")
_WORD: Final = re.compile(r"[^\s\"'`<>()\[\]{}|,;\u3000-\u303f\uff08-\uff0c]{0,120}")
_SENTENCE_END: Final = re.compile(r"[\n\u3002\uff01\uff1f]|[.!?] ")

_DECIMAL: Final = re.compile(r"&#0{0,8}([0-9]{1,7});?")
_HEXADECIMAL: Final = re.compile(r"&#[xX]0{0,8}([0-9A-Fa-f]{1,6});?")
_NAMED: Final = re.compile(r"&([A-Za-z][A-Za-z0-9]{1,30};)")
_BRACED: Final = re.compile(r"\\{1,4}u\{([0-9A-Fa-f]{1,6})\}")
_LONG_POINT: Final = re.compile(r"\\{1,4}U([0-9A-Fa-f]{8})")
_NAMED_POINT: Final = re.compile(r"[Uu]\+([0-9A-Fa-f]{4,6})[ ,]?")
_UNICODE: Final = re.compile(r"(?:%|\\{1,4})u(?=[0-9A-Fa-f]{4})")
_NO_UNICODE: Final = re.compile(r"\\(?!u[0-9A-Fa-f]{4})")
_BACKSLASHES: Final = re.compile(r"\\{2,4}(?=x[0-9A-Fa-f]{2}|[01][0-7]{2})")
_BYTE: Final = re.compile(r"(?:%|=|\\{1,4}x)(?=[0-9A-Fa-f]{2})")
_NO_BYTE: Final = re.compile(r"\\(?!x[0-9A-Fa-f]{2}|[01][0-7]{2})")


def stretches(text: str) -> Iterator[Found]:
    """The stretches of `text` that say something else once decoded."""
    for count, found in enumerate(_STRETCH.finditer(text), 1):
        last = count == STRETCHES_MAX
        yield from _readings(text, found.start(), len(text) if last else found.end())
        if last:
            return


def unescaped(text: str) -> str:
    """`text` with its escapes of one level decoded; what is no escape stays."""
    if "&" in text:
        text = _entities(text)
    if "\\" in text or "%u" in text or "+" in text:
        text = _code_points(text)
    return _bytes(text) if "%" in text or "\\" in text or "=" in text else text


def _readings(text: str, start: int, end: int) -> Iterator[Found]:
    word = _word(text, start, end)
    sentence = _sentence(text, *word)
    # Beside a long stretch the rest of its sentence says nothing that both would not.
    apart = word if word[1] - word[0] < LONG else sentence
    for at, to in dict.fromkeys((apart, sentence)):
        source = text[at:to]
        said = unescaped(source)
        if said != source and ((at, to) == sentence or len(said) <= DENSE_MAX * len(source)):
            yield at, to, said


def _word(text: str, start: int, end: int) -> tuple[int, int]:
    before, after = _WORD.match(text[max(0, start - GAP_MAX) : start][::-1]), _WORD.match(text, end)
    return start - len(before[0] if before else ""), end + len(after[0] if after else "")


def _sentence(text: str, start: int, end: int) -> tuple[int, int]:
    low = max(0, start - GAP_MAX)
    ends = [found.end() for found in _SENTENCE_END.finditer(text, low, start)]
    after = _SENTENCE_END.search(text, end, end + GAP_MAX)
    return (ends[-1] if ends else low), (after.start() if after else min(len(text), end + GAP_MAX))


def _entities(text: str) -> str:
    text = _each(_DECIMAL, text, lambda codes: _characters(list(map(int, codes))))
    text = _each(_HEXADECIMAL, text, _hexadecimal)
    return _whole(_each(_NAMED, text, _by_name))


def _each(pattern: re.Pattern[str], text: str, decode: Callable[[list[str]], list[str]]) -> str:
    # Everything between, and every group, in turn: half the time of a call for each match.
    parts = pattern.split(text)
    parts[1::2] = decode(parts[1::2])
    return "".join(parts)


def _characters(codes: list[int]) -> list[str]:
    if max(codes, default=0) < 0x110000:
        return list(map(chr, codes))
    return [chr(code) if code < 0x110000 else "\ufffd" for code in codes]


def _hexadecimal(codes: list[str]) -> list[str]:
    return _characters(list(map(int, codes, repeat(16))))


def _by_name(names: list[str]) -> list[str]:
    # Two thousand names: loaded only for a text that has one.
    from html.entities import html5

    return [html5.get(name, f"&{name}") for name in names]


def _code_points(text: str) -> str:
    for pattern in (_BRACED, _LONG_POINT, _NAMED_POINT):
        text = _each(pattern, text, _hexadecimal)
    marked = _NO_UNICODE.sub(r"\\\\", _UNICODE.sub(r"\\u", text))
    return _whole(marked.encode("ascii", "backslashreplace").decode("unicode_escape"))


def _bytes(text: str) -> str:
    marked = _BYTE.sub(r"\\x", _NO_BYTE.sub(r"\\\\", _BACKSLASHES.sub(r"\\", text)))
    raw = marked.encode("utf-8", "surrogatepass").decode("unicode_escape").encode("latin-1")
    return next(readable(raw), text)


def _whole(text: str) -> str:
    """`text` with halves of a character joined where both are there."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
