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
    return _apart([*_shaped(text), *secrets_said.said(folded, text)])


def _shaped(text: str) -> Iterator[Secret]:
    visible = bare(text)
    if not _may_hold(visible.text):
        return
    from mnemod.domain.gates import secrets_shaped

    for start, end, kind in secrets_shaped.shaped(visible.text):
        yield Secret(*visible.span(start, end), kind)


def _may_hold(text: str) -> bool:
    signs = text.encode("ascii", "replace").translate(_SIGNS)
    return (
        _RUN in signs.replace(b"d", b"a")
        or signs.count(b"d") >= _CARD_DIGITS_MIN
        or "PRIVATE KEY" in text
    )


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


_CARD_DIGITS_MIN: Final = 13
_RUN: Final = b"a" * 16
_SIGNS: Final = bytes(
    ord("d") if chr(code).isdecimal() else ord("a") if 32 < code < 127 else ord(".")
    for code in range(256)
)
