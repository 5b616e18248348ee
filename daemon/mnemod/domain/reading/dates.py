"""When something happened, as far as its own words say so.

Only one full numeric calendar date becomes `occurred_at`; a phrase such as "last Thursday" is
handed on as it stands. Two dates choose none.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from mnemod.domain.reading.clauses import Clause

_DATE: Final = re.compile(
    r"(?<![\d./-])(\d{4})\s?(?:年|([-/.]))\s?(\d{1,2})\s?(?:月|(?(2)\2))\s?(\d{1,2})(?:日|号|號)?(?![\d/-])"
)


def occurred_at(clause: Clause) -> str | None:
    """The ISO date of the clause's one full calendar date, None if there is none or more."""
    found = list(_DATE.finditer(clause.folded))
    if len(found) != 1:
        return None
    year, month, day = (int(found[0][group]) for group in (1, 3, 4))
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def time_expression(clause: Clause) -> str | None:
    """The first relative phrase, word for word, if no full date stands beside it."""
    if _DATE.search(clause.folded):
        return None
    found = clause.lexicon.cue("relative_time").search(clause.folded)
    return clause.source[found.start() : found.end()].strip() if found else None
