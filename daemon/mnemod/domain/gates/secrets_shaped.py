r"""Secrets known by their shape: vendors' keys, private keys, cards, passwords in addresses.

Boundaries are those of ASCII letters and digits, never `\b`: a key that touches a Chinese or
Japanese word stands as free as one between spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Final

from mnemod.domain import vocabulary
from mnemod.domain.gates import secret_values
from mnemod.domain.gates.secret_kind import SecretKind
from mnemod.domain.gates.secrets_cards import cards

Span = tuple[int, int]
Shaped = tuple[int, int, SecretKind]

SECRETS_MAX: Final = 256
"""Of one shape in one text; where there are more, the last is all the rest of the text."""
HITS_MAX: Final = 2_000
BODY_MAX: Final = 16_000

_HEADER: Final = re.compile(
    r"-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r"(?=\s{0,2}(?:\n|\\[rn])|\s?[A-Za-z0-9+/]{24}|[^-]{20,4000}-----END)"
    r"|PuTTY-User-Key-File-[0-9]: "
)
_FOOTER: Final = re.compile(r"-----END [A-Z0-9 ]{0,40}-----|Private-MAC: [0-9a-f]{8,64}")
_BODY: Final = re.compile(r"[^-]{0,16000}")
_ADDRESS: Final = re.compile(
    r"(?<=[A-Za-z0-9])://[^\s/@:?#]{0,64}:(?P<value>[^\s/@]{3,128})@(?=[A-Za-z0-9\[$])"
)
_RUN: Final = re.compile(r"[!-~]{16,}+")


def shaped(text: str) -> Iterator[Shaped]:
    """Secrets of `text`, which has nothing invisible in it and the width of ASCII."""
    runs = " ".join(_RUN.findall(text))
    for kind, found in (
        (SecretKind.PRIVATE_KEY, _private_keys(text)),
        (SecretKind.PASSWORD, _addresses(text) if "@" in runs else iter(())),
        (SecretKind.KEY, _vendors_keys(text, runs)),
        (SecretKind.CARD, cards(text)),
    ):
        for start, end in islice(found, SECRETS_MAX):
            yield start, end, kind
        if (more := next(found, None)) is not None:
            yield more[0], len(text), kind


def _private_keys(text: str) -> Iterator[Span]:
    at = 0
    while "PRIVATE KEY" in text or "PuTTY" in text:
        if (header := _HEADER.search(text, at)) is None:
            return
        start, at = header.span()
        if footer := _FOOTER.search(text, at, at + BODY_MAX):
            at = footer.end()
        elif body := _BODY.match(text, at):
            at = body.end()
        yield start, at


def _addresses(text: str) -> Iterator[Span]:
    for found in _ADDRESS.finditer(text):
        value = found["value"]
        if not (secret_values.stands_for_one(value) or secret_values.is_filler(value)):
            yield found.span("value")


def _vendors_keys(text: str, runs: str) -> Iterator[Span]:
    for signs, before, pattern in _vendors():
        for sign in signs:
            if sign in runs:
                yield from _keys(text, sign, before, _compiled(pattern))


def _keys(text: str, sign: str, before: int, pattern: re.Pattern[str]) -> Iterator[Span]:
    at = -1
    for _ in range(HITS_MAX):
        if (at := text.find(sign, at + 1)) < 0:
            return
        low = max(0, at - before)
        found = pattern.search(text, low, at + KEY_MAX) if before else pattern.match(text, at)
        if found is None:
            continue
        key, start = found[0].rstrip("."), found.start()
        end = at = start + len(key)
        if not secret_values.stands_for_one(key) and not secret_values.shown(text, start, end):
            yield start, end


KEY_MAX: Final = 300


@cache
def _vendors() -> tuple[tuple[tuple[str, ...], int, str], ...]:
    """For every vendor: signs, how many characters of a key may stand before one, the pattern."""
    keys = vocabulary.load(secret_values.FOLDER, "vendors").data["keys"]
    return tuple((tuple(key["signs"]), key.get("before", 0), key["pattern"]) for key in keys)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9]){pattern}(?![A-Za-z0-9])")
