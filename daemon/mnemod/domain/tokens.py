"""Terms: what a text is searched by. Query and index use this one function, so they always agree.

- Words are folded (NFKC, lower case, no accents on Latin and Greek letters), English ones stemmed.
- Traditional and simplified characters are one; marks that cannot be seen are none.
- Numbers and identifiers stand whole and in parts: `AC-2041` is `ac-2041`, `ac`, `2041`.
- Han, kana, Hangul and scripts without spaces give single characters and pairs of neighbours.
- An emoji is a term; of a joined or tinted one, so is each picture in it.
- Stop words (see `recall_vocabulary`) give nothing.

Terms keep the number and order of what was said. Linear in the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

import Stemmer

from mnemod.domain import han
from mnemod.domain.per_character import PerCharacter
from mnemod.domain.recall_vocabulary import STOP
from mnemod.domain.unicode_forms import normal

TERM_CHARS_MAX: Final = 64
"""A longer word is cut here: nobody asks for more of it, and a pasted blob would fill the index."""

_STEM_CHARS_MIN: Final = 4
_ZERO_WIDTH_JOINER: Final = "\u200d"
_COVER: Final = "\u2588"
"""Stands where words were forgotten (`redaction.COVER`): nothing to search for."""
_JOINERS: Final = frozenset("._:/@&-")
_APOSTROPHES: Final = frozenset("'\u2019\u02bc")
_SIGNS: Final = frozenset("+#")
_EMOJI_TAILS: Final = frozenset(
    "\ufe0e\ufe0f\u20e3\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
)

# First and last code point of the scripts that are searched by characters and pairs.
_PAIRED: Final = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1100, 0x11FF),  # Hangul parts
    (0x1780, 0x17FF),  # Khmer
    (0x3005, 0x3007),  # iteration, closing and zero marks of Han
    (0x3041, 0x30FF),  # kana
    (0x31F0, 0x31FF),  # small kana
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xAC00, 0xD7A3),  # Hangul
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
_FLAG_LETTERS: Final = (0x1F1E6, 0x1F1FF)

# Each character is given one class; the runs are then found in the string of classes:
# l letter, d digit, m mark, j joiner, a apostrophe, s sign, c paired, e emoji, f flag letter,
# t tail of an emoji, z zero-width joiner.
_RUNS: Final = re.compile(
    r"(?P<word>[ld][ldm]*(?:[ja][ld][ldm]*)*(?:s{1,2}(?![ldm]))?)"
    r"|(?P<paired>c+)"
    r"|(?P<emoji>ff|[ef]t*(?:zet*)*)"
)
# The same for what folds to ASCII: no marks, nothing paired, no pictures.
_ASCII_WORDS: Final = re.compile(r"[a-z0-9]+(?:[._:/@&'-][a-z0-9]+)*(?:[+#]{1,2}(?![a-z0-9]))?")
# Letters and marks alone, or digits alone: nothing to take apart.
_PLAIN: Final = re.compile(r"\d+|[^\d._:/@&+#-]+")
_PARTS: Final = re.compile(r"\d+|[^\d._:/@&+#-]+")
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_POSSESSIVE: Final = re.compile(r"[\u2019\u02bc']s$")


def terms(text: str) -> list[str]:
    """The terms of `text` in order, repeated as often as said. Equal texts give equal terms."""
    folded = _folded(text)
    found = _of_ascii(folded) if folded.isascii() else _of_any(folded)
    return [term for term in found if term not in STOP]


def _of_ascii(folded: str) -> list[str]:
    """What `_of_any` gives for ASCII, where there are only words, in half the time."""
    found: list[str] = []
    for word in _ASCII_WORDS.findall(folded):
        if word.isalpha():
            found.append(_stem_of_letters(word[:TERM_CHARS_MAX]))
        else:
            found.extend(_of_word(word))
    return found


def _of_any(folded: str) -> list[str]:
    found: list[str] = []
    for run in _RUNS.finditer(folded.translate(_CLASSES)):
        said = folded[run.start() : run.end()]
        if run.lastgroup == "word":
            found.extend(_of_word(said))
        elif run.lastgroup == "paired":
            found.extend(_of_paired(said))
        else:
            found.extend(_of_emoji(said))
    return found


def _folded(text: str) -> str:
    """`text` for comparison. Half-width kana compose and full-width letters narrow under NFKC."""
    plain = text.lower() if text.isascii() else _plain(text)
    return _THOUSANDS.sub("", plain) if "," in plain else plain


def _plain(text: str) -> str:
    return normal("NFKC", text).casefold().translate(_LETTERS)


def _of_word(word: str) -> Iterator[str]:
    if word.isascii() and word.isalpha():
        yield _stem(word[:TERM_CHARS_MAX])
        return
    whole = _POSSESSIVE.sub("", word).translate(_NO_APOSTROPHES)[:TERM_CHARS_MAX]
    if _PLAIN.fullmatch(whole):
        yield _stem(whole)
        return
    yield whole
    for part in _PARTS.findall(whole):
        yield _stem(part)


def _of_paired(run: str) -> Iterator[str]:
    yield from run
    for at in range(len(run) - 1):
        yield run[at : at + 2]


def _of_emoji(run: str) -> Iterator[str]:
    whole = run.translate(_NO_VARIANTS)
    yield whole
    pictures = [sign for sign in whole if sign != _ZERO_WIDTH_JOINER and sign not in _EMOJI_TAILS]
    if len(whole) > 1 and not _is_flag(whole[0]):
        yield from pictures


def _stem(word: str) -> str:
    """The English stem (Snowball "english"); other scripts keep their form."""
    return _stem_of_letters(word) if word.isascii() and word.isalpha() else word


def _stem_of_letters(word: str) -> str:
    if len(word) < _STEM_CHARS_MIN or word in STOP:
        return word
    stem: str = _STEMMER.stemWord(word)
    # A stem may fall on a stop word ("wills"); the word itself was none.
    return word if stem in STOP else stem


def _class_of(sign: str) -> str:
    code = ord(sign)
    special = _SPECIAL.get(sign)
    if special is not None:
        return special
    if any(first <= code <= last for first, last in _PAIRED):
        return "c" if unicodedata.category(sign)[0] in "LMN" else " "
    if _is_flag(sign):
        return "f"
    category = unicodedata.category(sign)
    return "e" if category == "So" else {"L": "l", "N": "d", "M": "m"}.get(category[0], " ")


def _is_flag(sign: str) -> bool:
    return _FLAG_LETTERS[0] <= ord(sign) <= _FLAG_LETTERS[1]


def _letter(letter: str) -> str:
    """What a letter is searched as; nothing for what only joins or directs others."""
    if unicodedata.category(letter) == "Cf" and letter != _ZERO_WIDTH_JOINER:
        return ""
    return han.simplified(_without_accent(letter))


def _without_accent(letter: str) -> str:
    if not unicodedata.name(letter, "").startswith(("LATIN", "GREEK")):
        return letter
    return "".join(
        part for part in unicodedata.normalize("NFD", letter) if not unicodedata.combining(part)
    )


_SPECIAL: Final = {
    _ZERO_WIDTH_JOINER: "z",
    _COVER: " ",
    **dict.fromkeys(_EMOJI_TAILS, "t"),
    **dict.fromkeys(_JOINERS, "j"),
    **dict.fromkeys(_APOSTROPHES, "a"),
    **dict.fromkeys(_SIGNS, "s"),
}
# No cache of its own: a stem costs less than looking one up.
_STEMMER: Final = Stemmer.Stemmer("english", 0)
_CLASSES: Final = PerCharacter(_class_of)
_LETTERS: Final = PerCharacter(_letter)
_NO_APOSTROPHES: Final = dict.fromkeys(map(ord, _APOSTROPHES))
_NO_VARIANTS: Final = dict.fromkeys((0xFE0E, 0xFE0F))
