"""Thousands of set phrases in little room: a dict of them holds eight times as much.

Those of one length stand one after another, in order, in one string, so that the middle one of any
stretch of them is a slice away.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Final, Generic, TypeVar

SEARCHED_CHARS: Final = 512
"""So little is searched faster than cut in halves."""

KindT = TypeVar("KindT", bound=Hashable)


class PhraseTable(Generic[KindT]):
    """Phrases, none of them empty, each with its kind: read as a dict is, never changed."""

    def __init__(self, kinds: Mapping[str, KindT]) -> None:
        by_length: dict[int, list[str]] = {}
        for phrase in sorted(kinds):
            by_length.setdefault(len(phrase), []).append(phrase)
        self._known = tuple(dict.fromkeys(kinds.values()))
        numbers = {kind: number for number, kind in enumerate(self._known)}
        self._rows = {
            length: ("".join(row), bytes(numbers[kinds[phrase]] for phrase in row))
            for length, row in by_length.items()
        }

    def get(self, phrase: str) -> KindT | None:
        """The kind of `phrase`, None where it is none."""
        length = len(phrase)
        row, numbers = self._rows.get(length, ("", b""))
        if len(row) <= SEARCHED_CHARS:
            at = row.find(phrase) if row else -1
            while at > 0 and at % length:
                at = row.find(phrase, at + 1)
        else:
            at = _place(phrase, row)
        return None if at < 0 else self._known[numbers[at // length]]

    def __contains__(self, phrase: str) -> bool:
        return self.get(phrase) is not None

    def __getitem__(self, phrase: str) -> KindT:
        found = self.get(phrase)
        if found is None:
            raise KeyError(phrase)
        return found

    def __len__(self) -> int:
        return sum(len(numbers) for _, numbers in self._rows.values())


def _place(phrase: str, row: str) -> int:
    """Where `phrase` stands among those of its length, -1 if it does not."""
    length = len(phrase)
    low, high = 0, len(row) // length
    while low < high:
        middle = (low + high) // 2
        if row[middle * length : middle * length + length] < phrase:
            low = middle + 1
        else:
            high = middle
    return low * length if row.startswith(phrase, low * length) else -1
