"""Gate G1: whether a text holds nothing to remember, and what it is instead.

A text is noise only as a whole. Each kind has its own test, and each test asks that nothing of the
text is left over: one clause with content, anywhere, and it is not noise. Length is never a reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemod.domain.gates import blanks, dumps, mojibake, phrases, refusals
from mnemod.domain.gates.noise_reason import Noise, NoiseReason

if TYPE_CHECKING:
    from mnemod.domain.folded import Folded

__all__ = ["Noise", "NoiseReason", "find"]


def find(text: str, folded: Folded) -> Noise | None:
    """What makes `text` noise, None if it may hold something to remember.

    `folded` is `fold(text)`. Deterministic, linear in the length of the text.
    """
    reason = (
        blanks.find(text)
        or phrases.find(folded.text)
        or blanks.repeated(folded.text)
        or refusals.find(folded.text)
        or dumps.find(text)
    )
    if reason is not None:
        return Noise(reason)
    broken = mojibake.find(text)
    return Noise(NoiseReason.MOJIBAKE, broken.repair) if broken else None
