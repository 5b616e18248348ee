"""What a bench prints: a measured figure, the floor it stands on, and the ratio that matters.

Absolute times mean nothing on a shared machine. Every figure is divided by a floor measured in the
same run, in turns with it, and the ratio is held against what was asked for.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Figure:
    """One line. `at_most` is what the value, or the ratio if there is a floor, should not pass;
    `at_least` what it should reach. Neither: for information."""

    name: str
    value: float
    unit: str
    floor_name: str = ""
    floor: float | None = None
    at_most: float | None = None
    at_least: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Value by floor."""
        return None if self.floor is None else self.value / self.floor

    @property
    def is_met(self) -> bool | None:
        """Whether what was asked for is reached; None if nothing was."""
        judged = self.value if self.ratio is None else self.ratio
        if self.at_most is not None:
            return judged <= self.at_most
        if self.at_least is not None:
            return judged >= self.at_least
        return None


def median_ms(seconds: Iterable[float]) -> float:
    """The middle of these, in milliseconds."""
    return statistics.median(seconds) * 1_000


def p99_ms(seconds: Sequence[float]) -> float:
    """What one in a hundred passes, in milliseconds."""
    return statistics.quantiles(seconds, n=100)[98] * 1_000


def show(figures: Sequence[Figure], *, as_json: bool) -> None:
    """Print the figures as a table, or as JSON for a program."""
    if as_json:
        rows = [{**asdict(f), "ratio": f.ratio, "is_met": f.is_met} for f in figures]
        print(json.dumps(rows, indent=2))
        return
    table = Table(title="mnemod against its floors, in one run", title_justify="left")
    for heading in ("what", "measured", "floor", "ratio", "asked", ""):
        table.add_column(heading, justify="left" if heading in ("what", "floor") else "right")
    for figure in figures:
        table.add_row(*_cells(figure))
    Console(width=110).print(table)


def _cells(figure: Figure) -> tuple[str, ...]:
    ratio = "" if figure.ratio is None else f"{figure.ratio:.2f} x"
    floor = ""
    if figure.floor is not None:
        floor = f"{_number(figure.floor)} {figure.unit}  {figure.floor_name}"
    asked = ""
    if figure.at_most is not None:
        asked = f"<= {figure.at_most:g}"
    elif figure.at_least is not None:
        asked = f">= {figure.at_least:g}"
    verdict = {True: "met", False: "[bold]not met[/]", None: ""}[figure.is_met]
    name = figure.name + (f"\n  [dim]{figure.note}[/]" if figure.note else "")
    return name, f"{_number(figure.value)} {figure.unit}", floor, ratio, asked, verdict


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
