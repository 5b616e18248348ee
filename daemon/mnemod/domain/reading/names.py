"""Whether the words in a name's place are a name, and that name without title or honorific."""

from __future__ import annotations

from typing import Final

from mnemod.domain.reading.lexicon import Lexicon

_MARKS: Final = " \"'“”‘’「」『』《》.,，。、!！"


def proper_name(written: str, vocabulary: Lexicon) -> str | None:
    """The name in `written`, a substring of it, or None if it is not shaped like one."""
    name = written.strip(_MARKS)
    for honorific in vocabulary.honorifics:
        if len(name) > len(honorific) and name.endswith(honorific):
            name = name[: -len(honorific)].rstrip(_MARKS)
            break
    if not vocabulary.name_shape.fullmatch(name) or name.casefold() in vocabulary.not_names:
        return None
    return name
