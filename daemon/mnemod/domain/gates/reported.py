"""Tells an order from one that is quoted, reported or discussed.

Words are reported when they stand between quotation marks (of any of the three languages, or in
code marks) and what is around them speaks of attacks, or says that somebody said so. Quotation
marks alone report nothing, nor does "for example" in front of bare words. Who quotes a maker or an
official document as the speaker claims an authority; only talk of attacks makes that a report.

Marks are looked for in the source, where opening and closing ones differ; words in the folded text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Final

from mnemod.domain.folded import fold
from mnemod.domain.gates.directive_rules import Language, languages
from mnemod.domain.gates.directives import frames
from mnemod.domain.gates.verdict import Detector

QUOTED_CHARS_MAX: Final = 600
WINDOW_CHARS: Final = 512
"""Where quotations are looked for begins and ends at such steps, so that neighbours share it."""
WINDOWS_MAX: Final = 16
MARKS_MAX: Final = 640
"""Quotation marks of a window that are looked at."""
OVERHANG_CHARS: Final = 8
"""A rule may read on past the closing mark for so many characters."""
AROUND_CHARS: Final = 160
DISCUSSIONS_MAX: Final = 4
DISCUSSED_CHARS_MAX: Final = 32 * 1024
"""Talk of attacks is looked for in the first of a long text."""
# By number: corner brackets, double corner brackets, double angle brackets and their half forms.
_PAIRS: Final = {
    "\u201c": "\u201d", "\u2018": "\u2019", "\u00ab": "\u00bb", "\u300c": "\u300d",
    "\u300e": "\u300f", "\u201e": "\u201c", "\u300a": "\u300b", "\u301d": "\u301e",
    "\u2039": "\u203a", "\uff62": "\uff63",
}  # fmt: skip
_SAME: Final = "\"'`\uff02\uff07"
_MARKS: Final = re.compile(
    "[" + re.escape("".join(_PAIRS) + "".join(_PAIRS.values()) + _SAME) + "]"
)
_OPENING: Final = re.compile(
    f"[{re.escape(''.join(_PAIRS) + _SAME)}]"
    f"(?:(?<=[{re.escape(''.join(_PAIRS))}])|(?<![A-Za-z0-9].)(?!\\s))",
    re.DOTALL,
)
_BETWEEN: Final = re.compile(r"[^{}:\n]{0,12}[^\W\d_][^{}:\n]{0,12}")
_INSETS: Final = (("<!--", "-->"), ("{", "}"))
_KANA: Final = re.compile("[\u3041-\u30fa]")
_FOLDED_MARKS: Final = re.compile("[\"'\u300c\u300e\u300a]")


def quotation(source: str, start: int, end: int) -> tuple[int, int] | None:
    """The quotation in `source` that holds `start` to `end`: from its opening to past its close."""
    first = max(0, start - QUOTED_CHARS_MAX) // WINDOW_CHARS * WINDOW_CHARS
    line = source.rfind("\n\n", first, start)
    first = line + 2 if line >= 0 else first
    last = -(-(end + QUOTED_CHARS_MAX) // WINDOW_CHARS) * WINDOW_CHARS
    before = source[first - 1 : first] if first else ""
    opens, past = None, 0
    for opened, closed in _quotations(before, source[first:last], source[last : last + 1]):
        if first + opened <= start < first + closed:
            if end <= first + closed + OVERHANG_CHARS:
                return first + opened, first + closed
            opens, past = first + opened, first + closed
        elif (
            opens is not None
            and first + opened < end <= first + closed
            and _BETWEEN.fullmatch(source, past, first + opened)
        ):
            return opens, first + closed  # A rule read on into the next quotation.
    return _block_quote(source, start, end) or _inset(source, start, end)


def quotes(source: str, start: int, end: int) -> bool:
    """Whether a quotation may hold a part of `source[start:end]`: one opens there or before."""
    first = max(0, start - QUOTED_CHARS_MAX - WINDOW_CHARS)
    is_opened = _OPENING.search(source, first, end) is not None
    return is_opened or ">" in source or "\uff1e" in source


def marks(source: str, start: int, end: int) -> int:
    """How many quotation marks are in `source[start:end]`: to pair them takes its time."""
    return len(_MARKS.findall(source, start, end))


def discussed(source: str, start: int, end: int) -> bool:
    """Whether the words around `start` to `end` speak of attacks."""
    return any(_has("discusses", text) for text in _around(source, start, end))


def discussions(text: str, language: Language) -> Iterator[tuple[int, int]]:
    """Stretches of a folded text around quotation marks and talk of attacks, the first few."""
    if not _FOLDED_MARKS.search(text):
        return
    discusses = language.words.pattern("discusses")
    for found in islice(discusses.finditer(text, 0, DISCUSSED_CHARS_MAX), DISCUSSIONS_MAX):
        yield max(0, found.start() - AROUND_CHARS), found.end() + AROUND_CHARS


def told(source: str, start: int, end: int) -> bool:
    """Whether the words around `start` to `end` report them, whoever is said to have said so."""
    if discussed(source, start, end):
        return True
    around = tuple(_around(source, start, end))
    return any(_has("reports", text) for text in around) and not any(
        frame.detector is Detector.AUTHORITY
        for text in around
        for language in languages(text)
        for frame in frames(text, 0, len(text), language)
    )


def invented(source: str, start: int, end: int) -> bool:
    """Whether a quotation is a line of a song or story, or of a commit, that names no assistant."""
    around = tuple(_around(source, start, end))
    texts = (*around, fold(source[start:end]).text)
    return (
        any(_has("invents", text) for text in around)
        and not any(_has("machine", text) for text in texts)
        and not discussed(source, start, end)
    )


def _has(pattern: str, text: str) -> bool:
    return any(language.words.pattern(pattern).search(text) for language in _written(text))


def _written(text: str) -> Iterator[Language]:
    """The languages `text` may report in: what has kana is no Chinese, though it shares words."""
    kana = _KANA.search(text) is not None
    return (each for each in languages(text) if each.locale != "zh" or not kana)


def _around(source: str, start: int, end: int) -> Iterator[str]:
    before = source[max(0, start - AROUND_CHARS) : start]
    yield fold(before.rpartition("\n\n")[2]).text
    after = source[end : end + AROUND_CHARS]
    yield fold(after.partition("\n\n")[0]).text


@lru_cache(maxsize=WINDOWS_MAX)
def _quotations(before: str, window: str, after: str) -> tuple[tuple[int, int], ...]:
    """Every quotation that both opens and closes in `window`, the outer ones last.

    `before` and `after` are the characters beside it, if there are any.
    """
    found: list[tuple[int, int]] = []
    closings, opened = "", list[int]()
    source = f"{before or ' '}{window}{after}"
    for mark in islice(_MARKS.finditer(window), MARKS_MAX):
        char, at = mark[0], mark.start()
        beside = source[at], source[at + 2 : at + 3]
        place = closings.find(char)
        if place >= 0 and (char not in _SAME or _closes(*beside)):
            found.append((opened[place], at + 1))
            closings = closings[:place]
            del opened[place:]
        elif char in _PAIRS or (char in _SAME and place < 0 and _opens(*beside)):
            closings += _PAIRS.get(char, char)
            opened.append(at)
    return tuple(found)


def _opens(before: str, after: str) -> bool:
    return not (before.isascii() and before.isalnum()) and not after.isspace()


def _closes(before: str, after: str) -> bool:
    return not before.isspace() and not (after.isascii() and after.isalnum())


def _inset(source: str, start: int, end: int) -> tuple[int, int] | None:
    """A comment or an object in the middle of a line of prose that speaks of attacks."""
    first, last = max(0, start - QUOTED_CHARS_MAX), end + QUOTED_CHARS_MAX
    line = max(first, source.rfind("\n", first, start) + 1)
    for opening, closing in _INSETS:
        opened = source.find(opening, line, start + len(opening))
        closed = source.find(closing, end, last) + len(closing) if opened > line else 0
        if closed >= len(closing) and closed - opened <= QUOTED_CHARS_MAX:
            before = source[line:opened].rstrip()
            if before[-1:].isalpha() or before[-1:] == ":":
                inset = opened, closed
                return inset if discussed(source, *inset) else None
    return None


def _block_quote(source: str, start: int, end: int) -> tuple[int, int] | None:
    line = source.rfind("\n", 0, start) + 1
    if not source.startswith((">", "\uff1e"), line):
        return None
    close = source.find("\n", end)
    return line, len(source) if close < 0 else close
