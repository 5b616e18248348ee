"""What a found secret is: its place and its kind, never its words."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class SecretKind(StrEnum):
    """What was found."""

    KEY = "key"
    PRIVATE_KEY = "private_key"
    CARD = "card"
    PASSWORD = "password"
    PIN = "pin"


class Secret(Struct, frozen=True):
    """A secret: code points of the text as it was given, half open, the secret itself alone."""

    start: int
    end: int
    kind: SecretKind
