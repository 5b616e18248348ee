"""A page drawn with `rich`, for a person at a terminal.

Only the terminal's own colours are used, and none that is unreadable on white or on black.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mnemod.commands.terminal.page import Cell, Span, Tone, Toned, merged, text_of, tone_of
from mnemod.commands.terminal.words import visible, visible_lines, width

_STYLES: Final[Mapping[Tone, str]] = {
    Tone.PLAIN: "",
    Tone.STRONG: "bold",
    Tone.FAINT: "dim",
    Tone.GOOD: "green",
    Tone.WARNING: "yellow",
    Tone.BAD: "bold red",
}
_GAP: Final = 3
_ROOM_FOR_WORDS: Final = 32
"""Columns. Less breaks every id, and a sentence every few words."""
_MARKED: Final = "bold underline"


class DrawnPage:
    """The terminal on standard output."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(highlight=False)

    def line(self, text: str = "", tone: Tone = Tone.PLAIN) -> None:
        """A line in its tone."""
        self._console.print(Text(visible_lines(text), style=_STYLES[tone]))

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
        """Short columns keep their width; the last one wraps, or goes below where room is short."""
        if self._is_too_narrow(columns, rows):
            self._stacked(columns, rows)
            return
        table = Table(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False, expand=False)
        for name in columns[:-1]:
            table.add_column(name, no_wrap=True)
        table.add_column(columns[-1], overflow="fold")
        for row in rows:
            table.add_row(*map(_drawn, row))
        self._console.print(table)

    def _is_too_narrow(self, columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> bool:
        """Whether the last column would be a thin strip of broken words."""
        lines = [line for row in rows for line in text_of(row[-1]).split("\n")]
        wanted = max(map(width, lines), default=0)
        room = self._console.width - sum(w + _GAP for w in _widths(columns, rows))
        return room < min(wanted, _ROOM_FOR_WORDS)

    def _stacked(self, columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
        """Each row's short cells in a line of their own, and its last cell indented below."""
        widths = _widths(columns, rows)
        self._console.print(_in_line([Toned(name, Tone.STRONG) for name in columns[:-1]], widths))
        for row in rows:
            self._console.print(_in_line(row[:-1], widths))
            self._console.print(Padding(_drawn(row[-1]), (0, 0, 0, 4)))

    def facts(self, pairs: Sequence[tuple[str, str]]) -> None:
        """A grid with faint names."""
        grid = Table.grid(padding=(0, 2))
        grid.add_column(style="dim", no_wrap=True)
        grid.add_column(overflow="fold")
        for name, value in pairs:
            grid.add_row(name, Text(visible(value)))
        self._console.print(Padding(grid, (0, 0, 0, 1)))

    def passage(self, text: str, spans: Sequence[Span]) -> None:
        """The words underlined where they stand."""
        self._console.print(Padding(marked(text, spans), (0, 0, 0, 2)))


def marked(text: str, spans: Sequence[Span], style: str = _MARKED) -> Text:
    """`text` fit to show, with these words of it in `style`."""
    shown = Text()
    at = 0
    for start, end in merged(spans):
        shown.append(visible_lines(text[at:start]))
        shown.append(visible_lines(text[start:end]), style=style)
        at = end
    return shown.append(visible_lines(text[at:]))


def _widths(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> list[int]:
    """How wide each column but the last is."""
    cells = zip(columns, *rows, strict=True)
    return [max(width(visible(text_of(cell))) for cell in column) for column in cells][:-1]


def _in_line(cells: Sequence[Cell], widths: Sequence[int]) -> Text:
    line = Text()
    for cell, room in zip(cells, widths, strict=True):
        line.append_text(_drawn(cell))
        line.append(" " * (room - width(visible(text_of(cell))) + _GAP))
    line.rstrip()
    return line


def _drawn(cell: Cell) -> Text:
    first, *rest = (visible(part) for part in text_of(cell).split("\n"))
    text = Text(first, style=_STYLES[tone_of(cell)])
    for part in rest:
        text.append("\n" + part, style="dim")
    return text
