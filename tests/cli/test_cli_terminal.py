"""What is printed: nothing that steers the terminal, and columns that stand in line."""

from __future__ import annotations

import io

from rich.console import Console
from rich.text import Text

from mnemod.commands.terminal.drawn import DrawnPage
from mnemod.commands.terminal.page import Tone, Toned, merged
from mnemod.commands.terminal.plain import PlainPage
from mnemod.commands.terminal.words import counted, day, moment, visible, visible_lines, width


def plain() -> tuple[PlainPage, io.StringIO]:
    out = io.StringIO()
    return PlainPage(out), out


def drawn() -> tuple[DrawnPage, io.StringIO]:
    out = io.StringIO()
    return DrawnPage(Console(file=out, width=60, force_terminal=True, highlight=False)), out


def test_escape_codes_are_shown_and_not_obeyed() -> None:
    assert visible("\x1b[2J\x07\x9b\n") == "␛[2J␇<U+009B>␊"


def test_letters_that_reorder_text_are_shown_by_number() -> None:
    assert visible("ab\u202edc\u2066") == "ab<U+202E>dc<U+2066>"


def test_a_text_keeps_its_own_lines() -> None:
    assert visible_lines("a\n\tb\r") == "a\n\tb␍"


def test_wide_letters_take_two_columns_and_joined_marks_none() -> None:
    assert (width("ab"), width("小猫"), width("e\u0301")) == (2, 4, 1)


def test_a_moment_keeps_the_offset_it_came_with() -> None:
    assert moment("2031-05-04T20:45:00.123+09:00") == "2031-05-04 20:45:00 +09:00"
    assert moment("2031-05-04T20:45:00Z") == "2031-05-04 20:45:00 Z"


def test_a_day_is_counted_where_it_was_said() -> None:
    assert day("2031-05-04T23:45:00+09:00") == "2031-05-04"


def test_one_is_not_many() -> None:
    assert (counted(1, "memory", "memories"), counted(1200, "row")) == ("1 memory", "1,200 rows")


def test_spans_that_touch_are_one() -> None:
    assert merged([(4, 6), (0, 2), (2, 3)]) == [(0, 3), (4, 6)]


def test_a_plain_table_lines_its_columns_up_whatever_the_script() -> None:
    page, out = plain()

    page.table(["who", "words"], [["小猫", "a"], [Toned("x", Tone.BAD), "b\nbelow"]])

    assert out.getvalue() == "who   words\n小猫  a\nx     b\n      below\n"


def test_plain_words_are_marked_below_where_they_stand() -> None:
    page, out = plain()

    page.passage("我住在Oslo。\nYes.", [(3, 7), (9, 12)])

    assert out.getvalue() == "  我住在Oslo。\n        ^^^^\n  Yes.\n  ^^^\n"


def test_a_plain_page_holds_no_escape_codes() -> None:
    page, out = plain()

    page.line("\x1b[31mred", Tone.BAD)
    page.facts([("a", "\x1b[31m"), ("long", "b")])

    assert out.getvalue() == "␛[31mred\na     ␛[31m\nlong  b\n"


def test_drawn_words_are_underlined_and_nobody_elses_codes_get_through() -> None:
    page, out = drawn()

    page.passage("a \x1b[5mb[red]c", [(0, 1)])

    assert "\x1b[1;4ma\x1b[0m" in out.getvalue()
    assert "\x1b[5m" not in out.getvalue()
    assert "␛[5mb[red]c" in out.getvalue()


WORDS = "a sentence of some length that wants a good deal of room"


def test_words_go_below_where_a_column_for_them_would_be_a_thin_strip() -> None:
    page, out = drawn()

    page.table(["", "why", "words"], [["goes", "nothing refers to it any more", WORDS]])

    lines = [line.rstrip() for line in Text.from_ansi(out.getvalue()).plain.splitlines()]
    assert lines == [
        "       why",
        "goes   nothing refers to it any more",
        "    a sentence of some length that wants a good deal of room",
    ]


def test_short_cells_stand_in_line_above_their_words() -> None:
    page, out = drawn()
    reason = "nothing refers to it any more"

    page.table(["", "what", "why", "w"], [["小猫", "a", reason, WORDS], ["x", "b", "c", WORDS]])

    lines = Text.from_ansi(out.getvalue()).plain.splitlines()
    assert lines[1].startswith("小猫   a      nothing")
    assert lines[3].startswith("x      b      c")


def test_words_that_fit_beside_stay_beside() -> None:
    page, out = drawn()

    page.table(["", "why", "words"], [["goes", "nothing refers to it any more", "short"]])

    assert any("any more   short" in line for line in out.getvalue().splitlines())


def test_a_drawn_table_says_what_a_plain_one_says() -> None:
    page, out = drawn()

    page.table(["state", "job"], [[Toned("dead", Tone.BAD), "jb_1\nwhy"]])
    page.facts([("id", "jb_1")])
    page.line("[bold]as it is[/bold]", Tone.STRONG)

    text = out.getvalue()
    assert all(word in text for word in ("state", "dead", "jb_1", "why", "[bold]as it is[/bold]"))
