"""Where in a text the words a rule needs stand together: no pattern runs where it can't match.

Latin words are compared by their first `PREFIX` letters (inflections need no list); words of a
language without spaces wherever they occur. That is looser than any pattern, never stricter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final

from mnemod.domain.vocabulary import any_of

PREFIX: Final = 4
SHORT_CHARS: Final = 640
"""A text as long as this is one stretch."""
BLOCK_BITS: Final = 7
MARGIN_CHARS: Final = 96
STRETCH_BLOCKS_MAX: Final = 16
_LETTERS: Final = bytes(code if chr(code).isalnum() and code < 128 else 32 for code in range(256))

Stretch = tuple[int, int, frozenset[int]]


class Cues:
    """The word lists of one language, and which of them each rule needs."""

    def __init__(
        self, lists: Mapping[str, Sequence[str]], needs: Sequence[Sequence[str]], spaced: bool
    ) -> None:
        bits = {name: 1 << at for at, name in enumerate(lists)}
        self._needs = [sum({bits[name] for name in each}) for each in needs]
        self._rules: dict[int, frozenset[int]] = {}
        self._spaced = spaced
        self._words: dict[bytes, int] = {}
        self._phrases: dict[str, int] = {}
        self._pattern: re.Pattern[str] | None = None
        for name, words in lists.items():
            for word in words:
                self._add(word, bits[name])

    def stretches(self, text: str) -> Iterator[Stretch]:
        """Start, end and the rules (by number) that have all their words there, in order."""
        if len(text) <= SHORT_CHARS:
            rules = self._tried(self._all_of(text))
            if rules:
                yield 0, len(text), rules
            return
        yield from _joined(self._blocks(text), len(text))

    def _add(self, word: str, bit: int) -> None:
        if not self._spaced:
            self._phrases[word] = self._phrases.get(word, 0) | bit
            return
        parts = word.encode("ascii").translate(_LETTERS).split()
        longest = max(parts, key=len)
        key = longest[:PREFIX]
        self._words[key] = self._words.get(key, 0) | bit

    def _tried(self, mask: int) -> frozenset[int]:
        found = self._rules.get(mask)
        if found is None:
            found = frozenset(
                at for at, needed in enumerate(self._needs) if mask & needed == needed
            )
            self._rules[mask] = found
        return found

    def _all_of(self, text: str) -> int:
        mask = 0
        if self._spaced:
            get = self._words.get
            for word in _latin(text):
                mask |= get(word[:PREFIX], 0)
            return mask
        for word in set(self._phrase().findall(text)):
            mask |= self._phrases[word]
        return mask

    def _blocks(self, text: str) -> Iterator[tuple[int, frozenset[int]]]:
        masks: dict[int, int] = {}
        for start, mask in self._places(text):
            block = start >> BLOCK_BITS
            masks[block] = masks.get(block, 0) | mask
        for block, mask in masks.items():
            rules = self._tried(mask | masks.get(block + 1, 0))
            if rules:
                yield block, rules

    def _places(self, text: str) -> Iterator[tuple[int, int]]:
        if not self._spaced:
            for found in self._phrase().finditer(text):
                yield found.start(), self._phrases[found[0]]
            return
        words = _latin(text, keep_empty=True)
        get = self._words.get
        starts = accumulate((len(word) + 1 for word in words), initial=0)
        for start, word in zip(starts, words, strict=False):
            mask = get(word[:PREFIX])
            if mask:
                yield start, mask

    def _phrase(self) -> re.Pattern[str]:
        if self._pattern is None:
            self._pattern = re.compile(any_of(self._phrases))
            # What is found is the longest: it stands for those inside it too.
            for word in self._phrases:
                for other, mask in self._phrases.items():
                    if other in word:
                        self._phrases[word] |= mask
        return self._pattern


def _latin(text: str, keep_empty: bool = False) -> list[bytes]:
    letters = text.encode("ascii", "replace").translate(_LETTERS)
    return letters.split(b" ") if keep_empty else letters.split()


def _joined(blocks: Iterator[tuple[int, frozenset[int]]], length: int) -> Iterator[Stretch]:
    """Blocks side by side as one stretch of a bounded length; two stretches share their edge."""
    first = last = -1
    rules: frozenset[int] = frozenset()
    for block, found in blocks:
        if first >= 0 and block <= last + 1 and block - first < STRETCH_BLOCKS_MAX:
            last, rules = block, rules | found
            continue
        if first >= 0:
            yield _stretch(first, last, rules, length)
        first, last, rules = block, block, found
    if first >= 0:
        yield _stretch(first, last, rules, length)


def _stretch(first: int, last: int, rules: frozenset[int], length: int) -> Stretch:
    start = (first << BLOCK_BITS) - MARGIN_CHARS
    return max(0, start), min(length, ((last + 2) << BLOCK_BITS) + MARGIN_CHARS), rules
