"""Text made fit to show: nothing in it can steer the terminal or change the order of its letters.

What a person said may hold escape codes, because it may be anything. Control characters are shown
as their pictures (ESC as ␛), the invisible ones that reorder text as their numbers.
"""

from __future__ import annotations

import unicodedata
from typing import Final

_PICTURES: Final = {0x7F: "\u2421"} | {code: chr(0x2400 + code) for code in range(0x20)}
_REORDERING: Final = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_NUMBERED: Final = {code: f"<U+{code:04X}>" for code in (*range(0x80, 0xA0), *_REORDERING)}
_LACKS: Final = {
    "encoder": "recall goes by words alone, without an encoder",
    "formation": "no memories are formed (mnemod doctor says why)",
    "index": "the search index has gaps (mnemod doctor --deep --repair)",
    "storage_cleanup": "erased bytes are not yet off the disk",
    "time_unparsed": "the time was not understood: write it 2031-05, 2031-05-04 or 'last week'",
}
_SHOWN: Final[dict[int, str]] = {**_PICTURES, **_NUMBERED}
_SHOWN_IN_LINES: Final = {code: shown for code, shown in _SHOWN.items() if code not in (9, 10)}


def visible(text: str) -> str:
    """`text` on one line."""
    return text.translate(_SHOWN)


def visible_lines(text: str) -> str:
    """`text` with its own line breaks and tabs."""
    return text.translate(_SHOWN_IN_LINES)


def width(text: str) -> int:
    """How many columns `text` takes on a terminal."""
    return sum(map(_char_width, text))


def day(instant: str) -> str:
    """The day of an RFC 3339 instant, as its own offset counts days."""
    return instant[:10]


def moment(instant: str) -> str:
    """An RFC 3339 instant to the second, with the offset it came with."""
    clock, offset = instant[11:19], instant[19:].lstrip(".0123456789")
    return f"{instant[:10]} {clock} {offset}"


def lack(word: str) -> str:
    """What a word of `degraded` means; a new one as the daemon wrote it."""
    return _LACKS.get(word, f"without {word.replace('_', ' ')}")


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number and what it counts: `1 row`, `2 rows`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _char_width(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
