"""A long text read in code as a whole, in time that does not depend on what it is cut into.

Run by run a page of ids takes a hundred milliseconds. Here all that is no letter of an alphabet is
dropped and the rest decoded in one go, at every place a run may begin: four for base64, two for
hex. Whatever stands in one of these alphabets, in however many pieces and behind however many
others, comes out readable in one of the readings. Only stretches that are readable are kept.

Not seen in a long text: base32, and Chinese or Japanese in UTF-16, GB 2312, EUC or Shift JIS within
base64, unless near an end of the text or in one of its longest runs, which are read run by run too.
"""

from __future__ import annotations

import re
from binascii import a2b_base64, unhexlify
from collections.abc import Iterator
from itertools import islice, repeat
from typing import Final

from mnemod.domain.gates.encoded_bytes import readable

Found = tuple[int, int, str]
"""Start and end in the text that was read, and what stands there once decoded."""

STRETCHES_MAX: Final = 128
"""Readable stretches of one reading that are cut out singly; all after them comes as it is."""
PLACED_MAX: Final = 8
"""Stretches of one reading that are given a place of their own in the text."""
ROW_BEFORE: Final = 48
NUMBERED_MAX: Final = 32
"""Rows of numbers that are read one by one; where there are more, all numbers are one row."""


def found(data: bytes) -> Iterator[Found]:
    """What `data`, the ASCII projection of a text, says in base64, in hex, and in numbers."""
    for digits, readings in ((_letters64(data), _base64), (_digits16(data), _hexadecimal)):
        for raw, place in readings(digits):
            yield from _placed(data, digits, raw, place)
    yield from _numbers(data)


def _letters64(data: bytes) -> bytes:
    return data.translate(_URL_SAFE, _NOT_64)


def _base64(digits: bytes) -> Iterator[tuple[bytes, tuple[int, int]]]:
    whole = len(digits) // 4 * 4
    raw = a2b_base64(digits[:whole])
    yield raw, (3, 4)
    # A run that begins one letter later is the same bits, six further: no need to decode again.
    bits = int.from_bytes(raw, "big")
    for letters in (1, 2, 3):
        shifted = (bits << 6 * letters).to_bytes(len(raw) + 3, "big")
        yield shifted[3:-1], (3, 4)


def _digits16(data: bytes) -> bytes:
    # What is left of prose is a fourth of it, and soon searched.
    digits = data.translate(None, _NOT_16_OR_X)
    if b"0x" in digits:
        digits = data.replace(b"0x", b" ").translate(None, _NOT_16_OR_X)
    return digits.translate(None, b"x") if b"x" in digits else digits


def _hexadecimal(digits: bytes) -> Iterator[tuple[bytes, tuple[int, int]]]:
    for start in (0, 1):
        yield unhexlify(digits[start : start + (len(digits) - start) // 2 * 2]), (1, 2)


def _placed(data: bytes, digits: bytes, raw: bytes, place: tuple[int, int]) -> Iterator[Found]:
    """The readable stretches of `raw`: a few with their places, more of them as one."""
    stretches = list(_stretches(raw))
    if len(stretches) > PLACED_MAX:
        yield 0, len(data), _text(b"\n".join([raw[start:end] for start, end in stretches]))
        return
    (bytes_, letters) = place
    for start, end in stretches:
        where = _where(data, digits, start * letters // bytes_, end * letters // bytes_)
        for text in _texts(raw[start:end]):
            yield *where, text


def _where(data: bytes, digits: bytes, start: int, end: int) -> tuple[int, int]:
    """The place in `data` of digits that stand together there; all of it if they do not."""
    middle = digits[start + 4 : end - 4]
    at = data.translate(_URL_SAFE).find(middle) if middle else -1
    return (max(0, at - 4), min(len(data), at + len(middle) + 4)) if at >= 0 else (0, len(data))


def _stretches(raw: bytes) -> Iterator[tuple[int, int]]:
    """Where bytes at random would hardly ever be readable for so long."""
    kinds = raw.translate(_KINDS)
    at = 0
    seeds = _SEEDS if b"\0" in raw else _SEEDS[:-1]
    for count, seed in enumerate(_hits(kinds, seeds), 1):
        if seed < at:
            continue
        if count == STRETCHES_MAX:
            yield at, len(raw)
            return
        start, end = kinds.rfind(b".", at, seed) + 1, kinds.find(b".", seed)
        yield max(at, start), end if end >= 0 else len(raw)
        at = end if end >= 0 else len(raw)


def _hits(kinds: bytes, signs: tuple[bytes, ...]) -> list[int]:
    """The places of `signs`, the first STRETCHES_MAX of each."""
    hits: list[int] = []
    for sign in signs:
        at = kinds.find(sign)
        for _ in range(STRETCHES_MAX):
            if at < 0:
                break
            hits.append(at)
            # One stretch has one hit: the next is looked for beyond its end.
            end = kinds.find(b".", at)
            at = kinds.find(sign, end) if end >= 0 else -1
    return sorted(hits)


def _texts(raw: bytes) -> Iterator[str]:
    text = _text(raw)
    yield text
    if len(text) < len(raw) / 2:
        yield from readable(raw)


def _text(raw: bytes) -> str:
    return raw.translate(_LINES, b"\0").decode("utf-8", "ignore")


def _numbers(data: bytes) -> Iterator[Found]:
    # No row of numbers has letters in it: without them the rest of prose is soon searched.
    figures = data.translate(None, _ALL_LETTERS)
    for table, signs, row, decoded in (
        (_BIT_KINDS, _BIT_SIGNS, _BIT_ROW, _of_bits),
        (_CODE_KINDS, _CODE_SIGNS, _CODE_ROW, _of_codes),
    ):
        if not any(map(figures.translate(table).__contains__, signs)):
            continue
        rows = list(islice(_rows(data, data.translate(table), signs, row), NUMBERED_MAX + 1))
        if len(rows) > NUMBERED_MAX:
            rows = [(rows[0][0], len(data))]
        for start, end in rows:
            if text := _text(decoded(data[start:end])):
                yield start, end, text


def _rows(
    data: bytes, kinds: bytes, signs: tuple[bytes, ...], row: re.Pattern[bytes]
) -> Iterator[tuple[int, int]]:
    at = 0
    for sign in _hits(kinds, signs):
        if sign < at:
            continue
        if there := row.match(data, sign):
            # What stands before the sign belongs to the row as well.
            before = _BEFORE.search(data, max(at, sign - ROW_BEFORE), sign)
            yield before.start() if before else sign, there.end()
        at = max(there.end() if there else 0, sign + 8)


def _of_bits(row: bytes) -> bytes:
    bits = row.translate(None, _NOT_BITS)
    if not (bits := bits[: len(bits) // 8 * 8]):
        return b""
    return int(bits, 2).to_bytes(len(bits) // 8, "big")


def _of_codes(row: bytes) -> bytes:
    codes = row.translate(_ONLY_DIGITS).split()
    return bytes(map(_CODE.get, codes, repeat(0x0A)))


def _classes(**members: bytes) -> bytes:
    table = bytearray(b"." * 256)
    for mark, characters in members.items():
        for character in characters:
            table[character] = ord(mark)
    return bytes(table)


def _but(kept: bytes) -> bytes:
    return bytes(set(range(256)) - set(kept))


_UPPER: Final = bytes(range(0x41, 0x5B))
_LOWER: Final = bytes(range(0x61, 0x7B))
_DIGITS: Final = bytes(range(0x30, 0x3A))
_URL_SAFE: Final = bytes.maketrans(b"-_", b"+/")
_NOT_64: Final = _but(_UPPER + _LOWER + _DIGITS + b"+/-_")
_NOT_16_OR_X: Final = _but(_DIGITS + b"ABCDEFabcdefx")
_ALL_LETTERS: Final = _UPPER + _LOWER
_NOT_BITS: Final = _but(b"01")
_ONLY_DIGITS: Final = bytes(code if code in _DIGITS else 0x20 for code in range(256))

# Letters and spaces, other characters that can be printed, zero, the bytes of UTF-8 (with the
# first one of a Chinese or Japanese character apart); the rest ends a stretch. Eight letters in a
# row come once in 400,000 bytes at random.
_KINDS: Final = _classes(
    q=bytes(range(0x20, 0x7F)) + b"\t\n\r", l=_UPPER + _LOWER + b" ", z=b"\0",
    h=bytes(range(0xC0, 0xFF)), t=bytes(range(0x80, 0xC0)), c=bytes(range(0xE3, 0xEA)),
)  # fmt: skip
_SEEDS: Final = (b"l" * 8, b"ctt" * 4, b"lzlzlzlzlz")
_LINES: Final = bytes(
    0x0A if (code < 0x20 and code != 9) or code == 0x7F else code for code in range(256)
)
_BIT_KINDS: Final = _classes(b=b"01", s=b" ,")
_BIT_SIGNS: Final = (b"b" * 32, b"bbbbbbbbs" * 3)
_CODE_KINDS: Final = _classes(d=_DIGITS, s=b" ,")
_CODE_SIGNS: Final = (b"ddsddsdds", b"dddsdddsddd", b"ddssddssdd", b"dddssdddssddd")
_BIT_ROW: Final = re.compile(rb"[01 ,]{32,}+")
_BEFORE: Final = re.compile(rb"(?:[0-9]{2,3}[ ,]{1,2})+\Z")
_CODE_ROW: Final = re.compile(rb"[0-9]{2,3}(?:[ ,]{1,2}[0-9]{2,3}(?![0-9.])){7,}+")
_CODE: Final = {
    str(code).rjust(width, "0").encode(): code for code in range(256) for width in (1, 2, 3)
}
