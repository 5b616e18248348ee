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

from mnemod.commands.terminal.page import Cell, Span, Tone, merged, text_of, tone_of
from mnemod.commands.terminal.words import visible, visible_lines

_STYLES: Final[Mapping[Tone, str]] = {
    Tone.PLAIN: "",
    Tone.STRONG: "bold",
    Tone.FAINT: "dim",
    Tone.GOOD: "green",
    Tone.WARNING: "yellow",
    Tone.BAD: "bold red",
}
_MARKED: Final = "bold underline"


class DrawnPage:
    """The terminal on standard output."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(highlight=False)

    def line(self, text: str = "", tone: Tone = Tone.PLAIN) -> None:
        """A line in its tone."""
        self._console.print(Text(visible_lines(text), style=_STYLES[tone]))

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
        """Short columns keep their width; the last one wraps."""
        table = Table(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False, expand=False)
        for name in columns[:-1]:
            table.add_column(name, no_wrap=True)
        table.add_column(columns[-1], overflow="fold")
        for row in rows:
            table.add_row(*map(_drawn, row))
        self._console.print(table)

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


def _drawn(cell: Cell) -> Text:
    first, *rest = (visible(part) for part in text_of(cell).split("\n"))
    text = Text(first, style=_STYLES[tone_of(cell)])
    for part in rest:
        text.append("\n" + part, style="dim")
    return text
