"""Windows of time: what is understood, how wide it is, and that nothing absurd raises."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemod.domain.instants import parse_instant
from mnemod.domain.time_window import Window, covered, in_zone, parse_window
from mnemod.ids import EpochMs

TOKYO = ZoneInfo("Asia/Tokyo")
AUCKLAND = ZoneInfo("Pacific/Auckland")


def window(first: str, last: str) -> Window:
    return Window(parse_instant(first).at_ms, parse_instant(last).at_ms)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2031", "2031-01-01T00:00:00+09:00", "2032-01-01T00:00:00+09:00"),
        ("2031-05", "2031-05-01T00:00:00+09:00", "2031-06-01T00:00:00+09:00"),
        ("2031-12", "2031-12-01T00:00:00+09:00", "2032-01-01T00:00:00+09:00"),
        ("2031-05-04", "2031-05-04T00:00:00+09:00", "2031-05-05T00:00:00+09:00"),
        ("２０３１－０５－０４", "2031-05-04T00:00:00+09:00", "2031-05-05T00:00:00+09:00"),
        ("2031/5/4", "2031-05-04T00:00:00+09:00", "2031-05-05T00:00:00+09:00"),
        ("2031年5月4日", "2031-05-04T00:00:00+09:00", "2031-05-05T00:00:00+09:00"),
        ("2031-05-04T20:45", "2031-05-04T00:00:00+09:00", "2031-05-05T00:00:00+09:00"),
        ("2031-05/2031-07", "2031-05-01T00:00:00+09:00", "2031-08-01T00:00:00+09:00"),
        ("2031-07 .. 2031-05", "2031-05-01T00:00:00+09:00", "2031-08-01T00:00:00+09:00"),
        (
            "2031-05-04T08:00Z/2031-05-04T09:30Z",
            "2031-05-04T08:00:00Z",
            "2031-05-04T09:31:00Z",
        ),
    ],
)
def test_a_window_covers_all_that_its_words_name(text: str, first: str, last: str) -> None:
    assert parse_window(text, TOKYO) == window(first, last)


@pytest.mark.parametrize(
    "text",
    [
        "过去三千年", "2500年前", "year 0", "0000", "Feb 30", "2031-02-30", "2031-13", "24:61",
        "2031-05-04T24:61", "last week", "..", "/", "2031/", "1/2/3/4", "2031..soon", "9" * 200,
    ],
)  # fmt: skip
def test_what_is_in_no_calendar_is_not_understood(text: str) -> None:
    assert parse_window(text, TOKYO) is None


@pytest.mark.parametrize("text", ["0001", "9999", "0001-01-01", "9999-12"])
@pytest.mark.parametrize("zone", [TOKYO, ZoneInfo("Pacific/Honolulu")])
def test_the_ends_of_the_calendar_are_clamped_and_can_be_written(text: str, zone: ZoneInfo) -> None:
    found = parse_window(text, zone)

    assert found is not None
    assert in_zone(found.from_ms, zone) <= in_zone(found.to_ms, zone)


def test_a_day_with_a_clock_change_is_as_long_as_it_was() -> None:
    found = parse_window("2031-09-28", AUCKLAND)

    assert found is not None
    assert found.to_ms - found.from_ms == 23 * 3_600_000


def test_the_end_of_a_window_is_outside_it() -> None:
    day = window("2031-05-04T00:00:00Z", "2031-05-05T00:00:00Z")

    assert day.holds(day.from_ms)
    assert not day.holds(day.to_ms)
    assert (day.distance_ms(day.from_ms - 2), day.distance_ms(day.to_ms + 3)) == (2, 3)


@pytest.mark.parametrize(
    ("stored", "first", "last"),
    [
        ("2031", "2031-01-01T00:00:00+09:00", "2032-01-01T00:00:00+09:00"),
        ("2031-W19", "2031-05-05T00:00:00+09:00", "2031-05-12T00:00:00+09:00"),
        ("2031-Q2", "2031-04-01T00:00:00+09:00", "2031-07-01T00:00:00+09:00"),
        ("2031-H2", "2031-07-01T00:00:00+09:00", "2032-01-01T00:00:00+09:00"),
        ("2031-05-04T20:45", "2031-05-04T20:45:00+09:00", "2031-05-04T20:46:00+09:00"),
    ],
)
def test_a_coarse_date_counts_as_all_it_may_mean(stored: str, first: str, last: str) -> None:
    assert covered(stored, TOKYO) == window(first, last)


@pytest.mark.parametrize("stored", ["2031-Q9", "2031-W60", "sometime"])
def test_a_stored_date_that_makes_no_sense_covers_nothing(stored: str) -> None:
    assert covered(stored, TOKYO) is None


@given(st.text(alphabet="0123456789-/.:TZ+年月日 WQH", max_size=40))
def test_nothing_that_is_typed_raises(text: str) -> None:
    found = parse_window(text, TOKYO)

    assert found is None or found.from_ms <= found.to_ms
    assert covered(text, TOKYO) is None or isinstance(covered(text, TOKYO), Window)


@given(st.integers(min_value=-(2**62), max_value=2**62), st.integers(0, 2**40))
def test_a_moment_inside_is_at_no_distance(start: int, length: int) -> None:
    span = Window(EpochMs(start), EpochMs(start + length + 1))

    assert span.distance_ms(start + length) == 0
    assert span.distance_ms(start - 1) == 1
