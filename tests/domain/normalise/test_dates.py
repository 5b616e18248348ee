"""Dates and intervals in words: what they stand on, and what they mean."""

from __future__ import annotations

from datetime import datetime

import pytest

from mnemod.domain.world import Precision
from tests.support.readings import THURSDAY, dates, read

MONTH_END = datetime.fromisoformat("2026-01-31T10:00:00+09:00")


@pytest.mark.parametrize(
    "text",
    [
        "来週の水曜日",
        "来週水曜",
        "下週三",
        "下周三",
        "下個星期三",
        "下禮拜三",
        "下个礼拜三",
        "Wednesday next week",
        "来週の Wednesday",
    ],
)
def test_next_weeks_wednesday_is_one_day_in_every_language(text: str) -> None:
    assert dates(text) == [(text, "2026-03-11")]


@pytest.mark.parametrize(
    "text",
    [
        "March 12",
        "12 March",
        "March 12th",
        "12th of March",
        "Thursday, March 12",
        "3月12日",
        "３月１２日",
        "三月十二日",
        "3月12號",
        "3月12日（木）",
        "2026-03-12",
        "2026/3/12",
        "2026.3.12",
        "2026年3月12日",
        "二〇二六年三月十二日",
        "二零二六年三月十二日",
        "令和8年3月12日",
        "R8.3.12",
        "民國115年3月12日",
        "中華民國一百一十五年三月十二日",
        "March 12, 2026",
        "12 Mar 2026",
        "12.03.2026",
    ],
)
def test_the_ways_to_write_a_day_give_one_date(text: str) -> None:
    assert dates(text) == [(text, "2026-03-12")]


@pytest.mark.parametrize(
    ("text", "candidates"),
    [
        ("next Wednesday", ["2026-03-11", "2026-03-18"]),
        ("next Friday", ["2026-03-06", "2026-03-13"]),
        ("last Monday", ["2026-02-23", "2026-03-02"]),
        ("3/12", ["2026-03-12", "2026-12-03"]),
        ("04/05/2026", ["2026-04-05", "2026-05-04"]),
        ("tomorrow at 3", ["2026-03-06T03:00", "2026-03-06T15:00"]),
        ("明天三点", ["2026-03-06T03:00", "2026-03-06T15:00"]),
    ],
)
def test_what_can_be_read_in_two_ways_shows_both(text: str, candidates: list[str]) -> None:
    assert dates(text) == [(text, candidates)]


@pytest.mark.parametrize("day", ["Thursday", "Monday", "Sunday"])
def test_next_and_a_weekday_is_open_whether_the_day_is_past_or_to_come(day: str) -> None:
    [(_, candidates)] = dates(f"next {day}")

    assert len(candidates) == 2


def test_a_weekday_of_last_week_that_cannot_be_this_one_s_leaves_one() -> None:
    assert dates("last Friday") == [("last Friday", "2026-02-27")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("四月五日到四月九日店里盘点", [("四月五日到四月九日", ("2026-04-05", "2026-04-10"))]),
        ("十月八日至十一月三日店休", [("十月八日至十一月三日", ("2026-10-08", "2026-11-04"))]),
        ("5月3日、4日は休み", [("5月3日", "2026-05-03"), ("4日", "2026-05-04")]),
        ("2028年5月8日和9号", [("2028年5月8日", "2028-05-08"), ("9号", "2028-05-09")]),
        ("毎年5月3日、4日は祭り", []),
        ("3、4日かかる", []),
        ("3月5日机票", [("3月5日", "2026-03-05")]),
        ("帰ったのはおとといだ。", [("おととい", "2026-03-03")]),
        ("会ったのはきのうだった", [("きのう", "2026-03-04")]),
        ("一昨年の夏に買った", [("一昨年", ("2024-01-01", "2025-01-01"))]),
        ("去年夏天", [("去年", ("2025-01-01", "2026-01-01"))]),
        (
            "yesterday, or three days ago",
            [("yesterday", "2026-03-04"), ("three days ago", "2026-03-02")],
        ),
        ("two or three days ago", []),
        ("You may second the motion.", []),
        ("They march first in the parade.", []),
        ("due on may second", [("may second", "2026-05-02")]),
    ],
)
def test_what_stands_beside_a_date_neither_hides_nor_makes_one(
    text: str, expected: list[tuple[str, object]]
) -> None:
    assert dates(text) == expected


def test_a_numeric_date_after_a_preposition_is_ambiguous_with_a_dash_too() -> None:
    assert dates("due on 3-12") == [("3-12", ["2026-03-12", "2026-12-03"])]


@pytest.mark.parametrize(
    ("locale", "expected"),
    [
        ("en", ["2026-03-12", "2026-12-03"]),
        ("en-GB", ["2026-03-12", "2026-12-03"]),
        ("en-US", "2026-03-12"),
        ("ja-JP", "2026-03-12"),
    ],
)
def test_the_locale_orders_a_month_and_a_day(locale: str, expected: object) -> None:
    assert dates("by 3/12", locale) == [("3/12", expected)]


@pytest.mark.parametrize(
    ("locale", "expected"),
    [
        ("en", ["2026-04-05", "2026-05-04"]),
        ("en-GB", "2026-05-04"),
        ("en-US", "2026-04-05"),
    ],
)
def test_the_locale_orders_a_full_date_in_figures(locale: str, expected: object) -> None:
    assert dates("04/05/2026", locale) == [("04/05/2026", expected)]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("明後日", "2026-03-07"),
        ("あさって", "2026-03-07"),
        ("一昨日", "2026-03-03"),
        ("おととい", "2026-03-03"),
        ("しあさって", "2026-03-08"),
        ("大后天", "2026-03-08"),
        ("大前天", "2026-03-02"),
        ("昨晚", "2026-03-04"),
        ("今朝", "2026-03-05"),
        ("day after tomorrow", "2026-03-07"),
        ("day before yesterday", "2026-03-03"),
        ("last night", "2026-03-04"),
        ("三天前", "2026-03-02"),
        ("in 3 days", "2026-03-08"),
        ("1,000 days ago", "2023-06-09"),
        ("下个月底", "2026-04-30"),
        ("来月末", "2026-04-30"),
        ("end of next month", "2026-04-30"),
        ("15th of next month", "2026-04-15"),
        ("上個月3號", "2026-02-03"),
        ("this Saturday", "2026-03-07"),
        ("上上周五", "2026-02-20"),
    ],
)
def test_a_word_for_a_day_counts_from_the_message(text: str, day: str) -> None:
    assert dates(text) == [(text, day)]


@pytest.mark.parametrize(
    ("text", "start", "end", "unit"),
    [
        ("去年", "2025-01-01", "2026-01-01", "year"),
        ("上半年", "2026-01-01", "2026-07-01", "half"),
        ("最近三天", "2026-03-03", "2026-03-06", "day"),
        ("last three days", "2026-03-03", "2026-03-06", "day"),
        ("下周", "2026-03-09", "2026-03-16", "week"),
        ("先月", "2026-02-01", "2026-03-01", "month"),
        ("2025年第三季度", "2025-07-01", "2025-10-01", "quarter"),
        ("Q3 2025", "2025-07-01", "2025-10-01", "quarter"),
        ("first half of 2025", "2025-01-01", "2025-07-01", "half"),
        ("平成30年", "2018-01-01", "2019-01-01", "year"),
        ("昨年12月", "2025-12-01", "2026-01-01", "month"),
        ("March 10-12", "2026-03-10", "2026-03-13", "day"),
        ("3月10日到14日", "2026-03-10", "2026-03-15", "day"),
        ("5月3日から6月2日", "2026-05-03", "2026-06-03", "day"),
        ("Dec 30, 2026 to Jan 2, 2027", "2026-12-30", "2027-01-03", "day"),
        ("下週一到週三", "2026-03-09", "2026-03-12", "day"),
    ],
)
def test_a_span_of_time_is_an_interval_with_its_own_precision(
    text: str, start: str, end: str, unit: str
) -> None:
    [found] = read(text)

    assert dates(text) == [(text, (start, end))]
    assert found.precision is Precision(unit)


@pytest.mark.parametrize(
    ("text", "words", "moment"),
    [
        ("2026-03-11 19:00 dinner", "2026-03-11 19:00", "2026-03-11T19:00"),
        ("2026-03-12T19:00:00Z", "2026-03-12T19:00:00Z", "2026-03-13T04:00"),
        ("今天早上八點半", "今天早上八點半", "2026-03-05T08:30"),
        ("明日の午後3時に", "明日の午後3時", "2026-03-06T15:00"),
        ("tomorrow night at 8", "tomorrow night at 8", "2026-03-06T20:00"),
        ("at 9:30 tomorrow", "9:30 tomorrow", "2026-03-06T09:30"),
        ("明天 3pm", "明天 3pm", "2026-03-06T15:00"),
        ("今晚8点", "今晚8点", "2026-03-05T20:00"),
        ("2 hours ago", "2 hours ago", "2026-03-05T13:00"),
        ("两个半小时前", "两个半小时前", "2026-03-05T12:30"),
        ("an hour and a half ago", "an hour and a half ago", "2026-03-05T13:30"),
    ],
)
def test_a_time_beside_a_day_is_one_span_to_the_minute(text: str, words: str, moment: str) -> None:
    assert dates(text) == [(words, moment)]
    assert [each.precision for each in read(text)] == [Precision.MINUTE]


def test_an_evening_without_a_time_stays_a_day() -> None:
    assert dates("来週の水曜日の夜に食事") == [("来週の水曜日", "2026-03-11")]


def test_a_month_is_a_month_and_its_end_is_clamped() -> None:
    assert dates("下個月", anchor=MONTH_END) == [("下個月", ("2026-02-01", "2026-03-01"))]
    assert dates("in a month", anchor=MONTH_END) == [("in a month", "2026-02-28")]
    assert dates("1ヶ月後", anchor=MONTH_END) == [("1ヶ月後", "2026-02-28")]


def test_the_last_day_of_a_long_month_stays_the_last_day_of_a_shorter_one() -> None:
    last = THURSDAY.replace(day=31)

    assert dates("1ヶ月後", anchor=last) == [("1ヶ月後", "2026-04-30")]
    assert dates("a month ago", anchor=last) == [("a month ago", "2026-02-28")]


def test_before_a_year_is_not_that_many_years_ago() -> None:
    assert dates("2019年前") == [("2019年", ("2019-01-01", "2020-01-01"))]
    assert dates("2000年前") == []


@pytest.mark.parametrize("text", ["三个月前", "3か月前", "three months ago"])
def test_a_distance_keeps_its_unit_as_precision(text: str) -> None:
    [found] = read(text)

    assert (found.value, found.precision) == ("2025-12-05", Precision.MONTH)


@pytest.mark.parametrize("text", ["2月30日", "April 31", "13月5日", "2026-02-29", "25/12/0000"])
def test_a_day_in_no_calendar_is_no_date(text: str) -> None:
    assert dates(text) == []


@pytest.mark.parametrize("text", ["tomorrow", "3月12日", "March 12", "去年", "3 days ago", "3/12"])
def test_without_a_time_of_the_message_nothing_relative_is_decided(text: str) -> None:
    assert dates(text, anchor=None) == []


@pytest.mark.parametrize("text", ["2026-03-12", "March 12, 2026", "令和8年3月12日"])
def test_without_a_time_of_the_message_a_full_date_is_a_date(text: str) -> None:
    assert dates(text, anchor=None) == [(text, "2026-03-12")]


def test_a_year_that_was_filled_in_is_less_sure() -> None:
    [written] = read("March 12, 2026")
    [assumed] = read("March 12")
    [opened] = read("next Friday")

    assert written.confidence == 1
    assert 0.5 < assumed.confidence < 1
    assert opened.confidence == 0.5


def test_at_the_end_of_the_calendar_nothing_is_raised() -> None:
    last = datetime.fromisoformat("9999-12-31T23:59:00+00:00")

    assert dates("明年 next week 下个月底 10 days from now", anchor=last) == []


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("下週的星期三開會", "2026-03-11"),
        ("下星期的週三開會", "2026-03-11"),
        ("上个星期的礼拜天", "2026-03-01"),
        ("下下周的周五交稿", "2026-03-20"),
        ("来週・水曜日", "2026-03-11"),
    ],
)
def test_a_weekday_may_have_its_own_word_for_week(text: str, day: str) -> None:
    assert [value for _, value in dates(text)] == [day]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("R8年3月12日に退院", "2026-03-12"),
        ("生年月日 H30年4月1日", "2018-04-01"),
        ("S64年1月7日まで", "1989-01-07"),
        ("R9年4月から大阪", ("2027-04-01", "2027-05-01")),
    ],
)
def test_the_letter_of_an_era_stands_before_a_year_in_words(text: str, value: object) -> None:
    assert [value for _, value in dates(text)] == [value]


@pytest.mark.parametrize("text", ["r8年3月12日", "VR8年3月", "R8年級の型", "R8年度"])
def test_a_letter_that_is_no_era_dates_nothing_by_it(text: str) -> None:
    assert not [words for words, _ in dates(text) if "8年" in words]


@pytest.mark.parametrize("text", ["やのあさって", "やのあさってに会います"])
def test_a_day_that_regions_count_differently_is_left_open(text: str) -> None:
    assert not dates(text)


def test_weeks_start_on_monday() -> None:
    sunday = THURSDAY.replace(day=8)

    assert dates("本周", anchor=sunday) == [("本周", ("2026-03-02", "2026-03-09"))]
    assert dates("明天", anchor=sunday) == [("明天", "2026-03-09")]
