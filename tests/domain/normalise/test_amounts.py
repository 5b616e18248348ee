"""Amounts of money: the exact number, the currency that is said, and nothing that is no money."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemod.domain.annotation import Ambiguous, Amount
from mnemod.domain.folded import fold
from mnemod.domain.normalise import amounts
from mnemod.domain.normalise.sheet import PLACES_MAX, laid_out


def found(text: str, locale: str) -> list[tuple[str, object]]:
    folded = fold(text)
    return [
        (text[slice(*folded.span(each.start, each.end))], each.value)
        for each in sorted(amounts.find(laid_out(folded, locale)), key=lambda each: each.start)
    ]


@pytest.mark.parametrize(
    ("locale", "text", "passage", "number", "currency"),
    [
        ("zh-TW", "三千元", "三千元", "3000", None),
        ("zh-TW", "十萬元", "十萬元", "100000", None),
        ("zh-TW", "一百萬元", "一百萬元", "1000000", None),
        ("zh-TW", "三千萬元", "三千萬元", "30000000", None),
        ("zh-TW", "這件外套3,000元。", "3,000元", "3000", None),
        ("zh-CN", "3000块", "3000块", "3000", None),
        ("zh-TW", "3,000 NTD", "3,000 NTD", "3000", "TWD"),
        ("zh-TW", "新台幣三千元", "新台幣三千元", "3000", "TWD"),
        ("zh-CN", "这顿饭花了258块。", "258块", "258", None),
        ("zh-CN", "一杯奶茶十八块。", "十八块", "18", None),
        ("zh-CN", "这双鞋三百五十块钱。", "三百五十块钱", "350", None),
        ("zh-CN", "豆浆三块五一杯。", "三块五", "3.5", None),
        ("zh-CN", "打车花了三十二块五。", "三十二块五", "32.5", None),
        ("zh-CN", "车票12元5角。", "12元5角", "12.5", None),
        ("zh-CN", "苹果五块八毛一斤", "五块八毛", "5.8", None),
        ("zh-CN", "我欠他两千五块", "两千五块", "2500", None),
        ("zh-CN", "年薪三十万元", "三十万元", "300000", None),
        ("zh-CN", "买了100美元的礼物", "100美元", "100", "USD"),
        ("zh-CN", "换了五千日元", "五千日元", "5000", "JPY"),
        ("zh-CN", "学费两万英镑一年", "两万英镑", "20000", "GBP"),
        ("zh-CN", "票价45欧元", "45欧元", "45", "EUR"),
        ("zh-CN", "3000元人民币", "3000元人民币", "3000", "CNY"),
        ("zh-CN", "预算5万元人民币", "5万元人民币", "50000", "CNY"),
        ("zh-CN", "花了￥299", "￥299", "299", "CNY"),
        ("zh-CN", "这个月工资 RMB 12,000", "RMB 12,000", "12000", "CNY"),
        ("zh-CN", "门票一百二十元", "一百二十元", "120", None),
        ("zh-TW", "月租金兩萬八千元", "兩萬八千元", "28000", None),
        ("zh-TW", "這台筆電四萬五千塊", "四萬五千塊", "45000", None),
        ("zh-TW", "便當一個八十元", "八十元", "80", None),
        ("zh-TW", "我借他台幣五千", "台幣五千", "5000", "TWD"),
        ("zh-TW", "美金一百元", "美金一百元", "100", "USD"),
        ("zh-TW", "機票花了日幣六萬", "日幣六萬", "60000", "JPY"),
        ("zh-TW", "罰單一千兩百元", "一千兩百元", "1200", None),
        ("zh-TW", "買房花了一千五百萬元", "一千五百萬元", "15000000", None),
        ("zh-TW", "NT$1,299 的耳機", "NT$1,299", "1299", "TWD"),
        ("zh-TW", "HK$500", "HK$500", "500", "HKD"),
        ("zh-TW", "每人分攤三百五十元", "三百五十元", "350", None),
        ("zh-TW", "這碗麵六十塊", "六十塊", "60", None),
        ("zh-TW", "兩塊錢", "兩塊錢", "2", None),
        ("zh-TW", "停車費一小時四十元", "四十元", "40", None),
        ("zh-CN", "我花了50 dollars买书", "50 dollars", "50", "USD"),
        ("zh-CN", "amount: 300 RMB", "300 RMB", "300", "CNY"),
        ("zh-CN", "港币300元", "港币300元", "300", "HKD"),
        ("zh-CN", "每人AA五十元", "五十元", "50", None),
        ("zh-CN", "奖金池 500 万美元", "500 万美元", "5000000", "USD"),
        ("zh-CN", "五毛钱一根", "五毛钱", "0.5", None),
        ("zh-TW", "我領了兩萬五千元年終", "兩萬五千元", "25000", None),
        ("zh-CN", "一万二千块", "一万二千块", "12000", None),
        ("zh-CN", "1.2亿元", "1.2亿元", "120000000", None),
    ],
)
def test_chinese_amounts_are_read_with_their_currency(
    locale: str, text: str, passage: str, number: str, currency: str | None
) -> None:
    assert found(text, locale) == [(passage, Amount(number, currency))]


@pytest.mark.parametrize(
    ("locale", "text", "passage", "number", "currency"),
    [
        ("ja-JP", "3千円", "3千円", "3000", "JPY"),
        ("ja-JP", "３，０００円", "３，０００円", "3000", "JPY"),
        ("ja-JP", "三千円貸した", "三千円", "3000", "JPY"),
        ("ja-JP", "1万5千円", "1万5千円", "15000", "JPY"),
        ("ja-JP", "¥3,000のランチ", "¥3,000", "3000", "JPY"),
        ("ja-JP", "家賃は月七万八千円です。", "七万八千円", "78000", "JPY"),
        ("ja-JP", "時給は1,200円です。", "1,200円", "1200", "JPY"),
        ("ja-JP", "100ドル使った。", "100ドル", "100", "USD"),
        ("ja-JP", "50ユーロのワイン", "50ユーロ", "50", "EUR"),
        ("ja-JP", "10万ウォン両替した", "10万ウォン", "100000", "KRW"),
        ("ja-JP", "年収は480万円", "480万円", "4800000", "JPY"),
        ("ja-JP", "1億円の家", "1億円", "100000000", "JPY"),
        ("ja-JP", "会費は五百円。", "五百円", "500", "JPY"),
        ("ja-JP", "香港ドルで300香港ドル", "300香港ドル", "300", "HKD"),
        ("ja-JP", "2万円を貯金した", "2万円", "20000", "JPY"),
        ("ja-JP", "ポンドで20ポンド払った", "20ポンド", "20", "GBP"),
        ("ja-JP", "一円も払わない。", "一円", "1", "JPY"),
        ("ja-JP", "$50のTシャツ", "$50", "50", "USD"),
        ("ja-JP", "参加費は無料ではなく二千五百円", "二千五百円", "2500", "JPY"),
    ],
)
def test_japanese_amounts_are_read_with_their_currency(
    locale: str, text: str, passage: str, number: str, currency: str | None
) -> None:
    assert found(text, locale) == [(passage, Amount(number, currency))]


@pytest.mark.parametrize(
    ("locale", "text", "passage", "number", "currency"),
    [
        ("en-US", "USD 100", "USD 100", "100", "USD"),
        ("en-US", "US$100", "US$100", "100", "USD"),
        ("en-US", "I paid $20 for lunch.", "$20", "20", "USD"),
        ("en-US", "The ring cost two thousand dollars.", "two thousand dollars", "2000", "USD"),
        ("en-US", "Rent is $1,850.", "$1,850", "1850", "USD"),
        ("en-US", "We raised $2.5M last year.", "$2.5M", "2500000", "USD"),
        ("en-US", "The house sold for $1.2 million.", "$1.2 million", "1200000", "USD"),
        ("en-US", "I owe her fifty bucks.", "fifty bucks", "50", "USD"),
        ("en-GB", "It cost me 40 pounds.", "40 pounds", "40", "GBP"),
        ("en-GB", "I lent him twenty quid.", "twenty quid", "20", "GBP"),
        ("en-US", "The ticket was 45 euros.", "45 euros", "45", "EUR"),
        ("en-US", "5,000 yen for sushi", "5,000 yen", "5000", "JPY"),
        ("en-US", "3,000 NTD", "3,000 NTD", "3000", "TWD"),
        ("en-US", "JPY 12,000", "JPY 12,000", "12000", "JPY"),
        ("en-US", "€19.99", "€19.99", "19.99", "EUR"),
        ("en-US", "£1.2m", "£1.2m", "1200000", "GBP"),
        ("en-US", "GBP 300 deposit", "GBP 300", "300", "GBP"),
        ("en-US", "It costs 300 SGD.", "300 SGD", "300", "SGD"),
        ("en-US", "CHF 80", "CHF 80", "80", "CHF"),
        ("en-US", "A$45", "A$45", "45", "AUD"),
        ("en-US", "200 Swiss francs", "200 Swiss francs", "200", "CHF"),
        ("en-US", "500 Hong Kong dollars", "500 Hong Kong dollars", "500", "HKD"),
        ("en-US", "a hundred dollars", "a hundred dollars", "100", "USD"),
        ("en-US", "99 cents", "99 cents", "0.99", None),
        ("en-US", "₹500", "₹500", "500", "INR"),
        ("en-US", "50,000 won", "50,000 won", "50000", "KRW"),
        ("en-US", "My salary is 85k USD.", "85k USD", "85000", "USD"),
        ("en-US", "$15/hr", "$15", "15", "USD"),
        ("de-DE", "Das kostet €1.234,56.", "€1.234,56", "1234.56", "EUR"),
        ("de-DE", "12,50 €", "12,50 €", "12.5", "EUR"),
        ("en-US", "two million yen", "two million yen", "2000000", "JPY"),
        ("en-US", "thirty-five dollars", "thirty-five dollars", "35", "USD"),
        ("en-GB", "£950 a month", "£950", "950", "GBP"),
        ("en-CA", "$40", "$40", "40", "CAD"),
        ("en-GB", "It was 12 pounds at the market.", "12 pounds", "12", "GBP"),
        ("en-US", "twenty-five hundred dollars", "twenty-five hundred dollars", "2500", "USD"),
    ],
)
def test_english_amounts_are_read_with_their_currency(
    locale: str, text: str, passage: str, number: str, currency: str | None
) -> None:
    assert found(text, locale) == [(passage, Amount(number, currency))]


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("zh-CN", "冰箱里有三块蛋糕。"),
        ("zh-TW", "兩塊豆腐"),
        ("zh-CN", "我们一块去吧"),
        ("zh-CN", "一块儿吃饭"),
        ("zh-TW", "五塊厝"),
        ("zh-CN", "一元二次方程"),
        ("zh-CN", "二元论"),
        ("zh-CN", "三元桥站"),
        ("zh-CN", "几百块钱"),
        ("zh-CN", "几千元"),
        ("zh-CN", "数百元"),
        ("zh-CN", "上千元"),
        ("zh-CN", "百元商店"),
        ("zh-CN", "千元机"),
        ("zh-CN", "万元户"),
        ("zh-CN", "三四百块"),
        ("zh-CN", "三百多块"),
        ("zh-CN", "十几块"),
        ("zh-CN", "三千块砖"),
        ("zh-CN", "两块手表"),
        ("zh-CN", "他有八块腹肌"),
        ("zh-CN", "三块地"),
        ("zh-CN", "我买了三块毛巾"),
        ("zh-CN", "九牛一毛"),
        ("zh-CN", "第三元"),
        ("zh-CN", "3,000"),
        ("zh-CN", "有300人"),
        ("zh-CN", "元旦"),
        ("zh-CN", "三角形"),
        ("zh-CN", "300-500元"),
        ("zh-CN", "公元2000年"),
    ],
)
def test_chinese_words_that_are_no_money_stay_words(locale: str, text: str) -> None:
    assert found(text, locale) == []


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("ja-JP", "関東一円"),
        ("ja-JP", "首都圏一円"),
        ("ja-JP", "百円ショップ"),
        ("ja-JP", "1万円札"),
        ("ja-JP", "数千円"),
        ("ja-JP", "何百円"),
        ("ja-JP", "同心円を2円周"),
        ("ja-JP", "体重が5ポンド減った"),
        ("ja-JP", "3塊の肉"),
        ("ja-JP", "五円玉"),
        ("ja-JP", "3,000人"),
        ("ja-JP", "八百屋"),
    ],
)
def test_japanese_words_that_are_no_money_stay_words(locale: str, text: str) -> None:
    assert found(text, locale) == []


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("en-US", "She lost 12 pounds."),
        ("en-US", "I have a yen for salt."),
        ("en-US", "They played 5 and won 3."),
        ("en-US", "We won 3 games."),
        ("en-US", "my two cents"),
        ("en-US", "PHP 8 is out"),
        ("en-US", "php 7.4"),
        ("en-US", '"$1"'),
        ("en-US", "3,000 stamps"),
        ("en-US", "10k run"),
        ("en-US", "a million dollar question"),
        ("en-US", "A dollar store"),
        ("en-US", "$10-15"),
        ("en-US", "3M tape"),
        ("en-US", "fifty percent"),
        ("en-US", "50 Cent is a rapper"),
        ("en-US", "a 20 pound turkey"),
        ("en-US", "the year 2000"),
        ("en-US", "1/2 cup"),
        ("en-US", "I won 5 times"),
        ("en-US", "NT 4.0"),
        ("en-US", "AutoCAD 2024"),
    ],
)
def test_english_words_that_are_no_money_stay_words(locale: str, text: str) -> None:
    assert found(text, locale) == []


@pytest.mark.parametrize(
    ("locale", "code"),
    [("en-US", "USD"), ("en-AU", "AUD"), ("zh-HK", "HKD"), ("zh-TW", None), ("ja-JP", "USD")],
)
def test_a_dollar_sign_is_the_dollar_of_the_account(locale: str, code: str | None) -> None:
    assert found("$40", locale) == [("$40", Amount("40", code))]


@pytest.mark.parametrize(
    ("locale", "text", "code"),
    [
        ("ja-JP", "¥800", "JPY"),
        ("zh-CN", "￥800", "CNY"),
        ("en-US", "ランチは¥800", "JPY"),
        ("en-US", "lunch was ¥800", None),
    ],
)
def test_a_yen_sign_is_never_guessed(locale: str, text: str, code: str | None) -> None:
    assert found(text, locale)[0][1] == Amount("800", code)


def test_separators_of_another_locale_leave_an_amount_open() -> None:
    open_ = Ambiguous((Amount("1.23456", "EUR"), Amount("1234.56", "EUR")))

    assert found("It was €1.234,56 in all", "en-US") == [("€1.234,56", open_)]


def test_separators_of_the_own_locale_decide() -> None:
    assert found("€1.234,56", "de") == [("€1.234,56", Amount("1234.56", "EUR"))]


def test_both_ends_of_a_range_of_prices_are_amounts() -> None:
    assert found("from $10 to $15", "en-US") == [
        ("$10", Amount("10", "USD")),
        ("$15", Amount("15", "USD")),
    ]


@given(st.integers(0, 10**12), st.integers(0, 99))
def test_an_amount_in_figures_is_read_back(whole: int, cents: int) -> None:
    number = f"{whole}.{cents:02}".rstrip("0").rstrip(".")

    assert found(f"it was US${whole:,}.{cents:02} then", "en-US")[0][1] == Amount(number, "USD")


LONG = 2**18


@pytest.mark.parametrize("unit", ["7", "三", "万", ",", "%", "$", "1 ", "3元", "dollar ", "usd1 "])
def test_a_long_text_of_anything_takes_little_time(unit: str) -> None:
    folded = fold(unit * (LONG // len(unit.encode())))
    began = time.perf_counter()

    assert len(list(amounts.find(laid_out(folded, "zh-CN")))) <= 2 * PLACES_MAX
    assert time.perf_counter() - began < 0.5


def test_more_money_than_there_is_is_none() -> None:
    assert found("$" + "9" * 40, "en-US") == []
