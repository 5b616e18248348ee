"""Texts without words: emoji, faces, punctuation, and one unit said over and over."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from mnemod.domain.gates.faces import without_faces
from mnemod.domain.gates.noise_reason import NoiseReason

UNIT_CHARS_MAX: Final = 20
_TIMES_MIN: Final = 4
_STRETCHED_CHARS_MIN: Final = 6
_STRETCHED_LEFT_MAX: Final = 3
_DIGITS_MIN: Final = 12
_TEXT_CHARS_MAX: Final = 4_096
_FACE_CHARS_MAX: Final = 120

_WORD: Final = re.compile(r"[^\W_]")
_LETTER: Final = re.compile(r"[^\W\d_]")
_KEYCAP: Final = re.compile("[0-9#*]\ufe0f?\u20e3")
_DOTS: Final = re.compile("[.\u2026\u22ef\u3002\u30fb\uff61\\s]+")


def find(text: str) -> NoiseReason | None:
    """Emoji, punctuation or repetition where `text` has no word in it."""
    if _LETTER.match(text):
        return None  # nearly every text: it begins with a word
    if _WORD.search(text) is None:
        return _wordless(text)
    if len(text) > _FACE_CHARS_MAX:
        return None
    rest = _KEYCAP.sub("", without_faces(text))
    return NoiseReason.EMOJI if rest != text and _WORD.search(rest) is None else None


def repeated(folded: str) -> NoiseReason | None:
    """Repetition where one unit of at most UNIT_CHARS_MAX characters makes up the text."""
    text = folded.strip()
    if len(text) < _STRETCHED_CHARS_MIN or text[0] not in text[1 : UNIT_CHARS_MAX + 2]:
        return None
    for separated in (f"{text} ", text):
        if any(_is_made_of(separated, unit) for unit in range(1, UNIT_CHARS_MAX + 1)):
            return NoiseReason.REPETITION if _is_no_number(text) else None
    return NoiseReason.REPETITION if _is_one_stretched(text) else None


def _wordless(text: str) -> NoiseReason:
    if "\ufffd" in text:
        return NoiseReason.MOJIBAKE
    if _DOTS.fullmatch(text) and text.strip():
        return NoiseReason.REPETITION
    symbols = any(unicodedata.category(char) == "So" for char in set(text))
    return NoiseReason.EMOJI if symbols else NoiseReason.PUNCTUATION


def _is_made_of(text: str, unit: int) -> bool:
    # A text has a period if it equals itself moved by it; the last unit may be cut short.
    return (
        len(text) >= unit * _TIMES_MIN
        and text.startswith(text[:unit], unit)
        and (text[unit:] == text[:-unit])
    )


def _is_no_number(text: str) -> bool:
    digits = sum(map(str.isdigit, text[:UNIT_CHARS_MAX]))
    return not digits or (len(set(text)) == 1 and len(text) >= _DIGITS_MIN)


def _is_one_stretched(text: str) -> bool:
    """Whether one character makes up all but a few: "aaaaaaaargh"."""
    if len(text) > _TEXT_CHARS_MAX:
        return False
    most = max(text.count(char) for char in set(text[:UNIT_CHARS_MAX]))
    return (
        len(text) - most <= _STRETCHED_LEFT_MAX
        and most >= 2 * _STRETCHED_CHARS_MIN
        and not any(map(str.isdigit, text))
    )
