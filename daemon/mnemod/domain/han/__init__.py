"""Traditional characters compared as simplified ones: one for one, so offsets hold.

Both spellings of a text become one form; no stored text is ever changed by it. Characters
are not told apart by context (both words for "dry" and "trunk" are one): a comparison may do that.
Japanese text passes through the same table, so whatever is compared with it must too.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path


@cache
def table() -> dict[int, int]:
    """Code points by code point, for `str.translate`; read from disk when first asked for."""
    pairs = tomllib.loads(Path(__file__).with_name("pairs.toml").read_text(encoding="utf-8"))
    return str.maketrans(pairs["from"], pairs["to"])


def simplified(text: str) -> str:
    """`text` with every traditional character as its simplified one, as long as `text`."""
    if text.isascii():
        return text
    simple = text.translate(table())
    return text if simple == text else simple  # one string where both are kept
