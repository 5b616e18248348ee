from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemod.domain.interpretation import Range
from mnemod.domain.segments import segments, sentences

MESSAGE_CHARS = 256 * 1024
# Marks of three scripts, letters, marks that combine, addresses and white space, close together.
TEXTS = st.lists(
    st.sampled_from(
        [
            *"ab我は1 .,;!?。，、！？…\n\"'」』)「(\u0301\ufe0f\u3000",
            "e.g. ",
            "Dr. ",
            "http://a.b/c?d",
        ]
    ),
    max_size=60,
).map("".join)
CUTTERS = pytest.mark.parametrize("cut", [sentences, segments])


def pieces(text: str, cut: Callable[[str], tuple[Range, ...]]) -> list[str]:
    return [text[part.start : part.end] for part in cut(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I use 1.5 units every time. Next.", ["I use 1.5 units every time.", "Next."]),
        ("Dr. Moss came, e.g. today. She left.", ["Dr. Moss came, e.g. today.", "She left."]),
        ("J. R. Vale wrote it. I read it.", ["J. R. Vale wrote it.", "I read it."]),
        ("I take vitamin C. It helps.", ["I take vitamin C.", "It helps."]),
        ("See https://a.example/b?c=1;d!e. Ok.", ["See https://a.example/b?c=1;d!e.", "Ok."]),
        ("Version 2.10.3 is out.", ["Version 2.10.3 is out."]),
        ("Well... maybe. Wait... What?", ["Well... maybe.", "Wait...", "What?"]),
        ("No. Fridays. No. 5 is mine.", ["No.", "Fridays.", "No. 5 is mine."]),
        ("1. milk\n2. tea", ["1. milk", "2. tea"]),
        ('He said "Hi." Then he left.', ['He said "Hi."', "Then he left."]),
        ("对……不对，等等。好。", ["对……不对，等等。", "好。"]),
        ("「行く。」と言った。帰る！？", ["「行く。」", "と言った。", "帰る！？"]),
        ("I use Emacs.我也用。", ["I use Emacs.", "我也用。"]),
        ("It opens at 5 p.m. on Monday. At 5 p.m. We eat.",
         ["It opens at 5 p.m. on Monday.", "At 5 p.m.", "We eat."]),
    ],
)  # fmt: skip
def test_a_sentence_ends_where_a_reader_would_end_it(text: str, expected: list[str]) -> None:
    assert pieces(text, sentences) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("No wool, I wear linen.", ["No wool,", "I wear linen."]),
        ("我吃素，这里有什么？", ["我吃素，", "这里有什么？"]),
        ("毎朝、薬を飲む。", ["毎朝、", "薬を飲む。"]),
        ("It cost 1,000 euros, no less.", ["It cost 1,000 euros,", "no less."]),
        ('"Yes," she said.', ['"Yes,"', "she said."]),
    ],
)
def test_a_segment_also_ends_at_a_comma_that_is_not_inside_a_number(
    text: str, expected: list[str]
) -> None:
    assert pieces(text, segments) == expected


def test_ranges_are_named_in_order() -> None:
    assert sentences("A b. C d.") == (Range("t0", 0, 4), Range("t1", 5, 9))
    assert segments("A, b.") == (Range("s0", 0, 2), Range("s1", 3, 5))


@CUTTERS
@pytest.mark.parametrize("text", ["", " ", "\n\n", "\u3000"])
def test_text_without_words_has_no_ranges(
    text: str, cut: Callable[[str], tuple[Range, ...]]
) -> None:
    assert cut(text) == ()


@CUTTERS
@given(text=TEXTS)
def test_ranges_cover_every_visible_character_once_and_in_order(
    text: str, cut: Callable[[str], tuple[Range, ...]]
) -> None:
    found = cut(text)
    covered = "".join(text[part.start : part.end] for part in found)
    ends = [0, *(end for part in found for end in (part.start, part.end))]

    assert ends == sorted(ends)
    assert "".join(covered.split()) == "".join(text.split())


@CUTTERS
@given(text=TEXTS)
def test_ranges_are_trimmed_and_never_empty(
    text: str, cut: Callable[[str], tuple[Range, ...]]
) -> None:
    found = pieces(text, cut)

    assert found == [piece.strip() for piece in found if piece.strip()]


@given(text=TEXTS)
def test_every_sentence_is_made_of_whole_segments(text: str) -> None:
    starts = {part.start for part in segments(text)}
    ends = {part.end for part in segments(text)}

    assert {part.start for part in sentences(text)} <= starts
    assert {part.end for part in sentences(text)} <= ends


@CUTTERS
@pytest.mark.parametrize("text", ["Oh no!\ufe0f I fell.", "Ça va?\u0301 Oui."])
def test_a_mark_stays_with_the_character_it_combines_with(
    text: str, cut: Callable[[str], tuple[Range, ...]]
) -> None:
    firsts = [text[part.start] for part in cut(text)]

    assert not [char for char in firsts if unicodedata.category(char).startswith("M")]


@CUTTERS
@pytest.mark.parametrize(
    "unit", ["I like oolong tea. ", ".", "http://", "(", '"', "a", "\n", "1,", "我喜欢乌龙茶。"]
)
def test_the_longest_message_is_cut_without_a_wait(
    unit: str, cut: Callable[[str], tuple[Range, ...]]
) -> None:
    text = (unit * MESSAGE_CHARS)[:MESSAGE_CHARS]

    started = time.process_time()
    cut(text)

    assert time.process_time() - started < 1.0
