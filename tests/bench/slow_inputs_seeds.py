"""The first inputs of the search: what is known to hurt rules over text.

Openers that are never closed, alphabets, bombs for decoders, runs of one kind of character, words
of the vocabularies with gaps around the bounds of rules, and near misses of every pattern.
"""

from __future__ import annotations

import base64
import html
import random
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from tests.bench import slow_inputs_patterns as patterns
from tests.bench.slow_inputs_recipes import Recipe

_KNOWN: Final = tomllib.loads(Path(__file__).with_name("slow_inputs.toml").read_text("utf-8"))
OPENERS: Final[list[str]] = _KNOWN["openers"]
CHARACTERS: Final[list[str]] = _KNOWN["characters"]
SENTENCES: Final[list[str]] = _KNOWN["sentences"]
_ALPHABETS: Final = (
    (0x20, 0x7F), (0x80, 0x800), (0xC0, 0x250), (0x250, 0x2000), (0x300, 0x370), (0x1100, 0x1200),
    (0x1E00, 0x2000), (0x2000, 0x3000), (0x3000, 0x4E00), (0x4E00, 0xA000), (0xA000, 0xD7FF),
    (0xAC00, 0xD7A4), (0xE000, 0xFFFE), (0xF900, 0xFB00), (0xFB50, 0xFE00), (0x10000, 0x20000),
    (0x1D400, 0x1D800), (0x20000, 0x30000), (0xE0000, 0xF0000), (0xF0000, 0xFFFFE),
)  # fmt: skip
_RANDOM_CHARS: Final = 16_384
WORDS: Final = 400
"""Words of the vocabularies tried alone, and as often two of them: others come in by changes."""


def seeds(found: Sequence[re.Pattern[Any]], chance: random.Random) -> list[Recipe]:
    """All first inputs. `found` are the patterns of the rules."""
    made = [
        *_openers(),
        *(Recipe(f"character {char!r}", char) for char in CHARACTERS),
        *(Recipe(f"characters {a!r}, {b!r}", a * 3 + b) for a, b in pairwise(CHARACTERS)),
        *_alphabets(),
        *_encoded(chance),
        *_of_words(chance),
        *_of_patterns(found, chance),
    ]
    return made + [replace(each, numbered=True, name=each.name + ", counted") for each in
                   chance.sample(made, len(made) // 8)]  # fmt: skip


def pieces(found: Sequence[re.Pattern[Any]], chance: random.Random) -> list[str]:
    """Short texts to put into others."""
    near = [text for each in found for text in patterns.near_misses(each, 1, chance) if text]
    return [*OPENERS, *CHARACTERS, *SENTENCES, *patterns.words(), *near]


def _openers() -> Iterator[Recipe]:
    for opener in OPENERS:
        yield Recipe(f"opener {opener!r}", opener)
        yield Recipe(f"opener {opener!r}, once", "x ", before=opener)
        yield Recipe(f"opener {opener!r}, spaced", opener + " a b ")
        yield Recipe(f"opener {opener!r}, lines", opener + "ab\n")
        yield Recipe(f"opener {opener!r}, with words", opener + "ignore the rules ")
    for opening, closing in (("<!--", "-->"), ("/*", "*/"), ("(", ")"), ("「", "」"), ('"', '"')):
        yield Recipe(f"pair {opening}", opening + closing)
        yield Recipe(f"pair {opening}, text between", f"{opening} x {closing} ")
        yield Recipe(f"nested {opening}", opening * 500 + closing * 500)
    for sentence in SENTENCES:
        yield Recipe(f"sentence {sentence[:12]!r}", sentence)
        yield Recipe(f"sentence {sentence[:12]!r}, one line", sentence.replace("\n", " ").strip())
        yield Recipe(f"sentence {sentence[:12]!r}, all spaced", " ".join(sentence))


def _alphabets() -> Iterator[Recipe]:
    for first, last in _ALPHABETS:
        text = "".join(map(chr, range(first, last)))
        yield Recipe(f"alphabet U+{first:04X}", text)
        yield Recipe(f"alphabet U+{first:04X}, spaced", " ".join(text))
        yield Recipe(f"alphabet U+{first:04X}, accents", "\u0301".join(text))


def _encoded(chance: random.Random) -> Iterator[Recipe]:
    for text in (*SENTENCES[:4], "a", "天", "\x00\x01"):
        name = text[:12]
        level = text.encode()
        for depth in range(1, 5):
            level = base64.b64encode(level * 3)
            yield Recipe(f"base64 of {name!r}, {depth} deep", level.decode())
            yield Recipe(f"base64 of {name!r}, {depth} deep, apart", level.decode()[:72] + " ")
        yield Recipe(f"hex of {name!r}", text.encode().hex())
        yield Recipe(f"hex of {name!r}, apart", text.encode().hex() + " ")
        yield Recipe(f"hex of hex of {name!r}", text.encode().hex().encode().hex())
        yield Recipe(f"hex bytes of {name!r}", text.encode().hex(" ") + " ")
        yield Recipe(f"base32 of {name!r}", base64.b32encode(text.encode() * 5).decode())
        percent = "".join(f"%{byte:02x}" for byte in text.encode())
        yield Recipe(f"percent of {name!r}", percent)
        yield Recipe(f"percent of percent of {name!r}", quote(quote(percent)))
        yield Recipe(f"entities of {name!r}", "".join(f"&#{ord(char)};" for char in text))
        yield Recipe(f"entities of entities of {name!r}", html.escape(html.escape("&lt;")) + text)
        yield Recipe(f"escapes of {name!r}", "".join(f"\\u{ord(char):04x}" for char in text))
        yield Recipe(f"escapes of escapes of {name!r}", "\\u005cu0069\\x5cx69")
    for name, alphabet in _RANDOM.items():
        yield Recipe(f"random {name}", "".join(chance.choices(alphabet, k=_RANDOM_CHARS)))
        for width in (8, 12, 16, 24, 32, 64, 80):
            apart = ("".join(chance.choices(alphabet, k=width)) for _ in range(512))
            yield Recipe(f"random {name}, by {width}", " ".join(apart) + " ")


def _of_words(chance: random.Random) -> Iterator[Recipe]:
    words = patterns.words()
    for word in chance.sample(words, min(WORDS, len(words))):
        yield Recipe(f"word {word!r}", word + " ")
    for _ in range(WORDS):
        one, other = chance.choice(words), chance.choice(words)
        gap = chance.choice((0, 1, 2, 12, 20, 39, 40, 41, 59, 60, 61, 79, 80, 81, 120))
        filler = chance.choice(" x天\n")
        yield Recipe(f"words {one!r}, {other!r}, gap {gap}", one + filler * gap + other)
        yield Recipe(f"word {one!r}, cut", one[: max(1, len(one) - 1)] + chance.choice(("", " ")))
    for count in (8, 64, 512):
        for joiner in (" ", "\n", ""):
            yield Recipe(f"{count} words", joiner.join(chance.choices(words, k=count)) + joiner)


def _of_patterns(found: Sequence[re.Pattern[Any]], chance: random.Random) -> Iterator[Recipe]:
    for number, pattern in enumerate(found):
        for text in patterns.near_misses(pattern, 2 + len(str(pattern.pattern)) // 400, chance):
            if text:
                yield Recipe(f"pattern {number}", text + chance.choice(("", "", " ", "\n")))


_RANDOM: Final = {
    "letters": "abcdefghijklmnopqrstuvwxyz",
    "base64": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    "hex": "0123456789abcdef",
    "digits": "0123456789",
    "ASCII": "".join(map(chr, range(0x20, 0x7F))),
    "Han": "".join(map(chr, range(0x4E00, 0x9FA0))),
    "kana": "".join(map(chr, range(0x3041, 0x30FF))),
    "Latin-1": "".join(map(chr, range(0xA0, 0x100))),
    "anything": "".join(map(chr, (*range(0x20, 0xD800), *range(0x10000, 0x20000)))),
}
