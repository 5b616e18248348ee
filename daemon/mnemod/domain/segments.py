"""Sentences and segments: two ways to cut one text into ranges that a selector can name.

Both cover every character that is not white space, in order, without overlap; each range is trimmed
and never empty. A sentence ends at a line break, at 。！？；!?; and at a full stop, unless that is
inside a number, an address, an abbreviation or an ellipsis. A segment also ends at a comma of the
three scripts, unless it stands between digits. Closing quotes and brackets stay with their words.
Offsets are code points; one pass, linear in the text.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mnemod.domain.interpretation import Range

_DATA: Final = tomllib.loads(
    (Path(__file__).parent / "reading/vocabulary/marks.toml").read_text(encoding="utf-8")
)
_MARKS: Final[dict[str, str]] = _DATA["marks"]
COMMAS: Final = _MARKS["commas"]
_NEVER_LAST: Final = frozenset(_DATA["abbreviations"]["never_last"])
_MAY_BE_LAST: Final = frozenset(_DATA["abbreviations"]["may_be_last"])
_BEFORE_NUMBER: Final = frozenset(_DATA["abbreviations"]["before_number"])
_HARD: Final = frozenset(_MARKS["hard"])
# No abbreviation is longer, so looking back further cannot change the answer.
_LOOK_BACK: Final = 16


def _class(*names: str) -> str:
    return "[" + "".join(re.escape(_MARKS[name]) for name in names) + "]"


# Addresses are matched first so that the marks inside them are passed over.
_ADDRESS: Final = r"(?P<address>(?:https?://|www\.)[^\s<>，。、！？；「」『』（）]*[\w/#=&-])"
# Combining marks belong to the mark before them.
_TAIL: Final = rf"(?:{_class('closers')}|[\u0300-\u036f\ufe0e\ufe0f\u200d])*"
_END: Final = rf"(?P<end>{_class('hard', 'dots')}+){_TAIL}"
_COMMA: Final = rf"(?P<comma>{_class('commas')}+)(?P<after>{_class('closers')}*)"
_SENTENCE_MARKS: Final = re.compile(f"{_ADDRESS}|{_END}")
_SEGMENT_MARKS: Final = re.compile(f"{_ADDRESS}|{_END}|{_COMMA}")


def sentences(text: str) -> tuple[Range, ...]:
    """The sentences of `text`, named `t0`, `t1`... in order."""
    return _ranges(text, _cuts(text, _SENTENCE_MARKS), "t")


def segments(text: str) -> tuple[Range, ...]:
    """The segments of `text`, named `s0`, `s1`... in order; one or more make a sentence."""
    return _ranges(text, _cuts(text, _SEGMENT_MARKS), "s")


def _ranges(text: str, cuts: Iterator[int], prefix: str) -> tuple[Range, ...]:
    found: list[Range] = []
    start = 0
    for cut in (*cuts, len(text)):
        piece = text[start:cut]
        body = piece.strip()
        if body:
            first = start + len(piece) - len(piece.lstrip())
            found.append(Range(f"{prefix}{len(found)}", first, first + len(body)))
        start = cut
    return tuple(found)


def _cuts(text: str, marks: re.Pattern[str]) -> Iterator[int]:
    for mark in marks.finditer(text):
        if mark["address"]:
            continue
        if mark["end"] is None:
            if not _between_digits(text, mark.start(), mark.end("comma")):
                yield mark.end()
        elif not _HARD.isdisjoint(mark["end"]) or _stops(text, mark):
            yield mark.end()


def _stops(text: str, mark: re.Match[str]) -> bool:
    """Whether a run of dots ends a sentence."""
    dots, after = mark["end"], text[mark.end() : mark.end() + 1]
    if not after:
        return True
    if len(dots) > 1 or "…" in dots:
        return after.isspace() and _opens_a_sentence(text, mark.end())
    if not after.isspace():
        return _is_wide(after)
    return _word_may_close(text, mark)


def _word_may_close(text: str, mark: re.Match[str]) -> bool:
    begin = _word_start(text, mark.start())
    word = text[begin : mark.start()].lower()
    if word in _NEVER_LAST:
        return False
    if word in _MAY_BE_LAST:
        return _opens_a_sentence(text, mark.end())
    if word in _BEFORE_NUMBER:
        return not _next_visible(text, mark.end()).isdigit()
    if word.isdigit():
        # "1. milk": the number of a list entry, not the end of a sentence.
        return begin > 0 and text[begin - 1] != "\n"
    return not (len(word) == 1 and word != "i" and _is_initial(text, begin))


def _is_initial(text: str, begin: int) -> bool:
    """Whether the capital at `begin` starts a name: "J. Moss", but not "vitamin C."."""
    before = text[max(0, begin - _LOOK_BACK) : begin].split()
    opens = not before or before[-1][-1] in ".!?" or before[-1][0].isupper()
    return opens and text[begin].isupper()


def _word_start(text: str, end: int) -> int:
    low = max(0, end - _LOOK_BACK)
    return max(low, *(text.rfind(gap, low, end) + 1 for gap in ' \n("'))


def _opens_a_sentence(text: str, at: int) -> bool:
    following = _next_visible(text, at)
    return (
        following == "" or following.isupper() or _is_wide(following) or following in "\"'“‘(「『"
    )


def _next_visible(text: str, at: int) -> str:
    return text[at : at + _LOOK_BACK].lstrip()[:1]


def _between_digits(text: str, start: int, end: int) -> bool:
    return text[start - 1 : start].isdigit() and text[end : end + 1].isdigit()


def _is_wide(char: str) -> bool:
    return unicodedata.east_asian_width(char) in "WF"
