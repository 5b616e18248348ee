"""Proportions: shares as numbers, with their places, and nothing that only looks like one."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemod.domain.folded import fold
from mnemod.domain.normalise import proportions
from mnemod.domain.normalise.sheet import PLACES_MAX, laid_out


def found(text: str, locale: str) -> list[tuple[str, object]]:
    folded = fold(text)
    return [
        (text[slice(*folded.span(each.start, each.end))], each.value)
        for each in sorted(proportions.find(laid_out(folded, locale)), key=lambda each: each.start)
    ]


@pytest.mark.parametrize(
    ("locale", "text", "passage", "share"),
    [
        ("zh-CN", "我把工资的百分之二十存起来。", "百分之二十", 0.2),
        ("zh-CN", "这次考试只有两成的人及格。", "两成", 0.2),
        ("zh-TW", "我們公司有八成的員工是女生。", "八成", 0.8),
        ("zh-TW", "投票率只有四成七。", "四成七", 0.47),
        ("zh-CN", "涨了12.5%。", "12.5%", 0.125),
        ("zh-CN", "湿度是百分之六十五。", "百分之六十五", 0.65),
        ("zh-CN", "三分之二的同事都请假了。", "三分之二", 0.666667),
        ("zh-CN", "房贷占收入的五分之二。", "五分之二", 0.4),
        ("zh-CN", "我有一半的时间在路上。", "一半", 0.5),
        ("zh-CN", "作业写了一半。", "一半", 0.5),
        ("zh-TW", "我花了九成九的力氣。", "九成九", 0.99),
        ("zh-TW", "股票跌了兩成半。", "兩成半", 0.25),
        ("zh-CN", "中奖率是千分之三。", "千分之三", 0.003),
        ("zh-CN", "失误率不到万分之一。", "万分之一", 0.0001),
        ("zh-TW", "三成五的人反對。", "三成五", 0.35),
        ("zh-CN", "百分之百是他干的。", "百分之百", 1.0),
        ("zh-CN", "百分之零点五的手续费", "百分之零点五", 0.005),
        ("zh-CN", "利率是百分之3.85。", "百分之3.85", 0.0385),
        ("zh-TW", "這個月業績達成率１２０％。", "１２０％", 1.2),
        ("zh-CN", "占总数的3/4。", "3/4", 0.75),
        ("zh-CN", "他把家产的四分之一捐了", "四分之一", 0.25),
        ("zh-CN", "队里七成以上是新人", "七成", 0.7),
        ("zh-CN", "九成的自行车", "九成", 0.9),
        ("zh-CN", "公司裁掉了三成员工。", "三成", 0.3),
        ("zh-CN", "我今年30，存了工资的70％。", "70％", 0.7),
        ("zh-CN", "电量只剩5%了", "5%", 0.05),
        ("zh-CN", "全班五分之三戴眼镜", "五分之三", 0.6),
        ("zh-CN", "这双鞋打七折。", "七折", 0.7),
        ("zh-TW", "全館79折", "79折", 0.79),
        ("zh-CN", "会员日8.8折", "8.8折", 0.88),
        ("zh-TW", "還打了八五折", "八五折", 0.85),
        ("zh-HK", "件衫 6 折", "6 折", 0.6),
    ],
)
def test_chinese_shares_are_read(locale: str, text: str, passage: str, share: float) -> None:
    assert found(text, locale) == [(passage, pytest.approx(share, abs=1e-6))]


@pytest.mark.parametrize(
    ("locale", "text", "passage", "share"),
    [
        ("ja-JP", "人数は30%増えた。", "30%", 0.3),
        ("ja-JP", "社員の7割が在宅勤務です。", "7割", 0.7),
        ("ja-JP", "投票率は5割8分だった。", "5割8分", 0.58),
        ("ja-JP", "打率は二割七分五厘。", "二割七分五厘", 0.275),
        ("ja-JP", "収入の2割5分を貯金する。", "2割5分", 0.25),
        ("ja-JP", "医療費は3割負担です。", "3割", 0.3),
        ("ja-JP", "駅前の店は3割引だった。", "3割", 0.3),
        ("ja-JP", "ビールの3分の2を飲んだ。", "3分の2", 0.666667),
        ("ja-JP", "四分の一は水だ。", "四分の一", 0.25),
        ("ja-JP", "降水確率は80パーセントです。", "80パーセント", 0.8),
        ("ja-JP", "湿度は６５％。", "６５％", 0.65),
        ("ja-JP", "給料の半分を家に入れる。", "半分", 0.5),
        ("ja-JP", "消費税は10%です。", "10%", 0.1),
        ("ja-JP", "利率は年0.3％。", "0.3％", 0.003),
        ("ja-JP", "成功率は九割九分。", "九割九分", 0.99),
        ("ja-JP", "8割方終わりました。", "8割", 0.8),
        ("ja-JP", "給料の1/3を家賃に払う。", "1/3", 0.333333),
        ("ja-JP", "約2/3が賛成した。", "2/3", 0.666667),
        ("ja-JP", "参加者は十分の一に減った。", "十分の一", 0.1),
        ("ja-JP", "九分の五", "九分の五", 0.555556),
        ("ja-JP", "社員の半数が辞めた。", "半数", 0.5),
    ],
)
def test_japanese_shares_are_read(locale: str, text: str, passage: str, share: float) -> None:
    assert found(text, locale) == [(passage, pytest.approx(share, abs=1e-6))]


@pytest.mark.parametrize(
    ("locale", "text", "passage", "share"),
    [
        ("en-US", "Battery is at 15 percent.", "15 percent", 0.15),
        (
            "en-GB",
            "Around thirty-five per cent of my pay goes on rent.",
            "thirty-five per cent",
            0.35,
        ),
        ("en-US", "Three quarters of the garden is shade.", "Three quarters", 0.75),
        ("en-US", "I spend a third of my income on rent.", "a third", 0.333333),
        ("en-US", "One fifth of the class failed.", "One fifth", 0.2),
        ("en-US", "A quarter of my colleagues are remote.", "A quarter", 0.25),
        ("en-US", "Interest is 4.25% fixed.", "4.25%", 0.0425),
        ("en-US", "Nine out of ten dentists agree with me.", "Nine out of ten", 0.9),
        ("en-US", "2/3 of my salary goes to rent.", "2/3", 0.666667),
        ("en-US", "Half of my team is in Osaka.", "Half", 0.5),
        ("en-US", "half the garden is moss", "half", 0.5),
        ("en-US", "Only two-fifths of us voted.", "two-fifths", 0.4),
        ("en-US", "I'm 90% sure.", "90%", 0.9),
        ("en-US", "They cut it by half a percent.", "half a percent", 0.005),
        ("en-US", "The tip was 20%, as usual.", "20%", 0.2),
        ("en-US", "½ of the flat is mine.", "½", 0.5),
        ("en-US", "One hundred percent of the profit goes to charity.", "One hundred percent", 1.0),
        ("en-GB", "Inflation fell to 3.4%.", "3.4%", 0.034),
        ("en-US", "In 2019, 30% of us left.", "30%", 0.3),
        ("en-US", "seven tenths of the way", "seven tenths", 0.7),
    ],
)
def test_english_shares_are_read(locale: str, text: str, passage: str, share: float) -> None:
    assert found(text, locale) == [(passage, pytest.approx(share, abs=1e-6))]


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("zh-CN", "他说三分之五是错的。"),
        ("zh-CN", "他的生活一成不变。"),
        ("zh-TW", "第一成員是誰？"),
        ("zh-CN", "三成员小组"),
        ("zh-CN", "牛排要七成熟。"),
        ("zh-CN", "他八成是睡过头了。"),
        ("zh-TW", "八成又塞車了"),
        ("zh-CN", "我的另一半不吃辣。"),
        ("zh-CN", "一半径是多少"),
        ("zh-CN", "公司2020成立。"),
        ("zh-CN", "晋级四分之一决赛。"),
        ("zh-CN", "他四分之三拍的曲子"),
        ("zh-TW", "加三分之一杯糖。"),
        ("zh-CN", "这事一波三折。"),
        ("zh-CN", "把纸折三折。"),
        ("zh-TW", "買了一支三折傘。"),
        ("zh-CN", "打七八折。"),
        ("zh-CN", "戏文四折一楔子。"),
        ("zh-CN", "有七八成的把握"),
        ("zh-CN", "三成多的人"),
        ("zh-CN", "一知半解"),
        ("zh-CN", "比分是3比2。"),
        ("zh-CN", "3/12的会议取消了。"),
        ("zh-CN", "他得了十分。"),
        ("zh-CN", "十分高兴"),
        ("zh-CN", "网址里有 %20 这样的字符：a%20b"),
    ],
)
def test_chinese_words_that_are_no_share_stay_words(locale: str, text: str) -> None:
    assert found(text, locale) == []


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("ja-JP", "1と3分の2"),
        ("ja-JP", "割り勘にしよう。"),
        ("ja-JP", "腹八分目にする。"),
        ("ja-JP", "石田三成が好き。"),
        ("ja-JP", "半径3キロ以内"),
        ("ja-JP", "2割る3は？"),
        ("ja-JP", "十割そばを食べた。"),
        ("ja-JP", "面白半分でやった。"),
        ("ja-JP", "2分の1カップの牛乳"),
        ("ja-JP", "4分の3拍子の曲"),
        ("ja-JP", "桜は五分咲き。"),
        ("ja-JP", "時間を割いてくれた。"),
        ("ja-JP", "水割りを2杯飲んだ。"),
        ("ja-JP", "2、3割の人"),
        ("ja-JP", "上半分は青い。"),
        ("ja-JP", "十分です。"),
        ("ja-JP", "3/12の会議"),
        ("ja-JP", "役割分担"),
    ],
)
def test_japanese_words_that_are_no_share_stay_words(locale: str, text: str) -> None:
    assert found(text, locale) == []


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("en-US", "We won 3-2."),
        ("en-US", "Add 1/2 cup of sugar."),
        ("en-US", "two thirds of a cup of flour"),
        ("en-US", "a quarter of a mile"),
        ("en-US", "Version 0.7 is out."),
        ("en-US", "On 7/10 we fly."),
        ("en-US", "He got 18 out of 20."),
        ("en-US", "I rated it 4 out of 5 stars."),
        ("en-US", "She finished third in the race; a third time!"),
        ("en-US", "my other half cooks"),
        ("en-US", "the first half of the game"),
        ("en-US", "in the second half of my career"),
        ("en-US", "half an hour"),
        ("en-US", "a half of cider"),
        ("en-US", "a quarter past six"),
        ("en-US", "the 20-30% range"),
        ("en-US", "one third-party vendor"),
        ("en-US", "2 percentage points"),
        ("en-US", "We won by half a length."),
        ("en-US", 'printf("%5d", x)'),
        ("en-US", "a%20b"),
        ("en-US", "Two in one shampoo"),
        ("en-US", "one in a million"),
        ("en-US", "Room 3/4"),
        ("en-US", "the fifth of May"),
        ("en-US", "half the time he is late"),
        ("en-US", "half past nine"),
        ("en-US", "3 percentiles"),
        ("en-US", "version 0.7"),
        ("en-US", "see you on 7/10"),
        ("en-US", "50/50"),
    ],
)
def test_english_words_that_are_no_share_stay_words(locale: str, text: str) -> None:
    assert found(text, locale) == []


def test_both_ends_of_a_range_of_shares_are_found() -> None:
    assert found("from 10% to 15%", "en-US") == [("10%", 0.1), ("15%", 0.15)]


@given(st.integers(0, 100_000))
def test_a_percentage_is_read_back(thousandths: int) -> None:
    text = f"{thousandths / 1000:.3f}%"

    assert found(text, "en-US") == [(text, pytest.approx(thousandths / 100_000, abs=1e-6))]


LONG = 2**18


@pytest.mark.parametrize(
    "unit", ["7", "三", "万", ",", "%", "半", "1% ", "三成", "1/2 ", "a third ", "half of my "]
)
def test_a_long_text_of_anything_takes_little_time(unit: str) -> None:
    folded = fold(unit * (LONG // len(unit.encode())))
    began = time.perf_counter()

    assert len(list(proportions.find(laid_out(folded, "zh-CN")))) <= 3 * PLACES_MAX
    assert time.perf_counter() - began < 0.5


def test_a_row_of_figures_is_no_multiple_of_a_whole() -> None:
    assert found("1" + "0" * 24 + "%", "en-US") == []
    assert found("120%", "en-US") == [("120%", pytest.approx(1.2))]


@pytest.mark.parametrize(
    ("locale", "text", "share"),
    [("zh-TW", "7割", 0.7), ("zh-CN", "业主3割同意", 0.3), ("ja-JP", "七成", 0.7)],
)
def test_the_writer_s_language_hides_no_share_of_another(
    locale: str, text: str, share: float
) -> None:
    assert [value for _, value in found(text, locale)] == [share]


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("zh-CN", "被2割韭菜"),
        ("ja-JP", "一成不変"),
        ("ja-JP", "石田三成"),
    ],
)
def test_a_word_of_another_language_stays_a_word(locale: str, text: str) -> None:
    assert not found(text, locale)
