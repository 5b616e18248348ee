"""What is written in several parts and is one date, one span or one amount."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.readings import dates, read

_NEW_YEAR = ("2026-12-24", "2027-01-03")


@pytest.mark.parametrize(
    ("text", "words", "value"),
    [
        ("Born on the fifth of November last year.", "fifth of November last year", "2025-11-05"),
        ("Call me tomorrow at nine thirty.", "tomorrow at nine thirty", "2026-03-06T09:30"),
        ("Be there at 7 in the evening tomorrow.", "7 in the evening tomorrow", "2026-03-06T19:00"),
        ("It expires at midnight on 1 June 2027.", "midnight on 1 June 2027", "2027-06-01T00:00"),
        ("Lunch tomorrow at 12 noon", "tomorrow at 12 noon", "2026-03-06T12:00"),
        ("八年前的今天我们搬了家", "八年前的今天", "2018-03-05"),
        ("The soup is done in 20 minutes", "in 20 minutes", "2026-03-05T15:20"),
        ("我next month搬家", "next month", ("2026-04-01", "2026-05-01")),
        ("Shut 24 December to 2 January 2027", "24 December to 2 January 2027", _NEW_YEAR),
        ("Open from March to May 2026", "March to May 2026", ("2026-03-01", "2026-06-01")),
        (
            "Closed from Monday to Wednesday next week",
            "Monday to Wednesday next week",
            ("2026-03-09", "2026-03-12"),
        ),
        (
            "Some day between the 3rd and the 9th of August 2026",
            "3rd and the 9th of August 2026",
            ("2026-08-03", "2026-08-10"),
        ),
    ],
)
def test_a_date_in_several_parts_is_one_reading(text: str, words: str, value: Any) -> None:
    assert dates(text) == [(words, value)]


def test_an_hour_after_the_day_in_words_stays_open_with_its_minutes() -> None:
    assert dates("5 o'clock tomorrow") == [
        ("5 o'clock tomorrow", ["2026-03-06T05:00", "2026-03-06T17:00"])
    ]


@pytest.mark.parametrize(
    ("locale", "text", "words", "number", "code"),
    [
        ("en-US", "It was $5 and 25 cents.", "$5 and 25 cents", "5.25", "USD"),
        ("en-US", "It cost 10 euros and 50 cents.", "10 euros and 50 cents", "10.5", "EUR"),
        ("zh-CN", "一共一百二十块零五毛", "一百二十块零五毛", "120.5", None),
        ("zh-CN", "只要两块钱五毛", "两块钱五毛", "2.5", None),
        ("ja-JP", "百二十円五十銭だった", "百二十円五十銭", "120.5", "JPY"),
        ("ja-JP", "参加費は 1,500円 だよ", "1,500円", "1500", "JPY"),
    ],
)
def test_an_amount_ends_with_its_small_change_and_not_with_a_space(
    locale: str, text: str, words: str, number: str, code: str | None
) -> None:
    (found,) = read(text, locale)
    assert text[found.start : found.end] == words
    assert (found.value.number, found.value.currency) == (number, code)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("四割五分の人が来た", "四割五分"),
        ("一時間待った", "一時間"),
        ("煮込み一時間半、味見", "一時間半"),
    ],
)
def test_the_parts_of_a_japanese_quantity_stay_together(text: str, words: str) -> None:
    assert [text[each.start : each.end] for each in read(text, "ja-JP")] == [words]


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("zh-TW", "李明日是我的國中同學"),
        ("zh-TW", "我們在明日書店等你"),
        ("zh-CN", "他叫王明天"),
        ("zh-CN", "文明天下是个游戏"),
        ("zh-CN", "上周六福的门店"),
        ("zh-TW", "那個節目叫今天也開心"),
        ("zh-TW", "這個月子餐很貴"),
        ("zh-CN", "我的网名叫昨天"),
        ("en", "Here today, gone tomorrow"),
        ("en", "Tomorrow Studios is hiring"),
        ("ja-JP", "石の上にも三年って言うしね"),
        ("ja-JP", "小さじ2分の1の塩"),
        ("ja-JP", "三億円事件の本"),
        ("ja-JP", "一週間という歌が好き"),
        ("en", "Next Friday by Ice Cube"),
        ("en", "A five-year plan was announced"),
        ("en", "I feel like a million bucks"),
        ("en", "24/7 support"),
    ],
)
def test_a_name_a_saying_or_a_work_has_no_date_and_no_quantity(locale: str, text: str) -> None:
    assert read(text, locale) == ()
