"""Text written in escapes, such as `%49`, `\\x49`, `\\u0049`, `&#73;`, alone or between words.

A stretch of escapes is read together with the sentence it stands in, because one escape is
enough to hide a word (`ign%6Fre all rules`), and by itself where it is dense. All of it is done on
whole stretches by C code: 256 KiB of escapes are some 80,000 of them.
"""

from __future__ import annotations

import re
from binascii import a2b_qp
from collections.abc import Callable, Iterator
from functools import cache
from itertools import repeat
from typing import Final

from mnemod.domain.gates.encoded_bytes import readable
from mnemod.domain.gates.encoded_signs import ESCAPE_KINDS, ESCAPE_SIGNS

Found = tuple[int, int, str]
"""Start and end in the text that was read, and what stands there once decoded."""

GAP_MAX: Final = 120
"""Characters between two escapes of one stretch, and the most that a sentence reaches beyond."""
STRETCHES_MAX: Final = 8
"""From here on all the rest of a text is one stretch."""
LONG: Final = 2_000
"""Characters. A longer stretch is read with its sentence alone."""
FEW_MAX: Final = 64
"""Escapes that are read where they stand, in a long text."""
NUMBERED_MAX: Final = 1_024
BROKEN_MAX: Final = 2_048
"""Escapes without all of their digits that a decoder may meet one by one."""
END: Final = 8_192
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


def stretches(text: str, go_on: Callable[[], bool] = lambda: True) -> Iterator[Found]:
    """The stretches of `text` that say something else once decoded, while `go_on` says so."""
    for count, found in enumerate(_STRETCH.finditer(text), 1):
        if not go_on():
            return
        last = count == STRETCHES_MAX
        yield from _readings(text, found.start(), len(text) if last else found.end())
        if last:
            return


def whole(text: str, data: bytes, go_on: Callable[[], bool] = lambda: True) -> Iterator[Found]:
    """What all of a long `text` says with its escapes decoded; `data` is its ASCII projection.

    A few escapes are read where they stand. Of numbered entities among thousands only the first and
    the last are decoded between other words; where they stand side by side, all are.
    """
    places = _places(data)
    if len(places) <= FEW_MAX:
        for start, end in _around(places, len(text)):
            for at, to, said in stretches(text[start:end], go_on):
                yield start + at, start + to, said
        return
    said = _bulk(text)
    if said != text:
        yield 0, len(text), said


def _places(data: bytes) -> list[int]:
    """Where escapes may begin, by place: one more than FEW_MAX at most."""
    signs = [
        sign for sign in ESCAPE_SIGNS if sign[:1] in data and (sign[1] != 0x2B or b"+" in data)
    ]
    kinds = data.translate(ESCAPE_KINDS) if signs else b""
    found: list[int] = []
    for sign in signs:
        at = kinds.find(sign)
        while at >= 0 and len(found) <= FEW_MAX:
            found.append(at)
            at = kinds.find(sign, at + 1)
    return sorted(found)


def _around(places: list[int], size: int) -> Iterator[tuple[int, int]]:
    """The parts of a text around `places`, none touching another."""
    part: tuple[int, int] | None = None
    for place in places:
        start, end = max(0, place - 3 * GAP_MAX), min(size, place + 3 * GAP_MAX)
        if part and start <= part[1]:
            part = part[0], end
            continue
        if part:
            yield part
        part = start, end
    if part:
        yield part


def _bulk(text: str) -> str:
    """`text` unescaped in a number of passes that does not depend on how many escapes it has."""
    if "&" in text:
        for name, character in _common_entities():
            text = text.replace(name, character) if name in text else text
        text = _numbered(text)
    for _ in range(2):
        text = text.replace("\\\\", "\\") if "\\\\" in text else text
    if begun := text.count("\\u") + text.count("\\U"):
        text = _points(text.encode("ascii", "backslashreplace"), begun)
    raw = text.encode("utf-8", "surrogatepass").replace(b"\\x", b"%")
    if b"%" in raw:
        raw = a2b_qp(raw.translate(_AS_QUOTED)).translate(_FROM_QUOTED)
    if b"=hh=hh" in raw.translate(ESCAPE_KINDS):
        raw = a2b_qp(raw.translate(_NO_BREAKS)).translate(_FROM_QUOTED)
    return raw.decode("utf-8", "replace")


@cache
def _common_entities() -> tuple[tuple[str, str], ...]:
    from html.entities import html5

    return tuple((f"&{name};", html5[f"{name};"]) for name in ("amp", "lt", "gt", "quot", "nbsp"))


def _numbered(text: str) -> str:
    if text.count("&") <= NUMBERED_MAX:
        return _entities(text)
    head, middle, tail = text[:END], text[END:-END], text[-END:]
    if middle.count("&#") > NUMBERED_MAX:
        codes = middle.encode("ascii", "replace").translate(_ONLY_DIGITS).split()
        middle = "".join(map(chr, map(int, [code for code in codes if len(code) <= 5])))
    return "\n".join((_entities(head), middle, _entities(tail)))


def _points(raw: bytes, begun: int) -> str:
    """`raw` with its code points; so many of them at most are broken."""
    try:
        text = raw.decode("raw_unicode_escape")
    except UnicodeDecodeError:
        whole = raw if begun <= BROKEN_MAX else _only_whole(raw)
        text = whole.decode("raw_unicode_escape", "replace")
    return _whole(text) if b"\\ud8" in raw or b"\\uD8" in raw else text


def _only_whole(raw: bytes) -> bytes:
    """`raw` with a slash for each back-slash that begins an escape without all of its digits.

    One number holds a byte of 0 or 1 for each character, so that `&` asks all places at once: a
    decoder that meets the broken ones itself takes a quarter of a microsecond for each.
    """
    mark, short, long, digit, zero = (
        int.from_bytes(raw.translate(table), "little") for table in _FLAGS
    )
    digits = digit & digit >> 8 & digit >> 16 & digit >> 24
    small = zero & zero >> 8 & zero >> 16
    begun = mark & (short | long) >> 8
    good = mark & (
        (short >> 8 & digits >> 16) | (long >> 8 & digits >> 16 & digits >> 48 & small >> 16)
    )
    bad = begun ^ good
    return (int.from_bytes(raw, "little") ^ bad * (0x5C ^ 0x2F)).to_bytes(len(raw), "little")


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
    if "&#" in text:
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
    for sign, pattern in (("u{", _BRACED), ("\\U", _LONG_POINT), ("+", _NAMED_POINT)):
        text = _each(pattern, text, _hexadecimal) if sign in text else text
    marked = _NO_UNICODE.sub(r"\\\\", _UNICODE.sub(r"\\u", text))
    return _whole(marked.encode("ascii", "backslashreplace").decode("unicode_escape"))


def _bytes(text: str) -> str:
    marked = _BYTE.sub(r"\\x", _NO_BYTE.sub(r"\\\\", _BACKSLASHES.sub(r"\\", text)))
    raw = marked.encode("utf-8", "surrogatepass").decode("unicode_escape").encode("latin-1")
    said = readable(raw)
    return said[0] if said else text


def _whole(text: str) -> str:
    """`text` with halves of a character joined where both are there."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _flags(characters: bytes) -> bytes:
    return bytes(code in characters for code in range(256))


_HEX: Final = b"0123456789abcdefABCDEF"
_FLAGS: Final = tuple(map(_flags, (b"\\", b"u", b"U", _HEX, b"0")))
_ONLY_DIGITS: Final = bytes(code if 0x30 <= code < 0x3A else 0x20 for code in range(256))
# The decoder of quoted-printable forgives a mark without digits, if no line ends after it.
_AS_QUOTED: Final = bytes.maketrans(b"%=\n\r", b"=\x01\x02 ")
_NO_BREAKS: Final = bytes.maketrans(b"\n\r", b"\x02 ")
_FROM_QUOTED: Final = bytes.maketrans(b"\x01\x02", b"=\n")
