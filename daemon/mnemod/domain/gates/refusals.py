"""Bare refusals of a model: sentences about what the assistant cannot do, and nothing beside them.

Each sentence must be a refusal, an apology or an offer to help with something else. A person who
cannot do a thing names the thing, and that is a fact.
"""

from __future__ import annotations

import re
from typing import Final

from mnemod.domain import vocabulary
from mnemod.domain.gates.noise_reason import NoiseReason
from mnemod.domain.gates.phrases import FOLDER

TEXT_CHARS_MAX: Final = 800
_SENTENCE: Final = re.compile("[^.!?\u3002\n]++[.!?\u3002\n]*+\\s*+")
_COMMA: Final = re.compile("[,;\u3001]")
_COMMAS_MAX: Final = 6
_ENDS: Final = " \t.!?\u3002\n,;:~'\""


def find(folded: str) -> NoiseReason | None:
    """REFUSAL where every sentence of the text belongs to one."""
    if len(folded) > TEXT_CHARS_MAX:
        return None
    locales = vocabulary.LOCALES[:1] if folded.isascii() else vocabulary.LOCALES
    refused = any(_refuses(folded, locale) for locale in locales)
    return NoiseReason.REFUSAL if refused else None


def _refuses(folded: str, locale: str) -> bool:
    words = vocabulary.load(FOLDER, locale)
    if not any(sign in folded for sign in words.words["refusal_sign"]):
        return False
    refusal, close = words.pattern("refusal"), words.pattern("refusal_close")
    sentences = [found[0].strip(_ENDS) for found in _SENTENCE.finditer(folded)]
    refused = [_is_refusal(sentence, refusal, close) for sentence in sentences]
    return any(refused) and all(
        is_refusal or not sentence or close.fullmatch(sentence)
        for sentence, is_refusal in zip(sentences, refused, strict=True)
    )


def _is_refusal(sentence: str, refusal: re.Pattern[str], close: re.Pattern[str]) -> bool:
    """Whether a sentence refuses, and after a comma at most offers something else."""
    if refusal.fullmatch(sentence):
        return True
    commas = [found.start() for found in _COMMA.finditer(sentence)][:_COMMAS_MAX]
    return any(
        refusal.fullmatch(sentence, 0, at) and close.fullmatch(sentence[at + 1 :].strip())
        for at in commas
    )
