"""Digests that cannot be guessed at: keyed with a secret that never leaves the account's file.

A plain hash of a short sentence can be checked against a list of guesses. Every digest of user
text therefore takes the account's `key` (32 random bytes, made with the account).
"""

from __future__ import annotations

import hashlib
from typing import NewType

HashKey = NewType("HashKey", bytes)
"""32 secret bytes of one account."""


def keyed(key: HashKey, *parts: str) -> str:
    """A 32-digit hexadecimal digest of `parts`; ("ab", "c") and ("a", "bc") differ."""
    digest = hashlib.blake2b(key=key, digest_size=16)
    for part in parts:
        data = part.encode()
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()
