"""Why a text is noise."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class NoiseReason(StrEnum):
    """What a text is when it holds nothing to remember. Stable words: they are stored."""

    GREETING = "greeting"
    FAREWELL = "farewell"
    ACKNOWLEDGEMENT = "acknowledgement"
    THANKS = "thanks"
    LAUGHTER = "laughter"
    HEARTBEAT = "heartbeat"
    MOJIBAKE = "mojibake"
    MASH = "mash"
    REPETITION = "repetition"
    EMOJI = "emoji"
    PUNCTUATION = "punctuation"
    DUMP = "dump"
    REFUSAL = "refusal"
    REMEMBER_NOTHING = "remember_nothing"


class Noise(Struct, frozen=True):
    """A finding. `repair` is the readable copy of broken text, where it can be made in full."""

    reason: NoiseReason
    repair: str | None = None
