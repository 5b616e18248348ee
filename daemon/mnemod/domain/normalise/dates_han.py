"""Dates in Chinese and Japanese: words that count from the anchor, and what is written in full.

Every reading starts at a head (a word of the lexicon, an era, a number) and goes on as far as the
words do: 明年 | 三月 | 五号 | 晚上八点. A reader answers None where nothing is decided.
"""

from __future__ import annotations

from datetime import date

from mnemod.domain.annotation import Annotation
from mnemod.domain.normalise import clock, english_day, numerals
from mnemod.domain.normalise.calendar import Period, last_day, moved, period, through
from mnemod.domain.normalise.english_text import weekday_number
from mnemod.domain.normalise.guards import is_recurring, is_torn
from mnemod.domain.normalise.lexicon import Head, english, grammar, lexicon
from mnemod.domain.normalise.page import (
    ASSUMED,
    Page,
    of_dates,
    of_interval,
    of_period,
)
from mnemod.domain.world import Precision

_YEAR_MIN, _YEAR_MAX = 1000, 2999
_ROUND = 100
_WEEKDAY_BACK = 6
_LIST_BACK = 24


def at_word(page: Page, start: int, end: int) -> Annotation | None:
    """The reading that begins with the lexicon's word in that place."""
    word = page.text[start:end]
    head = lexicon().heads[word]
    if head.cantonese and not page.is_cantonese:
        return None
    if page.today is None or is_torn(page.text, start, end, word, head):
        return None
    if head.half:
        half = Period(date(page.today.year, 1 + 6 * head.offset, 1), Precision.HALF)
        return of_period(start, end, half)
    said = period(page.today, head.unit, head.offset)
    match head.unit:
        case Precision.DAY:
            return on_day(page, start, end, said.first, part=head.part)
        case Precision.WEEK:
            return _in_week(page, start, end, said, head)
        case Precision.MONTH:
            return in_month(page, start, end, said)
        case Precision.YEAR:
            return in_year(page, start, end, said.first.year, is_word=True)
        case _:
            return of_period(start, end, said)


def at_era(page: Page, start: int) -> Annotation | None:
    """The reading that begins with an era's name."""
    found = grammar().pattern("era").match(page.text, start)
    if found is None:
        return None
    return in_year(page, start, found.end(), _era_year(found["era"], found["year"]))


def _era_year(era: str, number: str) -> int:
    """The year of an era by its number; the first is also written as a word."""
    return int(grammar().data["era_start"][era]) + int(numerals.value(number) or 1) - 1


def at_short_era(page: Page, start: int) -> Annotation | None:
    """R8.3.12, R8年3月: the letter of an era, and the date in figures."""
    patterns = grammar()
    short = patterns.pattern("era_short").match(page.text, start)
    found = short or patterns.pattern("era_letter").match(page.text, start)
    if found is None or not page.written(start, start + 1).isupper():
        return None
    year = patterns.data["era_start"][found["era"]] + int(found["year"]) - 1
    if short is None:
        dated = page.sheet.kana or patterns.pattern("month").match(page.text, found.end())
        return in_year(page, start, found.end(), year) if dated else None
    day = date(year, int(found["month"]), int(found["day"]))
    return on_day(page, start, found.end(), day)


def at_year(page: Page, start: int) -> Annotation | None:
    """The reading that begins with a year of four figures, or with two of them."""
    pair = grammar().pattern("year_pair").match(page.text, start)
    if pair is not None:
        first, last = (Period(date(int(pair[g]), 1, 1), Precision.YEAR) for g in ("year", "last"))
        return _through(start, pair.end(), first, last)
    found = grammar().pattern("year").match(page.text, start)
    if found is None:
        return None
    year = numerals.value(found["year"])
    if year is None or not _YEAR_MIN <= year <= _YEAR_MAX:
        return None
    if year % _ROUND == 0 and grammar().pattern("before_or_after").match(page.text, found.end()):
        # 2000年前 is also two thousand years ago.
        return None
    return in_year(page, start, found.end(), int(year))


def at_month(page: Page, start: int) -> Annotation | None:
    """A month and a day, or a month's end, without a year: it lies in the anchor's."""
    found = grammar().pattern("month").match(page.text, start)
    if found is None or page.today is None or is_recurring(page.text, start):
        return None
    before = page.text[max(0, start - _WEEKDAY_BACK) : start]
    if grammar().pattern("year_before").search(before):
        return None
    weekday = grammar().pattern("weekday_before").search(before)
    first = start - (len(before) - weekday.start() if weekday else 0)
    number = numerals.value(found["month"])
    if number is None or not 1 <= number <= 12:
        return None
    month = Period(date(page.today.year, int(number), 1), Precision.MONTH)
    return in_month(page, first, found.end(), month, confidence=ASSUMED)


def at_listed_day(page: Page, start: int) -> Annotation | None:
    """Another day of the month that the day before it names: 5月3日、4日."""
    found = grammar().pattern("listed_day").match(page.text, start)
    back = max(0, start - _LIST_BACK)
    before = found and grammar().pattern("listed_before").search(page.text, back, start)
    if not found or not before or page.today is None or is_recurring(page.text, before.start()):
        return None
    year = int(before["year"] or page.today.year)
    month = Period(date(year, int(numerals.value(before["month"]) or 0), 1), Precision.MONTH)
    confidence = 1.0 if before["year"] else ASSUMED
    return on_day(page, start, found.end(), _day_of(month, found["day"]).first, confidence)


def in_year(
    page: Page, start: int, end: int, year: int, *, is_word: bool = False
) -> Annotation | None:
    """What follows a year that ends at `end`. `is_word`: it is said by a word, not in figures."""
    text, patterns = page.text, grammar()
    if half := patterns.pattern("half").match(text, end):
        first = date(year, 1 if half["first"] else 7, 1)
        return of_period(start, half.end(), Period(first, Precision.HALF))
    if quarter := patterns.pattern("quarter").match(text, end):
        number = int(numerals.value(quarter["quarter"] or quarter["q"]) or 1)
        first = date(year, 3 * number - 2, 1)
        return of_period(start, quarter.end(), Period(first, Precision.QUARTER))
    if found := patterns.pattern("month").match(text, end):
        number = int(numerals.value(found["month"]) or 0)
        if not 1 <= number <= 12:
            return None
        return in_month(page, start, found.end(), Period(date(year, number, 1), Precision.MONTH))
    if patterns.pattern("year_vague").match(text, end):
        return None
    if not is_word and patterns.pattern("year_not").match(text, end):
        return None
    whole = Period(date(year, 1, 1), Precision.YEAR)
    if until := patterns.pattern("year_through").match(text, end):
        last = Period(date(int(until["year"]), 1, 1), Precision.YEAR)
        return _through(start, until.end(), whole, last)
    return of_period(start, end, whole)


def in_month(
    page: Page, start: int, end: int, month: Period, confidence: float = 1.0
) -> Annotation | None:
    """What follows a month that ends at `end`. Alone it is one only if its year is sure."""
    text, patterns = page.text, grammar()
    if pair := patterns.pattern("day_pair").match(text, end):
        first, last = (_day_of(month, pair[group]) for group in ("day", "last"))
        return _through(start, pair.end(), first, last, confidence)
    if found := patterns.pattern("day").match(text, end):
        day = _day_of(month, found["day"])
        return _from_day(page, start, found.end(), day, confidence)
    if found := patterns.pattern("month_end").match(text, end):
        return on_day(page, start, found.end(), last_day(month), confidence=confidence)
    vague = any(patterns.pattern(name).match(text, end) for name in ("month_vague", "nth_week"))
    if vague or confidence < 1:
        return None
    if until := patterns.pattern("month_through").match(text, end):
        year = int(until["year"] or month.first.year)
        number = int(numerals.value(until["month"]) or 0)
        return _through(start, until.end(), month, Period(date(year, number, 1), Precision.MONTH))
    return of_period(start, end, month)


def on_day(
    page: Page, start: int, end: int, day: date, confidence: float = 1.0, part: str = ""
) -> Annotation | None:
    """What follows a day that ends at `end`: its weekday, and a time."""
    if weekday := grammar().pattern("bracketed").match(page.text, end):
        end = weekday.end()
    if grammar().pattern("name_after").match(page.text, end):
        return None
    time = clock.after_han(page, end, part) or english_day.time_after(page, end, part)
    if time is not None:
        return of_dates(start, time.end, time.on(day.isoformat()), Precision.MINUTE)
    return of_period(start, end, Period(day, Precision.DAY), confidence)


def _from_day(
    page: Page, start: int, end: int, day: Period, confidence: float
) -> Annotation | None:
    weekday = grammar().pattern("bracketed").match(page.text, end)
    after = weekday.end() if weekday else end
    if until := grammar().pattern("day_through").match(page.text, after):
        month = int(numerals.value(until["month"]) or 0) if until["month"] else day.first.month
        year = day.first.year + (month < day.first.month)
        if until["year"]:
            year = int(until["year"])
        elif until["era"]:
            year = _era_year(until["era"], until["era_year"])
        last = _day_of(Period(date(year, month, 1), Precision.MONTH), until["day"])
        stop = grammar().pattern("bracketed").match(page.text, until.end())
        return _through(start, stop.end() if stop else until.end(), day, last, confidence)
    return on_day(page, start, end, day.first, confidence)


def _in_week(page: Page, start: int, end: int, week: Period, head: Head) -> Annotation | None:
    text, patterns = page.text, grammar()
    if patterns.pattern("weekend").match(text, end):
        return None
    if found := patterns.pattern("ja_weekday").match(text, end):
        if patterns.pattern("weekday_or").match(text, found.end()):
            return None
        return on_day(page, start, found.end(), _weekday(week, found["weekday"]))
    if mixed := english().pattern("weekday_mixed").match(text, end):
        day = moved(week.first, weekday_number(mixed["weekday"]), Precision.DAY)
        return on_day(page, start, mixed.end(), day)
    if patterns.pattern("two_weekdays").match(text, end):
        return None
    found = None if head.kana else patterns.pattern("zh_weekday").match(text, end)
    if found is None or lexicon().no_weekday.match(text, found.end()):
        return of_period(start, end, week)
    if patterns.pattern("weekday_or").match(text, found.end()):
        return None
    first = _weekday(week, found["weekday"])
    until = patterns.pattern("weekday_through").match(text, found.end())
    if until is not None and not lexicon().no_weekday.match(text, until.end()):
        first_day, final = (
            Period(day, Precision.DAY) for day in (first, _weekday(week, until["weekday"]))
        )
        return _through(start, until.end(), first_day, final)
    return on_day(page, start, found.end(), first)


def _weekday(week: Period, name: str) -> date:
    return moved(week.first, grammar().data["weekday"][name], Precision.DAY)


def _day_of(month: Period, numeral: str) -> Period:
    number = numerals.value(numeral)
    return Period(month.first.replace(day=int(number or 0)), Precision.DAY)


def _through(
    start: int, end: int, first: Period, last: Period, confidence: float = 1.0
) -> Annotation | None:
    found = through(first, last)
    return None if found is None else of_interval(start, end, found, first.unit, confidence)
