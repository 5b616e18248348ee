"""When something happened, as far as its own words say so.

Only one full calendar date becomes `occurred_at`; a phrase such as "last Thursday" is handed on as
it stands. Two dates choose none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from mnemod.domain.reading.clauses import Clause

_NUMERIC: Final = re.compile(
    r"(?<![\d./-])(\d{4})\s?(?:\u5e74|([-/.]))\s?(\d{1,2})\s?(?:\u6708|(?(2)\2))\s?(\d{1,2})(?:\u65e5|\u53f7|\u865f)?(?![\d/-])"
)


def occurred_at(clause: Clause) -> str | None:
    """The ISO date of the clause's one full calendar date, None if there is none or more."""
    found = list(_dates(clause))
    if len(found) != 1:
        return None
    try:
        return date(*found[0]).isoformat()
    except ValueError:
        return None


def time_expression(clause: Clause) -> str | None:
    """The first relative phrase, word for word, if no full date stands beside it."""
    if any(True for _ in _dates(clause)):
        return None
    found = clause.lexicon.cue("relative_time").search(clause.folded)
    return clause.source[found.start() : found.end()].strip() if found else None


def _dates(clause: Clause) -> Iterator[tuple[int, int, int]]:
    """Year, month and day of each full date, in figures or with the month's name."""
    for numeric in _NUMERIC.finditer(clause.folded):
        yield int(numeric[1]), int(numeric[3]), int(numeric[4])
    for written in clause.lexicon.cue("written_date").finditer(clause.folded):
        month = clause.lexicon.months[written["month"] or written["month_first"]]
        year = int(written["year"] or written["year_last"])
        yield year, month, int(written["day"] or written["day_second"])
