"""Whether a question asks for what was so, or for what is."""

from __future__ import annotations

from enum import StrEnum

from mnemod.domain.recall_vocabulary import FIRST_PERSON, HISTORY


class History(StrEnum):
    """When past items are shown."""

    AUTO = "auto"
    NEVER = "never"
    ALWAYS = "always"


def wants_past(query: str, history: History) -> bool:
    """Whether past items belong in the answer. `auto` goes by the words of the query."""
    if history is History.AUTO:
        return HISTORY.search(query) is not None
    return history is History.ALWAYS


def is_first_person(query: str) -> bool:
    """Whether the asker asks about themselves."""
    return FIRST_PERSON.search(query) is not None
