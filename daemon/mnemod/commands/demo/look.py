"""What the demo looks like: 80 columns, on white and on black, and without any colour at all.

Colours are the terminal's own. Where there are none, highlighted words stand in brackets, so that
nothing is said by colour alone.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Final

from rich import box
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from mnemod.commands.demo.claims import Claims
from mnemod.commands.terminal.page import Span, merged
from mnemod.commands.terminal.words import visible

WIDTH: Final = 80
MARK: Final = "bold green"
_ACCENT: Final = "bold cyan"
_INDENT: Final = (0, 0, 0, 3)
_GAP: Final = 2
"""Between columns. A drawn table brings one column of it itself."""


class Look:
    """Draws the scenes and keeps the claims."""

    def __init__(self, console: Console, *, plain: bool, pause_s: float) -> None:
        self._console = console
        self._plain = plain
        self._pause_s = pause_s
        self.claims = Claims()

    def title(self, name: str, below: str) -> None:
        """The first thing seen."""
        text = Text.assemble((name, _ACCENT), "\n", (below, "dim"), justify="center")
        self._console.print(Panel(text, box=self._box(box.ROUNDED), border_style="cyan"))

    def scene(self, number: int, name: str, below: str) -> None:
        """A heading, after a moment to read what came before it."""
        time.sleep(self._pause_s)
        self._console.print()
        heading = Text.assemble((f" {number} ", "reverse bold cyan"), " ", (name, "bold"))
        characters = "-" if self._plain else "─"
        self._console.print(Rule(heading, align="left", style="dim", characters=characters))
        self.note(below)
        self._console.print()

    def note(self, text: str) -> None:
        """A faint sentence."""
        self._console.print(Padding(Text(visible(text), style="dim"), _INDENT))

    def gap(self) -> None:
        """An empty line."""
        self._console.print()

    def show(self, what: RenderableType) -> None:
        """Anything, set in."""
        self._console.print(Padding(what, _INDENT))

    def grid(self, rows: Iterable[Sequence[Text | str]], styles: Sequence[str]) -> None:
        """Columns without lines; the last one wraps."""
        grid = Table.grid(padding=(0, 2))
        for style in styles[:-1]:
            grid.add_column(style=style, no_wrap=True)
        grid.add_column(style=styles[-1], overflow="fold")
        for row in rows:
            grid.add_row(*(_text(cell) for cell in row))
        self.show(grid)

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[Text | str]]) -> None:
        """Columns under headings, one line a row; a last cell that is too long is cut."""
        table = Table(
            box=None if self._plain else box.SIMPLE_HEAD,
            header_style="bold",
            show_edge=False,
            pad_edge=False,
            padding=(0, _GAP if self._plain else _GAP - 1, 0, 0),
        )
        drawn = [[_text(cell) for cell in row] for row in rows]
        left = self._console.width - _INDENT[3]
        for place, name in enumerate(columns):
            needed = max(cell.cell_len for cell in [Text(name), *(row[place] for row in drawn)])
            width = min(needed, left)
            left -= width + _GAP
            table.add_column(name, no_wrap=True, overflow="ellipsis", width=width)
        for row in drawn:
            table.add_row(*row)
        self.show(table)
        self.gap()

    def claim(self, sentence: str, holds: bool) -> None:
        """A sentence with a tick, or with a cross and no mercy."""
        claim = self.claims.add(sentence, holds)
        mark, style = ("✓", "bold green") if claim.holds else ("✗ NOT TRUE:", "bold red")
        line = Table.grid(padding=(0, 1))
        line.add_row(Text(mark, style=style), Text(visible(sentence), style="" if holds else "red"))
        self._console.print(Padding(line, (0, 0, 0, 1)))

    def marked(self, text: str, spans: Sequence[Span], room: int) -> Text:
        """`text` with these words highlighted; what is around them is cut to fit `room` columns."""
        start, end = spans[0][0], spans[-1][1]
        before, after = visible(text[:start]), visible(text[end:])
        words = self._words(text, spans)
        left = max(0, room - words.cell_len)
        tail = _cut_end(after, max(left // 2, left - cell_len(before)))
        head = _cut_start(before, left - cell_len(tail))
        return Text.assemble((head, "dim"), words, (tail, "dim"))

    def ended(self, below: Sequence[tuple[str, str]], seconds: float) -> None:
        """The verdict and what to do next."""
        broken = len(self.claims.broken)
        count = len(self.claims.made)
        verdict = (
            Text(f"{broken} of {count} claims did not hold", style="bold red")
            if broken
            else Text(f"All {count} claims held", style="bold green")
        )
        verdict.append(f" in {seconds:.1f} s.", style="dim")
        grid = Table.grid(padding=(0, 2))
        for command, what in below:
            grid.add_row(Text(command, style=_ACCENT), Text(what))
        self.gap()
        style = "red" if broken else "green"
        content = Table.grid()
        content.add_row(verdict)
        content.add_row("")
        content.add_row(grid)
        self._console.print(Panel(content, box=self._box(box.ROUNDED), border_style=style))

    def _words(self, text: str, spans: Sequence[Span]) -> Text:
        found = Text()
        at = spans[0][0]
        for start, end in merged(spans):
            found.append(visible(text[at:start]), style="dim")
            words = visible(text[start:end])
            found.append(f"[{words}]" if self._plain else words, style=MARK)
            at = end
        return found

    def _box(self, drawn: box.Box) -> box.Box:
        return box.ASCII if self._plain else drawn


def _text(cell: Text | str) -> Text:
    return Text(visible(cell)) if isinstance(cell, str) else cell


def _cut_end(text: str, room: int) -> str:
    if cell_len(text) <= room:
        return text
    while text and cell_len(text) >= room:
        text = text[:-1]
    return f"{text}…"


def _cut_start(text: str, room: int) -> str:
    if cell_len(text) <= room:
        return text
    while text and cell_len(text) >= room:
        text = text[1:]
    return f"…{text}"
