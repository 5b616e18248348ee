"""Dates as items keep them: written and read back, as exact as they were said."""

from __future__ import annotations

from datetime import UTC, date, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemod.domain.annotation import Ambiguous, Interval, Value
from mnemod.domain.periods import period
from mnemod.domain.time_window import covered, in_zone
from mnemod.domain.world import Precision

TOKYO = ZoneInfo("Asia/Tokyo")


@pytest.mark.parametrize(
    ("value", "precision", "stored", "first", "after"),
    [
        ("2031-05-04", Precision.DAY, "2031-05-04", "2031-05-04", "2031-05-05"),
        ("2031-05-04", Precision.WEEK, "2031-W18", "2031-04-28", "2031-05-05"),
        ("2031-05-04", Precision.MONTH, "2031-05", "2031-05-01", "2031-06-01"),
        ("2031-05-04", Precision.YEAR, "2031", "2031-01-01", "2032-01-01"),
        (
            Interval("2031-04-01", "2031-07-01"),
            Precision.QUARTER,
            "2031-Q2",
            "2031-04-01",
            "2031-07-01",
        ),
        (
            Interval("2031-07-01", "2032-01-01"),
            Precision.HALF,
            "2031-H2",
            "2031-07-01",
            "2032-01-01",
        ),
        (
            Interval("2030-12-30", "2031-01-06"),
            Precision.WEEK,
            "2031-W01",
            "2030-12-30",
            "2031-01-06",
        ),
        (
            Interval("2031-05-03", "2031-05-06"),
            Precision.DAY,
            "2031-05-03/2031-05-05",
            "2031-05-03",
            "2031-05-06",
        ),
        (
            Interval("2031-05-03", "2031-05-04"),
            Precision.DAY,
            "2031-05-03",
            "2031-05-03",
            "2031-05-04",
        ),
    ],
)
def test_a_date_is_kept_as_exact_as_it_was_said_and_read_back(
    value: Value, precision: Precision, stored: str, first: str, after: str
) -> None:
    window = covered(period(value, precision, TOKYO), TOKYO)

    assert period(value, precision, TOKYO) == stored
    assert window is not None
    assert in_zone(window.from_ms, TOKYO)[:10] == first
    assert in_zone(window.to_ms, TOKYO)[:10] == after


def test_a_time_of_day_keeps_its_offset() -> None:
    stored = period("2031-05-04T19:00", Precision.MINUTE, TOKYO)
    window = covered(stored, UTC)

    assert stored == "2031-05-04T19:00+09:00"
    assert window is not None
    assert in_zone(window.from_ms, UTC) == "2031-05-04T10:00:00.000Z"


@pytest.mark.parametrize("value", [0.7, Ambiguous(("2031-03-12", "2031-12-03"))])
def test_what_is_no_decided_date_is_no_period(value: Value) -> None:
    with pytest.raises(TypeError):
        period(value, Precision.DAY, UTC)


@given(st.dates(date(2, 1, 1), date(9998, 1, 1)), st.integers(1, 400))
def test_any_range_of_days_is_read_back_whole(first: date, days: int) -> None:
    value = Interval(first.isoformat(), (first + timedelta(days=days)).isoformat())
    window = covered(period(value, Precision.DAY, UTC), UTC)

    assert window is not None
    assert window.to_ms - window.from_ms == days * 86_400_000


@pytest.mark.parametrize(
    "broken", ["2031-05-04/", "/2031-05-04", "2031-05-04/x/y", "a/b", "2031-W99"]
)
def test_what_is_no_date_covers_nothing(broken: str) -> None:
    assert covered(broken, UTC) is None
