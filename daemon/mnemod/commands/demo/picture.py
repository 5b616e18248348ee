"""What was shown, saved as a picture.

Rich writes an SVG whose texts are as long as their characters are many, which squeezes Chinese
and Japanese into half their room; the lengths are put right here, by the columns a text takes.
"""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.terminal_theme import TerminalTheme

_COLUMN: Final = 12.2
"""How wide rich draws one column: a height of 20 times a font's usual shape of 0.61."""

_TEXT: Final = re.compile(r'textLength="[0-9.]+"([^>]*)>([^<]*)</text>')

_FONTS: Final = re.compile(r"@font-face\s*\{[^}]*\}\s*")
"""A picture loads nothing from anywhere; the reader's own fixed-width font does."""

_THEME: Final = TerminalTheme(
    (24, 26, 31),
    (212, 215, 221),
    [
        (60, 64, 72),
        (240, 113, 120),
        (152, 205, 130),
        (235, 203, 139),
        (116, 168, 240),
        (199, 146, 234),
        (94, 196, 214),
        (212, 215, 221),
    ],
)


def save(console: Console, file: Path) -> None:
    """Write everything a recording console has shown to `file`, as an SVG."""
    file.write_text(
        _put_right(console.export_svg(title="mnemod demo", theme=_THEME)), encoding="utf-8"
    )


def _put_right(svg: str) -> str:
    return _TEXT.sub(_lengthened, _FONTS.sub("", svg))


def _lengthened(found: re.Match[str]) -> str:
    attributes, content = found.groups()
    length = cell_len(unescape(content)) * _COLUMN
    return f'textLength="{length:g}"{attributes}>{content}</text>'
