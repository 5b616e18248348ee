"""Lengths of time: exact ISO 8601 values with their places, and no date, age or rate."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemod.domain.folded import fold
from mnemod.domain.normalise import durations
from mnemod.domain.normalise.sheet import PLACES_MAX, laid_out


def found(text: str, locale: str) -> list[tuple[str, object]]:
    folded = fold(text)
    return [
        (text[slice(*folded.span(each.start, each.end))], each.value)
        for each in sorted(durations.find(laid_out(folded, locale)), key=lambda each: each.start)
    ]


@pytest.mark.parametrize(
    ("locale", "text", "passage", "iso"),
    [
        ("zh-CN", "手术做了五个小时。", "五个小时", "PT5H"),
        ("zh-CN", "我等了他两个半小时。", "两个半小时", "PT2H30M"),
        ("zh-CN", "高铁要4小时20分。", "4小时20分", "PT4H20M"),
        ("zh-TW", "這部電影兩小時又十分鐘。", "兩小時又十分鐘", "PT2H10M"),
        ("zh-TW", "我學了三年半的鋼琴。", "三年半", "P3Y6M"),
        ("zh-CN", "合同期两年零三个月。", "两年零三个月", "P2Y3M"),
        ("zh-CN", "我请了三天假。", "三天", "P3D"),
        ("zh-TW", "住院十五天。", "十五天", "P15D"),
        ("zh-CN", "在这里住了20年。", "20年", "P20Y"),
        ("zh-CN", "我结婚12年了。", "12年", "P12Y"),
        ("zh-TW", "我當了十年老師。", "十年", "P10Y"),
        ("zh-TW", "我每天跑步三十分鐘。", "三十分鐘", "PT30M"),
        ("zh-CN", "微波炉热90秒。", "90秒", "PT1M30S"),
        ("zh-CN", "等了一刻钟。", "一刻钟", "PT15M"),
        ("zh-CN", "等我半小时。", "半小时", "PT30M"),
        ("zh-TW", "等我半個鐘頭。", "半個鐘頭", "PT30M"),
        ("zh-CN", "实习期半年。", "半年", "P6M"),
        ("zh-CN", "试用期三个月。", "三个月", "P3M"),
        ("zh-CN", "培训为期两周。", "两周", "P14D"),
        ("zh-TW", "出差三個禮拜。", "三個禮拜", "P21D"),
        ("zh-TW", "感冒拖了兩個星期。", "兩個星期", "P14D"),
        ("zh-CN", "三天内答复我。", "三天", "P3D"),
        ("zh-CN", "保质期18个月", "18个月", "P1Y6M"),
        ("zh-TW", "療程是六週。", "六週", "P42D"),
        ("zh-CN", "休息了一天。", "一天", "P1D"),
        ("zh-CN", "花了一周时间。", "一周", "P7D"),
        ("zh-CN", "一个月的工资", "一个月", "P1M"),
        ("zh-TW", "三天兩夜的行程", "三天", "P3D"),
        ("zh-CN", "签了5年的合同", "5年", "P5Y"),
        ("zh-CN", "煮8分钟就行", "8分钟", "PT8M"),
        ("zh-CN", "我戒烟一百天了", "一百天", "P100D"),
        ("zh-TW", "一個半月的旅行", "一個半月", "P1M15D"),
        ("zh-TW", "我在台積電工作了十二年又四個月。", "十二年又四個月", "P12Y4M"),
        ("zh-CN", "每周工作40小时", "40小时", "PT40H"),
        ("zh-CN", "我 meeting 开了 2h，累。", "2h", "PT2H"),
        ("zh-CN", "倒计时10秒钟", "10秒钟", "PT10S"),
        ("zh-CN", "一小时三十分钟", "一小时三十分钟", "PT1H30M"),
        ("zh-TW", "走路要二十分鐘左右。", "二十分鐘", "PT20M"),
        ("zh-CN", "每周两小时的课", "两小时", "PT2H"),
        ("zh-CN", "我画画有一年半了。", "一年半", "P1Y6M"),
        ("zh-CN", "我在大厂干了five years。", "five years", "P5Y"),
        ("zh-TW", "coding 了 3 hours，好累", "3 hours", "PT3H"),
    ],
)
def test_chinese_lengths_of_time_are_read(locale: str, text: str, passage: str, iso: str) -> None:
    assert found(text, locale) == [(passage, iso)]


@pytest.mark.parametrize(
    ("locale", "text", "passage", "iso"),
    [
        ("ja-JP", "3時間待った。", "3時間", "PT3H"),
        ("ja-JP", "二時間半の映画でした。", "二時間半", "PT2H30M"),
        ("ja-JP", "東京に5年住んでいます。", "5年", "P5Y"),
        ("ja-JP", "東京に5年2ヶ月住んでいます。", "5年2ヶ月", "P5Y2M"),
        ("ja-JP", "3ヶ月間休職した。", "3ヶ月間", "P3M"),
        ("ja-JP", "六か月かかった。", "六か月", "P6M"),
        ("ja-JP", "2週間の休みを取った。", "2週間", "P14D"),
        ("ja-JP", "10日間旅行した。", "10日間", "P10D"),
        ("ja-JP", "駅まで徒歩5分です。", "5分", "PT5M"),
        ("ja-JP", "卵を7分ゆでる。", "7分", "PT7M"),
        ("ja-JP", "30秒で終わる。", "30秒", "PT30S"),
        ("ja-JP", "一年半フランスに留学した。", "一年半", "P1Y6M"),
        ("ja-JP", "半年かかりました。", "半年", "P6M"),
        ("ja-JP", "修理に3日かかる。", "3日", "P3D"),
        ("ja-JP", "丸2日寝ていた。", "2日", "P2D"),
        ("ja-JP", "1日8時間働く。", "8時間", "PT8H"),
        ("ja-JP", "四十五分間の授業", "四十五分間", "PT45M"),
        ("ja-JP", "勤続20年です。", "20年", "P20Y"),
        ("ja-JP", "2日と3時間かかった。", "2日と3時間", "P2DT3H"),
        ("ja-JP", "３時間１５分のフライト", "３時間１５分", "PT3H15M"),
        ("ja-JP", "毎朝30分走る。", "30分", "PT30M"),
        ("ja-JP", "三年間ありがとう。", "三年間", "P3Y"),
        ("ja-JP", "1時間ほど遅れます。", "1時間", "PT1H"),
        ("ja-JP", "1週間以内に返事します。", "1週間", "P7D"),
        ("ja-JP", "あと10分で着く。", "10分", "PT10M"),
        ("ja-JP", "2泊3日で京都へ。", "3日", "P3D"),
        ("ja-JP", "半日休みを取った。", "半日", "PT12H"),
        ("ja-JP", "会議は90分の予定。", "90分", "PT1H30M"),
        ("ja-JP", "2年間付き合って別れた。", "2年間", "P2Y"),
        ("ja-JP", "3ヶ月で5キロ痩せた。", "3ヶ月", "P3M"),
        ("ja-JP", "毎週2時間の会議", "2時間", "PT2H"),
        ("ja-JP", "電車で50分かかる。", "50分", "PT50M"),
    ],
)
def test_japanese_lengths_of_time_are_read(locale: str, text: str, passage: str, iso: str) -> None:
    assert found(text, locale) == [(passage, iso)]


@pytest.mark.parametrize(
    ("locale", "text", "passage", "iso"),
    [
        ("en-US", "the bus takes 1h 45min", "1h 45min", "PT1H45M"),
        ("en-US", "I was married for 12 years.", "12 years", "P12Y"),
        ("en-US", "It took two and a half hours.", "two and a half hours", "PT2H30M"),
        ("en-US", "The movie is 150 min long.", "150 min", "PT2H30M"),
        ("en-US", "The flight is 2.5h.", "2.5h", "PT2H30M"),
        ("en-US", "I waited half an hour.", "half an hour", "PT30M"),
        ("en-US", "The walk takes a quarter of an hour.", "a quarter of an hour", "PT15M"),
        ("en-US", "It takes three quarters of an hour.", "three quarters of an hour", "PT45M"),
        ("en-US", "a 90-minute workshop", "90-minute", "PT1H30M"),
        ("en-US", "I worked there for a year and a half.", "a year and a half", "P1Y6M"),
        ("en-US", "I was there for a year.", "a year", "P1Y"),
        ("en-US", "It took an hour.", "an hour", "PT1H"),
        ("en-US", "Bake for 1 hour and 20 minutes.", "1 hour and 20 minutes", "PT1H20M"),
        ("en-US", "Bake for 1 hr 20 min.", "1 hr 20 min", "PT1H20M"),
        ("en-US", "The trial lasts fourteen days.", "fourteen days", "P14D"),
        ("en-US", "My notice period is six weeks.", "six weeks", "P42D"),
        ("en-US", "I have ten years of experience.", "ten years", "P10Y"),
        ("en-US", "I sleep 7 hours a night.", "7 hours", "PT7H"),
        ("en-GB", "We stayed for a fortnight.", "a fortnight", "P14D"),
        ("en-US", "The warranty is 24 months.", "24 months", "P2Y"),
        ("en-US", "hold it for 30 seconds", "30 seconds", "PT30S"),
        ("en-US", "The course runs twenty-one days.", "twenty-one days", "P21D"),
        ("en-US", "a three-day hike", "three-day", "P3D"),
        ("en-US", "I was on hold for 1h20m.", "1h20m", "PT1H20M"),
        ("en-US", "The lease is for one year.", "one year", "P1Y"),
        ("en-US", "The layover is 5 hours 40 minutes.", "5 hours 40 minutes", "PT5H40M"),
        ("en-US", "Two and a half years in Peru", "Two and a half years", "P2Y6M"),
        ("en-US", "I studied piano for 1.5 years.", "1.5 years", "P1Y6M"),
        ("en-US", "over twenty years of service", "twenty years", "P20Y"),
        ("en-US", "for a hundred days", "a hundred days", "P100D"),
        ("en-US", "I fasted for 36 hours.", "36 hours", "PT36H"),
        ("en-US", "My commute is 45 mins.", "45 mins", "PT45M"),
        ("en-US", "The build takes 12 min.", "12 min", "PT12M"),
        (
            "en-US",
            "It lasts one hour and fifteen minutes.",
            "one hour and fifteen minutes",
            "PT1H15M",
        ),
        ("en-US", "I've had it for nine months.", "nine months", "P9M"),
    ],
)
def test_english_lengths_of_time_are_read(locale: str, text: str, passage: str, iso: str) -> None:
    assert found(text, locale) == [(passage, iso)]


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("zh-CN", "我每周去三天"),
        ("zh-CN", "三个星期天"),
        ("zh-TW", "半年健檢一次"),
        ("zh-CN", "一个月给家里打两千块"),
        ("zh-CN", "他三分钟热度。"),
        ("zh-TW", "三天兩頭生病"),
        ("zh-CN", "三天打鱼两天晒网"),
        ("zh-CN", "有一天我会去的。"),
        ("zh-CN", "这一天终于来了"),
        ("zh-CN", "一天三次，饭后服用。"),
        ("zh-CN", "一年去两次。"),
        ("zh-CN", "一周三次瑜伽"),
        ("zh-CN", "百年企业"),
        ("zh-CN", "千年古城"),
        ("zh-CN", "2026年我要结婚。"),
        ("zh-CN", "二〇二六年毕业"),
        ("zh-CN", "98年出生的"),
        ("zh-CN", "一九九八年"),
        ("zh-CN", "08年奥运会"),
        ("zh-CN", "25年3月入职"),
        ("zh-CN", "19年毕业"),
        ("zh-CN", "三年级二班"),
        ("zh-CN", "90年代"),
        ("zh-CN", "每三天浇一次水"),
        ("zh-CN", "每隔两周"),
        ("zh-CN", "三四天"),
        ("zh-CN", "几个小时"),
        ("zh-CN", "十几年"),
        ("zh-CN", "数年"),
        ("zh-CN", "两三个月"),
        ("zh-CN", "3-5天到货"),
        ("zh-CN", "三到五天到货"),
        ("zh-CN", "两年前"),
        ("zh-CN", "三个月后"),
        ("zh-CN", "五分钟之前"),
        ("zh-CN", "三小时以后"),
        ("zh-CN", "宝宝六个月大"),
        ("zh-CN", "第三天"),
        ("zh-CN", "初三日"),
        ("zh-CN", "我小时候"),
        ("zh-CN", "这两年很忙"),
        ("zh-CN", "过两天再说"),
        ("zh-CN", "前两天见过"),
        ("zh-CN", "上半年"),
        ("zh-CN", "下半年"),
        ("zh-CN", "等了半天"),
        ("zh-CN", "三月三日"),
        ("zh-CN", "他考了95分"),
        ("zh-CN", "十分好吃"),
        ("zh-CN", "三分球"),
        ("zh-CN", "五月天"),
        ("zh-CN", "一天到晚"),
        ("zh-CN", "《一百天》这本书"),
        ("zh-CN", "一年四季"),
        ("zh-CN", "平成三年"),
        ("zh-TW", "民國九十年"),
        ("zh-CN", "八点十分"),
        ("zh-CN", "3点20分"),
        ("zh-CN", "一周年纪念"),
        ("zh-CN", "三周岁"),
        ("zh-CN", "每半年体检一次"),
        ("zh-CN", "星期三天气好"),
        ("zh-CN", "周五天气"),
        ("zh-CN", "三天三夜也说不完 十年如一日"),
        ("zh-CN", "第一年"),
        ("zh-CN", "每一天"),
    ],
)
def test_chinese_words_that_are_no_length_of_time_stay_words(locale: str, text: str) -> None:
    assert found(text, locale) == []


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("ja-JP", "8ヶ月の息子がいます。"),
        ("ja-JP", "一分一秒"),
        ("ja-JP", "一年中暑い"),
        ("ja-JP", "三日坊主"),
        ("ja-JP", "二日酔い"),
        ("ja-JP", "三日月"),
        ("ja-JP", "3日に会いましょう。"),
        ("ja-JP", "3月3日"),
        ("ja-JP", "2年生です。"),
        ("ja-JP", "3年前"),
        ("ja-JP", "3年後"),
        ("ja-JP", "5分前に着いた。"),
        ("ja-JP", "10分後に出る。"),
        ("ja-JP", "3時30分"),
        ("ja-JP", "午後3時15分に会う"),
        ("ja-JP", "十分です。"),
        ("ja-JP", "3分の1"),
        ("ja-JP", "七割五分"),
        ("ja-JP", "腹八分目"),
        ("ja-JP", "五分咲き"),
        ("ja-JP", "2026年の夏"),
        ("ja-JP", "平成30年"),
        ("ja-JP", "令和8年に結婚"),
        ("ja-JP", "中学3年の息子"),
        ("ja-JP", "2日目"),
        ("ja-JP", "3年目"),
        ("ja-JP", "5時間目の授業"),
        ("ja-JP", "1日3回"),
        ("ja-JP", "3日に1回"),
        ("ja-JP", "2時間ごとに"),
        ("ja-JP", "10分おきに"),
        ("ja-JP", "毎3時間"),
        ("ja-JP", "数日"),
        ("ja-JP", "何年も"),
        ("ja-JP", "2、3日休む"),
        ("ja-JP", "2〜3時間"),
        ("ja-JP", "百年の孤独"),
        ("ja-JP", "生後3ヶ月"),
        ("ja-JP", "週3日働く"),
        ("ja-JP", "98年に生まれた"),
        ("ja-JP", "2人分"),
        ("ja-JP", "三年坂"),
        ("ja-JP", "前半年"),
        ("ja-JP", "半年前"),
        ("ja-JP", "半年後"),
        ("ja-JP", "五分五分"),
        ("ja-JP", "一日中"),
        ("ja-JP", "七日町"),
        ("ja-JP", "1年1組"),
        ("ja-JP", "時間割"),
        ("ja-JP", "25年4月"),
    ],
)
def test_japanese_words_that_are_no_length_of_time_stay_words(locale: str, text: str) -> None:
    assert found(text, locale) == []


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("en-US", "2 hours ago"),
        ("en-US", "three weeks from now"),
        ("en-US", "She is 3 years old."),
        ("en-US", "a 3-year-old boy"),
        ("en-US", "every two weeks"),
        ("en-US", "twice a day"),
        ("en-US", "$5 an hour"),
        ("en-US", "60 miles an hour"),
        ("en-US", "one day I'll go"),
        ("en-US", "wait a second"),
        ("en-US", "give me a minute"),
        ("en-US", "a few days"),
        ("en-US", "a couple of hours"),
        ("en-US", "2-3 hours"),
        ("en-US", "two to three hours"),
        ("en-US", "three or four weeks"),
        ("en-US", "the 90s"),
        ("en-US", "I run 100m."),
        ("en-US", "3M tape"),
        ("en-US", "24/7"),
        ("en-US", "the second day"),
        ("en-US", "the third week"),
        ("en-US", "a second opinion"),
        ("en-US", "the minute details"),
        ("en-US", "day 3"),
        ("en-US", "once a month"),
        ("en-US", "3 days a week"),
        ("en-US", "between 3 and 5 days"),
        ("en-US", 'I read "100 Days" last week'),
        ("en-US", "in the 1990s"),
        ("en-US", "a few minutes"),
        ("en-US", "many years"),
        ("en-US", "an apple a day"),
        ("en-US", "5k run"),
        ("en-US", "20th century"),
        ("en-US", "May 3 hourly"),
        ("en-US", "my 10 year old"),
        ("en-US", "her 30 year anniversary"),
    ],
)
def test_english_words_that_are_no_length_of_time_stay_words(locale: str, text: str) -> None:
    assert found(text, locale) == []


@pytest.mark.parametrize(
    "text",
    ["二時間半", "2時間30分", "2.5h", "150 min", "兩個半小時", "2h30m", "two and a half hours"],
)
def test_one_length_has_one_value_however_it_is_said(text: str) -> None:
    assert [value for _, value in found(text, "en-US")] == ["PT2H30M"]


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("24 months", "P2Y"),
        ("two weeks", "P14D"),
        ("36 hours", "PT36H"),
        ("90 seconds", "PT1M30S"),
        ("1.5 years", "P1Y6M"),
        ("1.5 days", "P1DT12H"),
        ("200 ms", "PT0.2S"),
    ],
)
def test_a_value_is_canonical(text: str, iso: str) -> None:
    assert [value for _, value in found(text, "en-US")] == [iso]


def test_a_length_of_no_time_is_none() -> None:
    assert found("0 days", "en-US") == []


def test_more_units_of_time_than_there_are_is_none() -> None:
    assert found("9999999999 years", "en-US") == []


@given(st.integers(0, 99), st.integers(1, 59))
def test_hours_and_minutes_are_read_back(hours: int, minutes: int) -> None:
    iso = f"PT{hours}H{minutes}M".replace("T0H", "T")

    assert found(f"会議は{hours}時間{minutes}分だった", "ja-JP")[0][1] == iso


LONG = 2**18


@pytest.mark.parametrize(
    "unit", ["7", "三", "万", ",", "%", "半", "1 ", "3天", "hour ", "one hour ", "《1天"]
)
def test_a_long_text_of_anything_takes_little_time(unit: str) -> None:
    folded = fold(unit * (LONG // len(unit.encode())))
    began = time.perf_counter()

    assert len(list(durations.find(laid_out(folded, "zh-CN")))) <= 3 * PLACES_MAX
    assert time.perf_counter() - began < 0.5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("四周很安静", []),
        ("他环顾四周", []),
        ("住了四周", ["四周"]),
        ("为期四周的课程", ["四周"]),
        ("古木参天", []),
        ("夜半钟声", []),
        ("同一时间他也到了", []),
        ("今明两天有雨", []),
        ("请了两天假", ["两天"]),
    ],
)
def test_a_figure_that_is_part_of_a_word_counts_nothing(text: str, expected: list[str]) -> None:
    assert [passage for passage, _ in found(text, "zh-CN")] == expected
