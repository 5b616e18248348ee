"""Keyboard mash: a word that a hand made on the keys and no language wrote.

Told by the way over the keyboard (runs along a row, one chunk over and over), by letters that
follow each other in no language, and by the lack of any vowel in a long word. The measure of pairs
takes the language in which a pair is most common, so Czech, Welsh, Polish, romaji and pinyin pass.
Words shorter than four letters never count.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from operator import add
from pathlib import Path
from typing import Final

from msgspec import Struct

from mnemod.domain import ready

_SOURCE: Final = Path(__file__).parent / "noise_vocabulary" / "keyboard.toml"
WORD_CHARS_MIN: Final = 4
WORD_CHARS_MAX: Final = 80
_RUN_MIN: Final = 3
_RUN_ACROSS_MIN: Final = 5
_COVERED_BY_RUNS: Final = 0.8
_CHUNK_MAX: Final = 7
_RARE_BY_LENGTH: Final = ((12, 1.0), (10, 1.2), (8, 1.5), (7, 1.75), (6, 2.2))
"""From so many letters on, the mean rarity of pairs that no word of a language has."""
_RARE_IN_A_ROW: Final = 0.8
_RARE_OF_A_ROW: Final = 1.0
_LONG: Final = 9
_RARE_OF_A_LONG_ROW: Final = 0.5
_RARE_WITHOUT_VOWEL: Final = 0.9
_RARE_REPEATED: Final = 0.4
_SIX: Final = 6
_TWO_HANDS_MIN: Final = 8
_TWO_HANDS_RUN: Final = 4
_VOWEL: Final = re.compile("[aeiouy]")
_ROMAN: Final = re.compile("m{0,3}(?:cm|cd|d?c{0,4})(?:xc|xl|l?x{0,4})(?:ix|iv|v?i{0,4})")
_LETTERS: Final = re.compile("[a-z]+")


class _Keyboard(Struct, frozen=True):
    rows: tuple[frozenset[str], ...]
    lines: tuple[str, ...]
    across: tuple[str, ...]
    near: frozenset[str]
    near_across: frozenset[str]
    rarity: dict[str, int]


def is_mash(word: str) -> bool:
    """Whether `word`, lower-case Latin letters and digits, came from a hand on the keyboard."""
    if not WORD_CHARS_MIN <= len(word) <= WORD_CHARS_MAX:
        return False
    pairs = list(map(add, word, word[1:]))
    if _runs(word, pairs) or (len(word) >= _TWO_HANDS_MIN and _runs_of_two_hands(word)):
        return True
    if len(word) < _SIX or _LETTERS.fullmatch(word) is None or _ROMAN.fullmatch(word):
        return False
    rarity = _rarity(pairs)
    if rarity < _RARE_REPEATED:  # nearly every word
        return (_VOWEL.search(word) is None and _repeats(word, 2)) or (
            _is_in_a_row(word) and _repeats_a_run(word)
        )
    return (
        any(len(word) >= length and rarity >= rare for length, rare in _RARE_BY_LENGTH)
        or (_VOWEL.search(word) is None and (rarity >= _RARE_WITHOUT_VOWEL or _repeats(word, 2)))
        or (_is_in_a_row(word) and _repeats_a_run(word))
        or (len(word) > _SIX and rarity >= _RARE_OF_A_ROW and _is_in_a_row(word))
        or (len(word) >= _LONG and rarity >= _RARE_OF_A_LONG_ROW and _is_below(word))
        or (len(word) > _SIX and rarity >= _RARE_REPEATED and _repeats(word, 4))
    )


def is_short_run(word: str) -> bool:
    """Whether three letters lie side by side: mash beside mash, by itself a word or initials."""
    return len(word) == _RUN_MIN and any(word in line for line in _keyboard().lines)


def _runs(word: str, pairs: list[str]) -> bool:
    """Whether the word is made of runs along the keys, in either direction."""
    if len(set(word)) < WORD_CHARS_MIN or word.isdigit():
        return False
    keyboard = _keyboard()
    along = sum(map(keyboard.near.__contains__, pairs))
    across = sum(map(keyboard.near_across.__contains__, pairs))
    if 2 * along < len(pairs) and across < _COVERED_BY_RUNS * len(pairs):
        return False  # nearly every word
    found, at = [], 0
    while at < len(word):
        length = _run_at(word, at)
        if length >= _RUN_MIN:
            found.append(length)
        at += length if length >= _RUN_MIN else 1
    if sum(found) < _COVERED_BY_RUNS * len(word):
        return False
    # "werte" is German: a run that does not fill the word tells nothing where its pairs are common.
    whole = found == [len(word)] or sum(length > _RUN_MIN for length in found) > 1
    return whole or not word.isalpha() or _rarity(pairs) >= _RARE_IN_A_ROW


def _runs_of_two_hands(word: str) -> bool:
    """Whether two fingers took turns, each along a row: "qpwoeiruty"."""
    odd, even = word[::2], word[1::2]
    return (
        _run_at(odd, 0) >= min(len(odd), _TWO_HANDS_RUN)
        and len(set(word)) > len(word) / 2
        and _run_at(even, 0) >= min(len(even), _TWO_HANDS_RUN)
    )


def _run_at(word: str, at: int) -> int:
    keyboard, pair = _keyboard(), word[at : at + 2]
    if pair not in keyboard.near and pair not in keyboard.near_across:
        return 1
    along = max(_along(word, at, line) for line in keyboard.lines)
    across = max(_along(word, at, line) for line in keyboard.across)
    return max(along, across if across >= _RUN_ACROSS_MIN else 0)


def _along(word: str, at: int, line: str) -> int:
    place = line.find(word[at])
    length = 0 if place < 0 else 1
    while 0 < length < len(line) - place and word.startswith(line[place : place + length + 1], at):
        length += 1
    return length


def _repeats(word: str, chunk_min: int) -> bool:
    """Whether one chunk of letters makes up the word, said twice at least."""
    return any(
        word[size:] == word[:-size]
        for size in range(chunk_min, min(_CHUNK_MAX, len(word) // 2) + 1)
    )


def _repeats_a_run(word: str) -> bool:
    chunk = next((size for size in (3, 4, 5) if word[size:] == word[:-size]), 0)
    return chunk > 0 and _run_at(word, 0) >= chunk


def _is_in_a_row(word: str) -> bool:
    return any(row.issuperset(word) for row in _keyboard().rows)


def _is_below(word: str) -> bool:
    # The upper row has the vowels: "typewriter" is written on it.
    return any(row.issuperset(word) for row in _keyboard().rows[-2:])


def _rarity(pairs: list[str]) -> float:
    """The mean rarity of pairs of letters, 0 to 6."""
    return sum(map(_keyboard().rarity.__getitem__, pairs)) / len(pairs)


@cache
def _keyboard() -> _Keyboard:
    data = ready.tables(_SOURCE)
    rows, across = data["rows"], data["across"]
    lines = (*rows, *data["other_rows"])
    lines = (*lines, *(row[::-1] for row in lines))
    across = (*across, *(way[::-1] for way in across))
    return _Keyboard(
        rows=tuple(frozenset(row) for row in rows),
        lines=lines,
        across=across,
        near=frozenset(a + b for line in lines for a, b in pairwise(line)),
        near_across=frozenset(a + b for line in across for a, b in pairwise(line)),
        rarity={
            chr(97 + first) + chr(97 + second): int(rare)
            for first, row in enumerate(data["after"])
            for second, rare in enumerate(row)
        },
    )
