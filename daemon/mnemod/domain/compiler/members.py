"""The members of one JSON object of a reply, taken one by one with their types checked."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, TypeVar

from mnemod.domain.compiler.refusal import Refusal

Word = TypeVar("Word", bound=StrEnum)


class Members:
    """An object that remembers what was asked of it, so that what nobody asked for is refused.

    `code` is the refusal's where a member has the wrong type. null counts as absent.
    """

    def __init__(self, members: Mapping[str, Any], code: str) -> None:
        self._members = {name: value for name, value in members.items() if value is not None}
        self._names = set(members)
        self._asked: set[str] = set()
        self._code = code

    def has(self, name: str) -> bool:
        return name in self._members

    def word(self, name: str, words: type[Word], code: str) -> Word:
        """A member of a closed set; refused with `code` if it is missing or another."""
        value = self._take(name)
        try:
            # Case and spaces around a word leave no doubt which word it is.
            return words(value.strip().lower() if isinstance(value, str) else value)
        except (ValueError, TypeError):
            raise Refusal(code, f"{name} is one of: {', '.join(words)}.") from None

    def text(self, name: str) -> str | None:
        """A string, or None if it is absent."""
        value = self._take(name)
        if value is not None and not isinstance(value, str):
            raise Refusal(self._code, f"{name} is not a string.")
        return value

    def name(self, name: str) -> str | None:
        """A string without spaces around it; a blank one counts as absent."""
        return (self.text(name) or "").strip() or None

    def integer(self, name: str) -> int | None:
        value = self._take(name)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise Refusal(self._code, f"{name} is not a whole number.")
        return value

    def ids(self, name: str) -> tuple[str, ...]:
        """A list of strings; a single string counts as a list of one."""
        value = self._take(name)
        listed = [value] if isinstance(value, str) else value or []
        if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
            raise Refusal(self._code, f"{name} is not a list of ids.")
        return tuple(listed)

    def objects(self, name: str) -> list[dict[str, Any]]:
        value = self._take(name)
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            raise Refusal(self._code, f"{name} is not a list of objects.")
        return value

    def require_no_other(self, *ignored: str) -> None:
        """Refuse members not asked for and not in `ignored`: a misspelt one would be lost."""
        if self._names - self._asked - set(ignored):
            known = ", ".join(sorted(self._asked))
            raise Refusal("unexpected_member", f"There is a member that is none of: {known}.")

    def _take(self, name: str) -> Any:
        self._asked.add(name)
        return self._members.get(name)
