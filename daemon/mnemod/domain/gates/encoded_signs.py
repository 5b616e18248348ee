"""Whether a text can hold an encoded part at all: a few passes of C over its ASCII projection.

Nearly every message has no sign, and is done with after some microseconds. A sign decides
nothing: it only says which decoder has to look.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Sign(StrEnum):
    """A kind of encoding that may be there."""

    ESCAPES = "escapes"
    BASE64 = "base64"
    PIECES = "pieces"
    HEXADECIMAL = "hexadecimal"
    NUMBERS = "numbers"


def of(data: bytes) -> frozenset[Sign]:
    """The signs of `data`, one byte a code point, `?` for what is not ASCII."""
    letters, digits = data.translate(_LETTERS), data.translate(_DIGITS)
    return frozenset(
        sign
        for sign, there in (
            (Sign.ESCAPES, any(mark in data for mark in _ESCAPES)),
            (Sign.BASE64, _RUN in data.translate(_ALPHABET)),
            (Sign.PIECES, sum(map(letters.count, _MIXED)) >= _MIXED_MIN),
            (Sign.HEXADECIMAL, any(mark in digits for mark in _HEX)),
            (Sign.NUMBERS, any(mark in letters for mark in _NUMBERS)),
        )
        if there
    )


def runs(data: bytes) -> int:
    """How many runs of `data` are long enough to be read as base64."""
    return (b"." + data.translate(_ALPHABET)).count(b"." + _RUN)


def _classes(**members: str) -> bytes:
    table = bytearray(b"." * 256)
    for mark, characters in members.items():
        for character in characters:
            table[ord(character)] = ord(mark)
    return bytes(table)


_LOWER: Final = "abcdefghijklmnopqrstuvwxyz"
_NUMERALS: Final = "0123456789"
_LETTERS: Final = _classes(l=_LOWER, u=_LOWER.upper(), d=_NUMERALS, s=" ,")
_ALPHABET: Final = _classes(a=_LOWER + _LOWER.upper() + _NUMERALS + "+/_-")
_DIGITS: Final = _classes(h=_NUMERALS + "abcdefABCDEF", s=" \t\r\n:,;._-", x="xX")

_ESCAPES: Final = (b"%", b"\\", b"&", b"=", b"U+", b"u+")
_RUN: Final = b"a" * 12
_HEX: Final = (b"h" * 12, b"hhshhshhshh", b"hhsshhsshhsshh", b"hhhhshhhhshhhh", b"hxhh")
_NUMBERS: Final = (b"d" * 32, b"dddddddds" * 3, b"ddsddsdds", b"dddsddds", b"dddssddd", b"ddssddss")
# Inside a word of prose letters do not change like this; in base64 they do at every turn.
_MIXED: Final = (b"lu", b"ld", b"dl", b"ud", b"du", b"uul")
_MIXED_MIN: Final = 4
