"""Han numerals with a unit of time that are no length of time: dates, ages, ordinals, idioms.

Every rule looks at the few characters beside the passage.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import cache
from typing import Final

from mnemod.domain import han
from mnemod.domain.normalise import numerals
from mnemod.domain.normalise.joins import is_join
from mnemod.domain.normalise.quantity_text import either, pattern, precedes, vocabulary, words

Place = tuple[int, int]

_YEAR_FIRST: Final = 1000
_LONG_YEARS: Final = 50


def is_no_length(text: str, place: Place, number: str, unit: str, *, kana: bool) -> bool:
    """Whether `text[place]`, which begins with `number` and `unit`, is no length of time.

    `kana` says that the text is Japanese. A half without a number has an empty `number`.
    """
    start, end = place
    if _is_said_otherwise(text, place) or _is_saying(text, place, kana=kana):
        return True
    if is_join(text, start, end) or number in words("formal"):
        return True
    if not number:
        return _is_no_half(text, place, unit, kana=kana)
    simple = end - start <= len(number) + len(unit) + 1
    rule = _rule(unit, kana=kana)
    if rule and simple and rule(text, place, number):
        return True
    return not kana and simple and _is_one_of_many(text, place, number, unit)


_AFTER: Final = (
    ("zh", "moment_after"),
    ("ja", "moment_after"),
    ("zh", "age_after"),
    ("ja", "age_after"),
    ("ja", "recurring_after"),
)
_BEFORE: Final = (("zh", "recurring_before"), ("zh", "ordinal_before"), ("ja", "age_before"))


def _is_said_otherwise(text: str, place: Place) -> bool:
    start, end = place
    return either(*_AFTER).match(text, end) is not None or precedes(either(*_BEFORE), text, start)


def _is_saying(text: str, place: Place, *, kana: bool) -> bool:
    """`一年半载`, `石の上にも三年`: a saying, or a thing that is called so (`24時間テレビ`)."""
    start, end = place
    if pattern("ja" if kana else "zh", "length_idioms").match(text, start):
        return True
    if not kana:
        called = pattern("zh", "length_noun_after").match(text, end) is not None
        return called and not precedes(pattern("zh", "length_cue_before"), text, start)
    return pattern("ja", "length_noun_after").match(text, end) is not None or precedes(
        pattern("ja", "saying_before"), text, start
    )


def _is_no_half(text: str, place: Place, unit: str, *, kana: bool) -> bool:
    start, end = place
    if precedes(pattern("zh", "half_year_before"), text, start):
        return True
    if pattern("zh", "half_noun_after").match(text, start + 1):
        return True
    if pattern("zh", "rate_after").match(text, end) and not kana:
        return True
    return unit in words("half_days") and not precedes(pattern("zh", "half_day_cue"), text, start)


def _is_one_of_many(text: str, place: Place, number: str, unit: str) -> bool:
    """`一天三次` is a rate, `有一天` some day, `这两年` these years."""
    start, end = place
    weekday = unit in words("day") and number in words("weekdays")
    if weekday and precedes(pattern("zh", "weekday_before"), text, start):
        return True
    if number in words("couple") and precedes(pattern("zh", "vague_two_before"), text, start):
        return True
    if unit in words("day") and precedes(pattern("zh", "days_a_week_before"), text, start):
        return True
    if number not in words("one") or text[end - 1] in words("half"):
        return False
    if text[end : end + 1] in words("over"):
        return False
    if pattern("zh", "rate_after").match(text, end):
        return True
    if unit in words("dates") and precedes(pattern("zh", "one_before"), text, start):
        return True
    return unit in words("days") and not (
        precedes(pattern("zh", "one_day_cue"), text, start)
        or pattern("zh", "one_day_after").match(text, end)
    )


def _chinese_years(text: str, place: Place, number: str) -> bool:
    start, end = place
    count = numerals.value(number)
    if pattern("zh", "year_noun_after").match(text, end) or precedes(
        pattern("zh", "year_before"), text, start
    ):
        return True
    if _is_year(number, count) or number in words("lone_years"):
        return True
    # Two figures are as often 2019 as nineteen years: only the neighbours can tell.
    return (
        number.isascii()
        and len(number) == 2
        and not (
            precedes(pattern("zh", "short_year_cue_before"), text, start)
            or pattern("zh", "short_year_cue_after").match(text, end)
            or text[end - 1] in words("closed_years")
        )
    )


def _is_year(number: str, count: Decimal | None) -> bool:
    """`2026`, `二〇二六`, `九八`, `08`: figures that name a year."""
    if count is None or count >= _YEAR_FIRST:
        return True
    positional = len(number) > 1 and not any(unit in number for unit in words("counting"))
    short = len(number) == 2 and count >= _LONG_YEARS
    return positional and (not number.isascii() or number[0] == "0" or short)


def _chinese_days(text: str, place: Place, _: str) -> bool:
    return pattern("zh", "day_noun_after").match(text, place[1]) is not None


def _chinese_dates(text: str, place: Place, _: str) -> bool:
    """`三日` is a day of the month unless a word makes it a length."""
    start, end = place
    return not (
        precedes(pattern("zh", "day_cue_before"), text, start)
        or pattern("zh", "day_cue_after").match(text, end)
    )


def _chinese_weeks(text: str, place: Place, number: str) -> bool:
    start, end = place
    if pattern("zh", "week_noun_after").match(text, end):
        return True
    return number in words("four") and not (
        precedes(pattern("zh", "short_year_cue_before"), text, start)
        or pattern("zh", "short_year_cue_after").match(text, end)
    )


def _weekdays(text: str, place: Place, _: str) -> bool:
    return pattern("zh", "weekday_after").match(text, place[1]) is not None


def _chinese_minutes(text: str, place: Place, _: str) -> bool:
    return pattern("zh", "minute_noun_after").match(text, place[1]) is not None


def _chinese_hours(text: str, place: Place, _: str) -> bool:
    return pattern("zh", "hour_noun_after").match(text, place[1]) is not None


def _always(_text: str, _place: Place, _number: str) -> bool:
    return True


def _japanese_years(text: str, place: Place, number: str) -> bool:
    start, end = place
    if pattern("ja", "year_noun_after").match(text, end) or precedes(
        pattern("zh", "year_before"), text, start
    ):
        return True
    if number in words("lone_years") or precedes(pattern("ja", "school_before"), text, start):
        return True
    return _is_year(number, numerals.value(number))


def _japanese_days(text: str, place: Place, _: str) -> bool:
    start, end = place
    if pattern("ja", "day_noun_after").match(text, end):
        return True
    if text[end - 1] in words("half"):
        return False
    if precedes(pattern("ja", "weekly_before"), text, start):
        return True
    return not (
        precedes(pattern("ja", "day_cue_before"), text, start)
        or pattern("ja", "day_cue_after").match(text, end)
    )


def _japanese_minutes(text: str, place: Place, number: str) -> bool:
    start, end = place
    if precedes(pattern("ja", "clock_before"), text, start):
        return True
    if pattern("ja", "minute_noun_after").match(text, end):
        return True
    return not number[0].isascii() and len(number) < 2


def _japanese_nouns(text: str, place: Place, _: str) -> bool:
    return pattern("ja", "noun_after").match(text, place[1]) is not None


def _japanese_seconds(text: str, place: Place, _: str) -> bool:
    return pattern("ja", "second_noun_after").match(text, place[1]) is not None


_Rule = Callable[[str, Place, str], bool]

_RULES: Final[Mapping[str, _Rule]] = {
    "chinese_years": _chinese_years,
    "chinese_days": _chinese_days,
    "chinese_dates": _chinese_dates,
    "chinese_weeks": _chinese_weeks,
    "chinese_minutes": _chinese_minutes,
    "chinese_hours": _chinese_hours,
    "weekdays": _weekdays,
    "japanese_years": _japanese_years,
    "japanese_days": _japanese_days,
    "japanese_minutes": _japanese_minutes,
    "japanese_seconds": _japanese_seconds,
    "japanese_nouns": _japanese_nouns,
    "always": _always,
}


@cache
def _rule(unit: str, *, kana: bool) -> _Rule | None:
    names = vocabulary("grammar").data["refusals_japanese" if kana else "refusals_chinese"]
    return {han.simplified(word): _RULES[name] for word, name in names.items()}.get(unit)
