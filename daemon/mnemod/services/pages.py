"""Lists in pages: as many rows as were asked for, or fewer where their texts are long.

A page ends early so that a reply never outgrows a frame, whatever the rows hold: one byte of a
text can take six on the wire. Whoever reads on from the cursor meets every row once all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

from msgspec import Struct

from mnemod.config import PAGE_TEXT_BYTES_MAX
from mnemod.ids import WorldRevision

T = TypeVar("T")

_ROWS_AT_ONCE: Final = 50
"""Read from the file at a time: rows that do not fit the page are read in vain."""


class Page(Generic[T], Struct, frozen=True):
    """Some rows, the place to go on from (None at the end), and the revision they are of."""

    rows: tuple[T, ...]
    next_after: int | None
    world_revision: WorldRevision


def fill(
    read: Callable[[int, int], Sequence[T]],
    place: Callable[[T], int],
    after: int,
    limit: int,
    text_bytes: Callable[[T], int] = lambda _: 0,
) -> tuple[Sequence[T], int | None]:
    """One page and where the next begins, which is None when this one is the last.

    `read` gives at most so many rows behind a place, `text_bytes` what a row's texts weigh. The
    first row is on the page whatever it weighs.
    """
    rows: list[T] = []
    weight = 0
    while True:
        wanted = min(limit - len(rows), _ROWS_AT_ONCE)
        found = read(place(rows[-1]) if rows else after, wanted + 1)
        for row in found[:wanted]:
            weight += text_bytes(row)
            if rows and weight > PAGE_TEXT_BYTES_MAX:
                return rows, place(rows[-1])
            rows.append(row)
        if len(found) <= wanted:
            return rows, None
        if len(rows) == limit:
            return rows, place(rows[-1])


def utf8_bytes(text: str | None) -> int:
    """What a text weighs."""
    return 0 if text is None else len(text.encode())
