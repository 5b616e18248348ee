"""Unicode normal forms in linear time.

Ordering combining marks takes time quadratic in the length of a run of them: 256 KiB of accents
over one letter would stop the daemon for seconds. A run is therefore cut after 30, the bound of the
Stream-Safe Text Format (UAX #15, section 13). No language comes near it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final, Literal

MARKS_MAX: Final = 30
_WITH_MARKS: Final = range(0x300, 0x10000)
_ASTRAL: Final = re.compile("[^\0-\uffff]")
Form = Literal["NFC", "NFD", "NFKC", "NFKD"]


def normal(form: Form, text: str) -> str:
    """`text` in `form`, its runs of more than MARKS_MAX combining marks cut to that."""
    return text if text.isascii() else unicodedata.normalize(form, bounded(text))


def bounded(text: str) -> str:
    """`text` with no run of more than MARKS_MAX combining marks."""
    if _ASTRAL.search(text) is None:
        return _long_run(None).sub(r"\1", text)
    marks = frozenset(filter(unicodedata.combining, set(text)))
    return _long_run(marks).sub(r"\1", text) if marks else text


@lru_cache(maxsize=64)
def _long_run(marks: frozenset[str] | None) -> re.Pattern[str]:
    """More than enough of these marks, or of all there are in Unicode's first plane.

    A set of the first plane alone is one that `re` looks up in no time.
    """
    among = map(chr, _WITH_MARKS) if marks is None else sorted(marks)
    one = f"[{''.join(filter(unicodedata.combining, among))}]"
    return re.compile(f"({one}{{{MARKS_MAX}}}){one}+")
