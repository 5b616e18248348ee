"""Whether a passage is part of a title: of a book, a song or a film that is named in the text.

- between 《 and 》 always;
- in quotation marks where the words beside them say so (a song, was read, という本), and between
  『 and 』 in a Japanese text unless someone speaks;
- in English without marks where capitals go on: 28 Days Later, Seven Years in Tibet.

The text is read as it was sent, because capitals and marks are what tells.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from mnemod.domain.folded import fold
from mnemod.domain.normalise.sheet import holds
from mnemod.domain.vocabulary import Vocabulary, load

_FOLDER: Final = Path(__file__).parent / "vocabulary"
_INSIDE_MAX: Final = 40
_BESIDE: Final = 24
_SENTENCE: Final = 48
_CAPITAL: Final = re.compile("[A-Z][a-z]")
_WORD: Final = re.compile(r"[A-Za-z']+")
_KANA: Final = re.compile("[\u3041-\u30ff]")
_FIRST: Final = re.compile(
    r"(?:^|[.!?:;。!?\n\"'“()\u2190-\u2bff\U0001f000-\U0001faff]|[-\u2014>*#\u2022] |^ +) ?\Z"
)
_NEXT: Final = re.compile(r" ([A-Za-z']+)(?: ([A-Za-z']+))?(?: ([A-Za-z']+))?")
_STOP: Final = re.compile(r"[.!?\n]")
_LAST: Final = re.compile(r"(?:([A-Za-z']+) )?(?:([A-Za-z']+) )?([A-Za-z']+) \Z")


class _Quotation(Struct, frozen=True):
    opened: int
    closed: int
    marks: str


@cache
def titles() -> Vocabulary:
    """The words of titles and of names."""
    return load(_FOLDER, "titles")


def holds_quotation(source: str) -> bool:
    """Whether a mark of quotation stands anywhere."""
    return holds(source, _closes())


def is_title(source: str, start: int, end: int, *, quoted: bool = True) -> bool:
    """Whether `source[start:end]` is part of a title. `quoted` is `holds_quotation(source)`."""
    quotation = _around(source, start, end) if quoted else None
    if quotation is not None:
        if quotation.marks in titles().data["marks"]["title"]:
            return True
        if _is_quoted_title(source, quotation):
            return True
    if _CAPITAL.search(source, start, end) is not None:
        return _goes_on(source, start, end)
    return _names_figures(source, start, end)


def _names_figures(source: str, start: int, end: int) -> bool:
    """Whether figures begin the name of a work, or of what is called so: 99% Invisible."""
    patterns = titles()
    if patterns.pattern("capital_after").match(source, end) is None:
        return False
    before = fold(source[max(0, start - _BESIDE) : start]).text
    return patterns.pattern("named_before_en").search(before) is not None


def _around(source: str, start: int, end: int) -> _Quotation | None:
    """The innermost quotation around the passage, none that is longer than a title."""
    closes = _closes()
    for at in range(start - 1, max(-1, start - _INSIDE_MAX), -1):
        for mark in closes.get(source[at], ""):
            closed = source.find(mark, end, end + _INSIDE_MAX)
            if source.find(mark, at + 1, start) >= 0 or closed < 0:
                continue
            if mark != source[at] or _is_pair(source, at, closed):
                return _Quotation(at, closed, source[at] + mark)
    return None


def _is_pair(source: str, opened: int, closed: int) -> bool:
    """Whether two equal marks open and close: letters stand inside, none outside."""
    before, after = source[opened - 1 : opened], source[closed + 1 : closed + 2]
    inside = source[opened + 1], source[closed - 1]
    outside = (before if opened else "", after)
    return not any(mark.isspace() for mark in inside) and not any(
        mark.isascii() and mark.isalnum() for mark in outside
    )


@cache
def _closes() -> Mapping[str, str]:
    pairs: dict[str, str] = {}
    for listed in titles().data["marks"].values():
        for pair in listed:
            pairs[pair[0]] = pairs.get(pair[0], "") + pair[1]
    return pairs


def _is_quoted_title(source: str, quotation: _Quotation) -> bool:
    opened, closed = quotation.opened, quotation.closed
    before = fold(source[max(0, opened - _BESIDE) : opened]).text
    after = fold(source[closed + 1 : closed + 1 + _BESIDE]).text
    patterns = titles()
    if patterns.pattern("speech_after").match(after):
        return False
    if patterns.pattern("title_after").match(after) or patterns.pattern("title_after_en").match(
        after
    ):
        return True
    if patterns.pattern("speech_before").search(before):
        return False
    if patterns.pattern("title_before").search(before):
        return True
    if patterns.pattern("title_before_en").search(before):
        return True
    is_titular = quotation.marks in patterns.data["marks"]["titular"]
    return is_titular and _has_kana(source)


@lru_cache(maxsize=1)
def _has_kana(source: str) -> bool:
    # Asked again for each quotation of a text.
    return _KANA.search(source) is not None


def _goes_on(source: str, start: int, end: int) -> bool:
    """Whether capitals make the passage and its neighbours a title."""
    capitals = [
        word.start()
        for word in _WORD.finditer(source, start, end)
        if _is_capital(word[0]) and word[0].lower() in _titled()
    ]
    if not capitals:
        return False
    following = _NEXT.match(source, end)
    opens = not start or _FIRST.search(source, max(0, start - 3), start) is not None
    if opens and capitals == [start]:
        # Only the first word of a sentence has its capital: more must say that it is a title.
        return _names_a_work(source, start, end, following)
    sentence = fold(source[max(0, start - _SENTENCE) : end + _SENTENCE]).text
    if titles().pattern("cue_en").search(sentence):
        return True
    if following is not None and _has_capital(following.groups()):
        return True
    preceding = _LAST.search(source, max(0, start - _BESIDE), start)
    return preceding is not None and _has_capital(preceding.groups()[::-1])


def _names_a_work(source: str, start: int, end: int, following: re.Match[str] | None) -> bool:
    """Whether capitals go on after the first word of a sentence that is about a work."""
    if _is_credited(source, end):
        return True
    if following is None or not _is_capital(following[1]):
        return False
    if titles().pattern("all_capitals").fullmatch(_rest_of_sentence(source, end)):
        return True
    if following[1].lower() not in _titled() and not _is_capital(following[2] or ""):
        return False  # Yesterday Anna called
    sentence = fold(source[start : end + _SENTENCE]).text
    return titles().pattern("work_en").search(sentence) is not None


def _is_credited(source: str, end: int) -> bool:
    """Whether what follows says who made it, or what it is: Next Friday by Ice Cube."""
    names = ("credit_en", "described_en")
    return any(titles().pattern(name).match(source, end) for name in names)


def _rest_of_sentence(source: str, end: int) -> str:
    rest = source[end : end + _SENTENCE]
    return _STOP.split(rest, maxsplit=1)[0] if len(source) - end <= _SENTENCE else ""


def _has_capital(nearest_first: tuple[str | None, ...]) -> bool:
    """Whether a capital comes before any word that no title writes small."""
    for word in nearest_first:
        if word is None:
            continue
        if _is_capital(word):
            return True
        if word not in _small():
            return False
    return False


def _is_capital(word: str) -> bool:
    return len(word) > 1 and word[0].isupper() and word[1:].islower()


@cache
def _small() -> frozenset[str]:
    return frozenset(titles().words["small"])


@cache
def _titled() -> frozenset[str]:
    return frozenset(titles().words["titled"])
