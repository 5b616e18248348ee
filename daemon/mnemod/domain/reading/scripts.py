"""Which language's rules read a clause, decided by its letters."""

from __future__ import annotations

import re
from typing import Final

_KANA: Final = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
_HIRAGANA: Final = re.compile(r"[\u3041-\u3096]")
_WIDE: Final = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\u3400-\u9fff\uf900-\ufaff]")
_LATIN_WORD: Final = re.compile(r"[A-Za-z\u00c0-\u024f]+")


def is_japanese(text: str) -> bool:
    """Whether Han without kana in `text` is to be read as Japanese."""
    return _HIRAGANA.search(text) is not None


def locale_of(clause: str, japanese: bool) -> str:
    """`en` where Latin words prevail, `ja` for kana or in a Japanese message, else `zh`."""
    wide = len(_WIDE.findall(clause))
    if not wide or len(_LATIN_WORD.findall(clause)) > wide:
        return "en"
    return "ja" if japanese or _KANA.search(clause) else "zh"
