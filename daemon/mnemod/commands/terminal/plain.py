"""A page of plain text, for pipes, files and logs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final, TextIO

from mnemod.commands.terminal.page import Cell, Span, Tone, merged, text_of
from mnemod.commands.terminal.words import visible, visible_lines, width

_GAP: Final = "  "


class PlainPage:
    """Columns are lined up and nothing is wrapped: a line is a row, for whoever searches it."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def line(self, text: str = "", tone: Tone = Tone.PLAIN) -> None:
        """The tone does not show: the words say it."""
        del tone
        self._out.write(visible_lines(text) + "\n")

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
        """A cell of several lines takes several lines; no cell is cut."""
        lines = [list(columns), *(line for row in rows for line in _lines(row))]
        widths = [max(map(width, column)) for column in zip(*lines, strict=True)]
        for line in lines:
            cells = (cell + " " * (w - width(cell)) for cell, w in zip(line, widths, strict=True))
            self._out.write(_GAP.join(cells).rstrip() + "\n")

    def facts(self, pairs: Sequence[tuple[str, str]]) -> None:
        """`name  value`, the values lined up."""
        room = max(width(name) for name, _ in pairs)
        for name, value in pairs:
            self._out.write(f"{name:<{room}}{_GAP}{visible(value)}\n")

    def passage(self, text: str, spans: Sequence[Span]) -> None:
        """Each line of the text, and under it a line that marks the words."""
        marked = [False] * len(text)
        for start, end in merged(spans):
            marked[start:end] = [True] * (end - start)
        begin = 0
        for line in text.split("\n"):
            self._passage_line(line, marked[begin : begin + len(line)])
            begin += len(line) + 1

    def _passage_line(self, line: str, marked: Sequence[bool]) -> None:
        shown = [visible(char) for char in line]
        under = ("^" if mark else " " for mark in marked)
        marks = "".join(mark * width(char) for char, mark in zip(shown, under, strict=True))
        for text in ("".join(shown), marks.rstrip()):
            if text:
                self._out.write(f"{_GAP}{text}\n")


def _lines(row: Sequence[Cell]) -> Iterator[list[str]]:
    parts = [[visible(part) for part in text_of(cell).split("\n")] for cell in row]
    yield from (list(line) for line in zip_longest(*parts, fillvalue=""))
