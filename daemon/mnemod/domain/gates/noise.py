"""Gate G1: whether a text holds nothing to remember, and what it is instead.

A text is noise only as a whole. Each kind has its own test, and each test asks that nothing of the
text is left over: one clause with content, anywhere, and it is not noise. Length is never a reason.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from mnemod.domain.gates import blanks, mojibake, phrases, refusals
from mnemod.domain.gates.noise_reason import Noise, NoiseReason

if TYPE_CHECKING:
    from mnemod.domain.folded import Folded

_DUMP_SIGN: Final = re.compile(
    r"\s{0,200}+(?:[\[{<#*=\d]|[^\n]{1,2000}\n|[A-Z][A-Za-z]{2,8} {1,2}\S|\w{2,12}=|"
    r"[A-Za-z0-9+/_-]{120})"
)
"""How a dump begins: a bracket, a figure, a log's level or month, or the first of several lines."""

__all__ = ["Noise", "NoiseReason", "find"]


def find(text: str, folded: Folded) -> Noise | None:
    """What makes `text` noise, None if it may hold something to remember.

    `folded` is `fold(text)`. Deterministic, linear in the length of the text.
    """
    reason = (
        blanks.find(text, folded.text)
        or phrases.find(folded.text)
        or blanks.repeated(folded.text)
        or refusals.find(folded.text)
        or (_dump(text) if _DUMP_SIGN.match(text) else None)
    )
    if reason is not None:
        return Noise(reason)
    broken = mojibake.find(text)
    return Noise(NoiseReason.MOJIBAKE, broken.repair) if broken else None


def _dump(text: str) -> NoiseReason | None:
    # Imported when there is something to look at: its patterns take long to compile.
    from mnemod.domain.gates import dumps

    return dumps.find(text)
