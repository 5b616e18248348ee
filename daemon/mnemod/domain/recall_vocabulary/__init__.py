"""The words recall treats apart, one file a locale: no list of words stands in code.

`stop` words are neither indexed nor searched, `carrier` words rank but are no match alone,
`history` cues ask for what was so. All locales apply to every text: people mix languages, and a
word that is grammar in one of these three is no content in another.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Final

LOCALES: Final = ("en", "zh", "ja")


def _read(locale: str) -> dict[str, str | list[str]]:
    source = files(__name__).joinpath(f"{locale}.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


def _words(member: str) -> frozenset[str]:
    return frozenset(word for locale in LOCALES for word in str(_BY_LOCALE[locale][member]).split())


_BY_LOCALE: Final = {locale: _read(locale) for locale in LOCALES}

STOP: Final = _words("stop")
CARRIER: Final = _words("carrier")
HISTORY: Final = {locale: tuple(_BY_LOCALE[locale]["history"]) for locale in LOCALES}
