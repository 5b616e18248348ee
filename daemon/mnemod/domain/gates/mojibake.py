"""Broken text: bytes read in the wrong encoding, and the copy that undoes it where one can.

Each pair of encodings is tried backwards: the text is written in the one it was read in, and read
in the one it was written in. What comes out must be text that people write, much more than what
went in is. Replacement characters stand for lost bytes: with them a text is broken for good.
A sentence with a broken word in it stays: it is noise only where most of its words are broken.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from mnemod.domain.per_character import PerCharacter

LOST: Final = "\ufffd"
_SAMPLE_CHARS: Final = 512
_FIRST_CHARS: Final = 40
_FIRST_EAST_MIN: Final = 4
_FIRST_ODD_MAX: Final = 0.2
_LOST_SHARE: Final = 0.3
_BROKEN_WORDS_SHARE: Final = 0.5
_ROUNDS_MAX: Final = 3

_MULTIBYTE: Final = re.compile(
    "[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf\ufffd]{2}|[\xf0-\xf4][\x80-\xbf\ufffd]{3}"
)
_LATIN_SIGN: Final = re.compile(
    "[\xc2-\xf4][\x80-\xbf\u0152-\u0178\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122\ufffd]"
)
# A space or an ellipsis may be a byte here, so only these part words.
_SPACE: Final = re.compile("[ \t\n\r\u3000]+")
# What two bytes of UTF-8 stand for in text: accents and signs, Greek, Cyrillic, Hebrew, Arabic.
_LIKELY_PAIR: Final = re.compile(
    "[\xa0-\u017f\u0386-\u03ce\u0400-\u045f\u0490\u0491\u05d0-\u05ea\u0621-\u064a]"
)
_UTF8_BYTES: Final = re.compile(rb"(?:[\xe3-\xe9\xef][\x80-\xbf\xff]{1,2}|[\xc2-\xdf][\x80-\xbf])")
_UTF8_WHOLE: Final = re.compile(rb"[\xe3-\xe9\xef][\x80-\xbf]{2}")
_COVERED_SHARE: Final = 0.8
_WHOLE_MIN: Final = 2
_SWAPPED_CHARS_MIN: Final = 4
_SWAPPED_CHARS_SURE: Final = 7
_HALF_WIDTH: Final = re.compile("[\uff66-\uff9f]")
_COMMON_BEFORE: Final = 0.7
_COMMON_BEFORE_SWAPPED: Final = 0.5
_COMMON_BEFORE_SWAPPED_FEW: Final = 0.25
_COMMON_THOUGH_CUT: Final = 0.7
_COMMON_AFTER: Final = 0.9
_SYLLABLES: Final = re.compile("[\uac00-\ud7a3]{2}")
_CHINESE: Final = re.compile("[\u3400-\u9fff\uf900-\ufaff\uff61-\uff9f\ue000-\uf8ff]")
_ACCENTED_RUN: Final = re.compile("[\xc0-\xff]{4}")
_ACCENTED_SHARE: Final = 0.9
_RUSSIAN: Final = re.compile("[\u0430-\u044f\u0451]")
_RUSSIAN_SHARE: Final = 0.7
_VOWELS: Final = re.compile("[\u0430\u0435\u0438\u043e\u0443\u044b\u044d\u044e\u044f]")
_LATIN_SHARE: Final = 0.6
_LATIN_CHARS_MIN: Final = 4
_LEFT_MAX: Final = 2
_HIGH_MIN: Final = 2
REPAIR_CHARS_MAX: Final = 16_384
_ISO_2022: Final = re.compile(r"\x1b?\$[B@]((?:[!-~]{2}){1,400})\x1b?\([BJ]")

_EAST: Final = re.compile("[\u2e80-\uffef\U00020000-\U0003ffff]")
_UTF8_READERS: Final = ("cp932", "gb18030", "big5hkscs", "euc_jp")
_SWAPPED: Final = (
    ("gb18030", "cp932"), ("cp932", "euc_jp"), ("gb18030", "euc_jp"), ("cp932", "gb18030"),
    ("big5", "gb18030"), ("gb18030", "big5"), ("cp932", "big5"), ("euc_jp", "cp932"),
)  # fmt: skip
"""Encodings a text was read in, and those it was written in."""
_WRITTEN: Final = ("cp932", "euc_jp", "gb18030", "big5")
_JAPANESE: Final = frozenset(_WRITTEN[:2])
_KANA: Final = re.compile("[\u3041-\u30ff]")


class Broken(Struct, frozen=True):
    """`repair` is the text as it was meant; None where bytes are lost, or past REPAIR_CHARS_MAX."""

    repair: str | None


def find(text: str) -> Broken | None:
    """Whether most of `text` was read in the wrong encoding."""
    if text.isascii():
        return _iso_2022(text) if "$B" in text or "$@" in text else None
    sample = text[:_SAMPLE_CHARS]
    if LOST in sample and _is_lost(sample):
        return Broken(None)
    if _is_plainly_written(text[:_FIRST_CHARS]):
        return None
    if found := _latin(text, sample):
        return found
    if not _EAST.search(sample) or _common(sample) > _COMMON_BEFORE:
        return None  # nearly every text
    if len(_EAST.findall(sample)) * 2 < len("".join(_SPACE.split(sample))):
        return None
    return _utf8_read_in_the_east(text, sample) or _swapped(text, sample)


def _is_plainly_written(beginning: str) -> bool:
    """One look that tells nearly all text of the East: its first characters are everyday ones."""
    marks = beginning.translate(_COMMON)
    if len(marks) < _FIRST_EAST_MIN:
        return False
    if marks.count("0") <= _FIRST_ODD_MAX * len(marks):
        return True
    # Korean is written in syllables alone; what was misread mixes them with Chinese characters.
    return _SYLLABLES.search(beginning) is not None and _CHINESE.search(beginning) is None


def _is_lost(sample: str) -> bool:
    visible = "".join(sample.split())
    return visible.count(LOST) >= _LOST_SHARE * len(visible)


# --- bytes read as Latin-1 or Windows-1252


def _latin(text: str, sample: str) -> Broken | None:
    high = len(_HIGH.findall(sample))
    if high < _HIGH_MIN:
        return None
    is_utf8 = _LATIN_SIGN.search(sample) and _most_words_broken(sample)
    if not (is_utf8 and _nothing_left(sample)) and high >= max(
        _LATIN_CHARS_MIN, _LATIN_SHARE * len("".join(_SPACE.split(sample)))
    ):
        east = _east_read_as_latin(text, sample)
        if east:
            return east
    if is_utf8:
        return Broken(_unlatin(text))
    return _cyrillic(text, sample) if _ACCENTED_RUN.search(sample) else None


def _cyrillic(text: str, sample: str) -> Broken | None:
    """Windows-1251 or KOI8-R read as Latin-1: whole words of accented letters, as none has."""
    letters = [char for char in sample if char.isalpha()]
    if sum("\xc0" <= char <= "\xff" for char in letters) < _ACCENTED_SHARE * len(letters):
        return None
    for encoding in ("cp1251", "koi8_r"):
        read = sample.translate(_BYTES).encode("latin-1", "ignore").decode(encoding, "ignore")
        small = _RUSSIAN.findall(read)
        if len(small) >= _RUSSIAN_SHARE * len(letters) and _VOWELS.search("".join(small)):
            return Broken(_recoded(text, encoding))
    return None


def _recoded(text: str, encoding: str) -> str | None:
    if len(text) > REPAIR_CHARS_MAX:
        return None
    try:
        return text.translate(_BYTES).encode("latin-1").decode(encoding)
    except UnicodeError:
        return None


def _nothing_left(sample: str) -> bool:
    """Whether every byte above ASCII belongs to UTF-8, but for a character cut at the end."""
    left = _MULTIBYTE.sub("", sample.translate(_BYTES))
    return sum(char >= "\x80" for char in left) <= _LEFT_MAX


def _most_words_broken(sample: str) -> bool:
    words = [word for word in _SPACE.split(sample.translate(_BYTES)) if word]
    broken = [word for word in words if any(map(_is_likely, _MULTIBYTE.finditer(word)))]
    return len(broken) >= _BROKEN_WORDS_SHARE * len(words) > 0


def _is_likely(found: re.Match[str]) -> bool:
    if LOST in found[0]:
        return True
    try:
        char = found[0].encode("latin-1").decode("utf-8")
    except UnicodeError:
        return False
    return char.isprintable() and (len(found[0]) > 2 or _LIKELY_PAIR.match(char) is not None)


def _unlatin(text: str) -> str | None:
    """`text` with its UTF-8 read as such, over again where it was broken more than once."""
    for _ in range(_ROUNDS_MAX):
        if LOST in text or len(text) > REPAIR_CHARS_MAX:
            return None
        repaired = _MULTIBYTE.sub(_read_utf8, text.translate(_BYTES))
        if repaired == text.translate(_BYTES):
            return None
        text = repaired
        if not (_LATIN_SIGN.search(text) and _most_words_broken(text[:_SAMPLE_CHARS])):
            return text
    return None


def _read_utf8(found: re.Match[str]) -> str:
    try:
        return found[0].encode("latin-1").decode("utf-8")
    except UnicodeError:
        return found[0]


def _east_read_as_latin(text: str, sample: str) -> Broken | None:
    for encoding in _WRITTEN:
        read = _decoded(sample, encoding)
        if read is None or _common(read) < _COMMON_AFTER:
            continue
        # All that GBK holds is in the range of EUC-JP: Japanese is told by its kana.
        if _KANA.search(read) or encoding not in _JAPANESE:
            return Broken(_decoded(text, encoding))
    return None


def _decoded(text: str, encoding: str) -> str | None:
    read = _recoded(text, encoding)
    return read if read is not None and len(_EAST.findall(read)) >= _WHOLE_MIN else None


# --- bytes read in an encoding of the East


def _utf8_read_in_the_east(text: str, sample: str) -> Broken | None:
    """UTF-8 read as Shift_JIS, GBK, Big5 or EUC-JP."""
    for encoding in _UTF8_READERS:
        written = _high_bytes(sample, encoding)
        whole = _UTF8_WHOLE.findall(written)
        if len(whole) < _WHOLE_MIN or sum(map(len, _UTF8_BYTES.findall(written))) < (
            _COVERED_SHARE * len(written)
        ):
            continue
        meant = b"".join(whole).decode("utf-8", "replace")
        if set(meant) == {LOST}:
            return Broken(None)  # replacement characters that were read once more
        if _common(meant) >= _COMMON_THOUGH_CUT:
            return Broken(_reread(text, encoding, "utf-8"))
    return None


def _high_bytes(sample: str, encoding: str) -> bytes:
    """The bytes above ASCII that `sample` was read from, 0xff for each that is lost."""
    lost = sample.replace(LOST, "\x00")
    written = lost.encode(encoding, "ignore")
    return bytes(0xFF if byte == 0 else byte for byte in written if byte >= 0x80 or byte == 0)


def _swapped(text: str, sample: str) -> Broken | None:
    """One encoding of the East read as another."""
    chars = len(_EAST.findall(sample))
    few = chars < _SWAPPED_CHARS_SURE
    before_max = _COMMON_BEFORE_SWAPPED_FEW if few else _COMMON_BEFORE_SWAPPED
    if chars < _SWAPPED_CHARS_MIN or _common(sample) > before_max:
        return None
    for wrong, right in _SWAPPED:
        read = _reread(sample, wrong, right)
        if read and _common(read) == 1 and not _HALF_WIDTH.search(read):
            return Broken(_reread(text, wrong, right))
    return None


def _reread(text: str, wrong: str, right: str) -> str | None:
    if LOST in text or len(text) > REPAIR_CHARS_MAX:
        return None
    try:
        return text.encode(wrong).decode(right)
    except UnicodeError:
        return None


def _iso_2022(text: str) -> Broken | None:
    """ISO-2022-JP whose escapes were lost on the way."""
    head = text[:REPAIR_CHARS_MAX]
    if len(_ISO_2022.sub("", head)) > len(head) / 2:
        return None
    repaired = _ISO_2022.sub(_read_iso_2022, head)
    if repaired == head or _common(repaired) < _COMMON_AFTER:
        return None
    return Broken(repaired if len(head) == len(text) else None)


def _read_iso_2022(found: re.Match[str]) -> str:
    try:
        return f"\x1b$B{found[1]}\x1b(B".encode("ascii").decode("iso2022_jp")
    except UnicodeError:
        return found[0]


# --- what people write


def _common(text: str) -> float:
    """The share of characters beyond Latin that are in everyday use, 0 where there are none."""
    marks = text.translate(_COMMON)
    return marks.count("1") / len(marks) if marks else 0.0


def _is_common(char: str) -> str:
    """ "1" for a character of everyday use, "0" for another of the East, nothing for all else."""
    if not _EAST.match(char):
        return ""
    code = ord(char)
    if 0x3001 <= code <= 0x3002 or 0x300C <= code <= 0x300F or 0x3041 <= code <= 0x30FC:
        return "1"
    if 0xFF01 <= code <= 0xFF5E or 0xFF66 <= code <= 0xFF9F:
        return "1"
    return "1" if any(_is_level_one(char, *level) for level in _LEVELS) else "0"


_LEVELS: Final = (("gb2312", 0xB0, 0xD7), ("big5", 0xA4, 0xC6), ("euc_jp", 0xB0, 0xCF))
"""Where three standards keep the characters of everyday use, by their first byte."""


def _is_level_one(char: str, encoding: str, first: int, last: int) -> bool:
    try:
        written = char.encode(encoding)
    except UnicodeError:
        return False
    return len(written) == 2 and first <= written[0] <= last


_COMMON: Final = PerCharacter(_is_common)
_WINDOWS: Final = frozenset(
    char for byte in range(0x80, 0xA0) if (char := bytes([byte]).decode("cp1252", "ignore"))
)
_HIGH: Final = re.compile(f"[\x80-\xff{''.join(sorted(_WINDOWS))}]")
_BYTES: Final = {ord(char): ord(char.encode("cp1252").decode("latin-1")) for char in _WINDOWS}
"""Windows-1252 as Latin-1: a character for every byte."""
