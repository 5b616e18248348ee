"""Text as the patterns see it: folded one character for one, so offsets stay the source's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# Stands for each character of a passage that is not the speaker's own plain words.
MASK: Final = "\ufffc"
_APOSTROPHES: Final = str.maketrans("’‘ʼ＇\u00a0\u3000\t", "''''   ")


def fold(text: str, variants: Mapping[int, int]) -> str:
    """Lower case, straight apostrophes, half width, the locale's variants; as long as `text`."""
    narrow = text.translate(_APOSTROPHES).translate(_FULL_WIDTH).translate(variants)
    lowered = narrow.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in narrow)


# Letters and digits only: full-width punctuation is what CJK text is divided by.
_FULL_WIDTH: Final = {
    code: code - 0xFEE0
    for low, high in ((0xFF10, 0xFF19), (0xFF21, 0xFF3A), (0xFF41, 0xFF5A))
    for code in range(low, high + 1)
}
