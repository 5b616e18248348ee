"""Runs of an alphabet that carry bytes: base64, base32, hex, codes written as numbers, and ROT13.

Everything here works on the ASCII projection of a text: one byte a code point, `?` for what is
not ASCII. Chinese and Japanese prose is therefore nothing at all, and offsets are the text's.
"""

from __future__ import annotations

import codecs
import re
import sys
from binascii import a2b_base64
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Final

from mnemod.domain.gates.encoded_bytes import readable
from mnemod.domain.gates.encoded_signs import ROTATION, Sign
from mnemod.domain.gates.runs import long_runs

Found = tuple[int, int, str]
"""Start and end in the text that was read, and what stands there once decoded."""
Spans = list[tuple[int, int]]

RUN_MIN: Final = 12
"""Characters of a run in base64. The shortest directives are nine bytes."""
RUNS_MAX: Final = 256
"""A text with more runs of one kind has them read as one, which C code does."""
LONGEST_MAX: Final = 4
HEAD: Final = 1_024
BASE32_MAX: Final = 16_384
"""Digits of one number: a longer one takes time by the square of its length."""
WIDTH_MAX: Final = 80
"""Characters of a piece, where an encoded text is split into pieces of one width."""

# Each group ends for itself: asked of the whole, one odd group at the end undoes it at every start.
_HEX_GROUP: Final = rb"(?:0[xX])?(?:[0-9A-Fa-f]{2})++(?![0-9A-Za-z])"
_HEX_RUN: Final = re.compile(
    rb"(?<![0-9A-Za-z])%b(?:[ \t\r\n:,;._-]{1,2}%b)*+" % (_HEX_GROUP, _HEX_GROUP)
)
_HEX_MIN: Final = 12
_NOT_HEX: Final = re.compile(rb"0[xX]|[^0-9A-Fa-f]+")
_ODD: Final = (
    rb"(?<![A-Za-z0-9+/_-])(?=[A-Za-z0-9+/_-]{0,76}?"
    rb"(?:[a-z][A-Z0-9]|[0-9][A-Za-z]|[A-Z][0-9]|[A-Z]{2}[a-z]))[A-Za-z0-9+/_-]{2,80}+"
)
_ODD_PIECE: Final = re.compile(_ODD)
_ODD_PIECES: Final = re.compile(rb"%b(?:[ \t\r\n]{1,2}%b){2,}+={0,2}" % (_ODD, _ODD))
_BASE32: Final = re.compile(rb"[A-Z2-7]{16,}=*|[a-z2-7]{24,}=*")
_BINARY: Final = re.compile(rb"(?<![0-9])[01]{8}(?:[ ,]?[01]{8}){3,}(?![0-9])")
_DECIMAL: Final = re.compile(rb"(?<![0-9.])[0-9]{2,3}(?:[ ,]{1,2}[0-9]{2,3}(?![0-9.])){7,}")
_SHORT_RUN: Final = b"a" * RUN_MIN
_LONG_RUN: Final = b"a" * 256
_IN_RUN: Final = bytes(
    ord("a") if re.match(rb"[A-Za-z0-9+/_-]", bytes([code])) else ord(".") for code in range(256)
)
_PART: Final = re.compile(rb"[A-Za-z0-9]{%d,}+={0,2}" % RUN_MIN)
_URL_SAFE: Final = bytes.maketrans(b"-_", b"+/")
_DIGITS32: Final = bytes.maketrans(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567abcdefghijklmnopqrstuvwxyz",
    b"0123456789abcdefghijklmnopqrstuv0123456789abcdefghijklmnop",
)


def base64(data: bytes) -> Iterator[Found]:
    """Unbroken runs, and runs split into pieces by white space or quotation marks."""
    spans = _filled_runs(data)
    if len(spans) > RUNS_MAX:
        yield from _as_one(data, spans, _padded64)
        return
    after = tried = 0
    for start, end in spans:
        if start < after:
            continue
        found: list[Found] = []
        if start >= tried:
            # Of many words of one width each is a run of its own, if they are none together.
            tried, found = _wrapped(data, start, end - start)
            after = tried if found else end
        yield from found or _run(data, start, end)


def _filled_runs(data: bytes) -> Spans:
    """Where runs of RUN_MIN letters and more stand, with what fills up the last four of them."""
    spans: Spans = []
    for start, end in long_runs(data.translate(_IN_RUN), _SHORT_RUN):
        filling = data[end : end + 2]
        spans.append((start, end + len(filling) - len(filling.lstrip(b"="))))
    return spans


def pieces(data: bytes) -> Iterator[Found]:
    """Base64 in pieces too short to be runs: of one width, or none of them like a word."""
    after = tried = 0
    while tried < RUNS_MAX and (odd := _ODD_PIECE.search(data, after)):
        tried += 1
        after = odd.end()
        if len(odd[0]) < RUN_MIN:
            end, found = _wrapped(data, odd.start(), len(odd[0]))
            after = max(after, end)
            yield from _clean(found)
    for start, end in islice(_spans(_ODD_PIECES, data), RUNS_MAX):
        yield from _clean(_texts(start, end, _from64(data[start:end])))


def hexadecimal(data: bytes) -> Iterator[Found]:
    """Pairs of hex digits: together, or apart by spaces, marks, or `0x`."""
    spans = [(start, end) for start, end in _spans(_HEX_RUN, data) if end - start >= _HEX_MIN]
    if len(spans) > RUNS_MAX:
        yield from _as_one(data, spans, _padded16)
        return
    for start, end in spans:
        yield from _texts(start, end, _from16(data[start:end]))


def numbers(data: bytes) -> Iterator[Found]:
    """Characters written as bits, or as decimal codes."""
    for start, end in islice(_spans(_BINARY, data), RUNS_MAX):
        bits = data[start:end].translate(None, b" ,")
        yield from _texts(start, end, int(bits, 2).to_bytes(len(bits) // 8, "big"))
    for start, end in islice(_spans(_DECIMAL, data), RUNS_MAX):
        codes = list(map(int, data[start:end].replace(b",", b" ").split()))
        if max(codes) < 256:
            yield from _texts(start, end, bytes(codes))


def longest(data: bytes) -> Iterator[Found]:
    """The first few of the longest unbroken runs, each as a whole."""
    for start, end in islice(long_runs(data.translate(_IN_RUN), _LONG_RUN), LONGEST_MAX):
        # What the head of a run is not, the run is not: most of them are random to the end.
        if readable(_from64(data[start : min(end, start + HEAD)])):
            yield from _texts(start, end, _from64(data[start:end]))
        elif there := _BASE32.match(data, start, min(end, start + BASE32_MAX)):
            yield from _texts(*there.span(), _from32(there[0]))


def _spans(
    pattern: re.Pattern[bytes], data: bytes, start: int = 0, end: int = sys.maxsize
) -> Spans:
    return [found.span() for found in pattern.finditer(data, start, end)]


def _clean(found: Iterable[Found]) -> Iterator[Found]:
    return (each for each in found if not _RUBBISH.search(each[2]))


def _texts(start: int, end: int, raw: bytes) -> list[Found]:
    return [(start, end, text) for text in readable(raw)]


def _run(data: bytes, start: int, end: int) -> Iterator[Found]:
    run = data[start:end]
    found = _texts(start, end, _from64(run))
    if _BASE32.fullmatch(run):
        found += _texts(start, end, _from32(run))
    yield from found
    if not found or _RUBBISH.search(found[0][2]):
        yield from _divided(data, start, end)


def _divided(data: bytes, start: int, end: int) -> Iterator[Found]:
    # `/` and `-` are letters of the alphabet, and divide paths and names that hold a run.
    parts = [(at, to) for at, to in _spans(_PART, data, start, end) if to - at < end - start]
    if len(parts) > RUNS_MAX:
        yield from _as_one(data, parts, _padded64)
        return
    for at, to in parts:
        yield from _clean(_texts(at, to, _from64(data[at:to])))


def _wrapped(data: bytes, start: int, width: int) -> tuple[int, list[Found]]:
    """Where pieces of one width end that begin at `start`, and what they say: one text or none.

    A shorter piece may come last. The next word of the sentence can look like it, so both are read.
    """
    if not 2 <= width <= WIDTH_MAX:
        return start, []
    split = _of_width(width).match(data, start)
    if split is None or split.end() - start <= max(width, RUN_MIN) + 2:
        return start, []
    ends = dict.fromkeys((split.end(), split.end("even")))
    found = [each for end in ends for each in _texts(start, end, _from64(data[start:end]))]
    found.sort(key=lambda each: _RUBBISH.search(each[2]) is not None)
    return split.end("even"), found[:1]


@cache
def _of_width(width: int) -> re.Pattern[bytes]:
    letter, gap = rb"[A-Za-z0-9+/_-]", rb"(?:[ \t\r\n\"',;>|]{1,4}|[\"'] ?\+ ?[\"'])"
    return re.compile(
        rb"(?P<even>%b{%d}(?:%b%b{%d}(?!%b))*+)(?:={1,2}|%b%b{1,%d}(?!%b)={0,2})?"
        % (letter, width, gap, letter, width, letter, gap, letter, width - 1, letter)
    )


def _as_one(data: bytes, spans: Spans, prepared: Callable[[bytes], bytes]) -> Iterator[Found]:
    decode = _from64 if prepared is _padded64 else _from16
    raw = decode(b"".join([prepared(data[start:end]) for start, end in spans]))
    # Among so many runs one may be readable and the others not: only what can be read is kept.
    text = "\n".join(_READABLE_PART.findall(raw.decode("utf-8", "replace")))
    if text:
        yield spans[0][0], spans[-1][1], text


_RUBBISH: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd]")
_READABLE_PART: Final = re.compile(r"[^\x00-\x1f\x7f-\x9f\ufffd\ud800-\udfff]{8,}")


def _from64(run: bytes) -> bytes:
    digits = run.translate(_URL_SAFE, b" \t\r\n\"',;>|=")
    # One letter over carries no byte: it was cut off, or never belonged to the run.
    whole = digits[: len(digits) - (len(digits) % 4 == 1)]
    return a2b_base64(whole + b"=" * (-len(whole) % 4))


def _padded64(run: bytes) -> bytes:
    digits = run.rstrip(b"=")
    return digits + b"A" * (-len(digits) % 4) + b"AAAA"


def _from32(run: bytes) -> bytes:
    digits = run.rstrip(b"=").translate(_DIGITS32)
    bits = 5 * len(digits)
    return (int(digits, 32) >> bits % 8).to_bytes(bits // 8, "big")


def _from16(run: bytes) -> bytes:
    return bytes.fromhex(_NOT_HEX.sub(b"", run).decode("ascii"))


def _padded16(run: bytes) -> bytes:
    return _NOT_HEX.sub(b"", run) + b"00"


def rotated(data: bytes) -> Iterator[Found]:
    """What stands before and after the name of the code, its letters moved on by 13."""
    if named := ROTATION.search(data):
        said = codecs.encode(data.decode("ascii", "replace"), "rot13")
        yield 0, len(data), f"{said[: named.start()]} {said[named.end() :]}"


READERS: Final[dict[Sign, Callable[[bytes], Iterator[Found]]]] = {
    Sign.BASE64: base64,
    Sign.PIECES: pieces,
    Sign.HEXADECIMAL: hexadecimal,
    Sign.NUMBERS: numbers,
    Sign.ROTATED: rotated,
}
