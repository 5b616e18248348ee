r"""Secrets known by their shape: vendors' keys, private keys, cards, passwords in addresses.

Boundaries are those of ASCII letters and digits, never `\b`: a key that touches a Chinese or
Japanese word stands as free as one between spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from mnemod.domain import vocabulary
from mnemod.domain.gates import secret_values
from mnemod.domain.gates.secret_kind import SecretKind
from mnemod.domain.gates.secrets_cards import cards

Shaped = tuple[int, int, SecretKind]

_PRIVATE_KEY: Final = re.compile(
    r"-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r"(?=\s{0,2}(?:\n|\\[rn])|\s?[A-Za-z0-9+/]{24}|[^-]{20,8000}-----END)"
    r"[^-]{0,16000}(?:-[^-]{1,400}){0,8}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?"
    r"|PuTTY-User-Key-File-[0-9]:[^\x00]{0,16000}?Private-MAC: [0-9a-f]{8,64}"
)
_ADDRESS: Final = re.compile(
    r"(?<=[A-Za-z0-9])://(?P<user>[^\s/@:?#]{0,64}):(?P<value>[^\s/@]{3,128})@(?=[A-Za-z0-9\[$])"
)


def shaped(text: str) -> Iterator[Shaped]:
    """Secrets of `text`, which has nothing invisible in it and the width of ASCII."""
    if "PRIVATE KEY" in text or "PuTTY-User" in text:
        for found in _PRIVATE_KEY.finditer(text):
            yield *found.span(), SecretKind.PRIVATE_KEY
    if "://" in text and "@" in text:
        for found in _ADDRESS.finditer(text):
            value = found["value"]
            if not (secret_values.stands_for_one(value) or secret_values.is_filler(value)):
                yield *found.span("value"), SecretKind.PASSWORD
    for start, end in _vendors_keys(text):
        yield start, end, SecretKind.KEY
    for start, end in cards(text):
        yield start, end, SecretKind.CARD


def _vendors_keys(text: str) -> Iterator[tuple[int, int]]:
    for signs, pattern in _vendors():
        if not any(sign in text for sign in signs):
            continue
        for found in _compiled(pattern).finditer(text):
            key, start = found[0].rstrip("."), found.start()
            end = start + len(key)
            if not secret_values.stands_for_one(key) and not secret_values.shown(text, start, end):
                yield start, end


@cache
def _vendors() -> tuple[tuple[tuple[str, ...], str], ...]:
    keys = vocabulary.load(secret_values.FOLDER, "vendors").data["keys"]
    return tuple((tuple(key["signs"]), key["pattern"]) for key in keys)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9]){pattern}(?![A-Za-z0-9])")
