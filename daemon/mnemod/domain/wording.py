"""How the spans of an item become its text: word for word, in order, only gaps added."""

from __future__ import annotations

from collections.abc import Sequence

from mnemod.domain.keys import is_wide


def worded(pieces: Sequence[str]) -> str:
    """The pieces joined: by one space where both sides are written with spaces, else by nothing.

    Each piece is a span's own text, trimmed and not empty. "I row." "At dawn." becomes
    "I row. At dawn."; CJK pieces stand side by side.
    """
    text = ""
    for piece in pieces:
        gap = "" if not text or is_wide(text[-1]) or is_wide(piece[0]) else " "
        text += gap + piece
    return text
