"""What a setting's value may be. A check takes what TOML or a variable holds and returns the value.

Raises ValueError with half a sentence that says what is wanted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

Value = str | int | float | tuple[float, ...]
"""A setting's value, already checked."""

DAY_S: Final = 86_400.0
_WAITS_MAX: Final = 10


def one_of(*choices: str) -> Callable[[object], Value]:
    """One of these words."""

    def check(raw: object) -> Value:
        if not isinstance(raw, str) or raw not in choices:
            raise ValueError("must be one of " + ", ".join(f'"{choice}"' for choice in choices))
        return raw

    return check


def text(raw: object) -> Value:
    """Text of one line."""
    if not isinstance(raw, str) or not raw.isprintable():
        raise ValueError("must be text of one line")
    return raw


def http_url(raw: object) -> Value:
    """An http or https address."""
    if not isinstance(raw, str) or not _is_http(raw):
        raise ValueError("must be an http:// or https:// address")
    return raw


def _is_http(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return text.isprintable() and parts.scheme in ("http", "https") and bool(parts.hostname)


def variable_name(raw: object) -> Value:
    """The name of an environment variable."""
    if not isinstance(raw, str) or not raw.isidentifier() or not raw.isascii():
        raise ValueError("must be the name of an environment variable, not the key itself")
    return raw


def number(least: float, most: float) -> Callable[[object], Value]:
    """A number within these bounds, ends included."""

    def check(raw: object) -> Value:
        found = _to_number(raw)
        if found is None or not least <= found <= most:
            raise ValueError(f"must be a number from {least:,.10g} to {most:,.10g}")
        return found

    return check


def whole(least: int, most: int) -> Callable[[object], Value]:
    """A whole number within these bounds, ends included."""

    def check(raw: object) -> Value:
        found = _to_number(raw)
        if found is None or not found.is_integer() or not least <= found <= most:
            raise ValueError(f"must be a whole number from {least} to {most}")
        return int(found)

    return check


def waits(raw: object) -> Value:
    """A list of seconds."""
    numbers = [_to_number(part) for part in raw] if isinstance(raw, list) else []
    good = tuple(n for n in numbers if n is not None and 0 <= n <= DAY_S)
    if not 1 <= len(good) <= _WAITS_MAX or len(good) != len(numbers):
        raise ValueError(f"must be 1 to {_WAITS_MAX} numbers of seconds, none over a day")
    return good


def _to_number(raw: object) -> float | None:
    """`raw` as a float if TOML calls it a number; true and false are not."""
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        return None
    try:
        return float(raw)
    except OverflowError:
        return None


def number_from_text(text: str) -> object:
    """A variable's text as a number, or as it is: the check then says what was wanted."""
    try:
        return float(text)
    except ValueError:
        return text


def list_from_text(text: str) -> object:
    """A variable's text, split at commas."""
    return [number_from_text(part) for part in text.split(",")]
