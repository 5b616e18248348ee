"""Other people's readers of dates and quantities, each asked in its own way. For comparison only.

None of them is needed to run or test anything: they are looked for when asked for.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from tests.bench.oracles_values import Said, decimal, seconds

PACKAGES: Final = (
    "dateparser", "jionlp", "opencc-python-reimplemented", "ja-timex", "recognizers-text-suite",
    "'emoji<2'",
)  # fmt: skip
"""What to install. The last version of the recognisers needs an old `emoji`."""
Reader = Callable[[str, datetime], Iterator[Said]]


def readers(language: str) -> list[Reader]:
    """Those that read `language` (`en`, `zh-Hans`, `zh-Hant`, `ja`, `mixed`) and are installed."""
    spoken = {"mixed": ("en", "zh", "ja")}.get(language, (language[:2],))
    found: list[Reader] = []
    if "en" in spoken:
        found += [_dateparser] * has("dateparser") + [_english] * has("recognizers_date_time")
    if "zh" in spoken:
        found += [_jionlp] * has("jionlp") + [_chinese] * has("recognizers_date_time")
    if "ja" in spoken:
        found += [_ja_timex] * has("ja_timex")
    return found


@cache
def has(module: str) -> bool:
    """Whether a package is installed."""
    return _module(module) is not None


@cache
def _module(name: str) -> ModuleType | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return import_module(name)
        except ImportError:
            return None


def _loaded(name: str) -> Any:
    return _module(name)


def _dateparser(text: str, anchor: datetime) -> Iterator[Said]:
    settings = {"RELATIVE_BASE": anchor.replace(tzinfo=None), "PREFER_DAY_OF_MONTH": "first"}
    found = _loaded("dateparser.search").search_dates(text, languages=["en"], settings=settings)
    place = 0
    for passage, moment in found or ():
        place = text.find(passage, place)
        # A base's own clock time is what it fills in where the words name none.
        said = moment.isoformat()[:16] if re.search(r"\d:\d|\d ?[ap]m", passage, re.I) else (
            moment.date().isoformat()
        )  # fmt: skip
        yield Said("dateparser", place, place + len(passage), "date", said)
        place += len(passage)


def _jionlp(text: str, anchor: datetime) -> Iterator[Said]:
    simple = _simplified(text)
    if len(simple) != len(text):
        return
    ner = _loaded("jionlp").ner
    base = {"year": anchor.year, "month": anchor.month, "day": anchor.day, "hour": anchor.hour,
            "minute": anchor.minute, "second": 0}  # fmt: skip
    for found in ner.extract_time(simple, time_base=base, with_parsing=True):
        detail, (start, end) = found["detail"], found["offset"]
        if detail["type"] in ("time_point", "time_span"):
            yield Said("jionlp", start, end, *_of_span(detail["time"]))
        elif detail["type"] == "time_delta" and isinstance(detail["time"], dict):
            length = sum(
                value * _LENGTHS[unit]
                for unit, value in detail["time"].items()
                if unit in _LENGTHS and isinstance(value, int | float)
            )
            yield Said("jionlp", start, end, "duration", float(length))
    for found in ner.extract_money(simple, with_parsing=True) or ():
        (start, end), detail = found["offset"], found["detail"]
        number = decimal(str(detail["num"]))
        if number is not None:
            currency = _CURRENCIES.get(detail["case"])
            yield Said("jionlp", start, end, "amount", (number, currency))


def _of_span(bounds: list[str]) -> tuple[str, Any]:
    first, last = bounds[0], bounds[-1]
    if first[:10] == last[:10]:
        whole_day = first[11:] == "00:00:00" and last[11:] == "23:59:59"
        return "date", first[:10] if whole_day else first[:16].replace(" ", "T")
    try:
        after = datetime.fromisoformat(last[:10]) + timedelta(days=1)
    except (ValueError, OverflowError):
        return "date", first[:10]
    return "interval", (first[:10], after.date().isoformat())


def _ja_timex(text: str, anchor: datetime) -> Iterator[Said]:
    day = anchor.replace(tzinfo=None)
    for found in _loaded("ja_timex").TimexParser().parse(text):
        start, end = found.span
        value = re.sub(r"[XW-]*X.*$", "", found.value or "")
        if found.type == "DURATION" and found.mod is None and value.startswith("P"):
            yield Said("ja-timex", start, end, "duration", seconds(value))
        elif found.type == "DURATION" and value.endswith("D") and found.mod:
            days = float(value[1:-1]) * (-1 if found.mod == "BEFORE" else 1)
            moved = (day + timedelta(days=days)).date().isoformat()
            yield Said("ja-timex", start, end, "date", moved)
        elif found.type == "DATE" and len(value) == 10:
            yield Said("ja-timex", start, end, "date", value)


def _english(text: str, anchor: datetime) -> Iterator[Said]:
    return _recognised(text, anchor, "English")


def _chinese(text: str, anchor: datetime) -> Iterator[Said]:
    simple = _simplified(text)
    return _recognised(simple if len(simple) == len(text) else text, anchor, "Chinese")


def _recognised(text: str, anchor: datetime, culture: str) -> Iterator[Said]:
    times = _loaded("recognizers_date_time")
    code = getattr(times.Culture, culture)
    for found in times.recognize_datetime(text, code, reference=anchor.replace(tzinfo=None)):
        # Where they give the last and the next one, only the next is looked at.
        for each in (found.resolution or {}).get("values", ())[-1:]:
            kind, value = _of_resolution(each)
            if value is not None:
                yield Said("recognizers", found.start, found.end + 1, kind, value)
    for found in _loaded("recognizers_number_with_unit").recognize_currency(text, code):
        number = decimal(str((found.resolution or {}).get("value")))
        if number is not None:
            currency = found.resolution.get("isoCurrency")
            yield Said("recognizers", found.start, found.end + 1, "amount", (number, currency))
    for found in _loaded("recognizers_number").recognize_percentage(text, code):
        number = decimal(str((found.resolution or {}).get("value", "")).rstrip("%"))
        if number is not None:
            share = float(number) / 100
            yield Said("recognizers", found.start, found.end + 1, "proportion", share)


def _of_resolution(each: dict[str, str]) -> tuple[str, Any]:
    kind, value = each.get("type", ""), each.get("value")
    if kind == "duration" and value:
        return "duration", float(value)
    if kind in ("date", "datetime") and value and value[:4].isdigit():
        return "date", value[:16].replace(" ", "T")
    if kind in ("daterange", "datetimerange") and "start" in each and "end" in each:
        return "interval", (each["start"][:10], each["end"][:10])
    return kind, None


def _simplified(text: str) -> str:
    if not has("opencc"):
        return text
    return str(_converter().convert(text))


@cache
def _converter() -> Any:
    return _loaded("opencc").OpenCC("t2s")


_LENGTHS: Final = {"year": 31_536_000, "month": 2_592_000, "week": 604_800, "day": 86_400,
                   "hour": 3_600, "minute": 60, "second": 1}  # fmt: skip
_CURRENCIES: Final = {"美元": "USD", "日元": "JPY", "欧元": "EUR", "英镑": "GBP", "港元": "HKD",
                      "韩元": "KRW", "卢布": "RUB", "人民币": "CNY"}  # fmt: skip
