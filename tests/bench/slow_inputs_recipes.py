"""How a slow input is made: a recipe, short enough to print, and the steps that change one.

A recipe is text before, a period repeated until the size is reached, and text after. `numbered`
puts the number of each copy behind it, so that no two are equal and no cache helps. The same
recipe gives the same text at every size.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

PERIOD_MAX: Final = 4_096
"""Characters a changed period may have. A seed's may be longer: an alphabet is one."""
SHOWN_CHARS: Final = 48
GAPS: Final = (1, 2, 3, 7, 8, 12, 15, 16, 19, 20, 23, 24, 29, 30, 31, 39, 40, 41, 47, 48, 59, 60)
LONG_GAPS: Final = (63, 64, 79, 80, 81, 99, 100, 119, 120, 121, 127, 128, 199, 200, 255, 256, 400)
FILLERS: Final = ("x", " ", "\n", "a ", "天", "の", "1", ".", "\u200b", "A", "é")
WRAPPERS: Final = (
    ("<!--", "-->"), ("(", ")"), ("[", "]"), ("{", "}"), ('"', '"'), ("'", "'"), ("`", "`"),
    ("“", "”"), ("「", "」"), ("『", "』"), ("《", "》"), ("/*", "*/"), ("<", ">"), ("&", ";"),
    ("[//]: # (", ")"), ("{{", "}}"), ("%", ""), ("\n", "\n"), (" ", " "), ("```\n", "\n```"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Recipe:
    """`name` is the seed it comes from; `changes` how often it was changed since."""

    name: str
    period: str
    before: str = ""
    after: str = ""
    numbered: bool = False
    changes: int = 0

    def text(self, size: int) -> str:
        """The input of at most `size` bytes in UTF-8, cut at a character."""
        room = size - len(self.before.encode()) - len(self.after.encode())
        if room <= 0 or not self.period:
            return _cut(self.before + self.period + self.after, size)
        return self.before + _cut(self._repeated(room), room) + self.after

    def _repeated(self, room: int) -> str:
        copies = room // len(self.period.encode()) + 1
        if not self.numbered:
            return self.period * copies
        return "".join(f"{self.period}{number}" for number in range(copies))

    def described(self) -> str:
        """The recipe in a line. A long period is known by its seed's name."""
        parts = [f"{self.name}"]
        if self.changes:
            parts.append(f"after {self.changes} changes")
        if self.before:
            parts.append(f"before {_shown(self.before)}")
        parts.append(f"period {_shown(self.period)}")
        if self.numbered:
            parts.append("numbered")
        if self.after:
            parts.append(f"after {_shown(self.after)}")
        return ", ".join(parts)


def changed(recipe: Recipe, others: Sequence[Recipe], pieces: Sequence[str],
            chance: random.Random) -> Recipe:  # fmt: skip
    """`recipe` with one to three changes; `pieces` are texts to put in."""
    made = recipe
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        made = _one_change(made, others, pieces, chance)
    period = made.period[:PERIOD_MAX] if made.period != recipe.period else made.period
    return replace(made, period=period or "x", changes=recipe.changes + 1)


def _one_change(recipe: Recipe, others: Sequence[Recipe], pieces: Sequence[str],
                chance: random.Random) -> Recipe:  # fmt: skip
    period = recipe.period[:PERIOD_MAX]
    other = chance.choice(others)
    piece = chance.choice(pieces)
    left, right = sorted((chance.randint(0, len(period)), chance.randint(0, len(period))))
    change = chance.choice(
        (
            partial(replace, period=period[:left] + piece + period[left:]),
            partial(replace, period=period[:left] + piece + period[right:]),
            partial(replace, period=period[:left] + period[right:]),
            partial(replace, period=period[:right] + period[left:]),
            partial(replace, period=period[left:right] or piece),
            partial(replace, period=period[:left] + _filler(chance) + period[left:]),
            partial(replace, period=period[:left] + other.period[:256] + period[right:]),
            partial(replace, period=period + chance.choice(("", " ", "\n", ", ")) + piece),
            partial(replace, period=_wrapped(period, chance)),
            partial(replace, period=_respelt(period, chance)),
            partial(replace, before=chance.choice((piece, other.before, other.period[:256], ""))),
            partial(replace, after=chance.choice((piece, other.after, other.period[:256], ""))),
            partial(replace, numbered=not recipe.numbered),
        )
    )
    return change(recipe)


def _filler(chance: random.Random) -> str:
    length = chance.choice(GAPS + LONG_GAPS)
    return chance.choice(FILLERS) * length


def _wrapped(period: str, chance: random.Random) -> str:
    opening, closing = chance.choice(WRAPPERS)
    return chance.choice((opening + period + closing, opening + period, period + closing))


def _respelt(period: str, chance: random.Random) -> str:
    return chance.choice(
        (
            period.upper(),
            period.title(),
            period[::-1],
            period.replace(" ", "\n"),
            period.replace(" ", ""),
            " ".join(period),
            "\u200b".join(period),
            period.translate(_WIDE),
            period.translate(_ALIKE),
        )
    )


def _cut(text: str, size: int) -> str:
    return text.encode()[:size].decode(errors="ignore")


def _shown(text: str) -> str:
    cut = text if len(text) <= SHOWN_CHARS else text[: SHOWN_CHARS // 2]
    shown = repr(cut) if cut.isprintable() else ascii(cut)
    return shown if cut == text else f"{shown}... of {len(text)} characters"


_WIDE: Final = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
_ALIKE: Final = str.maketrans("aeiopcxyABEKMHOPCTX", "аеіорсхуАВЕКМНОРСТХ")
