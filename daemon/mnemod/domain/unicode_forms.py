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
Form = Literal["NFC", "NFD", "NFKC", "NFKD"]


def normal(form: Form, text: str) -> str:
    """`text` in `form`, its runs of more than MARKS_MAX combining marks cut to that."""
    return text if text.isascii() else unicodedata.normalize(form, bounded(text))


def bounded(text: str) -> str:
    """`text` with no run of more than MARKS_MAX combining marks."""
    marks = frozenset(filter(unicodedata.combining, set(text)))
    return _long_run(marks).sub(r"\1", text) if marks else text


@lru_cache(maxsize=64)
def _long_run(marks: frozenset[str]) -> re.Pattern[str]:
    one = f"[{''.join(sorted(marks))}]"
    return re.compile(f"({one}{{{MARKS_MAX}}}){one}+")
