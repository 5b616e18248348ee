"""Numbers with a word of money beside them that are no amount: pieces, places, terms, weights."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from mnemod.domain.normalise.currencies import After, Money
from mnemod.domain.normalise.joins import is_join
from mnemod.domain.normalise.quantity_text import pattern, precedes, words
from mnemod.domain.normalise.sheet import Run

Place = tuple[int, int]

_PIECES_MAX: Final = 100
_TERM_MAX: Final = 10
_WON_MIN: Final = 100
_AROUND: Final = 48
_MY_CENTS: Final = 2
_PLACEHOLDER: Final = re.compile(r"\$[0-9]")


def is_no_money(text: str, run: Run, unit: After, value: Decimal, money: Money) -> bool:
    """Whether the number `run` with the `unit` after it is something else than an amount."""
    start, end, word = run.start, unit.end, unit.word
    number = text[start : run.end]
    if not word.isascii() and pattern("ja", "yen_noun_after").match(text, end):
        return True
    if is_join(text, start, end) or (number in words("formal") and not unit.named):
        return True
    if word in words("yuan"):
        return not unit.named and _is_no_yuan(text, run.start, number, end, value)
    if word in words("pieces"):
        return money.kana or _is_pieces(text, run.start, number, end, value)
    if word in words("yen"):
        return _is_no_yen(text, run.start, number, end)
    if word.isascii():
        said = text[run.end : end].split(" ")[-1]
        return is_no_money_english(text, (start, end), number, said, value, money)
    if word in words("weighty"):
        return _near(pattern("ja", "not_pounds"), text, start, end)
    short = word in words("short_names")
    return short and pattern("zh", "not_short_name").match(text, end) is not None


def is_no_money_english(
    text: str, place: Place, number: str, word: str, value: Decimal, money: Money
) -> bool:
    """The same of English words: weights, a yen for something, who won, two cents."""
    start, end = place
    word = word.strip(" -")
    if number.strip() in ("a", "an"):
        return True
    if number.strip() in ("a million", "a billion") and precedes(
        pattern("en", "like_before"), text, start
    ):
        return True
    if word in ("pound", "pounds"):
        return _near(pattern("en", "weight"), text, start, end) or not (
            money.code("=pound_word") or _near(pattern("en", "money"), text, start, end)
        )
    if word == "won":
        return value < _WON_MIN or pattern("en", "won_verb").match(text, end) is not None
    if word in ("cent", "cents", "pence"):
        if precedes(pattern("en", "my"), text, start) or (word == "cent" and value != 1):
            return True
        return value == _MY_CENTS and pattern("en", "my_cents_after").match(text, end) is not None
    if word == "dollar":
        return pattern("en", "dollar_noun").match(text, end) is not None
    return False


def is_placeholder(text: str, start: int, end: int) -> bool:
    """Whether a sign and one figure stand for what code is given: `$1` is the first group."""
    if _PLACEHOLDER.fullmatch(text, start, end) is None:
        return False
    if _near(pattern("en", "money"), text, start, end):
        return False
    if any(_near(pattern(locale, "code"), text, start, end) for locale in ("en", "zh")):
        return True
    is_thing = pattern("en", "thing_after").match(text, end) or precedes(
        pattern("en", "thing_before"), text, start
    )
    return bool(is_thing) and _near(pattern("en", "maybe_code"), text, start, end)


def _near(found: re.Pattern[str], text: str, start: int, end: int) -> bool:
    return found.search(text, max(0, start - _AROUND), end + _AROUND) is not None


def _is_no_yuan(text: str, start: int, number: str, end: int, value: Decimal) -> bool:
    if number in words("bare") | words("no_yuan"):
        return True
    if pattern("zh", "yuan_shop").match(text, end):
        return True
    if value < _TERM_MAX and pattern("zh", "not_yuan").match(text, end):
        return True
    return number[0] in words("bare") and precedes(pattern("zh", "more_than_before"), text, start)


def _is_no_yen(text: str, start: int, number: str, end: int) -> bool:
    if pattern("ja", "not_yen").match(text, end) or pattern("ja", "yen_noun_after").match(
        text, end
    ):
        return True
    return number in words("one") and precedes(pattern("ja", "one_yen_before"), text, start)


def _is_pieces(text: str, start: int, number: str, end: int, value: Decimal) -> bool:
    """`三块豆腐` are pieces; `三块五`, `三块一斤` and `三千块` are money."""
    if number in words("bare"):
        return True
    if pattern("zh", "change").match(text, end):
        return False
    if pattern("zh", "pieces").match(text, end):
        return True
    if value >= _PIECES_MAX:
        return False
    if number in words("one") or precedes(pattern("zh", "pieces_before"), text, start):
        return True
    return not pattern("zh", "after_price").match(text, end)
