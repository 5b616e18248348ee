from __future__ import annotations

import pytest

from tests.domain.reading.conversation import formed, request


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("On 2026-03-09 we opened the shed.", "2026-03-09"),
        ("2025/10/26に初めて富士山に登った。", "2025-10-26"),
        ("2024年5月2日我跑完了第一个马拉松。", "2024-05-02"),
        ("I quit smoking on March 9, 2024.", "2024-03-09"),
        ("I ran my first ten kilometres on 12 April 2024.", "2024-04-12"),
    ],
)
def test_one_full_date_says_when_it_happened(text: str, day: str) -> None:
    (only,) = formed(request(text))

    assert (only.occurred_at, only.time_expression) == (day, None)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("I lost my wallet on the tram yesterday.", "yesterday"),
        ("上周我领养了一只灰狗。", "上周"),
        ("去年の夏にスマホを海に落とした。", "去年"),
    ],
)
def test_a_relative_phrase_is_handed_on_as_it_stands(text: str, phrase: str) -> None:
    (only,) = formed(request(text))

    assert (only.occurred_at, only.time_expression) == (None, phrase)


def test_of_two_dates_none_is_chosen() -> None:
    (only,) = formed(request("On 2026-03-09 we moved and on 2026-03-10 we slept."))

    assert only.occurred_at is None


def test_a_day_that_does_not_exist_is_no_date() -> None:
    (only,) = formed(request("On 2026-13-40 we opened the shed."))

    assert only.occurred_at is None


def test_a_date_that_is_no_event_is_left_in_the_words() -> None:
    (only,) = formed(request("My visa runs until 2027-01-31."))

    assert only.occurred_at is None
