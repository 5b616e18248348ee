"""Passwords, keys and card numbers in what a person wrote, whatever language stands beside them.

A key that says whose it is, a private key, a card number, or an address with a password in it
needs no words around it; what else is secret is so because a setting (`api_key = ...`) or a
sentence ("the PIN for the alarm is ...") says so. A digest, an id, or the shape of a token alone is
no secret, and neither is talk of passwords.

Nothing here raises, logs or returns words of the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mnemod.domain.folded import Folded, fold
from mnemod.domain.gates import secrets_said
from mnemod.domain.gates.bare import bare
from mnemod.domain.gates.secret_kind import Secret, SecretKind

__all__ = ["Secret", "SecretKind", "find"]


def find(text: str, folded: Folded | None = None) -> tuple[Secret, ...]:
    """The secrets of `text` by place, none within another. `folded` is `fold(text)` if at hand."""
    folded = fold(text) if folded is None else folded
    found = [*_shaped(text), *secrets_said.said(folded, text)]
    return _apart(found) if found else ()


def _shaped(text: str) -> Iterator[Secret]:
    visible = bare(text)
    digits = any(map(visible.data().translate(_FIGURES).__contains__, _CARD_ROWS))
    runs = _RUN in visible.shown()
    if not (digits or runs or "PRIVATE KEY" in visible.text):
        return
    from mnemod.domain.gates import secrets_shaped

    for start, end, kind in secrets_shaped.shaped(visible, runs=runs, digits=digits):
        yield Secret(*visible.span(start, end), kind)


def _apart(found: list[Secret]) -> tuple[Secret, ...]:
    """`found` by place, those that overlap as one, of the kind of the longest."""
    apart: list[Secret] = []
    for secret in sorted(found, key=lambda secret: (secret.start, -secret.end)):
        if apart and secret.start < apart[-1].end:
            last = apart.pop()
            longer = max(last, secret, key=lambda each: each.end - each.start)
            secret = Secret(last.start, max(last.end, secret.end), longer.kind)
        apart.append(secret)
    return tuple(apart)


_CARD_ROWS: Final = (b"d" * 13, b"dddd dddd dddd d", b"dddd dddddd dddd")
_RUN: Final = b"a" * 16
_FIGURES: Final = bytes(
    ord("d" if code in b"0123456789" else " " if code in b" -" else ".") for code in range(256)
)
