"""Words that hold a word of time and are none: each class of trap with some of its members."""

from __future__ import annotations

import pytest

from tests.support.readings import dates

FUSED_BEFORE = [
    "後天性免疫很重要",
    "他很聪明天生的",
    "光明天使合唱团",
    "目前天气不错",
    "以前天天加班",
    "雨后天晴了",
    "门前天空很蓝",
    "戰後年代的房子",
    "當今年輕人",
    "他過去年輕時",
    "爬上月台",
    "以上週期",
    "实际上周围没人",
    "透明日傘",
    "昨今日本酒",
    "熊本日日新聞",
    "説明日時を決める",
]
FUSED_AFTER = [
    "上月球計畫",
    "爆炸后天空发红",
    "退潮前天色很暗",
    "前天花板漏水",
    "今年度の予算",
    "今日的な課題",
    "上周期很长",
    "本週刊物",
    "明朝体のフォント",
    "今晚报的记者",
    "明早餐吃什么",
]
NAMES = [
    "明日香先輩",
    "今日子さん",
    "本日亭で食べた",
    "周杰倫的歌",
    "周一鳴先生",
    "周日清公司",
    "今日头条",
    "明日之星",
    "五月天的演唱会",
    "四月一日さん",
    "May Chen and April Osei",
    "the Sunday Times",
    "my cat Wednesday",
    "12 May Street",
    'a song called "Yesterday"',
]
RECURRENT = [
    "每周五练瑜伽",
    "毎週金曜日",
    "每年3月5日",
    "毎月25日",
    "every March 12",
    "Every Monday",
    "每个月15号",
    "每年下半年都很忙",
]
VAGUE = [
    "最近睡不好",
    "當時我在高雄",
    "そのうち",
    "改天再说",
    "几天前",
    "来週の月曜か火曜に行く",
    "下周三或周四见",
    "下周三四见",
    "数日前",
    "三四天前",
    "2~3日前",
    "a few days ago",
    "in a day or two",
    "someday",
    "early next week",
    "下个月初",
    "3日前後",
    "千年前",
]
OTHERS = [
    "3-2で勝った",
    "Room 3-12",
    "会議室は2-14です",
    "24/7",
    "1/2 cup",
    "2/3の確率",
    "Python 3.12",
    "10.3.12.5",
    "tel 090-1234-5678",
    "in 2000 words",
    "the 1990s",
    "in his 30s",
    "小学3年生",
    "三年二班",
    "10月号",
    "二十日大根",
    "千日前で飲む",
    "三日月の皿",
    "農曆八月十五日",
    "98年3月12日",
    "May I march on",
    "a second opinion",
    "We may 5 times",
    "the next week was hard",
    "his last year at school",
    "結婚式の3日前",
    "I will be there in a minute",
    "評価は4/5です",
    "3日前提交",
]


@pytest.mark.parametrize("text", [*FUSED_BEFORE, *FUSED_AFTER, *NAMES])
def test_a_word_of_time_inside_a_word_or_name_is_none(text: str) -> None:
    assert dates(text, "zh-CN") == []


@pytest.mark.parametrize("text", RECURRENT)
def test_what_comes_round_again_is_no_date(text: str) -> None:
    assert dates(text, "zh-CN") == []


@pytest.mark.parametrize("text", VAGUE)
def test_a_vague_word_is_no_date(text: str) -> None:
    assert dates(text, "zh-CN") == []


@pytest.mark.parametrize("text", OTHERS)
def test_figures_that_are_something_else_are_no_date(text: str) -> None:
    assert dates(text, "zh-CN") == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("明天空气很好", "明天"),
        ("今天天气不错", "今天"),
        ("他说明天来", "明天"),
        ("妈妈后天回来", "后天"),
        ("老板前天走了", "前天"),
        ("今年轻松多了", "今年"),
        ("今年代表公司参赛", "今年"),
        ("昨天日本队赢了", "昨天"),
        ("约在下周三", "下周三"),
        ("下周一起去", "下周"),
        ("下周三天都在", "下周"),
        ("明日花見に行く", "明日"),
        ("明日香港へ飛ぶ", "明日"),
        ("上周刊登的文章", "上周"),
        ("きのう行った", "きのう"),
    ],
)
def test_a_neighbour_that_could_be_part_of_it_does_not_hide_a_date(text: str, words: str) -> None:
    assert [found for found, _ in dates(text, "zh-CN")] == [words]


@pytest.mark.parametrize("text", ["試験3日前に", "本番1週間前", "開始5分前"])
def test_a_distance_from_an_event_is_none_from_now(text: str) -> None:
    assert dates(text, "ja-JP") == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I read it in three days.", []),
        ("I ran 5k in 25 minutes.", []),
        ("I can see you in three days.", ["in three days"]),
        ("The store opens in 5 minutes.", ["in 5 minutes"]),
    ],
)
def test_how_long_something_took_is_no_point_in_time(text: str, words: list[str]) -> None:
    assert [found for found, _ in dates(text)] == words
