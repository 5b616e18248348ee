"""What the gates say of a text: to keep and form, to keep and doubt, or to keep out of reach.

`pass`   there is nothing against it.
`flag`   it quotes, reports or discusses an attack: stored and formed, trusted less.
`noise`  there is nothing in it to remember: stored, never formed or recalled.
`hold`   it directs the assistant, or holds a secret: stored, out of every reach but its owner's.

A verdict never holds words of the text; a span is in code points of the text as it was given.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct


class Decision(StrEnum):
    """What becomes of a text."""

    PASS = "pass"
    FLAG = "flag"
    NOISE = "noise"
    HOLD = "hold"


class Detector(StrEnum):
    """Which rule spoke of a `hold` or a `flag`."""

    INJECTION = "injection"
    AUTHORITY = "authority"
    ROLE = "role"
    COMMENT = "comment"
    TEMPORAL = "temporal"
    ENCODED = "encoded"
    SECRET = "secret"


class Verdict(Struct, frozen=True):
    """One judgement. `reason` is a stable word; the span is None only with `pass` and `noise`."""

    decision: Decision
    reason: str | None = None
    detector: Detector | None = None
    start: int | None = None
    end: int | None = None


PASSED: Final = Verdict(Decision.PASS)
