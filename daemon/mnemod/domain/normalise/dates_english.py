"""Dates in English: months by name, words that count from the anchor, years after a preposition.

`next` and `last` before a weekday are open where both weeks may be meant. `the next week`, `my last
year` name no week or year of the calendar. A name that is also a word needs its capital.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import cache
from typing import Final

from mnemod.domain.annotation import Annotation
from mnemod.domain.normalise import clock
from mnemod.domain.normalise.calendar import Period, last_day, moved, period, through
from mnemod.domain.normalise.english_distance import at_ago, at_from_now, at_in, at_recent
from mnemod.domain.normalise.english_text import (
    is_after,
    is_bound,
    is_named,
    month_number,
    number_of,
    weekday_number,
)
from mnemod.domain.normalise.lexicon import english
from mnemod.domain.normalise.page import ASSUMED, Page, of_dates, of_interval, of_period
from mnemod.domain.world import Precision

_CLOCK_BACK: Final = 26
_WEEKDAY_BACK: Final = 16
Reader = Callable[[Page, int, int], Annotation | None]


def at_word(page: Page, start: int, end: int) -> Annotation | None:
    """The reading that begins, or ends, with the word in that place."""
    word = page.text[start:end]
    read = _readers().get(word) or _readers()[word.partition(" ")[0]]
    return read(page, start, end)


def heads() -> list[str]:
    """Every word, or beginning of a phrase, that `at_word` reads on from."""
    data, words = english().data, english().words
    directed = (*data["weekdays"], *data["months"], *words["period"], *words["figure_word"])
    alone = [word for word in _readers() if word not in (*data["directions"], *words["in"])]
    counted = [f"{word} {number}" for word in words["in"] for number in words["figure_word"]]
    return [*alone, *counted, *(f"{d} {word}" for d in data["directions"] for word in directed)]


@cache
def _readers() -> dict[str, Reader]:
    data, words = english().data, english().words
    table: dict[str, Reader] = dict.fromkeys(data["directions"], at_direction)
    table |= dict.fromkeys(data["months"], at_month)
    table |= dict.fromkeys(data["days"], at_day)
    table |= dict.fromkeys(words["after_next"], at_after_next)
    table |= dict.fromkeys(words["half_head"], at_half)
    table |= dict.fromkeys(words["quarter_head"], at_quarter)
    table |= dict.fromkeys(words["end_of"], at_end)
    table |= dict.fromkeys(words["ago"], at_ago)
    table |= dict.fromkeys(words["from_now"], at_from_now)
    table |= dict.fromkeys(words["in"], at_in)
    return table


def at_day(page: Page, start: int, end: int) -> Annotation | None:
    """`tomorrow`, `last night` and their like."""
    if page.today is None or is_named(page, start, end):
        return None
    word = page.text[start:end]
    day = moved(page.today, english().data["days"][word], Precision.DAY)
    return on_day(page, start, end, day, part=english().data["parts_of_day"].get(word, ""))


def at_month(page: Page, start: int, end: int) -> Annotation | None:
    """A month's name with a day, a year, or both."""
    text, patterns = page.text, english()
    if is_after(page, "vague_before", start):
        return None
    if found := patterns.pattern("month_day").match(text, start):
        is_sure = found["year"] or not found["day"].isdigit()
        if not _is_month(page, start, end, sure=bool(is_sure)):
            return None
        return _day_of_month(page, _weekday_start(page, start), found)
    found = patterns.pattern("month_alone").match(text, start)
    if found is None or not _is_month(page, start, end, sure=False):
        return None
    if is_after(page, "month_joint_before", start):
        return None
    first = Period(date(int(found["year"]), month_number(found["month"]), 1), Precision.MONTH)
    if not found["last_month"]:
        return of_period(start, found.end(), first)
    last_first = date(int(found["last_year"]), month_number(found["last_month"]), 1)
    return _through(start, found.end(), first, Period(last_first, Precision.MONTH))


def at_day_figures(page: Page, start: int) -> Annotation | None:
    """`12 March 2026`, `10-12 March`, `15th of next month`."""
    text, patterns = page.text, english()
    if found := patterns.pattern("day_month").match(text, start):
        name = found.start("month")
        if not _is_month(page, name, name + len(found["month"]), sure=bool(found["year"])):
            return None
        return _day_of_month(page, _weekday_start(page, start), found)
    found = patterns.pattern("day_of_month").match(text, start)
    if found is None or page.today is None:
        return None
    offset = english().data["directions"][found["direction"]]
    month = period(page.today, Precision.MONTH, offset)
    day = month.first.replace(day=number_of(found["day"]))
    return on_day(page, start, found.end(), day)


def at_direction(page: Page, start: int, _: int) -> Annotation | None:
    """`next Friday`, `last week`, `this March`, `last three days`."""
    found = english().pattern("directed").match(page.text, start)
    if found is None:
        return at_recent(page, start)
    if page.today is None or is_after(page, "vague_before", start):
        return None
    if found["direction"] != "this" and is_bound(page, start):
        return None
    offset = english().data["directions"][found["direction"]]
    if found["weekday"]:
        return _directed_weekday(page, start, found)
    if english().pattern("of_after").match(page.text, found.end()):
        return None
    if found["month"]:
        return _directed_month(page, start, found, offset)
    if found["direction"] == "past":
        return None
    said = period(page.today, Precision(found["unit"]), offset)
    return _in_week(page, start, found.end(), said)


def at_after_next(page: Page, start: int, end: int) -> Annotation | None:
    """`week after next`, `month before last`."""
    if page.today is None:
        return None
    word = page.text[start:end]
    offset = 2 if word.endswith("next") else -2
    said = period(page.today, Precision(word.partition(" ")[0]), offset)
    return _in_week(page, start, end, said)


def at_end(page: Page, start: int, _: int) -> Annotation | None:
    """`end of next month`, `end of March 2026`: its last day."""
    found = english().pattern("ends").match(page.text, start)
    if found is None or page.today is None:
        return None
    if found["direction"]:
        offset = english().data["directions"][found["direction"]]
        month = period(page.today, Precision.MONTH, offset)
        return on_day(page, start, found.end(), last_day(month))
    name = found.start("month")
    if not _is_month(page, name, name + len(found["month"]), sure=bool(found["year"])):
        return None
    year = int(found["year"] or page.today.year)
    month = Period(date(year, month_number(found["month"]), 1), Precision.MONTH)
    confidence = 1.0 if found["year"] else ASSUMED
    return on_day(page, start, found.end(), last_day(month), confidence)


def at_half(page: Page, start: int, _: int) -> Annotation | None:
    """`first half of 2025`, `H2 next year`."""
    found = english().pattern("half").match(page.text, start)
    year = None if found is None else _year_of(page, found)
    if found is None or year is None:
        return None
    first = date(year, 1 + 6 * english().data["halves"][found["half"]], 1)
    return of_period(start, found.end(), Period(first, Precision.HALF))


def at_quarter(page: Page, start: int, _: int) -> Annotation | None:
    """`Q3 2025`, `third quarter of next year`."""
    found = english().pattern("quarter").match(page.text, start)
    year = None if found is None else _year_of(page, found)
    if found is None or year is None:
        return None
    number = int(found["q"] or english().data["ordinals"][found["nth"]])
    first = date(year, 3 * number - 2, 1)
    return of_period(start, found.end(), Period(first, Precision.QUARTER))


def at_year_quarter(page: Page, start: int) -> Annotation | None:
    """`2025 Q3`, `2025H1`."""
    found = english().pattern("year_quarter").match(page.text, start)
    if found is None:
        return None
    if found["q"]:
        unit, month = Precision.QUARTER, 3 * int(found["q"]) - 2
    else:
        unit, month = Precision.HALF, 1 + 6 * english().data["halves"][found["half"]]
    return of_period(start, found.end(), Period(date(int(found["year"]), month, 1), unit))


def at_year(page: Page, start: int) -> Annotation | None:
    """A year alone: after a preposition that takes one, and not a count of what follows."""
    text, patterns = page.text, english()
    found = patterns.pattern("year_alone").match(text, start)
    if found is None or patterns.pattern("quantity_after").match(text, found.end()):
        return None
    opens = patterns.pattern("year_after").match(text, found.end()) and is_after(
        page, "sentence_start", start
    )
    if not opens and not is_after(page, "year_before", start):
        return None
    first = Period(date(int(found["year"]), 1, 1), Precision.YEAR)
    if not found["last"]:
        return of_period(start, found.end(), first)
    return _through(
        start, found.end(), first, Period(date(int(found["last"]), 1, 1), Precision.YEAR)
    )


def on_day(
    page: Page, start: int, end: int, day: date, confidence: float = 1.0, part: str = ""
) -> Annotation | None:
    """What stands beside a day: a time after it or before it."""
    time = _time_after(page, end, part)
    if time is not None:
        return of_dates(start, time.end, time.on(day.isoformat()), Precision.MINUTE)
    if (before := _time_before(page, start, part)) is not None:
        first, hours, minute = before
        moments = clock.Clock(end, hours, minute).on(day.isoformat())
        return of_dates(first, end, moments, Precision.MINUTE)
    return of_period(start, end, Period(day, Precision.DAY), confidence)


def _day_of_month(page: Page, start: int, found: re.Match[str]) -> Annotation | None:
    if found["year"] is None and page.today is None:
        return None
    year = int(found["year"]) if found["year"] or page.today is None else page.today.year
    confidence = 1.0 if found["year"] else ASSUMED
    first = date(year, month_number(found["month"]), number_of(found["day"]))
    groups = found.groupdict()
    if not groups["through"] and not groups["last"]:
        return on_day(page, start, found.end(), first, confidence)
    month = month_number(groups["last_month"] or found["month"])
    last = date(year, month, number_of(groups.get("last_day") or groups["last"]))
    return _through(
        start,
        found.end(),
        Period(first, Precision.DAY),
        Period(last, Precision.DAY),
        confidence,
    )


def _directed_weekday(page: Page, start: int, found: re.Match[str]) -> Annotation | None:
    if page.today is None or not _is_weekday(page, found):
        return None
    said = weekday_number(found["weekday"])
    now = page.today.weekday()
    monday = period(page.today, Precision.WEEK).first
    day = moved(monday, said, Precision.DAY)
    if english().pattern("weekday_through").match(page.text, found.end()):
        return None
    match found["direction"]:
        case "this":
            days = [day]
        case "this coming":
            days = [day if said > now else moved(day, 1, Precision.WEEK)]
        case "this past" | "past":
            days = [day if said < now else moved(day, -1, Precision.WEEK)]
        case "next":
            coming = day if said > now else moved(day, 1, Precision.WEEK)
            days = [coming, moved(coming, 1, Precision.WEEK)]
        case _:
            week_before = moved(day, -1, Precision.WEEK)
            days = [week_before, day] if said < now else [week_before]
    if len(days) == 1:
        return on_day(page, start, found.end(), days[0])
    time = _time_after(page, found.end(), "")
    if time is None:
        return of_dates(start, found.end(), [d.isoformat() for d in days], Precision.DAY)
    moments = [moment for d in days for moment in time.on(d.isoformat())]
    return of_dates(start, time.end, moments, Precision.MINUTE)


def _directed_month(page: Page, start: int, found: re.Match[str], offset: int) -> Annotation | None:
    name = found.start("month")
    if page.today is None or not _is_month(page, name, found.end("month"), sure=False):
        return None
    year, month = page.today.year, month_number(found["month"])
    if offset > 0:
        # Said before that month, "next March" may be this year's or the one after.
        if month > page.today.month:
            return None
        year += 1
    elif offset < 0:
        if month < page.today.month:
            return (
                None
                if page.today.month - month > 1
                else of_period(start, found.end(), Period(date(year, month, 1), Precision.MONTH))
            )
        year -= 1
    return of_period(start, found.end(), Period(date(year, month, 1), Precision.MONTH))


def _in_week(page: Page, start: int, end: int, said: Period) -> Annotation | None:
    """A week with its weekday before or after it is a day."""
    if said.unit is Precision.WEEK:
        before = (
            english()
            .pattern("weekday_of_before")
            .search(page.text, max(0, start - _WEEKDAY_BACK), start)
        )
        if before is not None:
            day = moved(said.first, weekday_number(before["weekday"]), Precision.DAY)
            return on_day(page, before.start(), end, day)
        if after := english().pattern("weekday_after").match(page.text, end):
            day = moved(said.first, weekday_number(after["weekday"]), Precision.DAY)
            return on_day(page, start, after.end(), day)
    return of_period(start, end, said)


def _is_month(page: Page, start: int, end: int, *, sure: bool) -> bool:
    """Whether a month's name is meant as one: some are words too."""
    if page.text[start:end].rstrip(".") not in english().words["also_words"] or sure:
        return True
    if page.written(start, start + 1).isupper():
        return True
    return is_after(page, "dating_before", start)


def _is_weekday(page: Page, found: re.Match[str]) -> bool:
    if found["weekday"].rstrip(".") not in english().words["also_words"]:
        return True
    at = found.start("weekday")
    return page.written(at, at + 1).isupper()


def _weekday_start(page: Page, start: int) -> int:
    found = (
        english().pattern("weekday_before").search(page.text, max(0, start - _WEEKDAY_BACK), start)
    )
    return start if found is None else found.start()


def _year_of(page: Page, found: re.Match[str]) -> int | None:
    if found["year"]:
        return int(found["year"])
    if page.today is None:
        return None
    return page.today.year + int(english().data["directions"][found["direction"]])


def _time_after(page: Page, end: int, part: str) -> clock.Clock | None:
    patterns = english()
    found = patterns.pattern("clock").match(page.text, end)
    if found is None or not patterns.pattern("clock_needs").search(found[0]):
        return None
    is_bare = not (found["minute"] or found["half"] or found["noon"])
    if is_bare and patterns.pattern("quantity_after").match(page.text, found.end()):
        return None
    read = clock.english_clock(found, part)
    return None if read is None else clock.Clock(found.end(), *read)


def _time_before(page: Page, start: int, part: str) -> tuple[int, tuple[int, ...], int] | None:
    patterns = english()
    window = page.text[max(0, start - _CLOCK_BACK) : start]
    if not window.endswith((" ", "\n")) or patterns.pattern("clock_sign").search(window) is None:
        return None
    found = patterns.pattern("clock_before").search(page.text, max(0, start - _CLOCK_BACK), start)
    if found is None:
        return None
    is_bare = not (found["minute"] or found["half"] or found["noon"] or found["past"])
    if is_bare and not is_after(page, "at_before", found.start()):
        return None
    read = clock.english_clock(found, part)
    return None if read is None else (found.start(), *read)


def _through(
    start: int, end: int, first: Period, last: Period, confidence: float = 1.0
) -> Annotation | None:
    found = through(first, last)
    return None if found is None else of_interval(start, end, found, first.unit, confidence)
