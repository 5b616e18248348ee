"""The compiler's patterns over folded text, one file per locale (see `reading.folding`)."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

from mnemod.domain.reading.lexicon import LOCALES


@cache
def pattern(locale: str, name: str) -> re.Pattern[str]:
    """The pattern of that name for texts of `locale`."""
    return re.compile(_vocabulary(locale)[name])


@cache
def any_locale(name: str) -> re.Pattern[str]:
    """The patterns of that name of all locales: of one word, none can be told."""
    return re.compile("|".join(f"(?:{_vocabulary(locale)[name]})" for locale in LOCALES))


@cache
def _vocabulary(locale: str) -> dict[str, str]:
    path = Path(__file__).with_name("vocabulary") / f"{locale}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))
