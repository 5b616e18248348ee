"""A page has as many rows as were asked for, unless their texts are long; no row is lost."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from mnemod.config import PAGE_TEXT_BYTES_MAX
from mnemod.services.pages import fill

HALF = PAGE_TEXT_BYTES_MAX // 2


def page(sizes: Sequence[int], after: int, limit: int) -> tuple[list[int], int | None]:
    """The rows 1, 2, 3..., each as heavy as `sizes` says."""

    def read(place: int, count: int) -> Sequence[int]:
        return range(1, len(sizes) + 1)[place : place + count]

    rows, next_after = fill(read, lambda row: row, after, limit, lambda row: sizes[row - 1])
    return list(rows), next_after


def whole(sizes: Sequence[int], limit: int) -> list[list[int]]:
    """All pages."""
    pages, after = [], 0
    while True:
        rows, next_after = page(sizes, after, limit)
        pages.append(rows)
        if next_after is None:
            return pages
        after = next_after


def test_light_rows_fill_the_page() -> None:
    assert page([0] * 5, 0, 3) == ([1, 2, 3], 3)
    assert page([0] * 5, 3, 3) == ([4, 5], None)
    assert page([0] * 3, 0, 3) == ([1, 2, 3], None)
    assert page([], 0, 3) == ([], None)


@pytest.mark.parametrize("limit", [49, 50, 51, 99, 100, 101, 500])
def test_many_light_rows_come_once_each_in_order(limit: int) -> None:
    pages = whole([1] * 300, limit)

    assert [row for rows in pages for row in rows] == list(range(1, 301))
    assert [len(rows) for rows in pages[:-1]] == [limit] * (len(pages) - 1)


def test_heavy_rows_end_a_page_early() -> None:
    assert whole([HALF, HALF, 1, HALF, HALF + 1, 1], 500) == [[1, 2], [3, 4], [5, 6]]


def test_a_row_heavier_than_a_page_has_one_to_itself() -> None:
    assert whole([1, 3 * HALF, 3 * HALF, 1], 500) == [[1], [2], [3], [4]]
