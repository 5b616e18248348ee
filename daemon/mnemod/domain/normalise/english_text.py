"""What the readers of English dates ask about the words around a place."""

from __future__ import annotations

from typing import Final

from mnemod.domain.normalise.lexicon import english
from mnemod.domain.normalise.page import Page

_LOOK_BACK: Final = 20


def is_after(page: Page, name: str, at: int) -> bool:
    """Whether the text before `at` ends as the pattern `name` says."""
    return english().pattern(name).search(page.text, max(0, at - _LOOK_BACK), at) is not None


def is_bound(page: Page, at: int) -> bool:
    """Whether `the`, `my` or the like stands before: then no period of the calendar is meant."""
    return is_after(page, "bound_before", at)


def is_named(page: Page, start: int, end: int) -> bool:
    """Whether a word for a day is a title or part of a name: quoted alone, or with capitals."""
    text = page.text
    quotes = text[start - 1 : start], text[end : end + 1]
    if start and quotes[0] == quotes[1] and quotes[0] in english().words["quote"]:
        return True
    if text[end : end + 1] in ("-", "_", "@") and text[end + 1 : end + 2].isalnum():
        return True
    if english().pattern("domain_after").match(text, end):
        return True
    if not page.written(start, start + 1).isupper() or is_after(page, "sentence_start", start):
        return False
    return not page.written(start, end).isupper()


def month_number(name: str) -> int:
    """The number of the month that `name` names."""
    return int(english().data["months"][name.rstrip(".")])


def weekday_number(name: str) -> int:
    """The number of a weekday, 0 for Monday."""
    return int(english().data["weekdays"][name.rstrip(".")])


def number_of(ordinal: str) -> int:
    """12 of `12th` and of `twelfth`."""
    named = english().data["day_ordinals"].get(ordinal)
    return int(named) if named is not None else int(ordinal.rstrip("stndrh"))
