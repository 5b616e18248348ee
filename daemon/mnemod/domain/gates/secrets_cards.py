"""Numbers of payment cards: issuer, length, and the check digit of ISO/IEC 7812.

One number in ten has a right check digit by chance, so the words before it matter too: an order
number is an order number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mnemod.domain.gates import secret_values

# The first digit stands before what may not stand before it: `re` then looks for a digit only.
_DIGITS: Final = re.compile(
    r"[2-6](?<![0-9A-Za-z].)(?<![0-9][ .,_/+-].)(?<![A-Za-z][_/+-].)[0-9]{3}(?:[ -]?[0-9]){9,15}"
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
_DOUBLED: Final = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)


def cards(text: str) -> Iterator[tuple[int, int]]:
    """Where card numbers stand in `text`, their groups apart by spaces or hyphens or not at all."""
    for found in _DIGITS.finditer(text):
        digits = re.sub(r"[ -]", "", found[0])
        if (
            _GROUPED.fullmatch(found[0])
            and _ISSUERS.fullmatch(digits)
            and _checks(digits)
            and not _IBAN.search(text, max(0, found.start() - 34), found.start())
            and not secret_values.numbers_something(text, found.start())
            and not (len(set(digits)) <= 5 and secret_values.shown(text, *found.span()))
        ):
            yield found.span()


def _checks(digits: str) -> bool:
    numbers = [int(digit) for digit in reversed(digits)]
    return (sum(numbers[::2]) + sum(_DOUBLED[digit] for digit in numbers[1::2])) % 10 == 0
