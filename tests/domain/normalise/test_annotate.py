"""Annotations as a whole: places, order, and what never changes them."""

from __future__ import annotations

import time
import unicodedata
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemod.domain.annotation import Annotation
from mnemod.domain.folded import fold
from mnemod.domain.normalise import OutOfTime, annotate
from mnemod.domain.normalise.sheet import NUMBERS_MAX, PLACES_MAX
from tests.support.readings import THURSDAY, read

EXPRESSIONS = [
    "来週の水曜日",
    "下个月15号",
    "明天下午三点",
    "3月10日到14日",
    "令和8年3月12日",
    "March 12, 2026",
    "day after tomorrow",
    "two weeks ago",
    "2026-03-12 19:00",
    "end of next month",
    "US$1,234.50",
    "8万5千円",
    "百分之三十",
    "2時間30分",
]
SENTENCES = [
    "We met yesterday.",
    "He paid €950 in March 2021.",
    "I can come in 3 days.",
    "It took two hours!",
    "明天下午三点开会。",
    "雨后天晴。",
    "房租三千二百元。",
    "来週の火曜日に会う。",
    "給料の3割を貯金する。",
    "5月3日から5日まで帰省。",
    "Nothing to see here.",
    "他说他来。",
    "The score was 3-2?",
    "下週四的 demo 大概 30 minutes。",
    "Every Friday I fast.",
]
CHARACTERS = st.sampled_from(
    [
        *"今明昨后前天日年月周下上来三五十12/-.: \n。,の",
        "March ",
        "next ",
        "Friday",
        "ago",
        "円",
        "%",
    ]
)

HARD = st.sampled_from(
    [
        *[
            "明天",
            "去年",
            "上半年",
            "下周五",
            "3月",
            "31日",
            "2月30日",
            "9" * 30,
            "年前",
            "天后",
            "週間前",
        ],
        *[" ago", "in 9999 years", "one million years ago", "%", "百分之", "元", "$", "€1.234,56"],
        *[
            "再过5000年",
            "令和",
            "元年",
            "R8.3.12",
            "next Friday",
            "end of next month",
            "T25:61",
            "半",
        ],
        *[
            "2026-03-12T19:00+99:99",
            "0001-01-01",
            "9999-12-31",
            "《",
            "》",
            "「",
            "」",
            '"',
            "'",
            "半",
        ],
        *[
            "十",
            "亿",
            "\u200b",
            "\ud800",
            "ﷺ",
            "½",
            " ",
            "\n",
            "tomorrow at 5",
            "2/3 of",
            "再过5000年",
        ],
    ]
)
DATETIMES = st.one_of(
    st.datetimes(), st.sampled_from([datetime.min, datetime.max, datetime(9999, 12, 31, 12)])
)
ZONES = st.sampled_from([UTC, timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))])


def shape(found: Annotation) -> tuple[object, ...]:
    return found.kind, found.value, found.precision, found.confidence


def moved(found: Annotation, by: int) -> tuple[object, ...]:
    return found.start + by, found.end + by, *shape(found)


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize("before", ["", "😀 ", "㌔ ﬁ ", "\u200b"])
def test_places_are_those_of_the_text_as_it_was_sent(before: str, expression: str) -> None:
    text = f"{before}{expression}。"

    [found] = read(text, "ja-JP")

    assert text[found.start : found.end] == expression


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKD"])
def test_unicode_forms_change_no_value(form: str, expression: str) -> None:
    other = unicodedata.normalize(form, expression)

    assert [*map(shape, read(other, "ja-JP"))] == [*map(shape, read(expression, "ja-JP"))]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_width_and_invisible_characters_change_no_value(expression: str) -> None:
    wide = expression.translate({code: code + 0xFEE0 for code in range(0x21, 0x7F)})
    noisy = "\u200b".join(expression)

    assert [*map(shape, read(wide, "ja-JP"))] == [*map(shape, read(expression, "ja-JP"))]
    assert [*map(shape, read(noisy, "ja-JP"))] == [*map(shape, read(expression, "ja-JP"))]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_a_folded_text_means_what_the_text_means(expression: str) -> None:
    again = read(fold(expression).text, "ja-JP")

    assert [*map(shape, again)] == [*map(shape, read(expression, "ja-JP"))]


@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4), st.sampled_from(SENTENCES))
def test_another_sentence_changes_no_annotation(said: list[str], added: str) -> None:
    text = " ".join(said)
    alone = read(text)
    own = read(added)

    after = read(f"{text} {added}")
    before = read(f"{added} {text}")

    shift = len(added) + 1
    assert [moved(each, 0) for each in after] == [
        *(moved(each, 0) for each in alone),
        *(moved(each, len(text) + 1) for each in own),
    ]
    assert [moved(each, 0) for each in before] == [
        *(moved(each, 0) for each in own),
        *(moved(each, shift) for each in alone),
    ]


@given(st.lists(CHARACTERS, max_size=24).map("".join), st.sampled_from(["en", "zh-CN", "ja-JP"]))
def test_any_text_has_annotations_in_order_and_apart(text: str, locale: str) -> None:
    found = read(text, locale)

    ends = [0, *(each.end for each in found)]
    starts = [each.start for each in found]
    assert all(end <= start for end, start in zip(ends, starts, strict=False))
    assert all(each.start < each.end <= len(text) for each in found)
    assert read(text, locale) == found


def test_the_longest_reading_stands_across_kinds() -> None:
    kinds = [(each.kind.value, each.value) for each in read("I last did it 2 weeks ago.")]

    assert kinds == [("date", "2026-02-19")]


def test_a_text_that_is_folded_already_is_not_folded_again() -> None:
    text = "来週の水曜日"

    assert annotate(text, THURSDAY, "ja", folded=fold(text)) == annotate(text, THURSDAY, "ja")


def test_when_time_is_over_the_annotations_end_with_a_word_for_it() -> None:
    with pytest.raises(OutOfTime):
        annotate("明天 " * 100, THURSDAY, "zh", out_of_time=lambda: True)


def test_a_month_later_the_same_message_reads_the_same() -> None:
    said = datetime.fromisoformat("2026-03-05T15:00:00+09:00")

    assert annotate("下周三", said, "zh") == read("下周三", "zh")


@pytest.mark.parametrize(
    "piece",
    [
        "2026-03-12 ",
        "March 12, ",
        "one hour ",
        "3 days ago ",
        "$5 ",
        "1% ",
        "明天",
        "三千元,",
        '{"id": 1, "at": "2026-03-12T10:00:00Z"}, ',
    ],
)
def test_a_text_of_one_thing_alone_is_read_up_to_a_bound(piece: str) -> None:
    text = piece * (262_144 // len(piece.encode()))
    started = time.thread_time()

    found = read(text, "zh-CN")

    # Several times what it takes on a quiet machine.
    assert time.thread_time() - started < 0.2
    assert 0 < len(found) <= 4 * PLACES_MAX


def test_no_more_numerals_than_a_bound_are_looked_at() -> None:
    last = "March 12, 2026 costs $5 and takes 3 hours."

    assert len(read("1, " * (NUMBERS_MAX // 2) + last)) == 3
    assert [each.kind for each in read("1, " * NUMBERS_MAX + last)] == ["date"]


@given(
    st.one_of(st.text(max_size=60), st.lists(HARD, max_size=12).map("".join)),
    st.one_of(st.none(), st.builds(datetime.replace, DATETIMES, tzinfo=ZONES), DATETIMES),
    st.one_of(st.text(max_size=12), st.sampled_from(["en", "EN_us", "zh-Hant-TW", "-", ""])),
)
def test_no_text_no_time_and_no_locale_is_an_error(
    text: str, anchor: datetime | None, locale: str
) -> None:
    found = annotate(text, anchor, locale)

    assert all(0 <= each.start < each.end <= len(text) for each in found)


@pytest.mark.parametrize("text", ["4½% interest", "$2½", "2½ hours", "3½年", "1½ days ago", "½杯"])
def test_a_fraction_in_one_character_is_no_two_numbers(text: str) -> None:
    assert read(text, "en-US") == ()


def test_words_in_quotation_marks_are_annotated_in_their_place_and_never_rewritten() -> None:
    text = "他說『明天』, `today = 1`"

    found = read(text, "zh-TW")

    assert [text[each.start : each.end] for each in found] == ["明天", "today"]


def test_one_event_said_in_two_languages_is_one_day_in_two_precisions() -> None:
    [said] = read("来週の水曜日の夜に食事", "ja-JP")
    [written] = read("2026-03-11 19:00 dinner", "en-US")

    assert (said.value, said.precision) == ("2026-03-11", "day")
    assert (written.value, written.precision) == ("2026-03-11T19:00", "minute")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The bug only shows up in build 2024.1.7.", []),
        ("We downgraded to 2024.1.7 and firmware v2023.11.2.", []),
        ("\u66f4\u65b0\u5230\u7248\u672c2024.1.7\u540e\u5d29\u6e83", []),
        ("\u30d0\u30fc\u30b8\u30e7\u30f32024.1.7\u3067\u843d\u3061\u308b", []),
        ("The release is planned for 2024.1.7", ["2024.1.7"]),
        ("version 3 came out on 2024.1.7", ["2024.1.7"]),
        ("Take it one day at a time.", []),
        ("I can work two hours at a time.", ["two hours"]),
    ],
)
def test_a_version_is_no_day_and_one_day_at_a_time_no_length(text: str, said: list[str]) -> None:
    assert [text[each.start : each.end] for each in read(text)] == said


def test_a_date_far_on_in_a_long_text_is_read() -> None:
    text = "The tide was low and we walked out to the wreck. " * 5_000 + "Come on 14 May 2027."
    assert [text[each.start : each.end] for each in read(text)] == ["14 May 2027"]
