"""Words of time and quantities that are none: where two words meet, in titles and in names."""

from __future__ import annotations

import pytest

from tests.support.readings import read


def passages(text: str, locale: str) -> list[str]:
    return [text[each.start : each.end] for each in read(text, locale)]


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("zh-TW", "這份發明年鑑缺了一頁。"),
        ("zh-TW", "她把門票釘上月曆背面。"),
        ("zh-CN", "他发明天线的时候才二十岁"),
        ("zh-CN", "昆明日报社正在招人。"),
        ("zh-CN", "黎明天色微亮。"),
        ("zh-CN", "门前天线歪了。"),
        ("zh-CN", "目前年龄最大的是他。"),
        ("zh-CN", "海上月光很美。"),
        ("zh-CN", "基本周期还没定。"),
        ("zh-CN", "唯一成员退出了。"),
        ("zh-CN", "统一元件的编号。"),
        ("zh-CN", "单一年级的课表。"),
        ("ja-JP", "説明日程を送ります。"),
        ("ja-JP", "証明年月日を記入する。"),
        ("ja-JP", "連絡先月次更新の件です。"),
        ("ja-JP", "従来年功序列の会社だ。"),
    ],
)
def test_no_time_is_where_the_end_of_one_word_meets_the_next(locale: str, text: str) -> None:
    assert passages(text, locale) == []


@pytest.mark.parametrize(
    ("locale", "text", "expected"),
    [
        ("zh-CN", "他说明天会来。", ["明天"]),
        ("zh-CN", "他说明天气温要降。", ["明天"]),
        ("zh-CN", "老板说明年加薪。", ["明年"]),
        ("zh-CN", "我分明记得是明天。", ["明天"]),
        ("zh-CN", "他说明日到北京。", ["明日"]),
        ("zh-CN", "从前天开始下雨。", ["前天"]),
        ("zh-CN", "手术后天做。", ["后天"]),
        ("zh-CN", "生日今天过。", ["今天"]),
        ("zh-CN", "今日的会议取消了。", ["今日"]),
        ("zh-CN", "下周三起放假。", ["下周三"]),
        ("zh-CN", "下周三天气不错。", ["下周三"]),
        ("zh-CN", "下周三天都在家。", ["下周"]),
        ("zh-CN", "下周天气怎么样?", ["下周"]),
        ("zh-CN", "他上周报到了。", ["上周"]),
        ("ja-JP", "私は昨日日本に着いた。", ["昨日"]),
        ("ja-JP", "来年年金をもらう。", ["来年"]),
    ],
)
def test_a_neighbour_that_is_a_word_of_its_own_leaves_the_time(
    locale: str, text: str, expected: list[str]
) -> None:
    assert passages(text, locale) == expected


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("zh-TW", "《昨天的我》是他的新歌。"),
        ("zh-CN", "我爱看《今日说法》。"),
        ("zh-TW", "〈明天〉這首歌很紅。"),
        ("zh-TW", "電影「昨天今天明天」還沒看。"),
        ("zh-TW", "他在唱『明天你好』這首歌。"),
        ("zh-CN", "他推荐的书叫「三天」。"),
        ("ja-JP", "『三日間の幸福』を読んだ。"),
        ("ja-JP", "「今日から俺は!!」というドラマが好き。"),
        ("ja-JP", "映画「明日の記憶」を観た。"),
        ("ja-JP", "「一日一笑」という店に行った。"),
        ("ja-JP", "新曲「明日」が出た。"),
        ("en-US", 'The song "Tomorrow" is stuck in my head.'),
        ("en-US", 'My favourite novel is "One Day".'),
        ("en-US", "I never watched 127 Hours."),
        ("en-US", "We saw Seven Years in Tibet."),
        ("en-US", "She is reading One Hundred Years of Solitude."),
        ("en-US", "I know how to Lose a Guy in 10 Days by heart."),
        ("en-US", "Tomorrow Never Knows is a Beatles song."),
        ("en-US", "Last Week Tonight makes me laugh."),
    ],
)
def test_a_title_holds_no_time_and_no_length(locale: str, text: str) -> None:
    assert passages(text, locale) == []


@pytest.mark.parametrize(
    ("locale", "text", "expected"),
    [
        ("zh-TW", "他說『明天』再談。", ["明天"]),
        ("zh-CN", "他问:「明天有课吗?」", ["明天"]),
        ("zh-CN", "昨天的电影很好看。", ["昨天"]),
        ("zh-CN", "这部电影我看了三天。", ["三天"]),
        ("ja-JP", "「明日行くよ」と言った。", ["明日"]),
        ("ja-JP", "『明日は休み』と書いてあった。", ["明日"]),
        ("ja-JP", "昨日、映画を観た。", ["昨日"]),
        ("en-US", 'He said "I will come tomorrow".', ["tomorrow"]),
        ("en-US", "Yesterday Anna called.", ["Yesterday"]),
        ("en-US", "Tomorrow I start at Acme Corp.", ["Tomorrow"]),
        ("en-US", "The movie took 2 hours.", ["2 hours"]),
        ("en-US", "PLEASE WAIT 3 DAYS", ["3 DAYS"]),
    ],
)
def test_what_people_say_and_what_they_watched_when_is_no_title(
    locale: str, text: str, expected: list[str]
) -> None:
    assert passages(text, locale) == expected


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("ja-JP", "今日花ちゃんの誕生日だ。"),
        ("ja-JP", "明日斗くんと遊ぶ。"),
        ("ja-JP", "明日海りおさんの舞台に行く。"),
        ("ja-JP", "七年峠のバス停。"),
        ("ja-JP", "千年町に住む。"),
        ("ja-JP", "半月湾の夕日。"),
        ("ja-JP", "三日天下だった。"),
        ("zh-CN", "七天连锁的会员卡。"),
        ("zh-CN", "三元村的老人。"),
        ("zh-CN", "一元复始。"),
        ("zh-CN", "李三元说他不来。"),
        ("zh-CN", "张九成是南宋人。"),
        ("zh-CN", "九成宫醴泉铭。"),
        ("zh-CN", "七年之痒。"),
    ],
)
def test_a_name_or_a_saying_holds_no_time_and_no_amount(locale: str, text: str) -> None:
    assert passages(text, locale) == []


def test_a_character_that_cannot_be_seen_takes_no_name_apart() -> None:
    assert passages("明\u200b日真くんは双子です。", "ja-JP") == []


@pytest.mark.parametrize(
    ("locale", "text", "expected"),
    [
        ("ja-JP", "今日田中さんに会った。", ["今日"]),
        ("ja-JP", "明日林さんが来る。", ["明日"]),
        ("zh-CN", "我们住了七天酒店。", ["七天"]),
        ("zh-CN", "他走了三天山路。", ["三天"]),
        ("zh-CN", "这瓶水三元。", ["三元"]),
        ("zh-CN", "九成的人同意。", ["九成"]),
    ],
)
def test_a_time_or_an_amount_beside_a_name_or_a_place_stays_one(
    locale: str, text: str, expected: list[str]
) -> None:
    assert passages(text, locale) == expected
