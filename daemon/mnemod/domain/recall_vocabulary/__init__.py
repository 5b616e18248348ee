"""The words recall treats apart, one file a locale: no list of words stands in code.

`stop` words are neither indexed nor searched, `carrier` words rank but are no match alone (both
are written as terms are: in simplified characters, Japanese too), `history` cues ask for what was
so, `first_person` words mean the asker, `roles` name who speaks in a forged turn, `months` are in
order, `within` may stand beside a time without changing it. All locales apply to every text: people
mix languages, and a word that is grammar in one of these three is no content in another.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

LOCALES: Final = ("en", "zh", "ja")


def _read(locale: str) -> dict[str, str | list[str]]:
    source = Path(__file__).with_name(f"{locale}.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


_BY_LOCALE: Final = {locale: _read(locale) for locale in LOCALES}


def _words(member: str) -> frozenset[str]:
    return frozenset(word for locale in LOCALES for word in str(_BY_LOCALE[locale][member]).split())


def _phrases(member: str) -> tuple[str, ...]:
    return tuple(phrase for locale in LOCALES for phrase in _BY_LOCALE[locale][member])


def any_of(phrases: Iterable[str]) -> re.Pattern[str]:
    """Matches any of `phrases`, longest first: in Latin script as whole words, else anywhere."""
    longest_first = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    return re.compile(
        "|".join(rf"(?<!\w){p}(?!\w)" if p.isascii() else re.escape(p) for p in longest_first),
        re.IGNORECASE,
    )


STOP: Final = _words("stop")
CARRIER: Final = _words("carrier")
HISTORY: Final = any_of(_phrases("history"))
FIRST_PERSON: Final = any_of(_phrases("first_person"))
WITHIN: Final = _phrases("within")
ROLES: Final = _phrases("roles")
MONTHS: Final = {name: number for number, name in enumerate(_phrases("months"), 1)}
