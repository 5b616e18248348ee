"""What a page can hold. Everything passed here is shown as it is: no markup is read in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Tone(StrEnum):
    """How a line or cell is meant. Each says it in words too: colour is never the only sign."""

    PLAIN = ""
    STRONG = "strong"
    FAINT = "faint"
    GOOD = "good"
    WARNING = "warning"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Toned:
    """A cell with a tone."""

    text: str
    tone: Tone


Cell = str | Toned
Span = tuple[int, int]
"""Where words stand in a text: start and end, in code points."""


class Page(Protocol):
    """Somewhere a command shows what it found."""

    def line(self, text: str = "", tone: Tone = Tone.PLAIN) -> None:
        """One line, wrapped if it is too long."""

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
        """Rows under headings. The last column takes what room there is."""

    def facts(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Names and values, one pair a line."""

    def passage(self, text: str, spans: Sequence[Span]) -> None:
        """A whole text with some of its words underlined."""


def text_of(cell: Cell) -> str:
    """What a cell says."""
    return cell if isinstance(cell, str) else cell.text


def tone_of(cell: Cell) -> Tone:
    """How a cell is meant."""
    return Tone.PLAIN if isinstance(cell, str) else cell.tone


def merged(spans: Sequence[Span]) -> list[Span]:
    """The same words as spans in order that do not touch."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
