"""A text without what cannot be seen, at ASCII width, its case kept: what a decoder would be given.

`folded.fold` makes one case of all letters, which base64 and keys do not survive. What several
gates ask of a text is worked out once, when the first of them asks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from typing import Final

from msgspec import Struct, field


class Bare(Struct):
    """The bare text. `source` is set if something was left out of it, characters of `unseen`.

    `kept` says how many characters each part of PART of the source and all before it keep, once
    that is asked.
    """

    text: str
    source: str = ""
    unseen: frozenset[str] = frozenset()
    kept: list[int] = field(default_factory=list)
    ascii: bytes = b""
    seen: bytes = b""

    def data(self) -> bytes:
        """One byte a code point: `?` for what is not ASCII."""
        if not self.ascii:
            self.ascii = self.text.encode("ascii", "replace")
        return self.ascii

    def shown(self) -> bytes:
        """One byte a code point: `a` for a character of ASCII that can be seen, `.` for others."""
        if not self.seen:
            self.seen = self.data().translate(_SHOWN)
        return self.seen

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where `text[start:end]`, which is not empty, stands in the source."""
        if not self.source:
            return start, end
        ends = self.source[0] + self.source[-1]
        if start == 0 and end == len(self.text) and not _UNSEEN.search(ends):
            return 0, len(self.source)
        return self._place(start), self._place(end - 1) + 1

    def _place(self, at: int) -> int:
        """Where the character `at` stands in the source."""
        if not self.kept:
            starts = range(0, len(self.source), PART)
            parts = (self.source[start : start + PART] for start in starts)
            self.kept = list(accumulate(len(_seen(part, self.unseen)) for part in parts))
        number = bisect_right(self.kept, at)
        place, left = number * PART, at - (self.kept[number - 1] if number else 0)
        for count, piece in enumerate(_UNSEEN.split(self.source[place : place + PART])):
            if count % 2 == 0 and left < len(piece):
                return place + left
            place += len(piece)
            left -= len(piece) if count % 2 == 0 else 0
        return place


@lru_cache(maxsize=1)
def bare(text: str) -> Bare:
    """`text` with its invisible characters out, and its full width letters narrow.

    The last text is remembered: one gate looks at it after another.
    """
    if text.isascii():
        return Bare(text)
    foreign, raw = text, text.encode("utf-8", "surrogatepass")
    if len(raw) < 2 * len(text):
        # Of a text that is mostly ASCII only the rest is searched.
        foreign = raw.translate(None, _ASCII).decode("utf-8", "surrogatepass")
    if not _CHANGED.search(foreign):
        return Bare(text)
    kinds = "".join(set(foreign))
    wide, unseen = _WIDE_LETTER.search(kinds), frozenset("".join(_UNSEEN.findall(kinds)))
    shown = _narrow(text, frozenset("".join(_WIDE.findall(kinds)))) if wide else text
    return Bare(_seen(shown, unseen), text, unseen) if unseen else Bare(shown)


def _seen(text: str, unseen: frozenset[str]) -> str:
    if len(unseen) > KINDS_MAX:
        return _UNSEEN.sub("", text)
    # Mostly it is one character thousands of times, which `replace` does in a tenth of the time.
    for character in unseen:
        text = text.replace(character, "")
    return text


KINDS_MAX: Final = 8
PART: Final = 128


def _narrow(text: str, kinds: frozenset[str]) -> str:
    for character in kinds:
        text = text.replace(character, chr(ord(character) - _WIDER))
    return text


_WIDER: Final = 0xFEE0
"""U+FF01 to U+FF5E are ASCII in their order."""
_ASCII: Final = bytes(range(128))
# Punctuation of full width is everyday Chinese and Japanese: it is narrowed beside letters only.
_LETTERS: Final = r"\uff05\uff06\uff10-\uff19\uff21-\uff3a\uff3c\uff41-\uff5a"
_INVISIBLE: Final = (
    r"\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    r"\U000e0000-\U000e01ef"
)
_WIDE_LETTER: Final = re.compile(f"[{_LETTERS}]")
_WIDE: Final = re.compile(r"[\uff01-\uff5e]+")
_UNSEEN: Final = re.compile(f"([{_INVISIBLE}]+)")
_CHANGED: Final = re.compile(f"[{_LETTERS}{_INVISIBLE}]")
# What is not ASCII is `?` in the projection.
_SHOWN: Final = bytes(0x61 if 0x21 <= code < 0x7F and code != 0x3F else 0x2E for code in range(256))
