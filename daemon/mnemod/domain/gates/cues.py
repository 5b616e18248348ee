"""Where in a text the words a rule needs stand together: no pattern runs where it can't match.

Latin words are compared by their first `PREFIX` letters (inflections need no list); words of a
language without spaces wherever they occur. That is looser than any pattern, never stricter.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

PREFIX: Final = 4
SHORT_CHARS: Final = 1024
"""A text as long as this is one stretch."""
BLOCK_BITS: Final = 6
REACH_BLOCKS: Final = 3
"""Words of one rule stand in this many blocks side by side."""
OVERLAP_CHARS: Final = 8
MARGIN_CHARS: Final = 96
STRETCH_BLOCKS_MAX: Final = 32
_MARGIN_BLOCKS: Final = 2 * (MARGIN_CHARS >> BLOCK_BITS) + 2
_LETTERS: Final = bytes(code if chr(code).isalnum() and code < 128 else 32 for code in range(256))

Place = tuple[int, int, int]
"""Where a word stands, the lists it is in, the rules that may begin with it."""


Block = tuple[int, int]
"""A block's number, and the rules that have all their words from there on."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """`start` to `end` of a text, and a set of rules (as bits) that have all their words there.

    `blocks` says which rules have them from which block on; without, all have them everywhere.
    """

    start: int
    end: int
    rules: int
    places: Sequence[Place]
    blocks: Sequence[Block] = ()

    def windows(self, rule: int) -> Iterator[tuple[int, int]]:
        """The parts, apart and in order, in which the rule of this number has all its words."""
        if not self.blocks:
            yield self.start, self.end
            return
        first = last = -1
        for block, rules in self.blocks:
            if rules >> rule & 1:
                if first >= 0 and block > last + REACH_BLOCKS + _MARGIN_BLOCKS:
                    yield self._window(first, last)
                    first = -1
                first, last = (block if first < 0 else first), block
        if first >= 0:
            yield self._window(first, last)

    def _near(self) -> dict[int, int]:
        """By block, the rules that have all their words in reach of it."""
        near: dict[int, int] = {}
        for block, rules in self.blocks:
            for number in range(block - _MARGIN_BLOCKS // 2, block + REACH_BLOCKS + 1):
                near[number] = near.get(number, 0) | rules
        return near

    def _window(self, first: int, last: int) -> tuple[int, int]:
        start, end = _reach(first, last)
        return max(start, self.start), min(end, self.end)

    def beginnings(self) -> Iterator[tuple[int, int]]:
        """Where a word stands that a rule may begin with, and which rule: place by place."""
        near = self._near() if self.blocks else {}
        for at, _, begins in self.places:
            rules = begins & (near.get(at >> BLOCK_BITS, 0) if near else self.rules)
            while rules:
                yield at, (rules & -rules).bit_length() - 1
                rules &= rules - 1


class Cues:
    """The word lists of one language, which of them each rule needs, and what each begins with."""

    def __init__(
        self,
        lists: Mapping[str, Sequence[str]],
        needs: Sequence[Sequence[str]],
        begins: Sequence[Sequence[str]],
        spaced: bool,
    ) -> None:
        bits = {name: 1 << at for at, name in enumerate(lists)}
        self._needs = [sum({bits[name] for name in each}) for each in needs]
        self._rules: dict[int, int] = {}
        self._spaced = spaced
        self._words: dict[bytes, tuple[int, int]] = {}
        self._by_first: dict[str, list[tuple[str, int]]] = {}
        listed: dict[str, int] = {}
        for name, words in lists.items():
            for word in words:
                if spaced:
                    self._add(max(_latin(word), key=len), bits[name], 0)
                else:
                    listed[word] = listed.get(word, 0) | bits[name]
        for word, of_lists in listed.items():
            self._by_first.setdefault(word[0], []).append((word, of_lists))
        self._firsts = frozenset(self._by_first)
        for at, words in enumerate(begins):
            for word in words:
                self._add(_latin(word)[0], 0, 1 << at)

    def stretches(self, text: str) -> Iterator[Stretch]:
        """In order; two that touch share their edge."""
        places = self._places(text)
        if len(text) <= SHORT_CHARS:
            mask = 0
            for _, lists, _ in places:
                mask |= lists
            rules = self._tried(mask)
            if rules:
                yield Stretch(0, len(text), rules, places)
            return
        yield from _joined(self._blocks(places), len(text), places)

    def _add(self, word: bytes, lists: int, begins: int) -> None:
        if len(word) < PREFIX and lists:
            for ending in (b"s", b"i", b"e"):  # plural, -ing, -ed
                self._note(word + ending, lists, begins)
        self._note(word, lists, begins)

    def _note(self, word: bytes, lists: int, begins: int) -> None:
        before = self._words.get(word[:PREFIX], (0, 0))
        self._words[word[:PREFIX]] = before[0] | lists, before[1] | begins

    def _tried(self, mask: int) -> int:
        found = self._rules.get(mask)
        if found is None:
            found = sum(1 << at for at, needed in enumerate(self._needs) if mask & needed == needed)
            self._rules[mask] = found
        return found

    def _blocks(self, places: Iterable[Place]) -> Iterator[Block]:
        masks: dict[int, int] = {}
        for start, mask, _ in places:
            block = start >> BLOCK_BITS
            masks[block] = masks.get(block, 0) | mask
        for block in sorted(masks):
            mask = masks[block]
            for later in range(block + 1, block + REACH_BLOCKS):
                mask |= masks.get(later, 0)
            rules = self._tried(mask)
            if rules:
                yield block, rules

    def _places(self, text: str) -> list[Place]:
        if not self._spaced:
            return list(self._phrases_in(text))
        words = _parted(text)
        starts = list(accumulate(map(len, words), initial=0))
        found = map(self._words.get, [word[:PREFIX] for word in words])
        return [(starts[at] + at, *each) for at, each in enumerate(found) if each]

    def _phrases_in(self, text: str) -> Iterator[Place]:
        for start in range(0, len(text), 1 << BLOCK_BITS):
            block = text[start : start + (1 << BLOCK_BITS) + OVERLAP_CHARS]
            mask = 0
            for first in self._firsts.intersection(block):
                for phrase, lists in self._by_first[first]:
                    if lists & ~mask and phrase in block:
                        mask |= lists
            if mask:
                yield start, mask, 0


def _latin(text: str) -> list[bytes]:
    return text.encode("ascii", "replace").translate(_LETTERS).split()


def _parted(text: str) -> list[bytes]:
    """The words, and an empty one for each space more: their lengths lead to their places."""
    return text.encode("ascii", "replace").translate(_LETTERS).split(b" ")


def _joined(blocks: Iterator[Block], length: int, places: Sequence[Place]) -> Iterator[Stretch]:
    """Blocks side by side as one stretch of a bounded length."""
    joined: list[Block] = []
    for block, found in blocks:
        if joined and (block > joined[-1][0] + 1 or len(joined) == STRETCH_BLOCKS_MAX):
            yield _stretch(joined, length, places)
            joined = []
        joined.append((block, found))
    if joined:
        yield _stretch(joined, length, places)


def _stretch(joined: Sequence[Block], length: int, places: Sequence[Place]) -> Stretch:
    start, end = _reach(joined[0][0], joined[-1][0])
    start, end = max(0, start), min(length, end)
    rules = 0
    for _, found in joined:
        rules |= found
    low, high = bisect_left(places, (start,)), bisect_left(places, (end,))
    return Stretch(start, end, rules, places[low:high], joined)


def _reach(first: int, last: int) -> tuple[int, int]:
    start = (first << BLOCK_BITS) - MARGIN_CHARS
    return start, ((last + REACH_BLOCKS) << BLOCK_BITS) + MARGIN_CHARS
