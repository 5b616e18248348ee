"""Broken text is found for the usual pairs of encodings, and mended where no byte is lost."""

from __future__ import annotations

import pytest

from mnemod.domain.gates import mojibake


def broken(text: str, read_as: str, written_in: str, errors: str = "strict") -> str:
    return text.encode(written_in).decode(read_as, errors)


@pytest.mark.parametrize(
    ("meant", "read_as", "written_in"),
    [
        ("会議は三時からです", "latin-1", "utf-8"),
        ("谢谢你昨天的帮助", "latin-1", "utf-8"),
        ("Müßiggänger höflich", "cp1252", "utf-8"),
        ("今天晚上我们去吃火锅吧", "latin-1", "gbk"),
        ("今日は雨が降ります", "latin-1", "cp932"),
        ("今日は雨が降ります", "latin-1", "euc_jp"),
        ("請問明天幾點開會", "latin-1", "big5"),
        ("こんにちは", "gbk", "cp932"),
        ("わたしはげんきです", "gbk", "cp932"),
        ("明天下午三点开会呀", "gbk", "utf-8"),
    ],
)
def test_what_was_read_in_the_wrong_encoding_is_mended(
    meant: str, read_as: str, written_in: str
) -> None:
    text = broken(meant, read_as, written_in, "replace")

    found = mojibake.find(text)

    assert found is not None
    assert found.repair == (None if mojibake.LOST in text else meant)


def test_text_that_was_broken_twice_is_mended() -> None:
    once = broken("東京の天気", "latin-1", "utf-8")

    assert mojibake.find(broken(once, "latin-1", "utf-8")) == mojibake.Broken("東京の天気")


@pytest.mark.parametrize(
    ("meant", "read_as"),
    [("明日は休みです", "cp932"), ("請問明天幾點開會", "cp950"), ("明天下雨", "gbk")],
)
def test_lost_bytes_leave_broken_text_without_a_copy(meant: str, read_as: str) -> None:
    text = broken(meant, read_as, "utf-8", "replace") + mojibake.LOST

    assert mojibake.find(text) == mojibake.Broken(None)


@pytest.mark.parametrize("escape", ["\x1b", ""])
def test_japanese_mail_without_its_escapes_is_mended(escape: str) -> None:
    text = f"{escape}$B$3$s$K$A$O{escape}(B"

    assert mojibake.find(text) == mojibake.Broken("こんにちは")


def test_replacement_characters_read_once_more_are_broken() -> None:
    assert mojibake.find("锟斤拷锟斤拷") == mojibake.Broken(None)


@pytest.mark.parametrize(
    "text",
    [
        "Größe und Übermut",
        "«CAFÉ» à la française",
        "Ångström, Łódź, Þórshöfn",
        "Привет, мир",
        "Γειά σου",
        "癫痫病史",
        "尴尬",
        "揶揄された",
        "ﾃｽﾄｴﾝｼﾞﾆｱ",
        "東京ﾄﾞｰﾑ",
        "鬱病と診断された",
        "£5 or 20°C",
        "서울에 살아요",
    ],
)
def test_letters_that_are_rare_elsewhere_are_no_broken_text(text: str) -> None:
    assert mojibake.find(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "My phone shows " + broken("明天見", "latin-1", "utf-8") + " instead of the name",
        "我的短信显示成" + broken("今天", "gbk", "utf-8", "replace") + "，换了编码才正常",
        "It" + broken("’", "cp1252", "utf-8") + "s raining and I walk home",
    ],
)
def test_a_sentence_with_broken_words_in_it_stays(text: str) -> None:
    assert mojibake.find(text) is None
