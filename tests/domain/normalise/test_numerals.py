"""Numerals in three languages: exact values, and nothing for a guess."""

from __future__ import annotations

import re
import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemod.domain.folded import fold
from mnemod.domain.normalise import numerals

DIGITS = "零一二三四五六七八九"
KANJI_DIGITS = "〇一二三四五六七八九"


def in_han(number: int) -> str:
    """`number` as Chinese writes it, the inverse of what is tested."""
    for unit, name in ((10**8, "亿"), (10**4, "万")):
        if number >= unit:
            high, low = divmod(number, unit)
            zero = "零" if low and low < unit // 10 else ""
            return in_han(high) + name + (zero + in_han(low) if low else "")
    for unit, name in ((1000, "千"), (100, "百"), (10, "十")):
        if number >= unit:
            high, low = divmod(number, unit)
            zero = "零" if low and low < unit // 10 else ""
            return DIGITS[high] + name + (zero + in_han(low) if low else "")
    return DIGITS[number]


@given(st.integers(1, 10**12 - 1))
def test_a_number_written_in_han_is_read_back(number: int) -> None:
    assert numerals.value(in_han(number)) == number


@given(st.integers(100, 10**12))
def test_a_number_written_digit_by_digit_is_read_back(number: int) -> None:
    written = "".join(KANJI_DIGITS[int(digit)] for digit in str(number))

    assert numerals.value(written) == number


@given(st.integers(0, 10**18), st.integers(0, 999))
def test_figures_with_separators_are_read_back(whole: int, thousandths: int) -> None:
    assert numerals.value(f"{whole:,}.{thousandths:03}") == whole + Decimal(thousandths) / 1000


@given(st.text(alphabet="〇零一二两三九十廿百千万亿点・0159.,' ", max_size=120))
def test_no_run_of_numeral_characters_is_an_error(text: str) -> None:
    found = numerals.value(text)

    assert found is None or found >= 0


NUMBER_WORDS = st.sampled_from(
    ["a", "half", "and", "two", "ten", "hundred", "million", "dozen", "3"]
)


@given(st.lists(NUMBER_WORDS, min_size=1, max_size=12), st.sampled_from(" -"))
def test_no_run_of_number_words_is_an_error(words: list[str], between: str) -> None:
    found = numerals.value(between.join(words))

    assert found is None or found >= 0


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("十萬", 100_000),
        ("一百萬", 1_000_000),
        ("三千萬", 30_000_000),
        ("二十萬", 200_000),
        ("二零二六", 2026),
        ("一九八四", 1984),
        ("二〇二六", 2026),
        ("３，０００", 3000),
        ("廿三", 23),
        ("壹佰貳拾參", 123),
        ("弐千", 2000),
        ("3千", 3000),
        ("1万5千", 15_000),
        ("2億3千万", 230_000_000),
        ("1万500", 10_500),
        ("一五〇万", 1_500_000),
        ("二千百", 2100),
        ("一萬億", 10**12),
        ("一千零五十", 1050),
        ("三萬零五百", 30_500),
    ],
)
def test_numerals_of_chinese_and_japanese(text: str, number: int) -> None:
    assert numerals.value(fold(text).text) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("兩千五", 2500),
        ("一万二", 12_000),
        ("萬二", 12_000),
        ("三百五", 350),
        ("3千5", 3500),
        ("三百零五", 305),
        ("十五", 15),
    ],
)
def test_the_last_figure_may_leave_its_unit_out(text: str, number: int) -> None:
    assert numerals.value(fold(text).text) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1.5億", "150000000"),
        ("八點五", "8.5"),
        ("三・五", "3.5"),
        ("十二點五", "12.5"),
        ("零點零五", "0.05"),
        ("三點一四萬", "31400"),
        ("1,234.5萬", "12345000"),
    ],
)
def test_decimals_are_exact(text: str, number: str) -> None:
    assert numerals.value(fold(text).text) == Decimal(number)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("one", "1"),
        ("a", "1"),
        ("Twenty-Five", "25"),
        ("ninety nine", "99"),
        ("a hundred and six", "106"),
        ("nineteen hundred", "1900"),
        ("one hundred twenty three thousand four hundred and fifty-six", "123456"),
        ("half a million", "500000"),
        ("half a dozen", "6"),
        ("two and a half million", "2500000"),
        ("a million and a half", "1500000"),
        ("2.5 million", "2500000"),
    ],
)
def test_number_words_of_english(text: str, number: str) -> None:
    assert numerals.value(fold(text).text) == Decimal(number)


@pytest.mark.parametrize(
    "text",
    ["三四", "七八", "三三兩兩", "七八百", "三五千", "一兩百", "十二三", "一百二三", "四十八九"],
)
def test_a_guess_has_no_value(text: str) -> None:
    assert numerals.value(fold(text).text) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "萬一",
        "萬",
        "億",
        "百千",
        "五千六千",
        "2025,300",
        "3.4.5",
        "10.3.12.5",
        "one and two",
        "nineteen eighty four",
        "hundred",
        "half",
        "a one",
        "9" * 97,
    ],
)
def test_what_is_no_number_has_no_value(text: str) -> None:
    assert numerals.value(fold(text).text) is None


@pytest.mark.parametrize(
    ("locale", "text", "number"),
    [
        ("de-DE", "1.234,56", "1234.56"),
        ("de", "1.234", "1234"),
        ("fr-FR", "3,5", "3.5"),
        ("de-CH", "1'234.50", "1234.50"),
        ("en-US", "1.234", "1.234"),
    ],
)
def test_separators_are_those_of_the_locale(locale: str, text: str, number: str) -> None:
    assert numerals.value(text, locale) == Decimal(number)


def test_separators_of_another_locale_are_not_guessed() -> None:
    assert numerals.value("1.234,56", "en-US") is None


@pytest.mark.parametrize(
    ("text", "numeral"),
    [
        ("房租3,200元", "3,200"),
        ("约三万五千元", "三万五千"),
        ("利率八点五左右", "八点五"),
        ("下午3点15分", "3"),
    ],
)
def test_a_numeral_is_found_whole(text: str, numeral: str) -> None:
    found = numerals.runs().search(text)

    assert found is not None
    assert found[0] == numeral


@pytest.mark.parametrize(
    ("text", "numeral"),
    [
        ("we waited two and a half hours", "two and a half"),
        ("about 2.5 million yen", "2.5 million"),
        ("it took an hour", "an"),
    ],
)
def test_a_number_in_words_is_found_whole(text: str, numeral: str) -> None:
    found = re.search(numerals.spelled(), text)

    assert found is not None
    assert found[0] == numeral


@pytest.mark.parametrize("unit", ["1", "1,", "two ", "a and ", ","])
def test_a_long_run_is_searched_in_linear_time(unit: str) -> None:
    pattern = re.compile(numerals.spelled() + "!")
    text = unit * (2**17 // len(unit))
    began = time.perf_counter()

    assert pattern.search(text) is None
    assert time.perf_counter() - began < 1
