"""Dates inside a question, and on which days they are told of."""

from __future__ import annotations

from datetime import date

import pytest

from mnemod.domain.asked_dates import AskedDate, asked_dates


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What did I do on 7 May 2031?", (2031, 5, 7)),
        ("what happened on August 15, 2031", (2031, 8, 15)),
        ("on the 3rd of March", (None, 3, 3)),
        ("who came in October 2031", (2031, 10, None)),
        ("what did I plant in May", (None, 5, None)),
        ("on 2031-05-04", (2031, 5, 4)),
        ("2031年5月4日に何をした", (2031, 5, 4)),
        ("5月的旅行", (None, 5, None)),
        ("which conference in 2031", (2031, None, None)),
    ],
)
def test_a_date_is_found_as_far_as_it_is_said(
    query: str, expected: tuple[int | None, int | None, int | None]
) -> None:
    assert asked_dates(query) == (AskedDate(*expected),)


@pytest.mark.parametrize("query", ["may I have tea", "AC-2041", "march on", "call 20314567"])
def test_what_only_looks_like_a_date_is_none(query: str) -> None:
    assert asked_dates(query) == ()


def test_a_day_is_told_of_on_it_and_shortly_after() -> None:
    asked = AskedDate(2031, 5, 7)

    assert asked.told_on(date(2031, 5, 7))
    assert asked.told_on(date(2031, 5, 10))
    assert not asked.told_on(date(2031, 5, 11))
    assert not asked.told_on(date(2031, 5, 6))


def test_a_month_is_told_of_in_it_and_a_year_in_it() -> None:
    assert AskedDate(None, 5, None).told_on(date(2030, 5, 31))
    assert not AskedDate(None, 5, None).told_on(date(2031, 6, 1))
    assert AskedDate(2031, None, None).told_on(date(2031, 12, 31))
    assert not AskedDate(2031, None, None).told_on(date(2032, 1, 1))


def test_a_day_that_no_month_has_is_told_of_never() -> None:
    assert not AskedDate(None, 2, 30).told_on(date(2031, 3, 1))
