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
from itertools import chain, pairwise
from typing import Final

from mnemod.domain import han
from mnemod.domain.per_character import PerCharacter
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
_INVISIBLE: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)


def comparison_key(text: str) -> str:
    """The comparison form of `text`; empty only where `text` holds nothing but marks and spaces."""
    if text.isascii():
        # Nearly all of what is compared: nothing to compose or fold but marks, case and spaces.
        return _trimmed(_spaced(text.translate(_MARKS).lower()))
    return _key_of_any(text)


def _key_of_any(text: str) -> str:
    # Before NFKC, which would tear an acute accent in an apostrophe's place apart, and after it.
    composed = normal("NFKC", text.translate(_VISIBLE)).translate(_MARKS)
    folded = han.simplified(normal("NFKC", composed.casefold()))
    plain = _spaced(_INVISIBLE.sub("", folded))
    return _trimmed(_without_wide_gaps(plain))


def _trimmed(plain: str) -> str:
    return plain.rstrip(_CLOSING).lstrip(_OPENING)


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _visible(char: str) -> str:
    if unicodedata.category(char) == "Cf":
        return ""
    # NFKC turns "10²" into "102" and "1½" into "11⁄2"; these must stay other numbers.
    decomposition = unicodedata.decomposition(char)
    if decomposition.startswith(("<super>", "<sub>")):
        return "^" + char.translate(_MARKS)
    return (" " if decomposition.startswith("<fraction>") else "") + char.translate(_MARKS)


def _without_wide_gaps(text: str) -> str:
    """`text` without the spaces that stand beside a CJK character: they carry nothing there."""
    if " " not in text or text.isascii():
        return text
    words = text.split(" ")
    gaps = (_BESIDE[ord(one[-1])] and _BESIDE[ord(other[0])] for one, other in pairwise(words))
    return words[0] + "".join(chain.from_iterable(zip(gaps, words[1:], strict=True)))


def is_wide(char: str) -> bool:
    """Whether `char` is a CJK character or mark. An empty string is not."""
    return char != "" and unicodedata.east_asian_width(char) in "WF"


_VISIBLE: Final = PerCharacter(_visible)
_BESIDE: Final = PerCharacter(lambda char: "" if is_wide(char) else " ")
