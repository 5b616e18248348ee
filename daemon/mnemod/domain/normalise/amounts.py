"""Amounts of money in folded text: exact numbers with their currency where the words name one.

- a mark, code or word before: `US$1,234.50`, `NT$599`, `USD 3k`, `¥12,800`, `人民币8,999元`;
- a word, code or mark after: `3千円`, `1.5億元`, `2.5 million yen`, `3,000 NTD`, `三塊五`.

元, 块 and 圆 name no currency. `$` and `¥` mean what they do in the account's region, and `¥` in
a Japanese text the yen. `1.234,56` where nobody writes so is ambiguous. Never: pieces (`三块豆腐`),
places, weights, ordinals, guesses (`几百块`), or a number without a unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from mnemod.domain.annotation import Ambiguous, Amount, Annotation, AnnotationKind
from mnemod.domain.normalise import numerals
from mnemod.domain.normalise.amounts_refused import is_no_money, is_no_money_english, is_placeholder
from mnemod.domain.normalise.currencies import (
    Money,
    after,
    before,
    narrowed,
    nothing_after,
    prefix_endings,
    spelled_unit,
    unit_beginnings,
)
from mnemod.domain.normalise.numeral_words import figures
from mnemod.domain.normalise.quantity_text import (
    annotation,
    beside,
    is_part,
    pattern,
    places,
    precedes,
    spelled_before,
    vocabulary,
    words,
)
from mnemod.domain.normalise.sheet import HALF, Run, Sheet

NUMBER_MAX: Final = Decimal(10**20)
"""Nobody has more in any currency; beyond it figures are an identifier, and no longer exact."""

_EUROPEAN: Final = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]{1,2}")
_FIGURES: Final = re.compile(r"[0-9][0-9.,']*")
_EITHER_WAY: Final = "de"
Place = tuple[int, int, Amount | Ambiguous]


def find(sheet: Sheet) -> Iterator[Annotation]:
    """The amounts of a text. Its locale decides `$` and `¥`."""
    for start, end, amount in _all(sheet):
        confidence = 1.0
        if isinstance(amount, Ambiguous):
            confidence = 1 / len(amount.candidates)
        yield annotation((start, end), AnnotationKind.AMOUNT, amount, confidence)


def _all(sheet: Sheet) -> Iterator[Place]:
    done: list[Place] = []
    for place in _beside_numerals(sheet):
        done.append(place)
        yield place
    if not sheet.latin:
        return
    for place in _spelled(sheet):
        if not any(start < place[1] and place[0] < end for start, end, _ in done):
            yield place


def _beside_numerals(sheet: Sheet) -> Iterator[Place]:
    if not sheet.runs:
        return
    done, money = 0, Money(sheet)
    for run in beside(sheet, unit_beginnings(), prefix_endings()):
        if run.start < done or sheet.text[run.start] == HALF:
            continue
        place = _at(sheet.text, run, done, money)
        if place:
            done = place[1]
            yield place


def _at(text: str, run: Run, done: int, money: Money) -> Place | None:
    start, mark = before(text, run.start, done, money)
    has_unit = run.unit in unit_beginnings()
    if mark is None and not has_unit:
        return None
    if mark is not None and (alone := _without_next(text, run, money.locale)) is not run:
        run, has_unit = alone, False
    found = after(text, run.end, money) if has_unit else nothing_after(run.end)
    if mark is None and found.unit is None:
        return None
    value, either = _value(text[run.start : run.end], money.locale)
    if value is None or (mark is None and is_part(text, start, run.end)):
        return None
    if found.unit is not None and mark is None and is_no_money(text, run, found, value, money):
        return None
    end, more = found.end, Decimal(0)
    if found.unit is not None:
        end, more = _small_change(text, found.end, found.unit)
        end, more = _cents_after(text, end, found.unit) if not more else (end, more)
    elif _goes_on(text, end):
        return None
    if (
        found.unit is None
        and mark is not None
        and (
            money.refuses(mark, text[start : run.start], value)
            or is_placeholder(text, start, run.end)
        )
    ):
        return None
    code = found.named or narrowed(mark, found.unit)
    if found.unit is None and code:
        end, more = _cents_after(text, end, code)
    exact = [each * found.scale + more for each in (value, either) if each is not None]
    if max(exact) > NUMBER_MAX:
        return None
    amounts = [Amount(_plain(number), code or None) for number in sorted(exact)]
    return start, end, amounts[0] if len(amounts) == 1 else Ambiguous(tuple(amounts))


def _without_next(text: str, run: Run, locale: str) -> Run:
    """The figures of a run that goes on with the numeral of another thing: HK$12,500 | 一個月."""
    figure = _FIGURES.match(text, run.start, run.end)
    if not figure or figure.end() == run.end or _value(text[run.start : run.end], locale)[0]:
        return run
    return run._replace(end=figure.end())


def _value(number: str, locale: str) -> tuple[Decimal | None, Decimal | None]:
    """What figures are worth, and what else they may be where nobody writes them so."""
    value = numerals.value(number, locale)
    if value is None and _EUROPEAN.fullmatch(number):
        as_point = Decimal(number.replace(",", ""))
        return figures(number, _EITHER_WAY), as_point
    return value, None


def _goes_on(text: str, end: int) -> bool:
    """`$10-15` is a range, `$1a` and `us$5.6.7` no amount."""
    return pattern("grammar", "goes_on").match(text, end) is not None


def _small_change(text: str, end: int, unit: str) -> tuple[int, Decimal]:
    """Tenths and hundredths after the unit: `三块五`, `12元5角`, `5块8毛5`."""
    if unit == "" and text[end - 1] in words("with_change"):
        tail = pattern("zh", "change").match(text, end)
        if tail and (text[end - 1] in words("pieces") or tail["unit"]):
            tenths = numerals.value(tail["tenths"]) or Decimal(0)
            hundredths = numerals.value(tail["hundredths"]) if tail["hundredths"] else Decimal(0)
            return tail.end(), tenths / 10 + (hundredths or Decimal(0)) / 100
    return end, Decimal(0)


def _cents_after(text: str, end: int, code: str) -> tuple[int, Decimal]:
    """Hundredths after the unit in words of their own: `$5 and 25 cents`, `百円五十銭`."""
    if code == "JPY":
        tail, name = pattern("ja", "sen").match(text, end), "sen"
    else:
        tail, name = pattern("en", "and_cents").match(text, end), "cents"
    number = numerals.value(tail[name]) if tail and tail[name] else None
    if not tail or number is None:
        return end, Decimal(0)
    return tail.end(), number / 100


def _spelled(sheet: Sheet) -> Iterator[Place]:
    text, money = sheet.text, Money(sheet)
    for at, _ in places(text, vocabulary("en").data["stems"]["amounts"]):
        unit = spelled_unit(text, at, money)
        if unit is None:
            continue
        start_of_unit, end, code, cents = unit
        found = spelled_before(text, start_of_unit, money.locale)
        if found is None or is_part(text, found[0], start_of_unit):
            continue
        start, value = found
        if precedes(pattern("en", "part_before"), text, start):
            continue
        if is_no_money_english(
            text, (start, end), text[start:start_of_unit], text[start_of_unit:end], value, money
        ):
            continue
        if not cents:
            end, more = _cents_after(text, end, code)
            value += more
        yield start, end, Amount(_plain(value / 100 if cents else value), code or None)


def _plain(number: Decimal) -> str:
    plain = format(number, "f")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain
