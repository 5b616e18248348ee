"""RFC 3339 in and out: every moment comes back as it went in, and what is not one is refused."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemod.domain.evidence import Instant
from mnemod.domain.instants import format_instant, parse_instant
from mnemod.errors import InvalidParams
from mnemod.ids import EpochMs

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
ZONES = st.integers(-(23 * 60 + 59), 23 * 60 + 59).map(lambda m: timezone(timedelta(minutes=m)))
# A day inside the years 1 to 9999, so that no offset leaves them.
MOMENTS = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=ZONES)


@given(MOMENTS)
def test_it_agrees_with_the_standard_library_to_the_millisecond(moment: datetime) -> None:
    parsed = parse_instant(moment.isoformat(timespec="milliseconds"))

    assert parsed.at_ms == (moment - EPOCH) // timedelta(milliseconds=1)
    assert timedelta(minutes=parsed.offset_min) == moment.utcoffset()


@given(MOMENTS)
def test_what_was_parsed_comes_back_as_the_same_moment_and_offset(moment: datetime) -> None:
    parsed = parse_instant(moment.isoformat())

    assert parse_instant(format_instant(parsed.at_ms, parsed.offset_min)) == parsed


@given(st.text(max_size=40))
def test_any_other_text_is_refused_and_never_crashes(text: str) -> None:
    with pytest.raises(InvalidParams):
        parse_instant(text)


@pytest.mark.parametrize(
    ("text", "at_ms", "offset_min"),
    [
        ("1970-01-01T00:00:00Z", 0, 0),
        ("1970-01-01t00:00:00z", 0, 0),
        ("1970-01-01T05:45:00+05:45", 0, 345),
        ("1969-12-31T20:30:00.000-03:30", 0, -210),
        ("1970-01-01T00:00:00-00:00", 0, 0),
        ("1970-01-01T00:00:00.5Z", 500, 0),
        ("1970-01-01T00:00:00.123999999Z", 123, 0),
        ("1969-12-31T23:59:59.999Z", -1, 0),
        ("2028-02-29T00:00:00Z", 1_835_395_200_000, 0),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999, 0),
    ],
)
def test_a_moment_with_an_offset_is_read(text: str, at_ms: int, offset_min: int) -> None:
    assert parse_instant(text) == Instant(EpochMs(at_ms), offset_min)


@pytest.mark.parametrize(
    "text",
    [
        "2031-02-03T04:05:06",  # no offset: nobody's morning
        "2031-02-03",
        "2031-02-03 04:05:06Z",
        "2031-02-03T04:05Z",
        "2031-02-03T04:05:06.Z",
        "2031-02-03T04:05:06+0545",
        "2031-02-03T04:05:06+05",
        "2031-02-03T04:05:06+24:00",
        "2031-02-03T04:05:06+05:60",
        "2031-02-30T04:05:06Z",
        "2031-02-29T04:05:06Z",
        "2031-13-03T04:05:06Z",
        "2031-02-03T24:00:00Z",
        "2016-12-31T23:59:60Z",  # a leap second has no epoch number
        "0000-01-01T00:00:00Z",
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
        "٢٠٣١-02-03T04:05:06Z",  # digits, but not ASCII ones
        "2031-02-03T04:05:06Z\n",
        " 2031-02-03T04:05:06Z",
        "",
    ],
)
def test_what_names_no_moment_is_refused_at_its_path(text: str) -> None:
    with pytest.raises(InvalidParams) as refused:
        parse_instant(text, "$.messages[0].at")

    assert refused.value.path == "$.messages[0].at"
    assert refused.value.details == {}


@pytest.mark.parametrize(
    ("at_ms", "offset_min", "text"),
    [
        (0, 0, "1970-01-01T00:00:00.000Z"),
        (-1, 0, "1969-12-31T23:59:59.999Z"),
        (0, 345, "1970-01-01T05:45:00.000+05:45"),
        (0, -210, "1969-12-31T20:30:00.000-03:30"),
        (0, -30, "1969-12-31T23:30:00.000-00:30"),
    ],
)
def test_a_moment_is_written_with_milliseconds_and_its_offset(
    at_ms: int, offset_min: int, text: str
) -> None:
    assert format_instant(EpochMs(at_ms), offset_min) == text
