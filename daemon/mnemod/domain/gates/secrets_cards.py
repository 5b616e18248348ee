"""Numbers of payment cards: issuer, length, and the check digit of ISO/IEC 7812.

One number in ten has a right check digit by chance, so the words before it matter too: an order
number is an order number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from mnemod.domain.gates import secret_values

# The first digit stands before what may not stand before it: `re` then looks for a digit only.
_DIGITS: Final = re.compile(
    r"[2-6](?<![0-9A-Za-z].)(?<![0-9][ .,_/+-].)(?<![A-Za-z][_/+-].)[0-9]{3}(?:[ -]?[0-9]){9,15}+"
    r"(?![0-9A-Za-z])(?![ .,:/-][0-9])"
)
_GROUPED: Final = re.compile(
    r"[0-9]+|(?:[0-9]{4}[ -]){3}[0-9]{1,7}|[0-9]{4}[ -][0-9]{6}[ -][0-9]{4,5}"
)
_IBAN: Final = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2} (?:[A-Z0-9]{4} )*\Z")
# Visa; Mastercard; American Express; Discover and UnionPay; JCB; Diners Club; Maestro.
_ISSUERS: Final = re.compile(
    r"4(?:[0-9]{12}|[0-9]{15}|[0-9]{18})|5[1-5][0-9]{14}|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)[0-9]{12,14}"
    r"|3[47][0-9]{13}|6(?:011|4[4-9][0-9]|5[0-9]{2})[0-9]{12}|62[0-9]{14,17}|35(?:2[89]|[3-8])[0-9]{12,13}"
    r"|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:5018|5020|5038|6304|6759|676[1-3])[0-9]{8,15}"
)
_PLAIN: Final = bytes(code - 0x30 if 0x30 <= code < 0x3A else 0 for code in range(256))
_DOUBLED: Final = bytes((0, 2, 4, 6, 8, 1, 3, 5, 7, 9)[digit % 10] for digit in _PLAIN)
NUMBERS_MAX: Final = 4_096
"""Numbers as long as a card's that are looked at."""
LOOKS_MAX: Final = 48
"""Numbers with a right check digit before and around which words are read."""


def cards(text: str) -> Iterator[tuple[int, int]]:
    """Where card numbers stand in `text`, their groups apart by spaces or hyphens or not at all."""
    found = list(islice(_DIGITS.finditer(text), NUMBERS_MAX))
    written = [each[0] for each in found]
    right = set(filter(_ISSUERS.fullmatch, _checked(set(_digits("\n".join(written)).split()))))
    if not right:
        return
    likely = {each for each in set(written) if _digits(each) in right and _GROUPED.fullmatch(each)}
    places = (each.span() for each in found if each[0] in likely)
    for start, end in islice(places, LOOKS_MAX):
        if (
            not _IBAN.search(text, max(0, start - 34), start)
            and not secret_values.numbers_something(text, start)
            and not (
                len(set(_digits(text[start:end]))) <= 5 and secret_values.shown(text, start, end)
            )
        ):
            yield start, end


def _digits(number: str) -> str:
    return number.replace(" ", "").replace("-", "")


def _checked(numbers: set[str]) -> set[str]:
    """Those of `numbers` whose check digit is right.

    All of one length at a time, a byte of one long number for the sum of each: at most 19 times 9.
    """
    right: set[str] = set()
    for length in {len(number) for number in numbers}:
        alike = [number for number in numbers if len(number) == length]
        written = "".join(alike).encode("ascii")
        total = 0
        for place in range(length):
            column = written[length - 1 - place :: length]
            total += int.from_bytes(column.translate(_DOUBLED if place % 2 else _PLAIN), "little")
        sums = total.to_bytes(len(alike), "little")
        right.update(number for number, each in zip(alike, sums, strict=True) if each % 10 == 0)
    return right
