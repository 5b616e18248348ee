"""What a text is about, as a set of its content words, so that two texts can be compared."""

from __future__ import annotations

import re
from typing import Final

from mnemod.domain.reading.lexicon import Lexicon

_WORD: Final = re.compile(
    r"[a-z0-9\u00df-\u024f]+(?:'[a-z]+)?|[\u3005-\u3007\u3041-\u30fa\u30fc\u3400-\u9fff\uf900-\ufaff]+"
)
_WIDE: Final = re.compile(r"[\u3005-\ufaff]")
_CONTENT_CHAR: Final = re.compile(r"[\u30a1-\u30fa\u3400-\u9fff]")
_ENDINGS: Final = ("ing", "ed", "es", "s", "e")
_STEM_CHARS_MIN: Final = 3


def topics(folded: str, vocabulary: Lexicon) -> frozenset[str]:
    """The content words of a text: Latin stems, numbers, pairs of Han and kana characters."""
    found: set[str] = set()
    for word in _WORD.findall(folded):
        if _WIDE.match(word):
            pairs = (word[at : at + 2] for at in range(max(1, len(word) - 1)))
            found.update(pair for pair in pairs if not _is_stop_pair(pair, vocabulary))
        elif word not in vocabulary.stop_words:
            found.add(_stem(word))
    return frozenset(found)


def matter(folded: str, vocabulary: Lexicon) -> frozenset[str]:
    """Like `topics`, with single Han and katakana characters: what a denial must share."""
    latin = {word for word in topics(folded, vocabulary) if not _WIDE.match(word)}
    wide = set(_CONTENT_CHAR.findall(folded)) - vocabulary.stop_words
    return frozenset(latin | wide)


def _is_stop_pair(pair: str, vocabulary: Lexicon) -> bool:
    return any(char in vocabulary.stop_words for char in pair) or pair in vocabulary.stop_words


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM_CHARS_MIN:
            return word[: -len(ending)]
    return word
