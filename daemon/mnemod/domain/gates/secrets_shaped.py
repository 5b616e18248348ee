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
from mnemod.domain.gates.bare import Bare
from mnemod.domain.gates.runs import long_runs
from mnemod.domain.gates.secret_kind import SecretKind
from mnemod.domain.gates.secrets_cards import cards

Span = tuple[int, int]
Shaped = tuple[int, int, SecretKind]

SECRETS_MAX: Final = 96
"""Of one shape in one text; where there are more, the last is all the rest of the text."""
HITS_MAX: Final = 1_000
BODY_MAX: Final = 16_000
RUN_MIN: Final = 12
"""Characters of the shortest word that can be a key."""
WORDS_MAX: Final = 2_048
"""Long words that are looked for; all after them counts as one."""
RUNS_MAX: Final = 4_096
"""Characters of a text. Of the words of a longer one only the beginnings are looked at."""

_HEADER: Final = re.compile(
    r"-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r"(?=\s{0,2}(?:\n|\\[rn])|\s?[A-Za-z0-9+/]{24}|[^-]{20,4000}-----END)"
    r"|PuTTY-User-Key-File-[0-9]: "
)
_FOOTER: Final = re.compile(r"-----END [A-Z0-9 ]{0,40}-----|Private-MAC: [0-9a-f]{8,64}")
_BODY: Final = re.compile(r"[^-]{0,16000}")
_ADDRESS: Final = re.compile(r"://[^\s/@:?#]{0,64}:(?P<value>[^\s/@]{3,128})@(?=[A-Za-z0-9\[$])")
_BLOCKS: Final = (
    ("PRIVATE KEY", "-----BEGIN ", 60, "-----END "),
    ("PuTTY-User-Key-File-", "", 0, "Private-MAC: "),
)
_LONG_WORD: Final = b"a" * RUN_MIN
# What divides the words of which one may be a key.
_TOKENS: Final = bytes(
    code if (chr(code).isalnum() and code < 128) or chr(code) in "_.:-" else 0x20
    for code in range(256)
)


def shaped(visible: Bare, *, runs: bool, digits: bool) -> Iterator[Shaped]:
    """Secrets of a text that has nothing invisible in it and the width of ASCII.

    `runs` says whether it has a word long enough for a key, `digits` whether enough for a card.
    """
    text = visible.text
    for kind, found in (
        (SecretKind.PRIVATE_KEY, _private_keys(text)),
        (SecretKind.PASSWORD, _addresses(text) if runs else iter(())),
        (SecretKind.KEY, _vendors_keys(visible) if runs else iter(())),
        (SecretKind.CARD, cards(text) if digits else iter(())),
    ):
        for start, end in islice(found, SECRETS_MAX):
            yield start, end, kind
        if (more := next(found, None)) is not None:
            yield more[0], len(text), kind


def _private_keys(text: str) -> Iterator[Span]:
    for sign, opening, before, footer in _BLOCKS:
        at, tries = -1, 0
        while (at := text.find(sign, at + 1)) >= 0:
            tries += 1
            start = text.rfind(opening, max(0, at - before), at) if before else at
            header = _HEADER.match(text, start) if start >= 0 else None
            if tries > HITS_MAX:
                return
            if header is None:
                continue
            start, at = header.span()
            stop = text.find(footer, at, at + BODY_MAX)
            closed = _FOOTER.match(text, stop) if stop >= 0 else None
            body = _BODY.match(text, at)
            at = closed.end() if closed else body.end() if body else at
            yield start, at


def _addresses(text: str) -> Iterator[Span]:
    # Where names have passwords there are as many of either mark: the rarer one leads there.
    if "@" not in text or "://" not in text:
        return
    if text.count("://") <= text.count("@"):
        places = list(islice(_all("://", text), HITS_MAX))
    else:
        marks = islice(_all("@", text), HITS_MAX)
        places = [place for at in marks if (place := text.rfind("://", max(0, at - 200), at)) >= 0]
    for place in dict.fromkeys(places):
        found = _ADDRESS.match(text, place)
        if found is None or not text[place - 1 : place].isalnum():
            continue
        value = found["value"]
        if not (secret_values.stands_for_one(value) or secret_values.is_filler(value)):
            yield found.span("value")


def _all(sign: str, text: str) -> Iterator[int]:
    at = text.find(sign)
    while at >= 0:
        yield at
        at = text.find(sign, at + len(sign))


def _vendors_keys(visible: Bare) -> Iterator[Span]:
    text, words = visible.text, _long_words(visible)
    many = len(text) > RUNS_MAX
    begun = _beginnings(words) if many else set()
    for signs, before, pattern in _vendors():
        for sign in signs:
            inside = before or "/" in sign or len(sign) < 3 or not many
            if (inside or sign[:4] in begun) and sign in words:
                yield from _keys(text, sign, before, _compiled(pattern))


def _long_words(visible: Bare) -> str:
    """All that stands between white space in RUN_MIN characters or more, and so may hold a key."""
    spans = list(islice(long_runs(visible.shown(), _LONG_WORD), WORDS_MAX))
    if len(spans) == WORDS_MAX:
        spans.append((spans[-1][1], len(visible.text)))
    return " ".join([visible.text[start:end] for start, end in spans])


def _beginnings(words: str) -> set[str]:
    runs = words.encode("ascii", "replace").translate(_TOKENS).decode("ascii").split()
    begun = {run[:4] for run in set(runs) if len(run) >= RUN_MIN}
    return begun | {each[:3] for each in begun}


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
