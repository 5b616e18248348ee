"""Numerals in folded text: how they are written, and their exact values.

- figures: `3000`, `3,000.50`, `1'234`, `1,00,000`; `1.234,56` where the locale writes so;
- Han numerals: `三千二百`, `二〇二六`, `廿三`, `壹佰`, `八点五`, `3千`, `1万5千`, `1.5亿`;
  the last figure may leave its unit out: `两千五` is 2500, `万二` 12000;
- English words: `twenty-five`, `a hundred and six`, `half a million`, `2.5 million`.

A guess is no number: `三四`, `七八百`, `三三两两`. Everything here is exact; nothing is rounded.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache
from typing import Final

from mnemod.domain.normalise import numerals_han
from mnemod.domain.normalise.numeral_words import figures, words
from mnemod.domain.vocabulary import any_of

LENGTH_MAX: Final = 96
"""A longer numeral is an identifier or noise: it has no value."""

GROUP_AFTER_SPACE: Final = " [0-9]{3}(?![0-9])"
"""The source of a pattern for three figures that a space may hold to the figure before it."""

NO_GROUP: Final = "(?!(?<=[0-9] )[0-9]{3}(?![0-9]))"
"""The source of a pattern that refuses the place where those three figures begin."""

_HALF: Final = Decimal("0.5")


def value(text: str, locale: str = "") -> Decimal | None:
    """The value of the numeral `text`, folded; None if it is none, or only a guess at one."""
    if not text or len(text) > LENGTH_MAX:
        return None
    if not text.isascii():
        return numerals_han.value(text, locale)
    return _english(text, locale) if text[-1].isalpha() else figures(text, locale)


@cache
def is_cantonese(locale: str) -> bool:
    """Whether Cantonese is written in the region of `locale`."""
    return locale.lower().endswith(tuple(words().locales["cantonese"]))


@cache
def runs() -> re.Pattern[str]:
    """A pattern for figures and Han numerals, whole if they are taken one after another.

    What it finds need not have a value, and may be the rest of figures with too many points.
    """
    return re.compile(f"[{numeral_set()}]{rest()}")


@cache
def rest() -> str:
    """The source of a pattern for what follows the first character of a run."""
    listed = words()
    numeral = numeral_set()
    return (
        rf"[{numeral}]*+(?:(?<=[0-9])[.,'](?=[0-9])[{numeral}]++)*+"
        rf"(?:[{listed.point}](?=[{listed.digit}])[{numeral}]++)?+"
    )


@cache
def spelled() -> str:
    """The source of a pattern for numbers in English words, `an` and `2.5 million` among them.

    What it finds need not have a value.
    """
    listed = words()
    word, scale = any_of(listed.english), any_of(listed.scales)
    times = any_of((*listed.scales, listed.hundred, listed.dozen))
    head = rf"(?:[0-9]++(?:[.,][0-9]++)*+ ?{scale}|{word}|half an?(?= {times})|an?)"
    more = rf"(?:(?: and |[ -])(?:{word}|an? half(?![0-9a-z_-]))|-and-a-half)"
    return rf"(?<![0-9a-z_'])(?<![0-9a-z_][.,-]){NO_GROUP}{head}(?:{more}){{0,8}}+(?![0-9a-z_])"


@cache
def numeral_set() -> str:
    """All characters of figures and Han numerals, for a set in a pattern."""
    return "0-9" + words().numeral


@cache
def unit_characters() -> frozenset[str]:
    """The Han characters for ten, a hundred and so on."""
    listed = words()
    return frozenset((*listed.small, *listed.large))


@cache
def number_words() -> str:
    """The source of a pattern for one English word of a number, the articles left out."""
    return any_of(words().english)


@cache
def last_words() -> frozenset[str]:
    """The English words a number may end with."""
    listed = words()
    return frozenset((*listed.english, *listed.ones, listed.half))


@cache
def all_words() -> frozenset[str]:
    """The English words that may stand in a number."""
    return last_words() | {words().and_}


def _english(text: str, locale: str) -> Decimal | None:
    listed = words()
    more = f"+{listed.half}"
    tokens = text.replace("-", " ").replace(f" {listed.and_} a {listed.half}", f" {more}").split()
    total, section, scale = Decimal(0), _opening(tokens, locale), Decimal(0)
    last = ""
    for token in tokens:
        if token in listed.scales:
            if not section or (scale and listed.scales[token] >= scale):
                return None
            scale = listed.scales[token]
            total, section = total + section * scale, Decimal(0)
        elif token == more:
            section += (scale if last in listed.scales else 1) * _HALF
        elif token == listed.and_:
            if last not in listed.scales and last != listed.hundred:
                return None
        else:
            added = listed.joined(section, token)
            if added is None:
                return None
            section = added
        last = token
    return None if last == listed.and_ else total + section


def _opening(tokens: list[str], locale: str) -> Decimal:
    """What `a`, `half a` or figures begin a number with: they are taken off `tokens`."""
    listed = words()
    if tokens[0] in listed.ones:
        del tokens[0]
        return Decimal(1)
    if tokens[0] == listed.half and len(tokens) == 3 and tokens[1] in listed.ones:
        del tokens[:2]
        return _HALF
    if tokens[0][0].isdigit():
        return figures(tokens.pop(0), locale) or Decimal(0)
    return Decimal(0)
