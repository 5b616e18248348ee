"""What is really in a folder: the hash of each file, and whether some text is in any byte."""

from __future__ import annotations

import hashlib
from pathlib import Path

_ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be")


def fingerprint(folder: Path) -> dict[str, str]:
    """The SHA-256 of every file under `folder`, by its name."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


def holding(folder: Path, text: str) -> set[str]:
    """The names of the files under `folder` that hold `text` in any encoding."""
    needles = [text.encode(encoding) for encoding in _ENCODINGS]
    return {
        path.name
        for path in folder.rglob("*")
        if path.is_file() and any(needle in path.read_bytes() for needle in needles)
    }
