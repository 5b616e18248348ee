"""Raw dumps alone: stack traces, JSON, markup, log lines and hex dumps with no sentence about them.

Every line must be a machine's. Which lines are is decided by the kind of dump that the first lines
announce; one line that a person may have written, anywhere, and the text is no dump.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Final

from mnemod.domain.folded import fold
from mnemod.domain.gates import noise_words
from mnemod.domain.gates.dump_lines import (
    FRAME,
    HEX,
    HEX_HEAD,
    HTTP,
    HTTP_HEAD,
    LISTING,
    LISTING_HEAD,
    LOG,
    MESSAGE_LINE,
    ROWS,
    ROWS_HEAD,
    STRONG_FRAME,
    STRONG_LINE,
    TABLE_HEAD,
    TABLE_ROW,
    TRACE_HEAD,
)
from mnemod.domain.gates.noise_reason import NoiseReason

_HEAD_CHARS: Final = 2_000
_SAMPLE_CHARS: Final = 16_384
_LINES_MIN: Final = 2
_ROWS_MIN: Final = 8
_TOKEN_CHARS_MIN: Final = 65
"""A digest is no dump: whoever sends one alone means it. The longest that people send has 64."""
_JSON_OPEN: Final = re.compile(r'\s*[\[{]\s*(?:["\[{\]}]|-?\d|true|false|null)')
_TAG_OPEN: Final = re.compile(r"\s*<[?!/a-zA-Z]")
_TAG: Final = re.compile(r"<[/?!]?[A-Za-z][^<>]{0,2000}>|<!--|-->")
_TAGS_MIN: Final = 3
_TOKEN: Final = re.compile(r"\s*+[A-Za-z0-9+/_-]{65,}+={0,2}+\s*+")


def find(text: str) -> NoiseReason | None:
    """DUMP where `text` is a machine's output and nothing else."""
    is_dump = (
        (_JSON_OPEN.match(text) is not None and _is_json(text))
        or (_TAG_OPEN.match(text) is not None and _is_markup(text))
        or _is_lines(text)
        or (len(text) >= _TOKEN_CHARS_MIN and _is_token(text))
    )
    return NoiseReason.DUMP if is_dump else None


def _is_lines(text: str) -> bool:
    head = text[:_HEAD_CHARS].lstrip("\n\r")
    if TRACE_HEAD.match(head):
        shown = MESSAGE_LINE.sub(r"\1", text, count=1)
        return STRONG_FRAME.search(shown) is not None and _all_lines(shown, TRACE_HEAD, FRAME)
    if LOG.match(head):
        return _all_lines(text, LOG, STRONG_LINE)
    if HEX_HEAD.match(head):
        return _all_lines(text, HEX)
    if TABLE_HEAD.match(head):
        rows = text.lstrip("\n\r").partition("\n")[2]
        return rows.count("\n") >= _ROWS_MIN and _all_lines(rows, TABLE_ROW)
    return any(
        first.match(head) and _all_lines(text, line) and not _speaks(text)
        for first, line in ((LISTING_HEAD, LISTING), (HTTP_HEAD, HTTP), (ROWS_HEAD, ROWS))
    )


def _is_json(text: str) -> bool:
    """Whether `text` is JSON, cut off at its end perhaps, that quotes no person."""
    stripped = text.strip()
    if stripped[-1] in "]}":
        try:
            held = json.loads(stripped)
        except (ValueError, RecursionError):
            return _is_json_lines(stripped)
        return bool(held) and not isinstance(held, str) and not _speaks(text)
    return len(text) >= _TOKEN_CHARS_MIN and _looks_like_json(stripped) and not _speaks(text)


def _is_json_lines(text: str) -> bool:
    lines = text.splitlines()
    sample = [line for line in (*lines[:50], *lines[-20:]) if line.strip()]
    if all(_parses(line) for line in sample):
        return not _speaks(text)
    return len(text) >= _TOKEN_CHARS_MIN and _looks_like_json(text) and not _speaks(text)


def _parses(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict | list)
    except (ValueError, RecursionError):
        return False


_JSON_PARTS: Final = re.compile(
    r'"(?:[^"\\\n]++|\\.)*+"?|-?\d[\d.eE+-]{0,30}|true|false|null|[\[\]{}:,\s]{1,400}'
)


def _looks_like_json(text: str) -> bool:
    """Whether `text`, whose end may be missing, has the signs of JSON nearly throughout."""
    covered = 0
    sample = text[:_SAMPLE_CHARS]
    for found in _JSON_PARTS.finditer(sample):
        covered += len(found[0])
    return covered >= 0.9 * len(sample) and sample.count('"') >= 4 and ":" in sample


def _is_markup(text: str) -> bool:
    sample = text[:_SAMPLE_CHARS]
    tags = len(_TAG.findall(sample))
    if tags < _TAGS_MIN or not text.rstrip().endswith((">", "...", "…")):
        return False
    words = _TAG.sub(" ", sample)
    return (
        len("".join(words.split())) < len(sample) / 2 and not _is_prose(words) and not _speaks(text)
    )


def _is_token(text: str) -> bool:
    # One word of letters, digits and signs, without a space: bytes in text, no word of a language.
    found = _TOKEN.fullmatch(text)
    return found is not None and any(map(str.isdigit, text)) and not text.isdigit()


def _all_lines(text: str, *kinds: re.Pattern[str]) -> bool:
    """Whether every line is one of `kinds`. A long dump is read at its head and its end."""
    if len(text) > 2 * _SAMPLE_CHARS:
        lines = text[:_SAMPLE_CHARS].split("\n")[:-1] + text[-_SAMPLE_CHARS:].split("\n")[1:]
    else:
        lines = text.split("\n")
    # A dump is often cut: its last line may stop anywhere.
    *whole, last = [line.rstrip() for line in lines if line.strip()] or [""]
    return all(any(kind.match(line) for kind in kinds) for line in whole) and (
        any(kind.match(last) for kind in kinds) or (len(whole) >= _LINES_MIN and " " not in last)
    )


def _is_prose(words: str) -> bool:
    return _prose().search(fold(words[:_SAMPLE_CHARS]).text) is not None


def _speaks(text: str) -> bool:
    """Whether somebody speaks of himself in the text of a dump: words that may be worth keeping."""
    folded = fold(text[:_SAMPLE_CHARS]).text
    return any(
        noise_words.pattern(locale, "speaks").search(folded) for locale in noise_words.LOCALES
    )


@cache
def _prose() -> re.Pattern[str]:
    return re.compile(
        "[a-z']{2,20} [a-z']{1,20} [a-z']{2,20} [a-z']{1,20} [a-z']{1,20}|"
        "[\u3041-\u30ff\u4e00-\u9fff]{12,}[\u3002\uff0c\u3001,!?]"
    )
