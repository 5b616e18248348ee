"""Whether the words in a name's place are a name, and that name without title or honorific."""

from __future__ import annotations

from typing import Final

from mnemod.domain.reading.lexicon import Lexicon

_MARKS: Final = " \"'“”‘’「」『』《》.,，。、!！"


def proper_name(written: str, vocabulary: Lexicon) -> str | None:
    """The name in `written`, a substring of it, or None if it is not shaped like one."""
    name = written.strip(_MARKS)
    bare = _without_honorific(name, vocabulary.honorifics)
    # Only people bear honorifics: "花さん" is no flower.
    if bare == name and name.casefold() in vocabulary.not_names:
        return None
    return bare if vocabulary.name_shape.compiled().fullmatch(bare) else None


def _without_honorific(name: str, honorifics: tuple[str, ...]) -> str:
    for honorific in honorifics:
        if len(name) > len(honorific) and name.endswith(honorific):
            return name[: -len(honorific)].rstrip(_MARKS)
    return name
