"""Looking for bytes on the disk, where no index and no query can hide them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def occurrences(directory: Path, words: Iterable[str]) -> dict[str, int]:
    """How often each word stands in the files under `directory`.

    As UTF-8 and as UTF-16, in any case of its Latin letters.
    """
    contents = [
        file.read_bytes().lower() for file in sorted(directory.rglob("*")) if _is_read(file)
    ]
    return {
        word: sum(content.count(form) for content in contents for form in _forms(word))
        for word in words
    }


def _is_read(file: Path) -> bool:
    return file.is_file() and not file.is_symlink()


def _forms(word: str) -> tuple[bytes, ...]:
    """In UTF-8, and what both orders of UTF-16 have in common: letters with a zero between them."""
    lower = word.lower()
    return lower.encode(), lower.encode("utf-16-le").removesuffix(b"\0")
