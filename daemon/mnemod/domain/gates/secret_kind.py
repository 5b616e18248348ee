"""What a found secret is: its place and its kind, never its words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class SecretKind(StrEnum):
    """What was found."""

    KEY = "key"
    PRIVATE_KEY = "private_key"
    CARD = "card"
    PASSWORD = "password"
    PIN = "pin"


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret: code points of the text as it was given, half open, the secret itself alone."""

    start: int
    end: int
    kind: SecretKind
