"""Bytes that came out of a decoder, as text if they are text a person could read.

What is random (a digest, an id, a picture, a signature) is not: a stretch of it is hardly ever
valid in an encoding and made of printable characters too. So no shape has to be trusted to be
harmless: a directive of 32 letters looks like a SHA-256 when it is written in hex.
"""

from __future__ import annotations

import re
from typing import Final

BYTES_MIN: Final = 4
READABLE_MIN: Final = 0.85
"""Share of a text that must be printable. A cut or damaged tail does not hide the rest."""

HEAD: Final = 256
SAMPLE: Final = 4_096
"""Bytes. What is longer is taken for what it is in the first of them, and decoded whole."""
KINDS_MIN: Final = 4
"""Different characters of a text that is not in UTF-8: a repeated byte is none."""

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffd\uffff]")
_CONTROL_BYTES: Final = bytes((*range(9), 0x0B, 0x0C, *range(0x0E, 0x20), 0x7F))
_UTF16: Final = re.compile(r"[\t\n\r -~\u3000-\u30ff\u4e00-\u9fff\uff00-\uff5f]{6,}")
_HIGH_BYTES: Final = bytes({0x00, 0x30, *range(0x4E, 0xA0), 0xFE, 0xFF})
"""First bytes of the characters above, and of the mark that may stand before them."""
# Two bytes a character, as GB 2312 and EUC-JP share them, as Big5 has them, as Shift JIS has them.
_EUC: Final = re.compile(rb"(?:(?:[\xa1-\xa5\xb0-\xd7][\xa1-\xfe]){3,}+|[\t\n\r -~]++)*+")
_BIG5: Final = re.compile(rb"(?:(?:[\xa1-\xc6][\x40-\x7e\xa1-\xfe]){3,}+|[\t\n\r -~]++)*+")
_SHIFT_JIS: Final = re.compile(
    rb"(?:(?:[\x81-\x9f\xe0-\xea][\x40-\x7e\x80-\xfc]){3,}+|[\t\n\r -~]++)*+"
)
_LEGACY: Final = ((_EUC, ("gb2312", "euc_jp")), (_BIG5, ("big5",)), (_SHIFT_JIS, ("shift_jis",)))
_JAPANESE: Final = ("euc_jp", "shift_jis")
_KANA: Final = re.compile(r"[\u3040-\u30ff]")


def readable(data: bytes) -> list[str]:
    """Every text `data` may be: one in UTF-8, or some in the encodings before it; mostly none."""
    if len(data) < BYTES_MIN:
        return []
    text = _printable(data)
    if text is not None:
        return [text]
    found = _utf16(data)
    if not data[:64].isascii():
        # A sample may end within a character.
        whole = data[: SAMPLE - 1]
        if len(whole.translate(None, _CONTROL_BYTES)) == len(whole):
            found += _legacy(data, data[:SAMPLE], len(whole))
    return found


def _printable(data: bytes) -> str | None:
    """`data` as UTF-8 if nearly all of it can be printed. Most bytes at random show at once."""
    controls = len(data) - len(data.translate(None, _CONTROL_BYTES))
    if controls > (1 - READABLE_MIN) * len(data):
        return None
    text = data.decode("utf-8", "replace")
    # A long run of random bytes shows in its first characters: the rest is not looked at.
    if len(text) > HEAD and len(_CONTROL.findall(text, 0, HEAD)) > HEAD / 2:
        return None
    many = len(data) > SAMPLE
    bad = text.count("\ufffd") + controls if many else len(_CONTROL.findall(text))
    return text if bad <= (1 - READABLE_MIN) * len(text) else None


def _utf16(data: bytes) -> list[str]:
    found = []
    even = min(len(data), SAMPLE) & ~1
    for codec, high in (("utf-16-le", data[1:even:2]), ("utf-16-be", data[:even:2])):
        if high.translate(None, _HIGH_BYTES):
            continue
        head = data[:even].decode(codec, "replace")
        if _UTF16.fullmatch(head.removeprefix("\ufeff")) and len(set(head[:64])) >= KINDS_MIN:
            found.append(data[: len(data) & ~1].decode(codec, "replace").removeprefix("\ufeff"))
    return found


def _legacy(data: bytes, head: bytes, least: int) -> list[str]:
    """What `data` may be if `least` bytes of its `head` have the shape of an encoding."""
    found = []
    for shape, codecs in _LEGACY:
        there = shape.match(head)
        if there is None or there.end() < least:
            continue
        for codec in codecs:
            try:
                text = data.decode(codec)
            except UnicodeDecodeError:
                continue
            # Japanese is never without kana; bytes at random are nearly always without them.
            kinds = len(set(text[:64]))
            if kinds >= KINDS_MIN and (codec not in _JAPANESE or _KANA.search(text)):
                found.append(text)
    return found
