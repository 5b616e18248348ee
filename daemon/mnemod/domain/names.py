"""Where a name stands in a text: exactly as written, and not inside a longer word."""

from __future__ import annotations

from mnemod.domain.redaction import Cut


def standing(name: str, text: str) -> list[Cut]:
    """Every place of `name` in `text`, in order: "Ann" stands in "Ann rows", not in "Annual"."""
    found: list[Cut] = []
    start = text.find(name) if name else -1
    while start >= 0:
        end = start + len(name)
        if not (joins(text[start - 1 : start], name[0]) or joins(name[-1], text[end : end + 1])):
            found.append((start, end))
        start = text.find(name, start + 1)
    return found


def joins(left: str, right: str) -> bool:
    """Whether two characters side by side belong to one word of a script with spaces."""
    return left.isalnum() and right.isalnum() and not (_is_wide(left) or _is_wide(right))


def _is_wide(char: str) -> bool:
    return char >= "\u2e80"
