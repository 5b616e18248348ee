"""The way back from a text that was changed piece by piece to the text it was.

A change is a list of sites, each a piece that was replaced by another of any length. Of each the
ends are kept, in the text before and in the text after: a place is then found by bisection. What
stands at a site belongs to the whole piece it was made of; what is between sites moved with them.

Made for long texts: where the change of a piece depends on the piece alone, the sites are found by
a handful of passes of C, and not by a call for each. `Lazy` puts all of it off until somebody asks.

Offsets count code points and are half open.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from operator import add
from typing import Final

from msgspec import Struct

Layer = Callable[[int, int], tuple[int, int]]
"""From a span after a change to the span before it."""

_FEW: Final = 16
"""Pieces are looked for one by one where they are of so few kinds, and one character in so many."""
_BLOCK: Final = 1024


def unchanged(start: int, end: int) -> tuple[int, int]:
    """The way back where every character stands for a character."""
    return start, end


class Sites(Struct, frozen=True):
    """The ends of each replaced piece before and after, and how long it is before and after."""

    ends_before: Sequence[int]
    ends_after: Sequence[int]
    sizes_before: Sequence[int]
    sizes_after: Sequence[int]

    def __call__(self, start: int, end: int) -> tuple[int, int]:
        if end <= start:
            return (self._of(start)[0],) * 2
        return self._of(start)[0], self._of(end - 1)[1]

    def _of(self, at: int) -> tuple[int, int]:
        """The ends in the text before of what the one character at `at` came from."""
        place = bisect_right(self.ends_after, at)
        if place < len(self.ends_after) and (
            at >= self.ends_after[place] - self.sizes_after[place]
        ):
            end = self.ends_before[place]
            return end - self.sizes_before[place], end
        moved = self.ends_before[place - 1] - self.ends_after[place - 1] if place else 0
        return at + moved, at + moved + 1


class Lazy(Struct):
    """A way back that is worked out when first asked for."""

    work_out: Callable[[], Layer]
    layer: Layer | None = None

    def __call__(self, start: int, end: int) -> tuple[int, int]:
        if self.layer is None:
            self.layer = self.work_out()
        return self.layer(start, end)


def by_match(before: str, pattern: re.Pattern[str], by: Callable[[re.Match[str]], str]) -> Layer:
    """Back over `pattern.sub(by, before)`, whatever of a match `by` looks at."""
    ends_before, ends_after, sizes_before, sizes_after = [], [], [], []
    shift = 0
    for found in pattern.finditer(before):
        size, length = found.end() - found.start(), len(by(found))
        shift += length - size
        ends_before.append(found.end())
        ends_after.append(found.end() + shift)
        sizes_before.append(size)
        sizes_after.append(length)
    return Sites(ends_before, ends_after, sizes_before, sizes_after)


def by_text(before: str, pattern: str, by: Callable[[str], str]) -> Layer:
    """Back over the same where what is put in depends on the matched text alone.

    `pattern` has no group.
    """
    parts = re.split(f"({pattern})", before)
    return by_pieces(list(map(len, parts[:-1:2])), parts[1::2], by)


def by_pieces(gaps: Sequence[int], pieces: Sequence[str], by: Callable[[str], str]) -> Layer:
    """Back over `by` for each of `pieces`, before each of which so many characters stay."""
    lengths = {piece: len(by(piece)) for piece in set(pieces)}
    sizes_before = list(map(len, pieces))
    sizes_after = list(map(lengths.__getitem__, pieces))
    return Sites(
        list(accumulate(map(add, gaps, sizes_before))),
        list(accumulate(map(add, gaps, sizes_after))),
        sizes_before,
        sizes_after,
    )


def by_character(source: str, table: Mapping[int, str]) -> Layer:
    """Back over `source.translate(table)`.

    A character for a character nearly always, and then there is no way to go. Where a few are not,
    only these are looked for.
    """
    sizes = {char: len(table[ord(char)]) for char in set(source)}
    uneven = [char for char, size in sizes.items() if size != 1]
    if not uneven:
        return unchanged
    if len(uneven) <= _FEW and sum(map(source.count, uneven)) <= len(source) / _FEW:
        one = f"[{re.escape(''.join(uneven))}]"
        return by_text(source, one, lambda char: table[ord(char)])
    # A character for each size, so that it is looked up as the forms were: in C.
    return _Blocks(source.translate({ord(c): n for c, n in sizes.items()}).encode("latin-1"))


class _Blocks:
    """Back by the size of the form of each character, a byte for each: `sizes`.

    Of blocks of them it is known where they end; only in one that is asked for, of each character.
    """

    def __init__(self, sizes: bytes) -> None:
        self._sizes = sizes
        kinds = [kind for kind in set(sizes) if kind]
        blocks = [sizes[at : at + _BLOCK] for at in range(0, len(sizes), _BLOCK)]
        totals = [sum([kind * block.count(kind) for kind in kinds]) for block in blocks]
        self._ends = list(accumulate(totals))
        self._within: dict[int, list[int]] = {}

    def __call__(self, start: int, end: int) -> tuple[int, int]:
        first = self._before(start)
        return (first, first) if end <= start else (first, self._before(end - 1) + 1)

    def _before(self, at: int) -> int:
        """How many characters end at `at` or before it."""
        block = bisect_right(self._ends, at)
        if block == len(self._ends):
            return len(self._sizes)
        if block not in self._within:
            start = self._ends[block - 1] if block else 0
            sizes = self._sizes[block * _BLOCK : (block + 1) * _BLOCK]
            self._within[block] = list(accumulate(sizes, initial=start))[1:]
        return block * _BLOCK + bisect_right(self._within[block], at)
