"""The parts the demo rests on: its eyes, its script, its conscience."""

from __future__ import annotations

import io
import re
from datetime import UTC, datetime
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console

from mnemod.commands.demo import picture
from mnemod.commands.demo.claims import Claims
from mnemod.commands.demo.look import Look
from mnemod.commands.demo.scan import occurrences
from mnemod.commands.demo.script import load


def look(*, plain: bool = True) -> tuple[Look, io.StringIO]:
    out = io.StringIO()
    console = Console(file=out, width=80, color_system=None, highlight=False)
    return Look(console, plain=plain, pause_s=0.0), out


def test_a_word_is_found_in_any_file_any_case_and_any_of_three_encodings(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "a").write_bytes(b"x Brekke")
    (tmp_path / "b").write_bytes("BREKKE".encode("utf-16-le"))
    (tmp_path / "c").write_bytes("brekke brekke".encode("utf-16-be"))

    assert occurrences(tmp_path, ["brekke", "jonas"]) == {"brekke": 4, "jonas": 0}


def test_a_claim_that_does_not_hold_is_kept_and_said_aloud() -> None:
    shown, out = look()

    shown.claim("two and two is four", True)
    shown.claim("two and two is five", False)

    assert [claim.sentence for claim in shown.claims.broken] == ["two and two is five"]
    assert "NOT TRUE: two and two is five" in " ".join(out.getvalue().split())


def test_the_verdict_counts_what_did_not_hold() -> None:
    shown, out = look()
    shown.claim("a", True)
    shown.claim("b", False)

    shown.ended([("mnemod x", "y")], 1.0)

    assert "1 of 2 claims did not hold in 1.0 s" in out.getvalue()


def test_no_claim_is_no_broken_claim() -> None:
    assert Claims().broken == []


def test_highlighted_words_stand_whole_and_what_is_around_them_is_cut_to_fit() -> None:
    shown, _ = look(plain=False)
    text = "昨天外婆打电话来了。" * 3 + "My name is Lin." + " And more." * 9
    start = text.index("My name")

    marked = shown.marked(text, [(start, start + 15)], 40)

    assert "My name is Lin." in marked.plain
    assert marked.cell_len <= 40 < cell_len(text)


def test_without_colour_highlighted_words_stand_in_brackets() -> None:
    shown, _ = look(plain=True)

    assert shown.marked("a bc d", [(2, 4)], 40).plain == "a [bc] d"


def test_every_plain_line_fits_in_80_columns() -> None:
    shown, out = look()

    shown.table(["what", "why", "words"], [["relationship", "nothing else", "長い言葉" * 30]])

    lines = out.getvalue().splitlines()
    assert max(map(cell_len, lines)) <= 80
    assert "relationship  nothing else  長い言葉" in lines[1]
    assert "…" in lines[1]


def test_in_a_picture_wide_letters_have_the_room_they_take(tmp_path: Path) -> None:
    console = Console(file=io.StringIO(), record=True, width=40)
    console.print("外婆")

    picture.save(console, tmp_path / "a.svg")

    [length] = re.findall(r'textLength="([0-9.]+)"[^>]*>外婆<', (tmp_path / "a.svg").read_text())
    assert float(length) == 4 * 12.2


def test_a_picture_loads_nothing_from_anywhere(tmp_path: Path) -> None:
    console = Console(file=io.StringIO(), record=True, width=40)

    picture.save(console, tmp_path / "a.svg")

    text = (tmp_path / "a.svg").read_text()
    assert re.findall(r"(?:url\(|href=|src:)\s*.?https?:", text) == []


def test_the_script_never_says_a_thing_twice_and_says_it_in_the_past() -> None:
    script = load()
    said = [exchange.said for exchange in script.exchanges] + list(script.crash)
    now = datetime(2031, 5, 4, 12, tzinfo=UTC)

    assert len(said) == len(set(said))
    assert script.exchanges[0].at(now) == "2031-04-10T18:05:00+00:00"
    assert all(exchange.days_ago > 0 for exchange in script.exchanges)


def test_what_is_scanned_for_is_said_only_where_it_is_forgotten() -> None:
    script = load()
    others = [e.said + e.answered for e in script.exchanges if script.forget.said not in e.said]

    told = " ".join([*others, *script.crash, script.correction.text]).lower()

    assert not any(word in told for word in script.forget.words)
