"""Faces made of marks, as in "m(_ _)m": they say nothing, though letters stand in them."""

from __future__ import annotations

import re
from typing import Final

_FACE: Final = re.compile(
    "(?:^|(?<![a-z0-9])|[a-z\u30ce\uff89\u30fe\u30fd\u3063\u3064\u30b7_]{1,2})[(\uff08]"
    "([^()\uff08\uff09\\n]{1,16})[)\uff09][a-z\u30ce\uff89\u3064\u3063\u3003_]{0,2}(?![a-z])"
)
_SMILEY: Final = re.compile(r"(?<![\w:;=])[:;=]['^]?-?['^]?(?:d+|[pox3])(?![\w:;=])")
_WORD: Final = re.compile("[a-z]{2}|[0-9]|[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]{2}")
_FEATURES: Final = re.compile(
    "[\u00b4'^;\u30fb\u03c9\u2200\u0434\u00b0\u2267\u2266><_\u25bd\u2661\u2606\u0e51\u2022\u00af\u0298\u25d5\u25cf\u25c9\u30c4\u0ca0]"
)


def without_faces(folded: str) -> str:
    """A folded text with every face in brackets, and every ":D", as a space."""
    if ":" in folded or ";" in folded or "=" in folded:
        folded = _SMILEY.sub(" ", folded)
    return _FACE.sub(_or_words, folded) if "(" in folded else folded


def _or_words(found: re.Match[str]) -> str:
    inside = found[1]
    is_face = _FEATURES.search(inside) is not None and _WORD.search(inside) is None
    return " " if is_face else found[0]
