"""Near misses made from the rules themselves: what their patterns almost match.

Every pattern the rules have compiled is found in this process, taken apart and turned into texts
that match it, that stop short of it, and that have gaps at and just past its bounds. So a rule
written tomorrow is attacked tomorrow, and no list of words is kept here. The words of the
vocabularies come from their TOML files.
"""

from __future__ import annotations

import gc
import random
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, Final

import mnemod.domain

_REPEATS: Final = {ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT}
_FILLERS: Final = "x a1.,-_\n\"'<(天のア—é=/"
_CLASSES: Final = {
    ops.CATEGORY_DIGIT: "0123456789",
    ops.CATEGORY_NOT_DIGIT: "xa天の .",
    ops.CATEGORY_SPACE: " \n\t",
    ops.CATEGORY_NOT_SPACE: "xa1天の.",
    ops.CATEGORY_WORD: "xaz1_天の",
    ops.CATEGORY_NOT_WORD: " .,-\n、",
}
_WORD_MAX: Final = 80
_COUNT_MAX: Final = 300


def compiled() -> list[re.Pattern[Any]]:
    """Every pattern alive in this process, one of each source, in a stable order."""
    alive = (each for each in gc.get_objects() if isinstance(each, re.Pattern))
    unique = {(str(each.pattern), each.flags): each for each in alive}
    return [unique[key] for key in sorted(unique)]


def words(folders: Iterable[str] = ("gates", "normalise", "recall_vocabulary")) -> list[str]:
    """Every short plain string of the TOML files below these folders of the domain."""
    root = Path(mnemod.domain.__file__).parent
    found: dict[str, None] = {}
    for folder in folders:
        for path in sorted((root / folder).rglob("*.toml")):
            for text in _strings(tomllib.loads(path.read_text("utf-8"))):
                if len(text) <= _WORD_MAX and not _looks_like_a_pattern(text):
                    found[text] = None
    return list(found)


def near_misses(pattern: re.Pattern[Any], count: int, chance: random.Random) -> Iterator[str]:
    """`count` texts that `pattern` matches or nearly does, whole and cut short."""
    source = pattern.pattern
    flags = pattern.flags & ~re.DEBUG
    parsed = _parser.parse(source, flags)
    for _ in range(count):
        made = _sampled(parsed, chance)
        yield made
        if len(made) > 2:
            yield made[: chance.randint(1, len(made) - 1)]
            yield made[:-1]
        head = _sampled(list(parsed)[: chance.randint(1, max(1, len(parsed)))], chance)
        yield head + chance.choice(_FILLERS) * chance.choice((1, 2, 12, 40, 41, 80, 120))


def _strings(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        yield from (key for key in data if isinstance(key, str) and not key.isascii())
        for each in data.values():
            yield from _strings(each)
    elif isinstance(data, list):
        for each in data:
            yield from _strings(each)


def _looks_like_a_pattern(text: str) -> bool:
    return any(mark in text for mark in ("(?", "\\", "@", "[", "{", "|"))


def _sampled(parsed: Sequence[Any] | Any, chance: random.Random, depth: int = 0) -> str:
    made: list[str] = []
    for operator, argument in parsed:
        made.append(_piece(operator, argument, chance, depth))
        if sum(map(len, made)) > 2_000:
            break
    return "".join(made)


def _piece(operator: Any, argument: Any, chance: random.Random, depth: int) -> str:
    if operator is ops.LITERAL:
        return _character(argument)
    if operator is ops.NOT_LITERAL:
        return chance.choice([each for each in _FILLERS if ord(each) != argument])
    if operator is ops.ANY:
        return chance.choice(_FILLERS)
    if operator is ops.IN:
        return _member(argument, chance)
    if operator is ops.BRANCH:
        return _sampled(chance.choice(argument[1]), chance, depth + 1)
    if operator is ops.SUBPATTERN:
        return _sampled(argument[3], chance, depth + 1)
    if operator is ops.ATOMIC_GROUP:
        return _sampled(argument, chance, depth + 1)
    if operator in _REPEATS:
        least, most, repeated = argument
        times = _times(int(least), int(most), chance, depth)
        if len(repeated) == 1 and times > 4:
            return _sampled(repeated, chance, depth + 1) * times
        return "".join(_sampled(repeated, chance, depth + 1) for _ in range(times))
    if operator is ops.ASSERT and chance.random() < 0.3:
        return _sampled(argument[1], chance, depth + 1)
    return ""


def _times(least: int, most: int, chance: random.Random, depth: int) -> int:
    most = min(most, _COUNT_MAX)
    options = [least, min(least + 1, most), min(most, 3), max(0, least - 1)]
    if depth < 4:
        options += [most, most + 1, min(most, 40)]
    return chance.choice(options)


def _member(choices: Sequence[Any], chance: random.Random) -> str:
    if choices[0][0] is ops.NEGATE:
        kept = [each for each in _FILLERS if not _holds(choices[1:], ord(each))]
        return chance.choice(kept or ["\u2603"])
    operator, argument = chance.choice(choices)
    if operator is ops.RANGE:
        low, high = argument
        return _character(chance.choice((low, high, chance.randint(low, high))))
    if operator is ops.CATEGORY:
        return chance.choice(_CLASSES.get(argument, "x"))
    return _character(argument)


def _holds(choices: Sequence[Any], code: int) -> bool:
    for operator, argument in choices:
        if operator is ops.LITERAL and argument == code:
            return True
        if operator is ops.RANGE and argument[0] <= code <= argument[1]:
            return True
        if operator is ops.CATEGORY and chr(code) in _CLASSES.get(argument, ""):
            return True
    return False


def _character(code: int) -> str:
    return chr(code) if not 0xD800 <= code < 0xE000 else "\ufffd"
