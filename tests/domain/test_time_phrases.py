"""Times as people ask for them, seen from now: one window, or none."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from mnemod.domain.time_phrases import PHRASE_CHARS_MAX, AskedSpan, asked_spans, phrase_window
from mnemod.domain.time_window import in_zone

TOKYO = ZoneInfo("Asia/Tokyo")
NOW = datetime(2026, 3, 5, 15, 0, tzinfo=TOKYO)
"""A Thursday."""


def days(phrase: str) -> tuple[str, str] | None:
    """The first day of the window that a phrase names, and the day after its last."""
    window = phrase_window(phrase, NOW, "en")
    if window is None:
        return None
    return in_zone(window.from_ms, TOKYO)[:10], in_zone(window.to_ms, TOKYO)[:10]


@pytest.mark.parametrize(
    ("phrase", "first", "after"),
    [
        ("yesterday", "2026-03-04", "2026-03-05"),
        ("昨日", "2026-03-04", "2026-03-05"),
        ("昨天", "2026-03-04", "2026-03-05"),
        ("last week", "2026-02-23", "2026-03-02"),
        ("during last week", "2026-02-23", "2026-03-02"),
        ("先週", "2026-02-23", "2026-03-02"),
        ("上个月", "2026-02-01", "2026-03-01"),
        ("去年", "2025-01-01", "2026-01-01"),
        ("in March 2025", "2025-03-01", "2025-04-01"),
        ("3月3日", "2026-03-03", "2026-03-04"),
        ("yesterday at 9:30", "2026-03-04", "2026-03-05"),
    ],
)
def test_a_phrase_names_its_days(phrase: str, first: str, after: str) -> None:
    # B044
    assert days(phrase) == (first, after)


@pytest.mark.parametrize(
    "phrase",
    [
        "next Saturday",
        "3/12",
        "yesterday or last week",
        "before last week",
        "the harbour",
        "",
        "some day",
        "year 0",
        "Feb 30",
        "24:61",
        "x" * (PHRASE_CHARS_MAX + 1),
    ],
)
def test_what_is_open_or_more_than_a_time_names_none(phrase: str) -> None:
    # B045
    assert days(phrase) is None


@pytest.mark.parametrize("phrase", ["过去三千年", "2500年前", "10000 years ago", "99999年後"])
def test_what_lies_outside_the_calendar_names_none(phrase: str) -> None:
    # B045
    assert days(phrase) is None


def test_a_question_names_days_by_its_phrases() -> None:
    assert asked_spans("what did I buy last week?", NOW, "en") == (
        AskedSpan(date(2026, 2, 23), date(2026, 3, 1)),
    )


def test_what_was_done_is_told_on_the_days_or_soon_after() -> None:
    span = AskedSpan(date(2026, 2, 23), date(2026, 3, 1))

    assert span.told_on(date(2026, 2, 23))
    assert span.told_on(date(2026, 3, 4))
    assert not span.told_on(date(2026, 2, 22))
    assert not span.told_on(date(2026, 3, 5))
