"""Reads a sentence that mixes English with Chinese or Japanese in one language.

Rules are rules of a language: none of them sees that "你 must obey" orders something. The words of
English that orders are made of, where they stand among the other language's, are read as what they
say there (`[glossary]` of a vocabulary). An English name or term in a text is no mixture: only
where two such words touch the other script is it read again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from msgspec import Struct

from mnemod.domain import han, vocabulary
from mnemod.domain.folded import Folded
from mnemod.domain.gates.directive_rules import VOCABULARY, Language

TOUCHING_MIN: Final = 2
_EAST: Final = "[\u3041-\u30ff\u3400-\u9fff]"
_LATIN: Final = re.compile("[a-z]+")


class _Glossary(Struct, frozen=True):
    """What English phrases say, the words they begin with, and what finds them."""

    said: dict[str, str]
    begins: frozenset[str]
    any: re.Pattern[str]
    touching: re.Pattern[str]


def in_one_language(view: Folded, written: Sequence[Language]) -> Folded | None:
    """`view`, whose languages are `written`, with the English of an order put into the other one.

    None where there is nothing to put. Linear; the words in Latin letters decide nearly always.
    """
    text = view.text
    if len(written) <= 1 or written[0].locale != "en":
        return None
    known = _glossary(written[-1].locale)
    if known.begins.isdisjoint(_LATIN.findall(text)):
        return None
    if len(known.touching.findall(text)) < TOUCHING_MIN:
        return None
    return view.sub(known.any, lambda found: known.said[found[1]])


@cache
def _glossary(locale: str) -> _Glossary:
    listed = vocabulary.load(VOCABULARY, locale).data["glossary"]
    said = {phrase: han.simplified(word) for word, phrases in listed.items() for phrase in phrases}
    phrase = f"(?<![a-z']){vocabulary.any_of(said)}(?![a-z'])"
    return _Glossary(
        said,
        frozenset(found[0] for each in said if (found := _LATIN.match(each))),
        re.compile(f" ?({phrase}) ?"),
        re.compile(f"(?:(?<={_EAST})|(?<={_EAST} )){phrase}|{phrase}(?= ?{_EAST})"),
    )
