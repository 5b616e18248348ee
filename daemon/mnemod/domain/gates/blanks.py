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
_HEAD_CHARS: Final = 4_096
_TEXT_CHARS_MAX: Final = 4_096
_FACE_CHARS_MAX: Final = 120

_WORD: Final = re.compile(r"[^\W_]")
_THRICE: Final = re.compile(r"(.)\1\1")
_LETTER: Final = re.compile(r"[^\W\d_]")
_KEYCAP: Final = re.compile("[0-9#*]\ufe0f?\u20e3")
_LONG_MARK: Final = "\u30fc"
_ENDS: Final = f" \n\r\t.,;:!?~*()'\"\u300c\u300d\u2026\u3001\u3002\u301c{_LONG_MARK}"
_DOTS: Final = frozenset(".\u2026\u22ef\u3002\u30fb\uff61 \n\r\t\u3000")


def find(text: str, folded: str) -> NoiseReason | None:
    """Emoji, punctuation or repetition where `text` has no word in it."""
    if _LETTER.match(text):
        return None  # nearly every text: it begins with a word
    if not _has_word(text):
        return _wordless(text, folded)
    if len(text) > _FACE_CHARS_MAX:
        return None
    rest = _KEYCAP.sub("", without_faces(folded))
    return NoiseReason.EMOJI if rest != folded and not _has_word(rest) else None


def repeated(folded: str) -> NoiseReason | None:
    """Repetition where one unit of at most UNIT_CHARS_MAX characters makes up the text, whatever
    marks stand at its ends."""
    text = folded.strip()
    bare = text.strip(_ENDS)
    if not bare and text.count(_LONG_MARK) > 1:
        return NoiseReason.REPETITION  # the mark draws out a vowel, and there is none
    return _repeated(text) or (_repeated(bare) if bare != text else None)


def _repeated(text: str) -> NoiseReason | None:
    if len(text) < _STRETCHED_CHARS_MIN:
        return None
    beginning = text[:_TIMES_MIN]
    unit = text.find(beginning, 1, UNIT_CHARS_MAX + len(beginning))
    while unit > 0:
        if _is_made_of(text, unit) or _is_made_of(f"{text} ", unit):
            return NoiseReason.REPETITION if _is_no_number(text) else None
        unit = text.find(beginning, unit + 1, UNIT_CHARS_MAX + len(beginning))
    return NoiseReason.REPETITION if _is_one_stretched(text) else None


def _has_word(text: str) -> bool:
    return _WORD.search(text) is not None


def _wordless(text: str, folded: str) -> NoiseReason:
    if "\ufffd" in text:
        return NoiseReason.MOJIBAKE
    head = folded[:_HEAD_CHARS].strip()
    if head and _DOTS.issuperset(head):
        return NoiseReason.REPETITION
    symbols = any(unicodedata.category(char) == "So" for char in set(text[:_HEAD_CHARS]))
    return NoiseReason.EMOJI if symbols else NoiseReason.PUNCTUATION


def _is_made_of(text: str, unit: int) -> bool:
    # A text has a period if it equals itself moved by it; the last unit may be cut short.
    return (
        len(text) >= unit * _TIMES_MIN
        and text.startswith(text[:unit], unit)
        and text.endswith(text[-2 * unit : -unit])
        and text.startswith(text[unit:])
    )


def _is_no_number(text: str) -> bool:
    digits = sum(map(str.isdigit, text[:UNIT_CHARS_MAX]))
    return not digits or (len(set(text)) == 1 and len(text) >= _DIGITS_MIN)


def _is_one_stretched(text: str) -> bool:
    """Whether one character makes up all but a few: "aaaaaaaargh"."""
    if len(text) > _TEXT_CHARS_MAX or _THRICE.search(text, 0, UNIT_CHARS_MAX) is None:
        return False
    most = max(text.count(char) for char in set(text[:UNIT_CHARS_MAX]))
    return (
        len(text) - most <= _STRETCHED_LEFT_MAX
        and most >= 2 * _STRETCHED_CHARS_MIN
        and not any(map(str.isdigit, text))
    )
