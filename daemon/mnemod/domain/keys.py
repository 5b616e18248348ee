"""The comparison form of words: what makes two sayings of one thing equal, and nothing more.

Unified: Unicode compatibility forms (NFKC), case, width, traditional and simplified characters,
dashes, quotation marks, the marks of CJK punctuation, white space. Removed: zero-width,
bidirectional and variation marks, white space beside CJK characters, closing punctuation. Kept:
every digit, sign, letter and word, so "-10" is not "10", "locker 14" is not "locker 41" and "not"
is not nothing.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from mnemod.domain import han
from mnemod.domain.unicode_forms import normal

_MARKS: Final = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−﹣－", "-"),
        **dict.fromkeys("‘’‚‛ʼ＇`´", "'"),
        **dict.fromkeys("“”„‟«»「」『』《》〈〉＂", '"'),
        **dict.fromkeys("。．｡", "."),
        **dict.fromkeys("，、､", ","),
        **dict.fromkeys("～〜∼", "~"),
        "…": "...",
    }
)
_CLOSING: Final = " .,;:!~\"'"
_OPENING: Final = " \"'"
_SPACES: Final = re.compile(r"\s+")
_INVISIBLE: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)


def comparison_key(text: str) -> str:
    """The comparison form of `text`; empty only where `text` holds nothing but marks and spaces."""
    if text.isascii():
        # Nearly all of what is compared: nothing to compose or fold but marks, case and spaces.
        return _trimmed(_SPACES.sub(" ", text.translate(_MARKS).lower()))
    return _key_of_any(text)


def _key_of_any(text: str) -> str:
    visible = "".join(_told_apart(char) for char in text if unicodedata.category(char) != "Cf")
    # Before NFKC, which would tear an acute accent in an apostrophe's place apart, and after it.
    composed = normal("NFKC", visible.translate(_MARKS)).translate(_MARKS)
    folded = han.simplified(normal("NFKC", composed.casefold()))
    plain = _SPACES.sub(" ", _INVISIBLE.sub("", folded))
    return _trimmed(_without_wide_gaps(plain))


def _trimmed(plain: str) -> str:
    return plain.rstrip(_CLOSING).lstrip(_OPENING)


def _told_apart(char: str) -> str:
    # NFKC turns "10²" into "102" and "1½" into "11⁄2"; these must stay other numbers.
    decomposition = unicodedata.decomposition(char)
    if decomposition.startswith(("<super>", "<sub>")):
        return "^" + char
    return " " + char if decomposition.startswith("<fraction>") else char


def _without_wide_gaps(text: str) -> str:
    """`text` without the spaces that stand beside a CJK character: they carry nothing there."""
    return "".join(
        char
        for at, char in enumerate(text)
        if char != " " or not (is_wide(text[at - 1 : at]) or is_wide(text[at + 1 : at + 2]))
    )


def is_wide(char: str) -> bool:
    """Whether `char` is a CJK character or mark. An empty string is not."""
    return char != "" and unicodedata.east_asian_width(char) in "WF"
