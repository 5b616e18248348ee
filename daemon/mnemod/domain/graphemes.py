"""Where a text may be cut: between characters as people see them, never inside one.

The common rules of Unicode's grapheme clusters (UAX 29): marks, variation selectors, skin tones and
joiners stay with what they follow, flags stay pairs, CR LF stays one. A cut is never later than
asked for.
"""

from __future__ import annotations

import unicodedata
from typing import Final

_JOINER: Final = "\u200d"
_ELLIPSIS: Final = "\u2026"


def cut(text: str, chars_max: int) -> str:
    """`text`, or its beginning with an ellipsis, `chars_max` code points at most."""
    if len(text) <= chars_max:
        return text
    return text[: boundary(text, chars_max - 1)].rstrip() + _ELLIPSIS if chars_max > 0 else ""


def boundary(text: str, at: int) -> int:
    """The last place up to `at` where `text` may be cut."""
    at = min(max(at, 0), len(text))
    while 0 < at < len(text) and _belong_together(text, at):
        at -= 1
    return at


def _belong_together(text: str, at: int) -> bool:
    before, after = text[at - 1], text[at]
    if _extends(after) or before == _JOINER or (before == "\r" and after == "\n"):
        return True
    if _is_flag_letter(before) and _is_flag_letter(after):
        return _flag_letters_before(text, at) % 2 == 1
    return _is_hangul_part(before) and _is_hangul_part(after)


def _extends(char: str) -> bool:
    return (
        unicodedata.category(char)[0] == "M"
        or char == _JOINER
        or 0x1F3FB <= ord(char) <= 0x1F3FF
        or 0xE0020 <= ord(char) <= 0xE007F
    )


def _is_flag_letter(char: str) -> bool:
    return 0x1F1E6 <= ord(char) <= 0x1F1FF


def _flag_letters_before(text: str, at: int) -> int:
    count = 0
    while count < at and _is_flag_letter(text[at - 1 - count]):
        count += 1
    return count


def _is_hangul_part(char: str) -> bool:
    return 0x1100 <= ord(char) <= 0x11FF
