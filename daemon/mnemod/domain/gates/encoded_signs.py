"""Whether a text can hold an encoded part at all: a few passes of C over its ASCII projection.

Nearly every message has no sign, and is done with after some microseconds. A sign decides
nothing: it only says which decoder has to look, and in which order.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final


class Sign(StrEnum):
    """A kind of encoding that may be there."""

    ESCAPES = "escapes"
    BASE64 = "base64"
    PIECES = "pieces"
    HEXADECIMAL = "hexadecimal"
    NUMBERS = "numbers"
    ROTATED = "rotated"


def of(data: bytes) -> list[Sign]:
    """The signs of `data`, one byte a code point, `?` for what is not ASCII."""
    found = []
    if any(map(data.__contains__, _ESCAPES)) and any(
        map(data.translate(ESCAPE_KINDS).__contains__, ESCAPE_SIGNS)
    ):
        found.append(Sign.ESCAPES)
    if _RUN in data.translate(_ALPHABET):
        found.append(Sign.BASE64)
    letters = data.translate(_LETTERS)
    if b"dd" in letters and any(map(letters.__contains__, _NUMBERS)):
        found.append(Sign.NUMBERS)
    if any(map(data.translate(_DIGITS).__contains__, _HEX)):
        found.append(Sign.HEXADECIMAL)
    if b"13" in data and ROTATION.search(data):
        found.append(Sign.ROTATED)
    if sum(map(letters.count, _MIXED)) >= _MIXED_MIN:
        found.append(Sign.PIECES)
    return found


def runs(data: bytes) -> int:
    """How many runs of `data` are long enough to be read as base64."""
    return (b"." + data.translate(_ALPHABET)).count(b"." + _RUN)


def _classes(**members: str) -> bytes:
    table = bytearray(b"." * 256)
    for mark, characters in members.items():
        for character in characters:
            table[ord(character)] = ord(mark)
    return bytes(table)


ROTATION: Final = re.compile(rb"rot[ _-]?13", re.IGNORECASE)
"""Letters moved on by half an alphabet look like words: only what is called so is read so."""
_LOWER: Final = "abcdefghijklmnopqrstuvwxyz"
_NUMERALS: Final = "0123456789"
_LETTERS: Final = _classes(l=_LOWER, u=_LOWER.upper(), d=_NUMERALS, s=" ,")
_ALPHABET: Final = _classes(a=_LOWER + _LOWER.upper() + _NUMERALS + "+/_-")
_DIGITS: Final = _classes(h=_NUMERALS + "abcdefABCDEF", s=" \t\r\n:,;._-", x="xX")

_ESCAPES: Final = (b"%", b"\\", b"&", b"=", b"+")
ESCAPE_KINDS: Final = bytes(
    0x68 if chr(code) in _NUMERALS + "abcdefABCDEF" else code if code in b"%\\&=#+xuU{" else 0x2E
    for code in range(256)
)
ESCAPE_SIGNS: Final = (
    b"%hh", b"%uhhhh", b"\\xhh", b"\\uhhhh", b"\\u{", b"\\Uhhhhhhhh", b"\\hhh", b"&#", b"&h", b"&.",
    b"&u", b"&U", b"&x", b"=hh=hh", b"U+hhhh", b"u+hhhh",
)  # fmt: skip
"""How escapes begin, hex digits as `h` and other letters as `.`."""
_RUN: Final = b"a" * 12
_HEX: Final = (b"h" * 12, b"hhshhshhshh", b"hhsshhsshhsshh", b"hhhhshhhhshhhh", b"hxhh")
_NUMBERS: Final = (b"d" * 32, b"dddddddds" * 3, b"ddsddsdds", b"dddsddds", b"dddssddd", b"ddssddss")
# Inside a word of prose letters do not change like this; in base64 they do at every turn.
_MIXED: Final = (b"lu", b"ld", b"dl", b"ud", b"du", b"uul")
_MIXED_MIN: Final = 4
