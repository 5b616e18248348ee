"""A glance at a long text that says where to read first: where an order is likeliest to stand.

An order has a word that a strong rule begins with, and beside it those that the rule needs; in a
text about something else such words are rare. So a word weighs 1 / the number of blocks it is in.
First each block has the sum of the words that begin a rule, times that of those a rule needs; in
the best of them the words of each rule are then looked for side by side. Chinese and Japanese words
are known by their first two characters, and have the first sum alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Final, TypeVar

from msgspec import Struct

from mnemod.domain.gates.cues import PREFIX, latin_words
from mnemod.domain.gates.directive_rules import language
from mnemod.domain.vocabulary import LOCALES

_Word = TypeVar("_Word", bytes, int)
STRONG: Final = 2
WORDS_MAX: Final = 160
"""Words of a block of 512 characters; what has more is no prose."""
SHORTLIST: Final = 32
"""Blocks that are looked at again."""
RARE: Final = 0.1
"""A rule is looked for where its first word is in no more than ten blocks."""
BESIDE: Final = 20
"""Words after the first of a rule in which the others are looked for."""
EAST_ENOUGH: Final = 3.0
_ASCII: Final = bytes(range(128))
_ONLY_LETTERS: Final = bytes(
    code if chr(code).isalpha() and code < 128 else 32 for code in range(256)
)


class Glance(Struct, frozen=True):
    """Of each block: how many words it has of rules, and then the blocks, the likeliest first."""

    known: list[int]
    order: list[int]


def glance(blocks: Sequence[str]) -> Glance:
    """At blocks of a folded text."""
    strong = _strong()
    split = [_letters(block).split(None, WORDS_MAX)[:WORDS_MAX] for block in blocks]
    # A word is cut off once, however many blocks it is in.
    words = [(word, word[:PREFIX]) for word in set().union(*split)]
    begins = frozenset(word for word, start in words if start in strong.begins)
    known = begins.union([word for word, start in words if start in strong.needs])
    found = [known.intersection(each) for each in split]
    rare = _rarity(found)
    east = _east(blocks)
    weights = [
        _weight(each, begins, rare) + eastern for each, eastern in zip(found, east, strict=True)
    ]
    order = sorted(range(len(blocks)), key=lambda at: -weights[at])
    closer = {at: max(east[at], _side_by_side(split[at], rare)) for at in order[:SHORTLIST]}
    order[:SHORTLIST] = sorted(closer, key=lambda at: -closer[at])
    return Glance([len(each) for each in found], order)


class _Strong(Struct, frozen=True):
    """By the first letters of a word: the rules it begins and the lists it is in."""

    begins: Mapping[bytes, tuple[int, ...]]
    needs: Mapping[bytes, tuple[str, ...]]
    rules: tuple[tuple[str, ...], ...]
    roots: tuple[float, ...]
    east: frozenset[int]


def _rarity(blocks: Iterable[frozenset[_Word]]) -> dict[_Word, float]:
    return {word: 1 / count for word, count in Counter(chain.from_iterable(blocks)).items()}


def _weight(
    found: frozenset[bytes], begins: frozenset[bytes], rare: Mapping[bytes, float]
) -> float:
    weight = sum(map(rare.__getitem__, found & begins))
    return weight * sum(map(rare.__getitem__, found)) if weight else 0.0


def _side_by_side(block: Sequence[bytes], rare: Mapping[bytes, float]) -> float:
    """Of the rule that fits best, the mean rarity of its words."""
    strong, best = _strong(), 0.0
    words = [(rare[word], word[:PREFIX]) for word in block if word in rare]
    for place, (weight, start) in enumerate(words):
        rules = strong.begins.get(start)
        if not rules or weight < RARE:
            continue
        beside: dict[str, float] = {}
        for other, following in words[place : place + BESIDE]:
            for name in strong.needs.get(following, ()):
                beside[name] = max(other, beside.get(name, 0.0))
        for rule in rules:
            fits = weight
            for name in strong.rules[rule]:
                fits *= beside.get(name, 0.0)
            best = max(best, fits ** strong.roots[rule])
    return best


def _east(blocks: Sequence[str]) -> list[float]:
    """Of each block, how rare its Chinese and Japanese words of strong rules are; 1 at most."""
    east, none = _strong().east, frozenset[int]()
    found = [
        none if block.isascii() else none.union(*map(east.intersection, _pairs(_foreign(block))))
        for block in blocks
    ]
    rare = _rarity(found)
    return [min(1.0, sum(map(rare.__getitem__, pairs)) / EAST_ENOUGH) for pairs in found]


def _letters(block: str) -> bytes:
    return block.encode("ascii", "replace").translate(_ONLY_LETTERS)


def _foreign(block: str) -> str:
    """What of `block` is no ASCII."""
    rest = block.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    return rest.decode("utf-8", "surrogatepass")


def _pairs(text: str) -> tuple[Iterable[int], Iterable[int]]:
    """Every two neighbours in `text` as a number: those at even places, and at odd ones."""
    data = memoryview(text.encode("utf-32-le", "surrogatepass"))
    size = len(data) // 8 * 8
    return data[:size].cast("Q"), data[4 : 4 + (len(data) - 4) // 8 * 8].cast("Q") if data else ()


@cache
def _strong() -> _Strong:
    known = language("en")
    rules = [rule for rule in known.rules if rule.weight >= STRONG]
    begins: dict[bytes, set[int]] = {}
    needs: dict[bytes, set[str]] = {}
    for number, rule in enumerate(rules):
        for word in rule.begins:
            begins.setdefault(latin_words(word)[0][:PREFIX], set()).add(number)
        for name in rule.needs:
            for word in known.words.words[name]:
                needs.setdefault(max(latin_words(word), key=len)[:PREFIX], set()).add(name)
    return _Strong(
        {start: tuple(sorted(numbers)) for start, numbers in begins.items()},
        {start: tuple(sorted(names)) for start, names in needs.items()},
        tuple(rule.needs for rule in rules),
        tuple(1 / (1 + len(rule.needs)) for rule in rules),
        frozenset(chain.from_iterable(_pairs(word[:2])[0] for word in _eastern_words())),
    )


def _eastern_words() -> Iterator[str]:
    for locale in LOCALES[1:]:
        known = language(locale)
        for rule in known.rules:
            if rule.weight >= STRONG:
                for name in rule.needs:
                    yield from known.words.words[name]
